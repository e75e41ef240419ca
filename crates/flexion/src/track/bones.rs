//! Bones over time: keys of places in the parents' spaces, and the table that people write.

use std::io::BufRead;

use flexion_bones::{Local, SkeletonPose};
use glam::{EulerRot, Quat};

use super::error::{TrackError, shown};
use super::records::{Record, Records};
use super::{FARTHEST, Interpolation, MEETS, number};
use crate::model::Model;

/// Where a bone stands at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneKey {
    /// In seconds.
    pub time: f64,
    /// Its number.
    pub bone: usize,
    /// In its parent's space: model units, and a rotation of unit length.
    pub local: Local,
}

/// Bones over time: for each bone keys in rising order of time; bones without keys stay.
///
/// The table has a line for each key: `time` in seconds or `frame`, `bone`, a position `px`, `py`,
/// `pz` in the parent's space, and a rotation, either `qx`, `qy`, `qz`, `qw` in the parent's space
/// or `rx`, `ry`, `rz` in degrees about the bone's own axes as it stands in the bind pose, X first.
/// What is left out or empty is as in the bind pose.
///
/// ```
/// use flexion::{BoneTrack, Interpolation, Model};
///
/// # fn main() -> Result<(), flexion::Error> {
/// # let [(_, mdl), (_, vvd), (_, vtx)] = flexion_sample::face().files();
/// # let model = Model::from_bytes(&mdl, Some(&vvd), Some(&vtx))?;
/// let nod = "time,bone,rz\n0,head,0\n0.5,head,20\n1,head,0\n";
/// let track = BoneTrack::from_csv(nod.as_bytes(), &model, flexion::DEFAULT_FPS)?;
/// let mut face = model.face();
/// face.pose_bones(|pose| track.at(0.25, Interpolation::Linear, pose));
/// assert_ne!(face.bone("head")?.rotation, model.face().bone("head")?.rotation);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BoneTrack {
    /// The keys of each bone that has any, bones in rising order.
    bones: Vec<(usize, Vec<(f64, Local)>)>,
}

/// Columns of the table; a quaternion has all of its four, an angle that is missing is 0.
const COLUMNS: [&str; 13] = [
    "time", "frame", "bone", "px", "py", "pz", "qx", "qy", "qz", "qw", "rx", "ry", "rz",
];

impl BoneTrack {
    /// A track of keys in any order of bones.
    ///
    /// # Errors
    ///
    /// [`TrackError`] when there is no key, a bone is of another model, something is not finite or
    /// a rotation has no length, a time is not within a billion seconds, or the times of a bone go
    /// backwards.
    pub fn new(
        keys: impl IntoIterator<Item = BoneKey>,
        model: &Model,
    ) -> Result<BoneTrack, TrackError> {
        let mut track = BoneTrack { bones: Vec::new() };
        for (at, key) in keys.into_iter().enumerate() {
            let wrong = |problem| TrackError::whole(format!("key {}: {problem}", at + 1));
            track.push(key, model).map_err(wrong)?;
        }
        track.checked()
    }

    /// A track from the table that is described above; frames are `fps` to a second.
    ///
    /// # Errors
    ///
    /// [`TrackError`] with the line, as [`BoneTrack::new`].
    pub fn from_csv(input: impl BufRead, model: &Model, fps: f64) -> Result<BoneTrack, TrackError> {
        let mut records = Records::new(input);
        let Some(header) = records.next()? else {
            return Err(TrackError::at(1, "the table is empty: it needs a header"));
        };
        let columns = columns(&header)?;
        let mut track = BoneTrack { bones: Vec::new() };
        while let Some(record) = records.next()? {
            let line = record.line;
            if record.len() != columns.len() {
                let (found, expected) = (record.len(), columns.len());
                let problem = format!("{found} fields where the header has {expected}");
                return Err(TrackError::at(line, problem));
            }
            let key = Row {
                columns: &columns,
                record,
            }
            .key(model, fps);
            let pushed = key.and_then(|key| track.push(key, model));
            pushed.map_err(|problem| TrackError::at(line, problem))?;
        }
        track.checked()
    }

