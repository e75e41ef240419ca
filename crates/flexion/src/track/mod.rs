//! Poses over time.
//!
//! In: keys — sliders at times — from a table, from JSON or from code. Out: sliders at any time,
//! or frame by frame at a rate. What a face makes of them, with the delay of slow flexes, is
//! [`TrackPlayer`]'s work.

mod bones;
mod error;
mod json;
mod player;
mod records;
mod table;

use std::fmt;
use std::io::BufRead;
use std::str::FromStr;

pub(crate) use bones::unit;
pub use bones::{BoneKey, BoneTrack};
pub use error::TrackError;
pub use player::{PlayedFrame, TrackPlayer};
pub use table::{PoseTable, RowLabels, TableOptions};

use crate::controller::ControllerId;
use crate::face::Rest;
use crate::model::Model;

/// Frames a second of a table with a `frame` column, or without any times.
pub const DEFAULT_FPS: f64 = 30.0;

/// Frames of a rate miss the times of keys, which people round; by less than this, in seconds,
/// they meet.
const MEETS: f64 = 1e-6;

/// Latest time of a key, and earliest below zero, in seconds: some thirty years.
const FARTHEST: f64 = 1e9;

/// How sliders get from key to key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// They stay until the next key.
    Step,
    /// In a straight line.
    #[default]
    Linear,
    /// Along a smooth curve through the keys (Catmull-Rom, with the keys' own spacing); it may
    /// swing past them, and is held to the slider's range by the face.
    CatmullRom,
}

impl FromStr for Interpolation {
    type Err = TrackError;

    fn from_str(text: &str) -> Result<Interpolation, TrackError> {
        match text {
            "step" => Ok(Interpolation::Step),
            "linear" => Ok(Interpolation::Linear),
            "catmull-rom" => Ok(Interpolation::CatmullRom),
            _ => Err(TrackError::whole(format!(
                "unknown interpolation {}: step, linear or catmull-rom",
                error::shown(text)
            ))),
        }
    }
}

impl fmt::Display for Interpolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Interpolation::Step => "step",
            Interpolation::Linear => "linear",
            Interpolation::CatmullRom => "catmull-rom",
        })
    }
}

/// Sliders at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// In seconds.
    pub time: f64,
    /// What people call it.
    pub name: Option<String>,
    /// Sliders in their own units; those that no key of a track names are at rest.
    pub sliders: Vec<(ControllerId, f32)>,
}

/// Poses over time: keys in rising order of time, at least one.
///
/// ```
/// use flexion::{Interpolation, Model, PoseTrack, Rest};
///
/// # fn main() -> Result<(), flexion::Error> {
/// # let [(_, mdl), (_, vvd), (_, vtx)] = flexion_sample::face().files();
/// # let model = Model::from_bytes(&mdl, Some(&vvd), Some(&vtx))?;
/// let text = "time,jaw_drop\n0,0\n0.5,1\n";
/// let track = PoseTrack::from_csv(text.as_bytes(), &model, Rest::Zero, flexion::DEFAULT_FPS)?;
/// let mut sliders = vec![0.0; model.controllers().len()];
/// track.at(0.25, Interpolation::Linear, &mut sliders);
/// assert_eq!(sliders[model.controller("jaw_drop")?.index()], 0.5);
/// assert_eq!(track.frame_count(30.0), 16);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PoseTrack {
    /// All sliders at rest.
    rest: Vec<f32>,
    /// The sliders that keys name, in rising order.
    channels: Vec<ControllerId>,
    times: Vec<f64>,
    names: Vec<Option<String>>,
    /// A value for each channel of each key.
    values: Vec<f32>,
}

impl PoseTrack {
    /// A track of keys for a model; a slider that some keys name is at rest in the others.
    ///
    /// # Errors
    ///
    /// [`TrackError`] when there is no key, a value is not finite, a time is not within a
    /// billion seconds, times go backwards or a slider is of another model.
    pub fn new(
        keys: impl IntoIterator<Item = Key>,
        model: &Model,
        rest: Rest,
    ) -> Result<PoseTrack, TrackError> {
        let keys: Vec<Key> = keys.into_iter().collect();
        let named = keys.iter().flat_map(|key| &key.sliders);
        let mut channels: Vec<ControllerId> = named.map(|&(id, _)| id).collect();
        channels.sort();
        channels.dedup();
        let mut track = PoseTrack::empty(model, rest, channels);
        let mut row = track.rest.clone();
        for (number, key) in keys.into_iter().enumerate() {
            row.copy_from_slice(&track.rest);
            for (id, value) in key.sliders {
                match row.get_mut(id.index()) {
                    Some(slider) => *slider = value,
                    None => {
                        let problem = format!("key {}: the model has no such slider", number + 1);
                        return Err(TrackError::whole(problem));
                    }
                }
            }
            let pushed = track.push(key.time, key.name, &row);
            pushed
                .map_err(|problem| TrackError::whole(format!("key {}: {problem}", number + 1)))?;
        }
        track.checked()
    }

