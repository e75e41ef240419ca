//! Bones that point at something.

use glam::{Affine3A, Quat, Vec3};

/// `mstudioaimatbone_t`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AimAt {
    /// `parent`: the bone on which it stands.
    pub parent: usize,
    /// `aim`: the bone or the attachment that it points at.
    pub aim: usize,
    /// `aimvector`: what of it points there, of unit length.
    pub aim_vector: Vec3,
    /// `upvector`: what of it points up, of unit length.
    pub up_vector: Vec3,
    /// `basepos`: where it stands in the space of `parent`.
    pub base: Vec3,
}

impl AimAt {
    /// Where the bone stands when `parent` stands there and what it aims at is at `target`.
    ///
    /// It is turned the shortest way from its own axes, then rolled so that its up is that of
    /// `parent` as nearly as aiming allows. A target behind it turns it about an axis that depends
    /// on `aim_vector` alone; one at its own place leaves it as it is.
    pub fn at(&self, parent: Affine3A, target: Vec3) -> Affine3A {
        let from = parent.transform_point3(self.base);
        let aim = self.aim_vector.normalize_or(Vec3::X);
        let toward = (target - from).normalize_or(aim);
        let turn = shortest(aim, toward);
        let roll = self.roll(parent, turn, toward).unwrap_or(Quat::IDENTITY);
        Affine3A::from_rotation_translation(roll * turn, from)
    }

    /// The turn about `toward` that brings up near the parent's; none where there is no up.
    fn roll(&self, parent: Affine3A, turn: Quat, toward: Vec3) -> Option<Quat> {
        let along = self.aim_vector.dot(self.up_vector).abs();
        if (along - 1.0).abs() <= f32::EPSILON {
            return None;
        }
        let flat = |up: Vec3| (up - toward * toward.dot(up)).try_normalize();
        let ours = flat(turn * self.up_vector)?;
        let wanted = flat(parent.transform_vector3(self.up_vector))?;
        let (sine, cosine) = (toward.dot(ours.cross(wanted)), ours.dot(wanted));
        if cosine >= 1.0 - f32::EPSILON {
            return None;
        }
        Some(Quat::from_axis_angle(toward, sine.atan2(cosine)))
    }
}

/// The shortest turn from one unit vector to another.
fn shortest(from: Vec3, to: Vec3) -> Quat {
    let across = from.cross(to);
    let angle = across.length().atan2(from.dot(to));
    match across.try_normalize() {
        Some(axis) => Quat::from_axis_angle(axis, angle),
        None if from.dot(to) < 0.0 => {
            Quat::from_axis_angle(from.any_orthonormal_vector(), std::f32::consts::PI)
        }
        None => Quat::IDENTITY,
    }
}
