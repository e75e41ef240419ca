//! Procedural bones beside what the specification's formulas give, worked out here anew.

use flexion_bones::{
    AimAt, Attachment, AxisInterp, Bone, Local, Procedure, QuatInterp, Skeleton, Trigger,
};
use glam::{Affine3A, Quat, Vec3};
use proptest::prelude::*;

use super::{bone, computed, points, quats};

fn axis_interp(axis: usize) -> AxisInterp {
    let entry = |at: usize| at as f32;
    AxisInterp {
        control: 1,
        axis,
        positions: std::array::from_fn(|at| Vec3::new(entry(at), 10.0 + entry(at), -entry(at))),
        rotations: std::array::from_fn(|at| Quat::from_rotation_z(0.3 * entry(at))),
    }
}

/// A root, a control on it and a bone that follows it.
fn trio(procedure: Procedure) -> Skeleton {
    let bones = vec![
        bone(None, Vec3::X, Quat::from_rotation_y(0.4)),
        bone(Some(0), Vec3::Y, Quat::IDENTITY),
        computed(Some(0), procedure),
    ];
    Skeleton::new(bones, Vec::new()).expect("three bones")
}

fn placed(skeleton: &Skeleton, turn: Quat) -> Local {
    let mut pose = skeleton.pose();
    pose.local_mut(1).rotation = turn;
    skeleton.place(&mut pose);
    let local = pose.world()[0].inverse() * pose.world()[2];
    let (_, rotation, position) = local.to_scale_rotation_translation();
    Local { position, rotation }
}

fn near(a: Quat, b: Quat) -> bool {
    a.dot(b).abs() > 1.0 - 1e-5
}

#[test]
fn axis_interp_gives_the_entry_that_its_axis_points_at() {
    let ends = [
        Vec3::X,
        Vec3::NEG_X,
        Vec3::Y,
        Vec3::NEG_Y,
        Vec3::Z,
        Vec3::NEG_Z,
    ];
    for axis in 0..3 {
        let interp = axis_interp(axis);
        let skeleton = trio(Procedure::AxisInterp(interp.clone()));
        for (entry, end) in ends.into_iter().enumerate() {
            let (position, rotation) = interp.at(end);
            assert_eq!(position, interp.positions[entry], "{axis} {entry}");
            assert!(near(rotation, interp.rotations[entry]), "{axis} {entry}");
            let turn = Quat::from_rotation_arc(Vec3::AXES[axis], end);
            let found = placed(&skeleton, turn);
            assert!(
                found.position.distance(interp.positions[entry]) < 1e-4,
                "{axis} {entry}"
            );
            assert!(
                near(found.rotation, interp.rotations[entry]),
                "{axis} {entry}"
            );
        }
    }
}

/// Spherical interpolation by its formula.
fn slerp(from: Quat, to: Quat, part: f32) -> Quat {
    let (to, cosine) = if from.dot(to) < 0.0 {
        (-to, -from.dot(to))
    } else {
        (to, from.dot(to))
    };
    let angle = cosine.min(1.0).acos();
    if angle < 1e-4 {
        return from;
    }
    let [a, b] = [((1.0 - part) * angle).sin(), (part * angle).sin()];
    ((from * a + to * b) * (1.0 / angle.sin())).normalize()
}

