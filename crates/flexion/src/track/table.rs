//! Pose tables: CSV with a header of controller names and a row for each pose.

use std::io::BufRead;

use super::error::{TrackError, shown};
use super::records::{Record, Records};
use crate::controller::ControllerId;
use crate::face::Rest;
use crate::model::Model;

/// What a UTF-8 file may start with; spreadsheets write it.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// How a table's values are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableOptions {
    /// Where sliders without a column, or with an empty cell, stand.
    pub rest: Rest,
    /// Whether values outside a slider's range, and NaN, are taken as they are.
    pub raw: bool,
}

/// A table of poses, read row by row: a header of controller names in any order, then a row for
/// each pose.
///
/// A column sets every slider that its name addresses ([`Model::controllers_named`]); one for a
/// single slider takes precedence over one for several, wherever they stand. Columns `name`,
/// `time` and `frame` are labels, unless the model has such a slider. Blank lines are passed over.
///
/// ```
/// use flexion::{Model, PoseTable, TableOptions};
///
/// # fn main() -> Result<(), flexion::Error> {
/// # let [(_, mdl), (_, vvd), (_, vtx)] = flexion_sample::face().files();
/// # let model = Model::from_bytes(&mdl, Some(&vvd), Some(&vtx))?;
/// let text = "name,jaw_drop\nopen,1\nshut,\n";
/// let mut table = PoseTable::new(text.as_bytes(), &model, TableOptions::default())?;
/// let jaw = model.controller("jaw_drop")?.index();
/// let mut sliders = vec![0.0; model.controllers().len()];
/// let labels = table.next_row(&mut sliders)?.expect("a first row");
/// assert_eq!((labels.name.as_deref(), sliders[jaw]), (Some("open"), 1.0));
/// table.next_row(&mut sliders)?;
/// assert_eq!(sliders[jaw], 0.0);
/// assert!(table.next_row(&mut sliders)?.is_none());
/// # Ok(())
/// # }
/// ```
pub struct PoseTable<R> {
    model: Model,
    options: TableOptions,
    records: Records<R>,
    header_line: u64,
    columns: Vec<Column>,
}

/// What a row says of itself; what is empty or has no column is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowLabels {
    /// Line that the row starts on, the first is 1.
    pub line: u64,
    /// Column `name`.
    pub name: Option<String>,
    /// Column `time`, as it is written.
    pub time: Option<String>,
    /// Column `frame`, as it is written.
    pub frame: Option<String>,
}

/// What one column of the table holds.
struct Column {
    name: String,
    kind: Kind,
}

#[derive(PartialEq)]
enum Kind {
    Sliders(Vec<ControllerId>),
    Name,
    Time,
    Frame,
}

impl<R: BufRead> PoseTable<R> {
    /// Reads the header and resolves it for a model.
    ///
    /// # Errors
    ///
    /// [`TrackError`] when there is no header, it names what the model does not have, or a name
    /// twice.
    pub fn new(input: R, model: &Model, options: TableOptions) -> Result<PoseTable<R>, TrackError> {
        let mut records = Records::new(input);
        let Some(header) = records.next()? else {
            return Err(TrackError::at(1, "the table is empty: it needs a header"));
        };
        let (header_line, columns) = (header.line, resolve(&header, model)?);
        Ok(PoseTable {
            model: model.clone(),
            options,
            records,
            header_line,
            columns,
        })
    }

    /// The sliders that have a column, in rising order.
    pub fn sliders(&self) -> Vec<ControllerId> {
        let kinds = self.columns.iter().map(|column| &column.kind);
        let mut sliders: Vec<ControllerId> = kinds
            .filter_map(|kind| match kind {
                Kind::Sliders(sliders) => Some(sliders),
                Kind::Name | Kind::Time | Kind::Frame => None,
            })
            .flatten()
            .copied()
            .collect();
        sliders.sort();
        sliders.dedup();
        sliders
    }

    /// Line that the header starts on, the first is 1.
    pub(super) fn header_line(&self) -> u64 {
        self.header_line
    }

