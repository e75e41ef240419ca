//! Where the eyes look, and how far that and the sliders open the lids.
//!
//! In: the eyeballs of a model in the bind pose, the two gaze sliders or a target, and the weights
//! that the rules made. Out: a frame for each eyeball, and the heights of its two lids, which go
//! back into the weights before the mesh flexes are ramped.
//!
//! The lid weights are heights in model units along the eyeball's up; the lid flexes' own ramps
//! (`-11 -10 lowerer neutral` and `neutral raiser 10 11`) turn them into shapes.

use flexion_mdl::mdl::{Eyeball, Lid};
use glam::{Affine3A, Vec3};

/// Nearest that a target may come to the face, in model units: nearer, the eyes would cross.
const NEAREST_TARGET: f32 = 6.0;

/// Cosine of the largest angle of the eyes where the file names none.
const DEFAULT_DEFLECTION: f32 = 0.866;

/// What a face looks at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Gaze {
    /// A point in the world.
    Point(Vec3),
    /// One direction for both eyes.
    Direction(Vec3),
    /// Each eye along its own forward, away from the head.
    Ahead,
}

/// The eyes' sliders, in degrees; positive looks down and to the character's left.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct GazeSliders {
    pub(crate) up_down: f32,
    pub(crate) right_left: f32,
}

/// What the gaze depends on besides the sliders.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GazeRig {
    /// Frame of the attachment `eyes`: +X forward, +Y left, +Z up.
    pub(crate) frame: Option<Affine3A>,
    /// `studiohdr2_t.flMaxEyeDeflection`; 0 for the default.
    pub(crate) max_deflection: f32,
}

impl GazeRig {
    /// The gaze for a target in the world (or none) and the sliders.
    pub(crate) fn gaze(&self, target: Option<Vec3>, sliders: GazeSliders) -> Gaze {
        let Some(frame) = self.frame else {
            return target.map_or(Gaze::Ahead, Gaze::Point);
        };
        let (distance, direction) = match target {
            Some(target) => {
                let mut local = frame.inverse().transform_point3(target);
                local.x = if local.x > NEAREST_TARGET {
                    local.x
                } else {
                    NEAREST_TARGET
                };
                let distance = local.length();
                (Some(distance), local / distance)
            }
            None => (None, Vec3::X),
        };
        let direction = self.limit(turn(direction, sliders));
        match distance {
            Some(distance) => Gaze::Point(frame.transform_point3(direction * distance)),
            None => Gaze::Direction(frame.transform_vector3(direction)),
        }
    }

    /// Holds a unit direction inside the cone that the eyes can reach.
    fn limit(&self, direction: Vec3) -> Vec3 {
        let least = if self.max_deflection == 0.0 {
            DEFAULT_DEFLECTION
        } else {
            self.max_deflection
        };
        if direction.x >= least {
            return direction;
        }
        let aside = (direction.y * direction.y + direction.z * direction.z).sqrt();
        if aside == 0.0 {
            return Vec3::X;
        }
        let scale = (1.0 - least * least).max(0.0).sqrt() / aside;
        Vec3::new(least, direction.y * scale, direction.z * scale)
    }
}

/// Adds the sliders to a unit direction in the frame of the eyes.
fn turn(direction: Vec3, sliders: GazeSliders) -> Vec3 {
    let (pitch, yaw) = (
        sliders.up_down.to_radians(),
        sliders.right_left.to_radians(),
    );
    let offset = Vec3::new(0.0, pitch.cos() * yaw.sin(), -pitch.sin());
    (direction + offset * (direction.x * direction.x)).normalize_or(Vec3::X)
}

/// An eyeball's frame in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EyeFrame {
    /// The centre of the eyeball, in model units.
    pub origin: Vec3,
    /// Where it looks, of unit length.
    pub forward: Vec3,
    /// The character's right of it, of unit length.
    pub right: Vec3,
    /// Up, of unit length.
    pub up: Vec3,
}