proptest! {
    #[test]
    fn axis_interp_blends_by_how_far_the_axis_points_along_each(turn in quats(), axis in 0..3_usize) {
        let interp = axis_interp(axis);
        let found = placed(&trio(Procedure::AxisInterp(interp.clone())), turn);
        let points = turn * Vec3::AXES[axis];
        let pick = |part: usize| 2 * part + usize::from(points[part] < 0.0);
        let a = points.abs();
        let position: Vec3 = (0..3).map(|part| a[part] * interp.positions[pick(part)]).sum::<Vec3>()
            / (a.x + a.y + a.z);
        let [q1, q2, q3] = [0, 1, 2].map(|part| interp.rotations[pick(part)]);
        let flat = slerp(q2, q1, a.x / (a.x + a.y));
        let rotation = slerp(flat, q3, a.z / (a.x + a.y + a.z));
        prop_assert!(found.position.distance(position) < 1e-3, "{} {position}", found.position);
        prop_assert!(found.rotation.dot(rotation).abs() > 1.0 - 1e-4);
    }

    #[test]
    fn quat_interp_blends_by_the_angle_to_its_triggers(turn in quats(), tolerance in 0.2..3.0_f32) {
        let triggers: Vec<Trigger> = (0..4)
            .map(|at| Trigger {
                inv_tolerance: 1.0 / tolerance,
                trigger: Quat::from_rotation_x(at as f32 * 0.5) * Quat::from_rotation_z(at as f32),
                position: Vec3::splat(at as f32),
                rotation: Quat::from_rotation_y(0.3 * at as f32),
            })
            .collect();
        let interp = QuatInterp { control: 1, triggers: triggers.clone() };
        let found = placed(&trio(Procedure::QuatInterp(interp)), turn);
        let weight = |t: &Trigger| {
            let angle = 2.0 * f64::from(t.trigger.dot(turn).abs().min(1.0)).acos();
            (1.0 - angle as f32 / tolerance).max(0.0)
        };
        let sum: f32 = triggers.iter().map(weight).sum();
        // Near the bound the sum decides between two answers.
        prop_assume!((sum - 0.001).abs() > 1e-3);
        let (position, rotation) = if sum <= 0.001 {
            (triggers[0].position, triggers[0].rotation)
        } else {
            let position = triggers.iter().map(|t| weight(t) / sum * t.position).sum();
            // All rotations are in one hemisphere, so nothing flips.
            let rotation = triggers.iter().fold(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), |q, t| {
                q + t.rotation * (weight(t) / sum)
            });
            (position, rotation.normalize())
        };
        prop_assert!(found.position.distance(position) < 5e-3, "{} {position}", found.position);
        prop_assert!(found.rotation.dot(rotation).abs() > 1.0 - 1e-3);
    }

    #[test]
    fn aim_at_points_at_its_target(
        parent in (points(5.0), quats()),
        target in points(20.0),
        base in points(2.0),
        aim in quats(),
    ) {
        let aiming = AimAt {
            parent: 0,
            aim: 1,
            aim_vector: aim * Vec3::X,
            up_vector: aim * Vec3::Z,
            base,
        };
        let parent = Affine3A::from_rotation_translation(parent.1, parent.0);
        let from = parent.transform_point3(base);
        prop_assume!(from.distance(target) > 0.1);
        let world = aiming.at(parent, target);
        let toward = (target - from).normalize();
        prop_assert!(world.transform_vector3(aiming.aim_vector).distance(toward) < 1e-5);
        prop_assert!(Vec3::from(world.translation).distance(from) < 1e-5);
        // Its up and the parent's, both seen along the aim, are one.
        let flat = |up: Vec3| up - toward * toward.dot(up);
        let [ours, theirs] = [world, parent].map(|frame| flat(frame.transform_vector3(aiming.up_vector)));
        if theirs.length() > 0.05 {
            prop_assert!(ours.normalize().distance(theirs.normalize()) < 1e-3);
        }
    }
}

#[test]
fn aim_at_is_finite_and_the_same_ahead_behind_and_at_the_target() {
    for aim_vector in [Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(0.6, -0.8, 0.0)] {
        for up_vector in [Vec3::Z, Vec3::X, aim_vector, -aim_vector] {
            let aim = AimAt {
                parent: 0,
                aim: 1,
                aim_vector,
                up_vector,
                base: Vec3::ZERO,
            };
            for target in [
                aim_vector,
                -aim_vector,
                Vec3::ZERO,
                up_vector,
                aim_vector * 1e-30,
            ] {
                let one = aim.at(Affine3A::IDENTITY, target);
                assert!(one.is_finite(), "{aim:?} {target}");
                assert_eq!(one, aim.at(Affine3A::IDENTITY, target));
                if let Some(toward) = target.try_normalize() {
                    let points = one.transform_vector3(aim_vector);
                    assert!(points.distance(toward) < 1e-5, "{aim:?} {target}: {points}");
                }
            }
        }
    }
}

