//! Bones that swing: where they settle, what holds them, and that they never run away.

use flexion_bones::{Bone, Jiggle, JiggleState, Procedure, Skeleton};
use glam::{Affine3A, Quat, Vec3};

use super::{bone, computed};

/// A soft tip of 10 units.
fn soft() -> Jiggle {
    Jiggle {
        flags: Jiggle::FLEXIBLE,
        length: 10.0,
        yaw_stiffness: 100.0,
        yaw_damping: 6.0,
        pitch_stiffness: 100.0,
        pitch_damping: 6.0,
        along_stiffness: 100.0,
        along_damping: 6.0,
        ..Jiggle::default()
    }
}

/// Forward along X, up along Z.
fn goal() -> Affine3A {
    let turn = Quat::from_mat3(&glam::Mat3::from_cols(Vec3::Y, Vec3::Z, Vec3::X));
    Affine3A::from_rotation_translation(turn, Vec3::new(1.0, 2.0, 3.0))
}

fn forward(world: Affine3A) -> Vec3 {
    world.transform_vector3(Vec3::Z)
}

fn run(jiggle: &Jiggle, state: &mut JiggleState, goal: Affine3A, seconds: f32) -> Affine3A {
    let mut world = goal;
    for _ in 0..(seconds * 60.0) as usize {
        world = state.step(jiggle, goal, 1.0 / 60.0);
    }
    world
}

#[test]
fn a_tip_without_mass_settles_on_its_goal() {
    let mut state = JiggleState::default();
    let aside = Affine3A::from_translation(Vec3::new(0.0, 4.0, 2.0)) * goal();
    state.step(&soft(), aside, 0.01);
    let kicked = state.step(&soft(), goal(), 1.0 / 60.0);
    assert!(!kicked.abs_diff_eq(goal(), 1e-2), "it lags behind first");
    let settled = run(&soft(), &mut state, goal(), 10.0);
    assert!(settled.abs_diff_eq(goal(), 1e-3), "{settled:?}");
}

#[test]
fn a_tip_with_mass_hangs_where_its_spring_holds_it() {
    let jiggle = Jiggle {
        tip_mass: 300.0,
        ..soft()
    };
    let settled = run(&jiggle, &mut JiggleState::default(), goal(), 10.0);
    // Up is Z, where 100 a unit hold 300: three units down on ten.
    let wanted = Vec3::new(10.0, 0.0, -3.0).normalize();
    assert!(
        forward(settled).distance(wanted) < 1e-3,
        "{}",
        forward(settled)
    );
}