    pub(super) fn has_column(&self, name: &str) -> bool {
        let kind = match name {
            "time" => Kind::Time,
            _ => Kind::Frame,
        };
        self.columns.iter().any(|column| column.kind == kind)
    }

    /// Puts the next row into `sliders`, one per controller of the model; none at the end.
    ///
    /// # Errors
    ///
    /// [`TrackError`] with the line when the row has too many or too few fields, or one is no
    /// number; for NaN unless [`TableOptions::raw`] is set.
    ///
    /// # Panics
    ///
    /// When `sliders` is not as long as the model has controllers.
    pub fn next_row(&mut self, sliders: &mut [f32]) -> Result<Option<RowLabels>, TrackError> {
        let controllers = self.model.controllers();
        assert_eq!(sliders.len(), controllers.len(), "one value per controller");
        let Some(record) = self.records.next()? else {
            return Ok(None);
        };
        if record.len() != self.columns.len() {
            let (found, expected) = (record.len(), self.columns.len());
            let problem = format!("{found} fields where the header has {expected}");
            return Err(TrackError::at(record.line, problem));
        }
        self.model.rest_into(self.options.rest, sliders);
        // A column for all sliders of a name yields to one for a single of them.
        for alone in [false, true] {
            for (at, column) in self.columns.iter().enumerate() {
                let Kind::Sliders(ids) = &column.kind else {
                    continue;
                };
                if (ids.len() == 1) != alone || record.field(at).is_empty() {
                    continue;
                }
                let value = value(&record, at, &column.name, self.options.raw)?;
                for id in ids {
                    let held = controllers[id.index()].clamp(value);
                    sliders[id.index()] = if self.options.raw { value } else { held };
                }
            }
        }
        Ok(Some(labels(&self.columns, &record)))
    }
}

fn labels(columns: &[Column], record: &Record<'_>) -> RowLabels {
    let label = |kind: Kind| {
        let at = columns.iter().position(|column| column.kind == kind)?;
        Some(record.field(at).to_owned()).filter(|text| !text.is_empty())
    };
    RowLabels {
        line: record.line,
        name: label(Kind::Name),
        time: label(Kind::Time),
        frame: label(Kind::Frame),
    }
}

fn resolve(header: &Record<'_>, model: &Model) -> Result<Vec<Column>, TrackError> {
    let mut columns: Vec<Column> = Vec::with_capacity(header.len());
    let wrong =
        |at: usize, what: String| TrackError::at(header.line, format!("column {}: {what}", at + 1));
    let mut known = std::collections::HashSet::new();
    for at in 0..header.len() {
        let name = header.field(at).trim_start_matches(BYTE_ORDER_MARK);
        if !known.insert(name.to_ascii_lowercase()) {
            let problem = format!("column {} repeats {}", at + 1, shown(name));
            return Err(TrackError::at(header.line, problem));
        }
        let kind = match (
            model.controllers_named(name),
            name.to_ascii_lowercase().as_str(),
        ) {
            (Ok(sliders), _) => Kind::Sliders(sliders),
            (Err(_), "name") => Kind::Name,
            (Err(_), "time") => Kind::Time,
            (Err(_), "frame") => Kind::Frame,
            (Err(error), _) => return Err(wrong(at, error.to_string())),
        };
        columns.push(Column {
            name: name.to_owned(),
            kind,
        });
    }
    Ok(columns)
}

fn value(record: &Record<'_>, at: usize, name: &str, raw: bool) -> Result<f32, TrackError> {
    let text = record.field(at);
    let wrong = |what: String| {
        let problem = format!("column {} ({name}): {what}", at + 1);
        TrackError::at(record.line, problem)
    };
    let value: f32 = text
        .parse()
        .map_err(|_| wrong(format!("{} is not a number", shown(text))))?;
    if value.is_nan() && !raw {
        return Err(wrong("a slider cannot be set to NaN".to_owned()));
    }
    Ok(value)
}
