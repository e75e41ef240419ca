//! Pose tracks as JSON: `{"fps": 30, "poses": [{"name": .., "time": .., "sliders": {..}}]}`.

use std::fmt;
use std::io::Read;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};

use super::error::{TrackError, shown};
use super::{DEFAULT_FPS, Key, PoseTrack};
use crate::controller::ControllerId;
use crate::face::Rest;
use crate::model::Model;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    fps: Option<f64>,
    poses: Vec<Pose>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pose {
    name: Option<String>,
    time: Option<f64>,
    frame: Option<f64>,
    #[serde(default, deserialize_with = "sliders")]
    sliders: Vec<(String, f32)>,
}

/// The members of an object in their order; a name that comes twice is an error, not the last.
fn sliders<'de, D: Deserializer<'de>>(input: D) -> Result<Vec<(String, f32)>, D::Error> {
    struct Sliders;

    impl<'de> Visitor<'de> for Sliders {
        type Value = Vec<(String, f32)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object of sliders and their values")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut sliders: Vec<(String, f32)> = Vec::new();
            let mut known = std::collections::HashSet::new();
            while let Some((name, value)) = map.next_entry::<String, f32>()? {
                if !known.insert(name.to_ascii_lowercase()) {
                    return Err(A::Error::custom(format!("{} comes twice", shown(&name))));
                }
                if !value.is_finite() {
                    return Err(A::Error::custom(format!("{} is too large", shown(&name))));
                }
                sliders.push((name, value));
            }
            Ok(sliders)
        }
    }

    input.deserialize_map(Sliders)
}

impl PoseTrack {
    /// A track from JSON: `{"fps": 30, "poses": [{"name": "open", "time": 0.5, "sliders":
    /// {"jaw_drop": 1}}]}`.
    ///
    /// A pose has a `time` in seconds, or a `frame` in frames of `fps` ([`DEFAULT_FPS`] unless
    /// given), or neither: then it follows the one before at `fps`. Values are held to the
    /// sliders' ranges; a name for one slider takes precedence over one for several, in whatever
    /// order they stand.
    ///
    /// ```
    /// use flexion::{Model, PoseTrack, Rest};
    ///
    /// # fn main() -> Result<(), flexion::Error> {
    /// # let [(_, mdl), (_, vvd), (_, vtx)] = flexion_sample::face().files();
    /// # let model = Model::from_bytes(&mdl, Some(&vvd), Some(&vtx))?;
    /// let text = r#"{"poses": [{"name": "shut"}, {"frame": 15, "sliders": {"jaw_drop": 1}}]}"#;
    /// let track = PoseTrack::from_json(text.as_bytes(), &model, Rest::Zero)?;
    /// assert_eq!(track.times(), [0.0, 0.5]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`TrackError`] with the line where the text is no such JSON, with the pose where a slider
    /// is not the model's, and as [`PoseTrack::new`].
    pub fn from_json(input: impl Read, model: &Model, rest: Rest) -> Result<PoseTrack, TrackError> {
        let file: File = serde_json::from_reader(input).map_err(json_error)?;
        let fps = file.fps.unwrap_or(DEFAULT_FPS);
        if !(fps.is_finite() && fps > 0.0) {
            return Err(TrackError::whole(format!("fps is {fps}")));
        }
        let mut keys: Vec<Key> = Vec::with_capacity(file.poses.len());
        for (number, pose) in file.poses.into_iter().enumerate() {
            let called = pose
                .name
                .as_deref()
                .map(|name| format!(" ({})", shown(name)));
            let wrong = |what: String| {
                let called = called.as_deref().unwrap_or_default();
                TrackError::whole(format!("pose {}{called}: {what}", number + 1))
            };
            let next = keys.last().map_or(0.0, |key| key.time + 1.0 / fps);
            let time = match (pose.time, pose.frame) {
                (Some(_), Some(_)) => return Err(wrong("a time and a frame: which?".to_owned())),
                (Some(time), None) => time,
                (None, Some(frame)) => frame / fps,
                (None, None) => next,
            };
            let mut named = Vec::with_capacity(pose.sliders.len());
            for (name, value) in pose.sliders {
                let ids = model.controllers_named(&name);
                named.push((ids.map_err(|error| wrong(error.to_string()))?, value));
            }
            // As in a table: what sets several sliders yields to what sets one of them.
            named.sort_by_key(|(ids, _)| ids.len() == 1);
            let sliders = named.into_iter().flat_map(|(ids, value)| {
                let held =
                    move |id: ControllerId| (id, model.controllers()[id.index()].clamp(value));
                ids.into_iter().map(held)
            });
            keys.push(Key {
                time,
                name: pose.name,
                sliders: sliders.collect(),
            });
        }
        PoseTrack::new(keys, model, rest)
    }
}

/// What serde says, with its place in front.
fn json_error(error: serde_json::Error) -> TrackError {
    let text = error.to_string();
    let said = text
        .rsplit_once(" at line ")
        .map_or(&*text, |(said, _)| said);
    match error.line() {
        0 => TrackError::whole(text),
        line => TrackError::at(line as u64, format!("column {}: {said}", error.column())),
    }
}