#[test]
fn every_constraint_holds_after_its_step() {
    let swing = |jiggle: Jiggle| {
        let mut state = JiggleState::default();
        (0..600)
            .map(|at| {
                let turn = Quat::from_rotation_z(0.9 * (at as f32 * 0.13).sin())
                    * Quat::from_rotation_y(0.7 * (at as f32 * 0.29).sin());
                let goal = Affine3A::from_quat(turn) * goal();
                (goal, state.step(&jiggle, goal, 1.0 / 60.0))
            })
            .collect::<Vec<_>>()
    };
    let heavy = Jiggle {
        tip_mass: 200.0,
        ..soft()
    };
    let limit = 0.3;
    let yaw = Jiggle {
        flags: Jiggle::FLEXIBLE | Jiggle::YAW_CONSTRAINT,
        min_yaw: -limit,
        max_yaw: limit,
        ..heavy
    };
    let pitch = Jiggle {
        flags: Jiggle::FLEXIBLE | Jiggle::PITCH_CONSTRAINT,
        min_pitch: -limit,
        max_pitch: limit,
        ..heavy
    };
    let length = Jiggle {
        flags: Jiggle::RIGID | Jiggle::LENGTH_CONSTRAINT,
        ..heavy
    };
    let angles = |jiggle: Jiggle, side: Vec3| -> Vec<f32> {
        let swung = swing(jiggle).into_iter();
        swung
            .map(|(goal, world)| {
                let seen = goal.inverse().transform_vector3(forward(world));
                seen.dot(side).atan2(seen.z)
            })
            .collect()
    };
    for (jiggle, side) in [(yaw, Vec3::X), (pitch, Vec3::Y)] {
        let free = Jiggle {
            flags: Jiggle::FLEXIBLE,
            ..jiggle
        };
        let widest = |angles: Vec<f32>| angles.into_iter().map(f32::abs).fold(0.0, f32::max);
        assert!(
            widest(angles(free, side)) > limit + 0.1,
            "nothing would be held"
        );
        assert!(widest(angles(jiggle, side)) < limit + 1e-3);
    }
    for (goal, world) in swing(length) {
        assert!(forward(world).is_normalized(), "{goal:?}");
    }
    // The base stays in its box, whatever pulls it.
    let box_of = Jiggle {
        flags: Jiggle::BASE_SPRING,
        base_mass: 500.0,
        base_stiffness: 40.0,
        base_damping: 2.0,
        base_min: Vec3::new(-1.0, -0.5, -0.25),
        base_max: Vec3::new(1.0, 0.5, 0.25),
        base_friction: Vec3::splat(0.1),
        ..Jiggle::default()
    };
    let mut reached = 0.0_f32;
    for (goal, world) in swing(box_of) {
        let offset = goal.inverse().transform_point3(world.translation.into());
        assert!(offset.cmple(box_of.base_max + 1e-3).all(), "{offset}");
        assert!(offset.cmpge(box_of.base_min - 1e-3).all(), "{offset}");
        reached = reached.max(offset.abs().max_element());
        assert!(
            world.matrix3.abs_diff_eq(goal.matrix3, 1e-6),
            "it is not turned"
        );
    }
    assert!(reached > 0.4, "it moves: {reached}");
}

#[test]
fn a_blow_stretches_the_bone_and_rings_out() {
    let jiggle = Jiggle {
        flags: Jiggle::BOING,
        boing_impact_speed: 10.0,
        boing_impact_angle: 0.7,
        boing_damping_rate: 0.5,
        boing_frequency: 30.0,
        boing_amplitude: 0.35,
        ..Jiggle::default()
    };
    let mut state = JiggleState::default();
    run(&jiggle, &mut state, goal(), 4.0);
    assert_eq!(
        run(&jiggle, &mut state, goal(), 1.0),
        goal(),
        "nothing rings"
    );
    let there = Affine3A::from_translation(Vec3::X * 3.0) * goal();
    let struck = state.step(&jiggle, there, 1.0 / 60.0);
    // The blow comes from +X: T has the rows direction x Z, direction x that and direction, and the
    // bone is its goal times T D T'.
    let direction = Vec3::NEG_X;
    let side = direction.cross(Vec3::Z);
    let rows = glam::Mat3::from_cols(side, direction.cross(side), direction).transpose();
    let stretch = glam::Mat3::from_diagonal(Vec3::new(1.35, 1.35, 0.65));
    let wanted = glam::Mat3::from(there.matrix3) * (rows * stretch * rows.transpose());
    assert!(
        glam::Mat3::from(struck.matrix3).abs_diff_eq(wanted, 1e-5),
        "{struck:?}"
    );
    assert_eq!(run(&jiggle, &mut state, there, 4.0), there, "it rings out");
}

