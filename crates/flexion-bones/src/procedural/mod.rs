//! Bones that are computed from others, and not read from an animation.

mod aim_at;
mod axis_interp;
mod jiggle;
mod quat_interp;

pub use aim_at::AimAt;
pub use axis_interp::AxisInterp;
pub use jiggle::{Jiggle, JiggleState};
pub use quat_interp::{QuatInterp, Trigger};

use glam::Affine3A;

use crate::skeleton::Placed;

/// How a bone is computed: `proctype` and the structure at `procindex`.
#[derive(Clone, Debug, PartialEq)]
pub enum Procedure {
    /// `STUDIO_PROC_AXISINTERP` (1).
    AxisInterp(AxisInterp),
    /// `STUDIO_PROC_QUATINTERP` (2).
    QuatInterp(QuatInterp),
    /// `STUDIO_PROC_AIMATBONE` (3).
    AimAtBone(AimAt),
    /// `STUDIO_PROC_AIMATATTACH` (4).
    AimAtAttachment(AimAt),
    /// `STUDIO_PROC_JIGGLE` (5).
    Jiggle(Box<Jiggle>),
}

impl Procedure {
    /// The bones that it names.
    pub(crate) fn bones(&self) -> impl Iterator<Item = usize> {
        let [one, other] = match self {
            Procedure::AxisInterp(axis) => [Some(axis.control), None],
            Procedure::QuatInterp(quat) => [Some(quat.control), None],
            Procedure::AimAtBone(aim) => [Some(aim.parent), Some(aim.aim)],
            Procedure::AimAtAttachment(aim) => [Some(aim.parent), None],
            Procedure::Jiggle(_) => [None, None],
        };
        one.into_iter().chain(other)
    }

    /// The attachment that it names.
    pub(crate) fn attachment(&self) -> Option<usize> {
        match self {
            Procedure::AimAtAttachment(aim) => Some(aim.aim),
            _ => None,
        }
    }

    /// Where the bone stands, or none where it stands as it is posed.
    pub(crate) fn place(&self, placed: &Placed<'_>, parent: Affine3A) -> Option<Affine3A> {
        match self {
            Procedure::AxisInterp(axis) => {
                let column = placed.turn(axis.control).col(axis.axis.min(2));
                let (position, rotation) = axis.at(column.into());
                Some(parent * Affine3A::from_rotation_translation(rotation, position))
            }
            Procedure::QuatInterp(quat) if !placed.is_root(quat.control) => {
                let source = glam::Quat::from_mat3a(&placed.turn(quat.control));
                let (position, rotation) = quat.at(source)?;
                Some(parent * Affine3A::from_rotation_translation(rotation, position))
            }
            Procedure::QuatInterp(_) | Procedure::Jiggle(_) => None,
            Procedure::AimAtBone(aim) => Some(aim.at(
                placed.world(aim.parent),
                placed.world(aim.aim).translation.into(),
            )),
            Procedure::AimAtAttachment(aim) => {
                Some(aim.at(placed.world(aim.parent), placed.attachment(aim.aim).into()))
            }
        }
    }
}