    /// Whether a bone has keys.
    pub fn moves(&self, bone: usize) -> bool {
        let found = self.bones.binary_search_by_key(&bone, |(bone, _)| *bone);
        found.is_ok()
    }

    /// When the last key is, in seconds.
    pub fn end(&self) -> f64 {
        let ends = self.bones.iter().filter_map(|(_, keys)| keys.last());
        ends.map(|(time, _)| *time).fold(f64::MIN, f64::max)
    }

    /// When the first key is, in seconds.
    pub fn start(&self) -> f64 {
        let starts = self.bones.iter().filter_map(|(_, keys)| keys.first());
        starts.map(|(time, _)| *time).fold(f64::MAX, f64::min)
    }

    /// Puts the bones that have keys where they are at a time: positions in a straight line,
    /// rotations the shorter way, also for [`Interpolation::CatmullRom`]; before the first key as
    /// there, after the last as there.
    ///
    /// # Panics
    ///
    /// When the pose is of a skeleton without one of the bones.
    pub fn at(&self, seconds: f64, interpolation: Interpolation, pose: &mut SkeletonPose) {
        for (bone, keys) in &self.bones {
            let after = keys.partition_point(|(time, _)| *time <= seconds + MEETS);
            let (start, from) = keys[after.saturating_sub(1)];
            let (end, to) = keys[after.min(keys.len() - 1)];
            let span = end - start;
            let part = if span > 0.0 {
                ((seconds - start) / span).max(0.0) as f32
            } else {
                0.0
            };
            *pose.local_mut(*bone) = match interpolation {
                _ if part == 0.0 => from,
                Interpolation::Step => from,
                Interpolation::Linear | Interpolation::CatmullRom => Local {
                    position: from.position.lerp(to.position, part),
                    rotation: from.rotation.slerp(to.rotation, part).normalize(),
                },
            };
        }
    }

    /// Adds a key; says what is wrong with it.
    fn push(&mut self, key: BoneKey, model: &Model) -> Result<(), String> {
        let Some(bone) = model.skeleton().bones().get(key.bone) else {
            return Err(format!("the model has no bone {}", key.bone));
        };
        let name = shown(&bone.name);
        if !(key.time.is_finite() && key.time.abs() <= FARTHEST) {
            return Err(format!("time {} is not within {FARTHEST} s", key.time));
        }
        if !key.local.position.is_finite() {
            return Err(format!("the position of bone {name} is not finite"));
        }
        let Some(rotation) = unit(key.local.rotation) else {
            let problem = "has no length, or one that is not finite";
            return Err(format!("the rotation of bone {name} {problem}"));
        };
        let at = match self
            .bones
            .binary_search_by_key(&key.bone, |(bone, _)| *bone)
        {
            Ok(at) => at,
            Err(at) => {
                self.bones.insert(at, (key.bone, Vec::new()));
                at
            }
        };
        let keys = &mut self.bones[at].1;
        if let Some((last, _)) = keys.last().filter(|(last, _)| key.time < *last) {
            return Err(format!(
                "time {} of bone {name} comes after {last}",
                key.time
            ));
        }
        let position = key.local.position;
        keys.push((key.time, Local { position, rotation }));
        Ok(())
    }

    fn checked(self) -> Result<BoneTrack, TrackError> {
        if self.bones.is_empty() {
            return Err(TrackError::whole("there is no key of a bone"));
        }
        Ok(self)
    }
}

/// A rotation of unit length, if it has any; also of one whose parts are too large to square.
pub(crate) fn unit(rotation: Quat) -> Option<Quat> {
    let parts = rotation.to_array().map(f64::from);
    let length = parts.iter().map(|part| part * part).sum::<f64>().sqrt();
    let unit = parts.map(|part| (part / length) as f32);
    (length.is_finite() && length > 0.0).then(|| Quat::from_array(unit))
}