#[test]
fn steps_of_any_kind_stay_finite_and_repeat() {
    let mut seed = 1_u32;
    let mut random = move || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / (1 << 24) as f32
    };
    let odd = [
        0.0,
        -1.0,
        1e30,
        -1e30,
        f32::NAN,
        f32::INFINITY,
        f32::MIN_POSITIVE,
    ];
    for _ in 0..2_000 {
        let mut number = |scale: f32| match (random() * 12.0) as usize {
            at @ 0..=6 => odd[at],
            _ => scale * (random() - 0.3),
        };
        let jiggle = Jiggle {
            flags: (number(500.0).abs() as u32) & 0xff,
            length: number(20.0),
            tip_mass: number(500.0),
            yaw_stiffness: number(1000.0),
            yaw_damping: number(50.0),
            pitch_stiffness: number(1000.0),
            pitch_damping: number(50.0),
            along_stiffness: number(1000.0),
            along_damping: number(50.0),
            angle_limit: number(3.0),
            min_yaw: number(3.0),
            max_yaw: number(3.0),
            min_pitch: number(3.0),
            max_pitch: number(3.0),
            base_mass: number(100.0),
            base_stiffness: number(1000.0),
            base_damping: number(50.0),
            base_min: Vec3::splat(number(5.0)),
            base_max: Vec3::splat(number(5.0)),
            base_friction: Vec3::splat(number(1.0)),
            boing_impact_speed: number(100.0),
            boing_impact_angle: number(1.0),
            boing_damping_rate: number(1.0),
            boing_frequency: number(50.0),
            boing_amplitude: number(1.0),
        };
        let (mut state, mut again) = (JiggleState::default(), JiggleState::default());
        for step in 0..500_u32 {
            let turn = Quat::from_rotation_x(number(6.0).clamp(-9.0, 9.0).max(-9.0));
            let place = Vec3::new(step as f32, 0.0, 0.0);
            let goal = Affine3A::from_rotation_translation(turn, place);
            let seconds = number(0.2);
            if !goal.is_finite() {
                continue;
            }
            let world = state.step(&jiggle, goal, seconds);
            assert!(world.is_finite(), "{jiggle:?}");
            assert_eq!(world, again.step(&jiggle, goal, seconds));
        }
    }
}

#[test]
fn a_slow_track_looks_like_a_fast_one() {
    let goal_at = |seconds: f32| {
        Affine3A::from_rotation_translation(
            Quat::from_rotation_z(0.8 * (2.0 * seconds).sin()),
            Vec3::ZERO,
        ) * goal()
    };
    let path = |fps: u32| -> Vec<Vec3> {
        let mut state = JiggleState::default();
        let frames = (0..=3 * fps).map(|frame| {
            let seconds = frame as f32 / fps as f32;
            let world = state.step(&soft(), goal_at(seconds), 1.0 / fps as f32);
            (frame, forward(world))
        });
        let tenths = frames.filter(|(frame, _)| frame % (fps / 10) == 0);
        tenths.map(|(_, forward)| forward).collect()
    };
    let (slow, fast) = (path(10), path(60));
    let furthest = slow
        .iter()
        .zip(&fast)
        .map(|(a, b)| a.distance(*b))
        .fold(0.0, f32::max);
    // The goal of a slow track jumps by up to 9 degrees a frame; the swing smooths that.
    assert!(furthest < 0.12, "{furthest}");
}

#[test]
fn a_skeleton_swings_resets_and_stands_still_without_time() {
    let ordinary: Vec<Bone> = vec![bone(None, Vec3::ZERO, Quat::IDENTITY)];
    let jiggle = Jiggle {
        tip_mass: 300.0,
        ..soft()
    };
    let swinging = Bone {
        rotation: Quat::from_rotation_y(1.0),
        ..computed(Some(0), Procedure::Jiggle(Box::new(jiggle)))
    };
    let bones = [ordinary, vec![swinging]].concat();
    let skeleton = Skeleton::new(bones, Vec::new()).expect("two bones");
    let mut pose = skeleton.pose();
    let rest = pose.world()[1];
    for _ in 0..60 {
        skeleton.step(&mut pose, 1.0 / 60.0);
    }
    let swung = pose.world()[1];
    assert!(!swung.abs_diff_eq(rest, 1e-3));
    skeleton.place(&mut pose);
    assert_eq!(
        pose.world()[1],
        rest,
        "without time it stands where it goes"
    );
    pose.reset();
    let mut fresh = skeleton.pose();
    skeleton.step(&mut pose, 0.1);
    skeleton.step(&mut fresh, 0.1);
    assert_eq!(pose, fresh);
    // Half a second and more is a gap: it begins at rest.
    skeleton.step(&mut pose, 0.6);
    assert!(pose.world()[1].abs_diff_eq(rest, 1e-3));
}
