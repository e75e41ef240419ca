//! Pose tables: CSV with a header of controller names and a row for each pose.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use flexion::{ControllerId, Face, Model};

use crate::failure::Failure;

/// Columns that say something about a row and are no sliders, unless the model has such a slider.
const LABELS: [&str; 2] = ["name", "time"];

/// What a UTF-8 file may start with; spreadsheets write it.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// A pose table, read row by row.
pub(crate) struct PoseTable {
    path: PathBuf,
    reader: csv::Reader<Box<dyn Read>>,
    columns: Vec<Column>,
    record: csv::StringRecord,
}

/// What one column of the table holds.
struct Column {
    name: String,
    sliders: Vec<ControllerId>,
}

impl PoseTable {
    /// Opens a table for a model (`-` for standard input) and resolves its header.
    pub(crate) fn open(path: &Path, model: &Model) -> Result<PoseTable, Failure> {
        let input: Box<dyn Read> = if path == Path::new("-") {
            Box::new(io::stdin().lock())
        } else {
            Box::new(File::open(path).map_err(Failure::io(path))?)
        };
        let mut table = PoseTable {
            path: path.to_owned(),
            reader: csv::ReaderBuilder::new()
                .trim(csv::Trim::All)
                .from_reader(input),
            columns: Vec::new(),
            record: csv::StringRecord::new(),
        };
        table.columns = table.resolve_header(model)?;
        Ok(table)
    }

    fn resolve_header(&mut self, model: &Model) -> Result<Vec<Column>, Failure> {
        let header = match self.reader.headers() {
            Ok(header) => header.clone(),
            Err(error) => return Err(self.broken(&error)),
        };
        if header.is_empty() {
            return Err(self.problem(Some(1), "the table is empty: it needs a header".to_owned()));
        }
        let mut columns: Vec<Column> = Vec::with_capacity(header.len());
        for (at, name) in header.iter().enumerate() {
            let name = name.trim_start_matches(BYTE_ORDER_MARK);
            if columns
                .iter()
                .any(|column| column.name.eq_ignore_ascii_case(name))
            {
                let problem = format!("column {} repeats {name:?}", at + 1);
                return Err(self.problem(Some(1), problem));
            }
            let sliders = match model.controllers_named(name) {
                Ok(sliders) => sliders,
                Err(_) if LABELS.iter().any(|label| label.eq_ignore_ascii_case(name)) => Vec::new(),
                Err(error) => {
                    return Err(self.problem(Some(1), format!("column {}: {error}", at + 1)));
                }
            };
            columns.push(Column {
                name: name.to_owned(),
                sliders,
            });
        }
        Ok(columns)
    }

    /// Puts the next row on a face; `false` at the end of the table.
    pub(crate) fn next_pose(&mut self, face: &mut Face) -> Result<bool, Failure> {
        match self.reader.read_record(&mut self.record) {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(error) => return Err(self.broken(&error)),
        }
        face.reset();
        // A column for all sliders of a name yields to one for a single of them, wherever it is.
        for alone in [false, true] {
            for (at, column) in self.columns.iter().enumerate() {
                if (column.sliders.len() == 1) == alone {
                    self.set_column(face, at, column)?;
                }
            }
        }
        Ok(true)
    }

    fn set_column(&self, face: &mut Face, at: usize, column: &Column) -> Result<(), Failure> {
        let text = self.record.get(at).unwrap_or_default();
        if column.sliders.is_empty() || text.is_empty() {
            return Ok(());
        }
        let wrong = |what: String| {
            let problem = format!("column {} ({}): {what}", at + 1, column.name);
            self.problem(self.line(), problem)
        };
        let value: f32 = text
            .parse()
            .map_err(|_| wrong(format!("{text:?} is not a number")))?;
        for &slider in &column.sliders {
            face.set_id(slider, value)
                .map_err(|error| wrong(error.to_string()))?;
        }
        Ok(())
    }

    /// Puts the row with number `row`, from 1, on a face.
    pub(crate) fn pose(mut self, row: u64, face: &mut Face) -> Result<(), Failure> {
        for passed in 0..row {
            if !self.next_pose(face)? {
                let problem = format!("row {row} was asked for and the table has {passed}");
                return Err(self.problem(None, problem));
            }
        }
        Ok(())
    }

    fn line(&self) -> Option<u64> {
        self.record.position().map(csv::Position::line)
    }

    fn problem(&self, line: Option<u64>, problem: String) -> Failure {
        Failure::Table {
            path: self.path.clone(),
            line,
            problem,
        }
    }

    /// What the CSV reader found wrong.
    fn broken(&self, error: &csv::Error) -> Failure {
        let line = error.position().map(csv::Position::line);
        match error.kind() {
            csv::ErrorKind::UnequalLengths {
                expected_len, len, ..
            } => self.problem(
                line,
                format!("{len} fields where the header has {expected_len}"),
            ),
            csv::ErrorKind::Utf8 { .. } => self.problem(line, "the text is not UTF-8".to_owned()),
            csv::ErrorKind::Io(error) => self.problem(None, error.to_string()),
            _ => self.problem(line, error.to_string()),
        }
    }
}