#[test]
fn quat_interp_at_a_trigger_is_that_trigger() {
    let trigger = |at: usize| Trigger {
        inv_tolerance: 1.0 / 0.3,
        trigger: Quat::from_rotation_x(at as f32),
        position: Vec3::new(at as f32, 0.25, -1.0),
        rotation: Quat::from_xyzw(0.1 * at as f32, 0.2, 0.3, 0.9).normalize(),
    };
    let interp = QuatInterp {
        control: 1,
        triggers: (0..3).map(trigger).collect(),
    };
    for at in 0..3 {
        let trigger = interp.triggers[at];
        // To the last bit, and for the other sign of the same rotation.
        for source in [trigger.trigger, -trigger.trigger] {
            assert_eq!(
                interp.at(source),
                Some((trigger.position, trigger.rotation))
            );
        }
    }
    let far = interp.at(Quat::from_rotation_z(3.0)).expect("triggers");
    assert_eq!(
        far.0, interp.triggers[0].position,
        "far from all the first counts"
    );
    let none = QuatInterp {
        control: 1,
        triggers: Vec::new(),
    };
    assert_eq!(none.at(Quat::IDENTITY), None);
}

#[test]
fn a_control_after_its_bone_gives_the_same_pose() {
    let turn = Quat::from_rotation_x(0.7);
    let interp = |control: usize| {
        let trigger = |at: usize| Trigger {
            inv_tolerance: 0.4,
            trigger: Quat::from_rotation_x(at as f32),
            position: Vec3::splat(at as f32),
            rotation: Quat::from_rotation_y(at as f32),
        };
        Procedure::QuatInterp(QuatInterp {
            control,
            triggers: (0..2).map(trigger).collect(),
        })
    };
    let root = || bone(None, Vec3::X, Quat::from_rotation_y(0.4));
    let control = || bone(Some(0), Vec3::Y, turn);
    let before = vec![root(), control(), computed(Some(0), interp(1))];
    let after = vec![root(), computed(Some(0), interp(2)), control()];
    let world = |bones: Vec<Bone>, at: usize| {
        Skeleton::new(bones, Vec::new())
            .expect("three bones")
            .pose()
            .world()[at]
    };
    assert!(world(before, 2).abs_diff_eq(world(after, 1), 1e-5));
}

#[test]
fn aim_at_finds_bones_and_attachments_wherever_they_are() {
    let aim = AimAt {
        parent: 0,
        aim: 2,
        aim_vector: Vec3::X,
        up_vector: Vec3::Z,
        base: Vec3::Y,
    };
    let bones = |procedure: Procedure| {
        vec![
            bone(None, Vec3::ZERO, Quat::from_rotation_z(0.5)),
            computed(Some(0), procedure),
            bone(Some(0), Vec3::new(5.0, -3.0, 2.0), Quat::IDENTITY),
        ]
    };
    let eyes = Attachment {
        bone: 2,
        local: Affine3A::from_translation(Vec3::new(0.0, 1.0, 4.0)),
    };
    let by_bone = Skeleton::new(bones(Procedure::AimAtBone(aim)), Vec::new()).expect("bones");
    let at_eyes = Procedure::AimAtAttachment(AimAt { aim: 0, ..aim });
    let by_eyes = Skeleton::new(bones(at_eyes), vec![eyes]).expect("bones");
    for (skeleton, beside) in [(by_bone, Vec3::ZERO), (by_eyes, Vec3::new(0.0, 1.0, 4.0))] {
        let pose = skeleton.pose();
        let target = pose.world()[2].transform_point3(beside);
        let from = Vec3::from(pose.world()[1].translation);
        let points = pose.world()[1].transform_vector3(Vec3::X);
        assert!(points.distance((target - from).normalize()) < 1e-5);
    }
}

#[test]
fn procedures_need_their_flag_and_never_leave_a_bone_nowhere() {
    let mut idle = trio(Procedure::AxisInterp(axis_interp(0))).bones().to_vec();
    idle[2].flags = 0;
    let skeleton = Skeleton::new(idle, Vec::new()).expect("bones");
    let pose = skeleton.pose();
    assert_eq!(pose.world()[2], pose.world()[0], "as it is posed");
    let mut broken = axis_interp(0);
    broken.positions = [Vec3::NAN; 6];
    let pose = trio(Procedure::AxisInterp(broken)).pose();
    assert_eq!(pose.world()[2], pose.world()[0], "as it is posed");
}