#[cfg(feature = "render")]
impl EyeFrame {
    /// The same where bones have moved it.
    pub(crate) fn moved(&self, motion: &Affine3A) -> EyeFrame {
        let turn = |axis| motion.transform_vector3(axis);
        EyeFrame {
            origin: motion.transform_point3(self.origin),
            forward: turn(self.forward),
            right: turn(self.right),
            up: turn(self.up),
        }
    }
}

/// The frame of `eyeball` on a bone that stands at `bone` when it looks as `gaze` says.
///
/// `ahead` is the eyeball's own forward in the world, signed away from the head.
pub(crate) fn eye_frame(
    eyeball: &Eyeball<'_>,
    bone: &Affine3A,
    gaze: Gaze,
    ahead: Vec3,
) -> EyeFrame {
    let origin = bone.transform_point3(eyeball.origin);
    let up = bone.transform_vector3(eyeball.up);
    let forward = match gaze {
        Gaze::Point(target) => (target - origin).normalize_or(ahead),
        Gaze::Direction(direction) => direction,
        Gaze::Ahead => ahead,
    };
    let right = forward.cross(up).normalize_or_zero();
    // The eyeball is modelled turned outward by z_offset; looking ahead undoes that.
    let forward = (forward + 2.0 * eyeball.z_offset * right).normalize_or(forward);
    let right = forward.cross(up).normalize_or_zero();
    EyeFrame {
        origin,
        forward,
        right,
        up: right.cross(forward).normalize_or_zero(),
    }
}

/// Writes the heights of both lids of an eyeball into `weights`, upper first.
///
/// Lids of eyeballs that are not FACS stay as they are, and so do those with a descriptor out of
/// range.
pub(crate) fn set_lids(
    eyeball: &Eyeball<'_>,
    bone: &Affine3A,
    frame: &EyeFrame,
    weights: &mut [f32],
) {
    if eyeball.non_facs || !lids_in_range(eyeball, weights.len()) {
        return;
    }
    let to_bone = bone.matrix3.transpose();
    let up = Vec3::from(to_bone * glam::Vec3A::from(frame.up));
    let forward = Vec3::from(to_bone * glam::Vec3A::from(frame.forward));
    for lid in [&eyeball.upper, &eyeball.lower] {
        let angle = lid_angle(lid, eyeball.radius, weights);
        let place = up * (angle.sin() * eyeball.radius) + forward * (angle.cos() * eyeball.radius);
        if let Some(weight) = at_mut(weights, lid.lid_descriptor) {
            *weight = place.dot(eyeball.up);
        }
    }
}

/// The lid's angle above the eyeball's forward, in radians.
fn lid_angle(lid: &Lid, radius: f32, weights: &[f32]) -> f32 {
    let mut angle = 0.0;
    for (&descriptor, &target) in lid.descriptors.iter().zip(&lid.targets) {
        let height = clamp_height(target / radius);
        let weight = usize::try_from(descriptor)
            .ok()
            .and_then(|at| weights.get(at));
        angle += weight.copied().unwrap_or(0.0) * height.asin();
    }
    angle
}

/// Held to -1..1 as the engine does it, where NaN (a radius of 0) becomes the lower bound.
fn clamp_height(height: f32) -> f32 {
    let above = if height > -1.0 { height } else { -1.0 };
    if above < 1.0 { above } else { 1.0 }
}

/// Whether all descriptors of both lids exist.
fn lids_in_range(eyeball: &Eyeball<'_>, count: usize) -> bool {
    [&eyeball.upper, &eyeball.lower].into_iter().all(|lid| {
        lid.descriptors
            .iter()
            .chain([&lid.lid_descriptor])
            .all(|&at| usize::try_from(at).is_ok_and(|at| at < count))
    })
}

fn at_mut(weights: &mut [f32], index: i32) -> Option<&mut f32> {
    usize::try_from(index)
        .ok()
        .and_then(|at| weights.get_mut(at))
}
