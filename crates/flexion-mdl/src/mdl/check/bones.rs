//! Checks on what makes bones move.

use super::Scan;
use crate::bytes::{At, place};
use crate::error::{Place, WarningKind};
use crate::mdl::{Bone, BoneController, LinearBones, bone_flags};
use crate::raw::bones as raw;
use crate::raw::mdl::Bone as RawBone;

/// `MAX_QUAT_INTERP` triggers of a bone, in an array on the engine's stack.
const MAX_TRIGGERS: u64 = 32;
/// Inputs of bone controllers: four and the mouth's.
const INPUTS: i32 = 5;

impl Scan<'_, '_> {
    /// Checks the bone's controllers; -1 is none.
    pub(in crate::mdl) fn check_controllers_of(&self, at: &At<RawBone>) {
        let mut place = place!(self.reader, at, bonecontroller);
        for controller in at.raw.bonecontroller {
            if controller != -1 {
                self.check_index(place, controller, self.header.raw.numbonecontrollers);
            }
            place.offset += 4;
        }
    }

    /// Checks that type, structure and flag of a procedural bone agree.
    pub(in crate::mdl) fn check_procedural(&self, at: &At<RawBone>) {
        let reader = self.reader;
        let odd = |place, text| self.warn(place, WarningKind::Mismatch(text));
        let always = at.raw.flags & bone_flags::ALWAYS_PROCEDURAL != 0;
        match (at.raw.proctype, at.raw.procindex) {
            (0, 0) => {}
            (0, _) => odd(
                place!(reader, at, procindex),
                "a procedural structure without a type; ignored",
            ),
            (1..=5, 0) => odd(
                place!(reader, at, procindex),
                "a procedural type without its structure; the bone keeps its ordinary pose",
            ),
            (1..=5, _) if !always => odd(
                place!(reader, at, flags),
                "a procedural rule without BONE_ALWAYS_PROCEDURAL; the bone keeps its ordinary pose",
            ),
            (1..=5, _) => {}
            (other, _) => self.warn(
                place!(reader, at, proctype),
                WarningKind::ProceduralType(other),
            ),
        }
    }

    pub(in crate::mdl) fn check_bone_controller(&self, at: &At<raw::BoneController>) {
        let reader = self.reader;
        if at.raw.bone != -1 {
            self.check_index(place!(reader, at, bone), at.raw.bone, self.bones());
        }
        let motions = [
            BoneController::X,
            BoneController::Y,
            BoneController::Z,
            BoneController::XR,
            BoneController::YR,
            BoneController::ZR,
        ];
        if !motions.contains(&(at.raw.r#type & BoneController::MOTION_MASK)) {
            let kind = WarningKind::MotionType(at.raw.r#type);
            self.warn(place!(reader, at, r#type), kind);
        }
        self.check_index(place!(reader, at, inputfield), at.raw.inputfield, INPUTS);
    }

    pub(in crate::mdl) fn check_quat_interp(&self, at: &At<raw::QuatInterpBone>) {
        let reader = self.reader;
        self.check_index(place!(reader, at, control), at.raw.control, self.bones());
        let place = place!(reader, at, numtriggers);
        if at.raw.numtriggers == 0 {
            let text = "a procedural rule without triggers; the bone keeps its ordinary pose";
            self.warn(place, WarningKind::Mismatch(text));
        }
        let count = u64::try_from(at.raw.numtriggers).unwrap_or(0);
        self.check_cap(place, "triggers", count, MAX_TRIGGERS);
    }

    /// Checks that the skeleton in columns is the skeleton; `counted` is the place of its count.
    pub(in crate::mdl) fn check_linear_bones(
        &self,
        counted: Place,
        linear: &LinearBones<'_>,
        bones: &[Bone<'_>],
    ) {
        if linear.len() != bones.len() {
            let kind = WarningKind::LinearBoneCount {
                columns: linear.len() as u64,
                bones: bones.len() as u64,
            };
            self.warn(counted, kind);
        }
        let members = linear.differences(bones).count() as u64;
        if members > 0 {
            self.warn(counted, WarningKind::LinearBones { members });
        }
    }
}
