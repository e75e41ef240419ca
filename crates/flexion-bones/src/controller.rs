//! Sliders of the skeleton: bone controllers, and bones that drive controllers of the face.

use glam::{Quat, Vec3, Vec4};

use crate::error::Error;
use crate::skeleton::{Local, SkeletonPose};

/// `mstudiobonecontroller_t`: an input moves or turns a bone along an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneController {
    /// `bone`; none for -1, which does nothing.
    pub bone: Option<usize>,
    /// `type`: `STUDIO_X` 1, `Y` 2, `Z` 4, `XR` 8, `YR` 0x10, `ZR` 0x20; 0x40000 means that it
    /// wraps.
    pub kind: u32,
    /// `start`: units or degrees at 0.
    pub start: f32,
    /// `end`: units or degrees at 1.
    pub end: f32,
}

impl BoneController {
    /// The value at an input from 0 to 1, which is held to that: units or degrees.
    pub fn value(&self, input: f32) -> f32 {
        let input = input.clamp(0.0, 1.0);
        (1.0 - input) * self.start + input * self.end
    }

    /// Moves or turns the bone from where it stands in its parent's space.
    pub fn apply(&self, input: f32, local: &mut Local) {
        let value = self.value(input);
        let axis = |kinds: [u32; 3]| {
            let bit = kinds
                .into_iter()
                .position(|kind| self.kind & 0x3ffff == kind);
            bit.map(|axis| Vec3::AXES[axis])
        };
        if let Some(axis) = axis([1, 2, 4]) {
            local.position += axis * value;
        } else if let Some(axis) = axis([8, 0x10, 0x20]) {
            let turn = Quat::from_axis_angle(axis, value.to_radians());
            // Which hemisphere the bone's rotation is in decides the sign that is left over.
            let rotation = nearest(local.rotation, turn);
            local.rotation = (turn * rotation).normalize();
        }
    }
}

/// Moves and turns bones by all controllers in file order; `inputs` are one per controller.
///
/// # Errors
///
/// [`Error::Bone`] when a controller names a bone that there is not, [`Error::Length`] when there
/// is not an input for each.
pub fn apply_controllers(
    controllers: &[BoneController],
    inputs: &[f32],
    pose: &mut SkeletonPose,
) -> Result<(), Error> {
    if inputs.len() != controllers.len() {
        return Err(Error::Length {
            what: "inputs",
            expected: controllers.len(),
            found: inputs.len(),
        });
    }
    let count = pose.locals().len();
    for (record, (controller, &input)) in controllers.iter().zip(inputs).enumerate() {
        let Some(bone) = controller.bone else {
            continue;
        };
        if bone >= count {
            return Err(Error::Bone {
                what: "bone controller",
                record,
                bone,
                count,
            });
        }
        controller.apply(input, pose.local_mut(bone));
    }
    Ok(())
}

/// A rotation, or its negative, whichever is in the hemisphere of another.
pub(crate) fn nearest(rotation: Quat, other: Quat) -> Quat {
    if rotation.dot(other) < 0.0 {
        -rotation
    } else {
        rotation
    }
}

/// One control of an `mstudioboneflexdriver_t` (`mstudioboneflexdrivercontrol_t`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlexDriver {
    /// `m_nBoneIndex`: the bone that drives.
    pub bone: usize,
    /// `m_nBoneComponent`: X, Y or Z of its local position, 0 to 2.
    pub component: usize,
    /// `m_nFlexControllerIndex`: the slider that is driven.
    pub controller: usize,
    /// `m_flMin`: the position that gives 0.
    pub min: f32,
    /// `m_flMax`: the position that gives 1.
    pub max: f32,
}

impl FlexDriver {
    /// What the slider is driven to, 0 to 1 of its range: where the bone is between both ends.
    ///
    /// Ends at the same place are a step: 0 before, 1 from there on.
    pub fn value(&self, local: Local) -> f32 {
        let position = Vec4::from((local.position, 0.0))[self.component.min(3)];
        if self.max == self.min {
            return if position >= self.max { 1.0 } else { 0.0 };
        }
        ((position - self.min) / (self.max - self.min)).clamp(0.0, 1.0)
    }
}