/// The columns of a header as numbers into [`COLUMNS`].
fn columns(header: &Record<'_>) -> Result<Vec<usize>, TrackError> {
    let wrong = |problem: String| TrackError::at(header.line, problem);
    let mut columns = Vec::with_capacity(header.len());
    for at in 0..header.len() {
        let name = header.field(at).trim_start_matches('\u{feff}');
        let known = COLUMNS
            .iter()
            .position(|column| column.eq_ignore_ascii_case(name));
        let Some(column) = known else {
            let problem = format!("column {}: {} is none of", at + 1, shown(name));
            return Err(wrong(format!("{problem} {}", COLUMNS.join(", "))));
        };
        if columns.contains(&column) {
            return Err(wrong(format!(
                "column {} repeats {}",
                at + 1,
                COLUMNS[column]
            )));
        }
        columns.push(column);
    }
    let has = |names: &[&str]| {
        let column = |name: &str| COLUMNS.iter().position(|column| *column == name);
        let there = names
            .iter()
            .filter(|name| column(name).is_some_and(|c| columns.contains(&c)));
        there.count()
    };
    if has(&["time", "frame"]) != 1 || has(&["bone"]) != 1 {
        return Err(wrong(
            "it needs a column bone, and time or frame".to_owned(),
        ));
    }
    if columns.len() == 2 {
        return Err(wrong(
            "no column moves a bone: px to pz, qx to qw, rx to rz".to_owned(),
        ));
    }
    if ![0, 4].contains(&has(&["qx", "qy", "qz", "qw"])) {
        return Err(wrong("a rotation has all of qx, qy, qz, qw".to_owned()));
    }
    Ok(columns)
}

/// A line of the table.
struct Row<'a> {
    columns: &'a [usize],
    record: Record<'a>,
}

impl Row<'_> {
    fn key(&self, model: &Model, fps: f64) -> Result<BoneKey, String> {
        let time = match self.text("frame") {
            Some(frame) => number("frame", Some(frame))? / fps,
            None => number("time", self.text("time"))?,
        };
        let name = self.text("bone").ok_or("the bone is empty")?;
        let bone = model.bone(name).map_err(|error| error.to_string())?;
        let bind = &model.skeleton().bones()[bone];
        let mut position = bind.position;
        for (axis, column) in ["px", "py", "pz"].into_iter().enumerate() {
            if let Some(value) = self.value(column)? {
                position[axis] = value;
            }
        }
        let parts = [
            self.value("qx")?,
            self.value("qy")?,
            self.value("qz")?,
            self.value("qw")?,
        ];
        let turns = [self.value("rx")?, self.value("ry")?, self.value("rz")?];
        let rotation = match parts {
            [Some(x), Some(y), Some(z), Some(w)] if turns == [None; 3] => {
                Quat::from_xyzw(x, y, z, w)
            }
            [None, None, None, None] => {
                let [x, y, z] = turns.map(|turn| turn.unwrap_or(0.0).to_radians());
                bind.rotation * Quat::from_euler(EulerRot::ZYX, z, y, x)
            }
            _ if turns == [None; 3] => return Err("qx, qy, qz, qw: some are empty".to_owned()),
            _ => return Err("a rotation in qx to qw and one in rx to rz: which?".to_owned()),
        };
        let local = Local { position, rotation };
        Ok(BoneKey { time, bone, local })
    }

    /// A field by the name of its column; none where it is empty or there is none.
    fn text(&self, column: &str) -> Option<&str> {
        let at = self.columns.iter().position(|&at| COLUMNS[at] == column)?;
        Some(self.record.field(at)).filter(|text| !text.is_empty())
    }

    fn value(&self, column: &str) -> Result<Option<f32>, String> {
        let text = self.text(column);
        let value = text.map(|text| number(column, Some(text)).map(|value| value as f32));
        value.transpose()
    }
}