    /// A track from a table ([`PoseTable`]) with a column `time` in seconds or `frame` in frames
    /// of `fps`; without either, rows follow one another at `fps`.
    ///
    /// # Errors
    ///
    /// [`TrackError`] with the line, as [`PoseTable`] and [`PoseTrack::new`].
    pub fn from_csv(
        input: impl BufRead,
        model: &Model,
        rest: Rest,
        fps: f64,
    ) -> Result<PoseTrack, TrackError> {
        let mut table = PoseTable::new(input, model, TableOptions { rest, raw: false })?;
        if table.has_column("time") && table.has_column("frame") {
            let problem = "a column time and a column frame: which?";
            return Err(TrackError::at(table.header_line(), problem));
        }
        let mut track = PoseTrack::empty(model, rest, table.sliders());
        let mut row = track.rest.clone();
        while let Some(labels) = table.next_row(&mut row)? {
            let wrong = |problem: String| TrackError::at(labels.line, problem);
            let time = match (table.has_column("time"), table.has_column("frame")) {
                (true, _) => number("time", labels.time.as_deref()).map_err(wrong)?,
                (_, true) => number("frame", labels.frame.as_deref()).map_err(wrong)? / fps,
                _ => track.times.len() as f64 / fps,
            };
            track.push(time, labels.name, &row).map_err(wrong)?;
        }
        track.checked()
    }

    fn empty(model: &Model, rest: Rest, channels: Vec<ControllerId>) -> PoseTrack {
        let mut row = vec![0.0; model.controllers().len()];
        model.rest_into(rest, &mut row);
        PoseTrack {
            rest: row,
            channels,
            times: Vec::new(),
            names: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Adds a key; says what is wrong with it.
    fn push(&mut self, time: f64, name: Option<String>, row: &[f32]) -> Result<(), String> {
        if !time.is_finite() {
            return Err(format!("time {time} is not finite"));
        }
        if time.abs() > FARTHEST {
            return Err(format!("time {time} is beyond {FARTHEST} s"));
        }
        if let Some(&last) = self.times.last().filter(|&&last| time < last) {
            return Err(format!("time {time} comes after {last}"));
        }
        for &id in &self.channels {
            let value = row[id.index()];
            if !value.is_finite() {
                return Err(format!("slider {} is {value}", id.index()));
            }
            self.values.push(value);
        }
        self.times.push(time);
        self.names.push(name);
        Ok(())
    }

    fn checked(self) -> Result<PoseTrack, TrackError> {
        if self.times.is_empty() {
            return Err(TrackError::whole("there is no pose"));
        }
        Ok(self)
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// Never: a track has a key at least.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// When each key is, in seconds.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The name of a key, by its number.
    pub fn name(&self, key: usize) -> Option<&str> {
        self.names.get(key)?.as_deref()
    }

    /// From the first key to the last, in seconds.
    pub fn duration(&self) -> f64 {
        self.times[self.times.len() - 1] - self.times[0]
    }

    /// How many frames of `fps` there are from the first key to the last, both included.
    ///
    /// A last key that is between two frames is not reached; one that misses its frame by less
    /// than a microsecond, as rounded times do, is.
    pub fn frame_count(&self, fps: f64) -> u64 {
        let reach = self.duration() * fps + (MEETS * fps).min(0.5);
        (reach.floor() as u64).saturating_add(1)
    }

    /// When a frame is, in seconds: each from its own number, so that none drifts.
    pub fn frame_time(&self, frame: u64, fps: f64) -> f64 {
        self.times[0] + frame as f64 / fps
    }

    /// The key that holds at a time: the last that is not later by a microsecond, the first
    /// before all.
    pub fn key_at(&self, seconds: f64) -> usize {
        let after = self.times.partition_point(|&time| time <= seconds + MEETS);
        after.saturating_sub(1)
    }

    /// Writes all sliders at a time into `sliders`, one per controller of the model, in their own
    /// units; before the first key those of the first, after the last those of the last.
    ///
    /// At the time of a key, and within a microsecond before it, they are the key's, in every
    /// bit; of keys closer together than that, the last one's.
    ///
    /// # Panics
    ///
    /// When `sliders` is not as long as the model has controllers.
    pub fn at(&self, seconds: f64, interpolation: Interpolation, sliders: &mut [f32]) {
        sliders.copy_from_slice(&self.rest);
        let from = self.key_at(seconds);
        let to = (from + 1).min(self.times.len() - 1);
        let span = self.times[to] - self.times[from];
        let part = if span > 0.0 {
            ((seconds - self.times[from]) / span).max(0.0)
        } else {
            0.0
        };
        for (channel, id) in self.channels.iter().enumerate() {
            let [a, b] = [from, to].map(|key| self.value(key, channel));
            let value = match interpolation {
                _ if part == 0.0 => a,
                Interpolation::Step => a,
                Interpolation::Linear => a + (b - a) * part,
                Interpolation::CatmullRom => {
                    let [p, q] = [from, to].map(|key| self.slope(key, channel, span));
                    hermite([a, b], [p, q], part)
                }
            };
            sliders[id.index()] = value as f32;
        }
    }

    fn value(&self, key: usize, channel: usize) -> f64 {
        f64::from(self.values[key * self.channels.len() + channel])
    }

    /// How fast a slider passes a key, per `span` beside that key: from the key before to the
    /// one after. The spans are divided first: neither is too short for that.
    fn slope(&self, key: usize, channel: usize, span: f64) -> f64 {
        let (before, after) = (key.saturating_sub(1), (key + 1).min(self.times.len() - 1));
        let both = self.times[after] - self.times[before];
        (self.value(after, channel) - self.value(before, channel)) * (span / both)
    }
}

/// A cubic from one value to another with slopes at both, at `part` of the way.
fn hermite([a, b]: [f64; 2], [p, q]: [f64; 2], part: f64) -> f64 {
    let (t, u) = (part, 1.0 - part);
    let blend = t * t * (3.0 - 2.0 * t);
    a + (b - a) * blend + t * u * (u * p - t * q)
}

/// A label that must be a finite number.
fn number(column: &str, text: Option<&str>) -> Result<f64, String> {
    let text = text.ok_or_else(|| format!("the {column} is empty"))?;
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(format!(
            "the {column} {} is not a finite number",
            error::shown(text)
        )),
    }
}
