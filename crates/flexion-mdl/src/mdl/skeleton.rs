//! Bones in their bind pose, and attachments.

use glam::{Quat, Vec3};

use crate::name::Name;

/// A bone (`mstudiobone_t`), as far as its pose goes.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone<'a> {
    /// `sznameindex`.
    pub name: Name<'a>,
    /// `parent`; -1 for a root. Always before the bone itself.
    pub parent: i32,
    /// `pos` in the parent's space, in model units.
    pub position: Vec3,
    /// `quat` in the parent's space.
    pub rotation: Quat,
    /// `rot`: the same as Euler angles, in radians.
    pub euler: Vec3,
    /// `poseToBone`: three rows of four, from the model's bind pose into the bone's space.
    pub pose_to_bone: [[f32; 4]; 3],
    /// `flags`.
    pub flags: u32,
}

/// A named place on a bone (`mstudioattachment_t`).
#[derive(Clone, Debug, PartialEq)]
pub struct Attachment<'a> {
    /// `sznameindex`, such as `eyes`.
    pub name: Name<'a>,
    /// `flags`.
    pub flags: u32,
    /// `localbone`.
    pub bone: i32,
    /// `local`: three rows of four; the columns are forward, left, up and the place.
    pub local: [[f32; 4]; 3],
}
