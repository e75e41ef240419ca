//! Root, neck, head and jaw, what moves the jaw, two attachments, and which bone a vertex hangs
//! on.
//!
//! Bones follow the field's habit: X along the bone (here up), Y forward, Z to the left.
//!
//! ```text
//! the game's mouth ──bone controller──► jaw ──flex driver──► jaw_bone ──rule──► jaw_drop
//! ```

use flexion_mdl::mdl::{
    Attachment, Bone, BoneController, BoneFlexDriver, BoneFlexDriverControl, SourceBoneTransform,
    bone_flags,
};
use glam::{Quat, Vec3, vec3};

use crate::math::{FRAC_PI_2, PI, smooth};
use crate::procedural;
use crate::sculpt::{EYE, MOUTH};
use crate::shapes::HINGE;

/// Numbers of bones.
pub(crate) const NECK: i32 = 1;
pub(crate) const HEAD: i32 = 2;
pub(crate) const JAW: i32 = 3;
pub(crate) const NECK_PLACE: Vec3 = vec3(0.0, 0.9, 58.5);
pub(crate) const HEAD_PLACE: Vec3 = vec3(0.0, 0.6, 62.0);
/// Half a turn about the diagonal between X and Z: X comes up, Y forward.
pub(crate) const UPRIGHT: Quat = Quat::from_xyzw(
    std::f32::consts::FRAC_1_SQRT_2,
    0.0,
    std::f32::consts::FRAC_1_SQRT_2,
    0.0,
);
/// Bones that vertices and attachments use.
const USED: u32 = bone_flags::USED_BY_VERTEX_LOD0 | bone_flags::USED_BY_ATTACHMENT;
/// How far the jaw's bone goes down, in units, to open the mouth as far as it goes.
const JAW_WAY: f32 = 0.75;

/// A direction of the model in the axes of the bones.
pub(crate) fn turned(v: Vec3) -> Vec3 {
    vec3(v.z, -v.y, v.x)
}

/// A point of the model in the space of the head's bone.
pub(crate) fn in_head(point: Vec3) -> Vec3 {
    turned(point - HEAD_PLACE)
}

/// The skeleton: a root on the ground, neck, head and jaw, then the procedural bones.
pub(crate) fn bones() -> Vec<Bone<'static>> {
    let root = Bone {
        name: "root".into(),
        flags: USED,
        ..procedural::ordinary()
    };
    let neck = Bone {
        name: "neck".into(),
        parent: 0,
        position: NECK_PLACE,
        rotation: UPRIGHT,
        euler: vec3(PI, -FRAC_PI_2, 0.0),
        pose_to_bone: pose_to_bone(NECK_PLACE),
        flags: USED,
        ..procedural::ordinary()
    };
    let head = upright("head", NECK, HEAD_PLACE, NECK_PLACE);
    let jaw = Bone {
        controllers: [0, -1, -1, -1, -1, -1],
        ..upright("jaw", HEAD, HINGE, HEAD_PLACE)
    };
    let mut bones = vec![root, neck, head, jaw];
    bones.extend(procedural::bones());
    bones
}

/// An upright bone at `place` whose upright parent stands at `from`.
pub(crate) fn upright(name: &'static str, parent: i32, place: Vec3, from: Vec3) -> Bone<'static> {
    Bone {
        name: name.into(),
        parent,
        position: turned(place - from),
        pose_to_bone: pose_to_bone(place),
        flags: USED,
        ..procedural::ordinary()
    }
}

/// Lets a game move the jaw's bone down with its mouth.
pub(crate) fn jaw_controller() -> BoneController {
    BoneController {
        bone: JAW,
        motion: BoneController::X,
        start: 0.0,
        end: -JAW_WAY,
        rest: 0,
        input: 4,
    }
}

/// Opens the mouth as the jaw's bone goes down; `slider` is the number of the slider.
pub(crate) fn jaw_driver(slider: i32) -> BoneFlexDriver {
    let shut = turned(HINGE - HEAD_PLACE).x;
    BoneFlexDriver {
        bone: JAW,
        controls: vec![BoneFlexDriverControl {
            component: 0,
            controller: slider,
            min: shut,
            max: shut - JAW_WAY,
        }],
    }
}

/// Takes the neck of animations that were made for a skeleton with its axes along the model's.
pub(crate) fn neck_transform() -> SourceBoneTransform<'static> {
    let pose = Bone::default().pose_to_bone;
    SourceBoneTransform {
        name: "neck".into(),
        before: pose,
        after: [
            [0.0, 0.0, 1.0, 0.0],
            [0.0, -1.0, 0.0, 0.0],
            [1.0, 0.0, 0.0, 0.0],
        ],
    }
}

/// From the model into the space of an upright bone at `place`.
fn pose_to_bone(place: Vec3) -> [[f32; 4]; 3] {
    let back = -turned(place);
    [
        [0.0, 0.0, 1.0, back.x],
        [0.0, -1.0, 0.0, back.y],
        [1.0, 0.0, 0.0, back.z],
    ]
}

/// Number of the attachment `mouth`.
pub(crate) const MOUTH_ATTACHMENT: i32 = 1;

/// `eyes` between the eyes and `mouth` before the lips, both looking forward.
pub(crate) fn attachments() -> Vec<Attachment<'static>> {
    let places = [
        ("eyes", vec3(0.0, EYE.y, EYE.z)),
        ("mouth", vec3(0.0, -3.8, MOUTH.y)),
    ];
    let attachment = |(name, place): (&'static str, Vec3)| {
        let [forward, left, up] = [Vec3::NEG_Y, Vec3::X, Vec3::Z].map(turned);
        let at = in_head(place);
        let row = |axis: usize| [forward[axis], left[axis], up[axis], at[axis]];
        Attachment {
            name: name.into(),
            flags: 0,
            bone: HEAD,
            local: [row(0), row(1), row(2)],
        }
    };
    places.map(attachment).into()
}

/// Bones, weights and count for what goes with the head alone.
pub(crate) fn head_weights() -> ([u8; 3], [f32; 3], u8) {
    ([2, 0, 0], [1.0, 0.0, 0.0], 1)
}

/// Bones, weights and count for skin: the head, giving way to the neck below it.
pub(crate) fn skin_weights(position: Vec3) -> ([u8; 3], [f32; 3], u8) {
    let neck = smooth(62.2, 59.5, position.z + 0.5 * position.y);
    if neck == 0.0 {
        head_weights()
    } else {
        ([2, 1, 0], [1.0 - neck, neck, 0.0], 2)
    }
}
