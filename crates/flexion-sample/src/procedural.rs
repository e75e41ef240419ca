//! A bone of each procedural kind. At rest every rule gives the bone's own bind pose, so that none
//! of them changes the face.
//!
//! | bone | rule | moves |
//! |---|---|---|
//! | `throat` | axis-interp | with where the top of the head leans |
//! | `nape` | quat-interp | half-way with a head that turns |
//! | `masseter` | aim-at-bone | to look at the jaw |
//! | `larynx` | aim-at-attachment | to look at the mouth |
//! | `hair` | jiggle | with the top of the hair hanging on it |

use flexion_mdl::mdl::{
    AimAt, AxisInterp, Bone, Jiggle, Procedural, QuatInterp, Trigger, bone_flags,
};
use glam::{Quat, Vec3, vec3};

use crate::math::{FRAC_PI_2, PI, smooth};
use crate::sculpt::MOUTH;
use crate::shapes::HINGE;
use crate::skeleton::{
    HEAD, HEAD_PLACE, JAW, MOUTH_ATTACHMENT, NECK, NECK_PLACE, UPRIGHT, head_weights, turned,
    upright,
};

const THROAT: Vec3 = vec3(0.0, -1.2, 60.4);
const NAPE: Vec3 = vec3(0.0, 2.2, 60.8);
const MASSETER: Vec3 = vec3(1.9, -1.2, 63.2);
const LARYNX: Vec3 = vec3(0.0, -1.6, 60.0);
const HAIR: Vec3 = vec3(0.0, 0.6, 67.5);
/// Number of the hair's bone.
const HAIR_BONE: u8 = 8;

/// What all bones of the sample share: flesh, steps of animations, and no controller.
pub(crate) fn ordinary() -> Bone<'static> {
    Bone {
        position_scale: Vec3::splat(1.0 / 256.0),
        rotation_scale: Vec3::splat(1.0 / 8192.0),
        surface_property: "flesh".into(),
        contents: 1,
        ..Bone::default()
    }
}

/// The bones, the first of them number 4.
pub(crate) fn bones() -> [Bone<'static>; 5] {
    let ruled = |rule, bone| Bone {
        flags: bone_flags::ALWAYS_PROCEDURAL,
        procedural: Some(rule),
        ..bone
    };
    [
        ruled(throat(), upright("throat", NECK, THROAT, NECK_PLACE)),
        ruled(nape(), upright("nape", NECK, NAPE, NECK_PLACE)),
        ruled(masseter(), upright("masseter", HEAD, MASSETER, HEAD_PLACE)),
        ruled(larynx(), upright("larynx", NECK, LARYNX, NECK_PLACE)),
        hair(),
    ]
}

/// A turn about an axis of a bone, in radians.
fn turn(axis: Vec3, angle: f32) -> Quat {
    let (sine, cosine) = (libm::sinf(angle / 2.0), libm::cosf(angle / 2.0));
    let axis = axis * sine;
    Quat::from_xyzw(axis.x, axis.y, axis.z, cosine)
}

/// At rest the head's X points along X: only the first entry counts.
fn throat() -> Procedural {
    Procedural::AxisInterp(Box::new(AxisInterp {
        control: HEAD,
        axis: 0,
        positions: [turned(THROAT - NECK_PLACE); 6],
        rotations: [
            Quat::IDENTITY,
            Quat::IDENTITY,
            turn(Vec3::Z, 0.5),
            turn(Vec3::Z, -0.5),
            turn(Vec3::Y, -0.5),
            turn(Vec3::Y, 0.5),
        ],
    }))
}

/// Three triggers: straight on, a quarter turn to each side. Those to the sides have no part at
/// rest, because their tolerance is a quarter turn.
fn nape() -> Procedural {
    let trigger = |angle: f32| Trigger {
        inverse_tolerance: 1.0 / FRAC_PI_2,
        trigger: turn(Vec3::X, angle),
        position: turned(NAPE - NECK_PLACE),
        rotation: turn(Vec3::X, angle / 2.0),
    };
    Procedural::QuatInterp(QuatInterp {
        control: HEAD,
        triggers: [0.0, FRAC_PI_2, -FRAC_PI_2].map(trigger).into(),
    })
}

/// Looks from `base` at `target`, both of the model, as it does at rest.
fn looking(parent: (i32, Vec3), aim: i32, base: Vec3, target: Vec3) -> Box<AimAt> {
    Box::new(AimAt {
        parent: parent.0,
        aim,
        aim_vector: turned(target - base).normalize(),
        up_vector: Vec3::Z,
        base: turned(base - parent.1),
    })
}

fn masseter() -> Procedural {
    Procedural::AimAtBone(looking((HEAD, HEAD_PLACE), JAW, MASSETER, HINGE))
}

fn larynx() -> Procedural {
    let mouth = vec3(0.0, -3.8, MOUTH.y);
    let aim = MOUTH_ATTACHMENT;
    Procedural::AimAtAttachment(looking((NECK, NECK_PLACE), aim, LARYNX, mouth))
}

/// The hair's bone has the axes of the model: its springs are along X (left), Y (up for them) and
/// Z (forward for them), and the tip is above it.
fn hair() -> Bone<'static> {
    Bone {
        name: "hair".into(),
        parent: HEAD,
        position: turned(HAIR - HEAD_PLACE),
        rotation: UPRIGHT.conjugate(),
        euler: vec3(PI, -FRAC_PI_2, 0.0),
        pose_to_bone: [
            [1.0, 0.0, 0.0, -HAIR.x],
            [0.0, 1.0, 0.0, -HAIR.y],
            [0.0, 0.0, 1.0, -HAIR.z],
        ],
        flags: bone_flags::ALWAYS_PROCEDURAL | bone_flags::USED_BY_VERTEX_LOD0,
        procedural: Some(Procedural::Jiggle(Box::new(springs()))),
        ..ordinary()
    }
}

/// A tip without weight, so that the hair stands at rest as it was combed.
fn springs() -> Jiggle {
    Jiggle {
        flags: Jiggle::FLEXIBLE | Jiggle::ANGLE_CONSTRAINT | Jiggle::LENGTH_CONSTRAINT,
        length: 3.0,
        yaw_stiffness: 200.0,
        yaw_damping: 8.0,
        pitch_stiffness: 200.0,
        pitch_damping: 8.0,
        angle_limit: 0.2,
        ..Jiggle::default()
    }
}

/// Bones, weights and count for hair: the head, giving way to the hair's own bone at the top.
pub(crate) fn hair_weights(position: Vec3) -> ([u8; 3], [f32; 3], u8) {
    let loose = 0.5 * smooth(68.5, 71.0, position.z);
    if loose == 0.0 {
        head_weights()
    } else {
        ([2, HAIR_BONE, 0], [1.0 - loose, loose, 0.0], 2)
    }
}
