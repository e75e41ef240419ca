//! Four bones, two attachments, and which bone a vertex hangs on.
//!
//! Bones follow the field's habit: X along the bone (here up), Y forward, Z to the left.

use flexion_mdl::mdl::{Attachment, Bone};
use glam::{Quat, Vec3, vec3};

use crate::math::{FRAC_PI_2, PI, smooth};
use crate::sculpt::{EYE, MOUTH};
use crate::shapes::HINGE;

/// Number of the head's bone.
pub(crate) const HEAD: i32 = 2;
const NECK_PLACE: Vec3 = vec3(0.0, 0.9, 58.5);
const HEAD_PLACE: Vec3 = vec3(0.0, 0.6, 62.0);
/// Half a turn about the diagonal between X and Z: X comes up, Y forward.
const UPRIGHT: Quat = Quat::from_xyzw(
    std::f32::consts::FRAC_1_SQRT_2,
    0.0,
    std::f32::consts::FRAC_1_SQRT_2,
    0.0,
);
/// Bones that vertices and attachments use: `BONE_USED_BY_VERTEX_LOD0`, `BONE_USED_BY_ATTACHMENT`.
const USED: u32 = 0x400 | 0x200;

/// A direction of the model in the axes of the bones.
pub(crate) fn turned(v: Vec3) -> Vec3 {
    vec3(v.z, -v.y, v.x)
}

/// A point of the model in the space of the head's bone.
pub(crate) fn in_head(point: Vec3) -> Vec3 {
    turned(point - HEAD_PLACE)
}

/// The skeleton: a root on the ground, neck, head and jaw.
pub(crate) fn bones() -> Vec<Bone<'static>> {
    let root = Bone {
        name: "root".into(),
        parent: -1,
        position: Vec3::ZERO,
        rotation: Quat::IDENTITY,
        euler: Vec3::ZERO,
        pose_to_bone: [
            [1.0, 0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
        ],
        flags: USED,
        ..Bone::default()
    };
    let neck = Bone {
        name: "neck".into(),
        parent: 0,
        position: NECK_PLACE,
        rotation: UPRIGHT,
        euler: vec3(PI, -FRAC_PI_2, 0.0),
        pose_to_bone: pose_to_bone(NECK_PLACE),
        flags: USED,
        ..Bone::default()
    };
    let upright = |name: &'static str, parent: i32, place: Vec3, from: Vec3| Bone {
        name: name.into(),
        parent,
        position: turned(place - from),
        rotation: Quat::IDENTITY,
        euler: Vec3::ZERO,
        pose_to_bone: pose_to_bone(place),
        flags: USED,
        ..Bone::default()
    };
    let head = upright("head", 1, HEAD_PLACE, NECK_PLACE);
    let jaw = upright("jaw", HEAD, HINGE, HEAD_PLACE);
    vec![root, neck, head, jaw]
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

/// Bones, weights and count for a vertex of the jaw.
pub(crate) fn jaw_weights() -> ([u8; 3], [f32; 3], u8) {
    ([3, 0, 0], [1.0, 0.0, 0.0], 1)
}

/// Bones, weights and count for skin: the head, giving way to the neck below it.
pub(crate) fn skin_weights(position: Vec3) -> ([u8; 3], [f32; 3], u8) {
    let neck = smooth(62.2, 59.5, position.z + 0.5 * position.y);
    if neck == 0.0 {
        ([2, 0, 0], [1.0, 0.0, 0.0], 1)
    } else {
        ([2, 1, 0], [1.0 - neck, neck, 0.0], 2)
    }
}
