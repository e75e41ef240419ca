//! A track on a face, frame by frame, with the delay of slow flexes.

use flexion_bones::SkeletonPose;

use super::{BoneTrack, Interpolation, PoseTrack};
use crate::error::Error;
use crate::face::Face;

/// Plays a track: for each frame the sliders and the delayed weights, which depend on all frames
/// before.
///
/// It runs the rules and moves no vertices, so passing over frames is cheap: a program that makes
/// every fourth frame, or begins in the middle, gets the same bits as one that makes them all.
/// Before the first frame the face has long held its pose. An error ends it.
///
/// ```
/// use flexion::{Interpolation, Model, PoseTrack, Rest, TrackPlayer};
///
/// # fn main() -> Result<(), flexion::Error> {
/// # let [(_, mdl), (_, vvd), (_, vtx)] = flexion_sample::face().files();
/// # let model = Model::from_bytes(&mdl, Some(&vvd), Some(&vtx))?;
/// let text = "time,jaw_drop\n0,0\n1,1\n";
/// let track = PoseTrack::from_csv(text.as_bytes(), &model, Rest::Zero, 30.0)?;
/// let mut face = model.face();
/// let player = TrackPlayer::new(&track, Interpolation::Linear, 30.0, model.face());
/// for frame in player.skip(15).step_by(4) {
///     frame?.pose(&mut face)?;
///     let shapes = face.deform()?;
///     assert!(!shapes.is_empty());
/// }
/// # Ok(())
/// # }
/// ```
pub struct TrackPlayer<'t> {
    track: &'t PoseTrack,
    interpolation: Interpolation,
    fps: f64,
    face: Face,
    held: Vec<(crate::ControllerId, f32)>,
    bones: Option<&'t BoneTrack>,
    jiggles: bool,
    next: u64,
}

/// One frame of a track.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedFrame {
    /// From 0.
    pub number: u64,
    /// In seconds, as in the track.
    pub time: f64,
    /// All sliders, in their own units, held to their ranges unless the face is raw.
    pub sliders: Vec<f32>,
    /// The delayed weights, one per descriptor.
    pub delayed: Vec<f32>,
    /// Where the bones stand; none where nothing moves them.
    pub bones: Option<SkeletonPose>,
}

impl<'t> TrackPlayer<'t> {
    /// Plays `track` at `fps` on a face whose options and bones count; its sliders are overwritten.
    pub fn new(
        track: &'t PoseTrack,
        interpolation: Interpolation,
        fps: f64,
        face: Face,
    ) -> TrackPlayer<'t> {
        TrackPlayer {
            track,
            interpolation,
            fps,
            face,
            held: Vec::new(),
            bones: None,
            jiggles: false,
            next: 0,
        }
    }

    /// The same with sliders that stay as they are, whatever the track says.
    pub fn hold(mut self, sliders: impl IntoIterator<Item = (crate::ControllerId, f32)>) -> Self {
        self.held.extend(sliders);
        self
    }

    /// The same with bones over time; others stay as the face has them.
    pub fn bones(mut self, track: &'t BoneTrack) -> Self {
        self.bones = Some(track);
        self
    }

    /// The same with bones that jiggle; before the first frame they have long been at rest.
    pub fn jiggle(mut self) -> Self {
        self.jiggles = true;
        self
    }

    /// Moves the bones to where they are at a time.
    fn move_bones(&mut self, time: f64) {
        if let Some(track) = self.bones {
            let interpolation = self.interpolation;
            let move_all = |pose: &mut SkeletonPose| track.at(time, interpolation, pose);
            self.face.pose_bones(move_all);
        }
        if self.jiggles {
            if self.next == 0 {
                self.settle_bones();
            } else {
                self.face.swing((1.0 / self.fps) as f32);
            }
        }
    }

    /// Lets what jiggles come to rest where it is.
    fn settle_bones(&mut self) {
        /// Steps of a sixtieth of a second: ten seconds, in which springs of games come to rest.
        const STEPS: u32 = 600;
        for _ in 0..STEPS {
            self.face.swing(1.0 / 60.0);
        }
    }

    fn play(&mut self) -> Result<PlayedFrame, Error> {
        let number = self.next;
        let time = self.track.frame_time(number, self.fps);
        let mut sliders = vec![0.0; self.face.sliders().len()];
        self.track.at(time, self.interpolation, &mut sliders);
        self.move_bones(time);
        self.face.set_all(&sliders)?;
        for &(id, value) in &self.held {
            self.face.set_id(id, value)?;
        }
        if number == 0 {
            self.face.settle();
        } else {
            self.face.advance((1.0 / self.fps) as f32);
        }
        sliders.copy_from_slice(self.face.sliders());
        self.next += 1;
        Ok(PlayedFrame {
            number,
            time,
            sliders,
            delayed: self.face.delayed_weights().unwrap_or_default().to_vec(),
            bones: self.face.bones().cloned(),
        })
    }
}

impl Iterator for TrackPlayer<'_> {
    type Item = Result<PlayedFrame, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.next >= self.track.frame_count(self.fps) {
            return None;
        }
        let frame = self.play();
        if frame.is_err() {
            self.next = u64::MAX;
        }
        Some(frame)
    }
}

impl std::iter::FusedIterator for TrackPlayer<'_> {}

impl PlayedFrame {
    /// Puts the frame on a face of the same model, which may be in any state.
    ///
    /// # Errors
    ///
    /// As [`Face::set_all`] and [`Face::set_delayed_weights`].
    pub fn pose(&self, face: &mut Face) -> Result<(), Error> {
        face.set_all(&self.sliders)?;
        face.set_bones(self.bones.as_ref());
        face.set_delayed_weights(&self.delayed)
    }
}
