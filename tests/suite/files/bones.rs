//! What makes bones move: written and read back, refused where it leads out of the file, listed
//! where it is odd. No real model has bone controllers, axis-interp and aim-at rules; these are
//! made by hand.

mod columns;
mod refused;
mod round_trip;
mod warned;

use flexion_mdl::Mdl;
use flexion_mdl::mdl::{
    AimAt, AxisInterp, Bone, BoneController, BoneFlexDriver, BoneFlexDriverControl, Jiggle,
    LinearBones, Procedural, QuatInterp, SourceBoneTransform, Trigger, bone_flags,
};
use glam::{Quat, Vec3, vec3};

use super::{bone, member, set, small_model, without_warnings};

/// Numbers that no two members of a record share.
fn numbers<const N: usize>(first: f32) -> [f32; N] {
    std::array::from_fn(|at| first + at as f32 / 8.0)
}

fn quat(first: f32) -> Quat {
    Quat::from_array(numbers(first))
}

fn jiggle() -> Jiggle {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q] = numbers(1.0);
    let [r, s, t, u, v, w, x, y, z, aa, ab, ac, ad, ae, af, ag, ah] = numbers(20.0);
    Jiggle {
        flags: Jiggle::FLEXIBLE | Jiggle::BASE_SPRING,
        length: a,
        tip_mass: b,
        yaw_stiffness: c,
        yaw_damping: d,
        pitch_stiffness: e,
        pitch_damping: f,
        along_stiffness: g,
        along_damping: h,
        angle_limit: i,
        min_yaw: j,
        max_yaw: k,
        yaw_friction: l,
        yaw_bounce: m,
        min_pitch: n,
        max_pitch: o,
        pitch_friction: p,
        pitch_bounce: q,
        base_mass: r,
        base_stiffness: s,
        base_damping: t,
        base_min_left: u,
        base_max_left: v,
        base_left_friction: w,
        base_min_up: x,
        base_max_up: y,
        base_up_friction: z,
        base_min_forward: aa,
        base_max_forward: ab,
        base_forward_friction: ac,
        boing_impact_speed: ad,
        boing_impact_angle: ae,
        boing_damping_rate: af,
        boing_frequency: ag,
        boing_amplitude: ah,
    }
}

fn trigger(first: f32) -> Trigger {
    Trigger {
        inverse_tolerance: first,
        trigger: quat(first + 1.0),
        position: vec3(first, first + 2.0, first + 3.0),
        rotation: quat(first + 4.0),
    }
}

/// One of each kind: axis-interp, quat-interp, aim-at-bone, aim-at-attachment, jiggle.
fn rules() -> [Procedural; 5] {
    let aim = AimAt {
        parent: 1,
        aim: 0,
        aim_vector: vec3(1.0, 2.0, 3.0),
        up_vector: vec3(4.0, 5.0, 6.0),
        base: vec3(7.0, 8.0, 9.0),
    };
    [
        Procedural::AxisInterp(Box::new(AxisInterp {
            control: 1,
            axis: 2,
            positions: std::array::from_fn(|at| Vec3::from_array(numbers(at as f32))),
            rotations: std::array::from_fn(|at| quat(10.0 + at as f32)),
        })),
        Procedural::QuatInterp(QuatInterp {
            control: 1,
            triggers: vec![trigger(1.0), trigger(2.0)],
        }),
        Procedural::AimAtBone(Box::new(aim)),
        Procedural::AimAtAttachment(Box::new(aim)),
        Procedural::Jiggle(Box::new(jiggle())),
    ]
}

/// The small model with bones that everything moves: bone 2 + n has the nth of [`rules`].
fn moved_model() -> Mdl<'static> {
    let mut mdl = small_model();
    mdl.bones[1].controllers = [-1, 0, -1, -1, 1, -1];
    for (number, rule) in rules().into_iter().enumerate() {
        mdl.bones.push(Bone {
            flags: bone_flags::ALWAYS_PROCEDURAL,
            position_scale: Vec3::from_array(numbers(number as f32)),
            rotation_scale: Vec3::from_array(numbers(9.0 + number as f32)),
            alignment: quat(3.0 + number as f32),
            procedural: Some(rule),
            physics_bone: 3,
            surface_property: "flesh".into(),
            contents: 1,
            ..bone("helper", 1)
        });
    }
    mdl.bone_controllers = [
        BoneController::Y,
        BoneController::YR | BoneController::WRAPS,
    ]
    .map(|motion| BoneController {
        bone: 1,
        motion,
        start: -30.0,
        end: 45.0,
        rest: 127,
        input: 4,
    })
    .into();
    mdl.linear_bones = Some(LinearBones::of(&mdl.bones));
    mdl.source_bone_transforms = vec![SourceBoneTransform {
        name: "head".into(),
        before: [numbers(1.0), numbers(2.0), numbers(3.0)],
        after: [numbers(4.0), numbers(5.0), numbers(6.0)],
    }];
    let control = |component| BoneFlexDriverControl {
        component,
        controller: 1,
        min: -0.5,
        max: 2.5,
    };
    mdl.bone_flex_drivers = vec![BoneFlexDriver {
        bone: 1,
        controls: vec![control(0), control(2)],
    }];
    mdl
}

fn written(mdl: &Mdl<'_>) -> Vec<u8> {
    mdl.write().expect("a model that can be written")
}

fn assert_round_trip(mdl: &Mdl<'_>) {
    let bytes = written(mdl);
    let read = Mdl::read(&bytes).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(without_warnings(read), *mdl);
}

/// The moved model with another value in a member, and that member's offset.
fn damaged(structure: &str, index: Option<u32>, field: &str, value: i32) -> (Vec<u8>, u64) {
    let mut bytes = written(&moved_model());
    let offset = member(&bytes, structure, index, field).offset;
    set(&mut bytes, structure, index, field, &value.to_le_bytes());
    (bytes, offset)
}
