//! Compressed values, bone controllers and flex drivers, beside values worked out by hand.

use flexion_bones::decode::{FIXED_ALIGNMENT, Scales, raw};
use flexion_bones::{BoneController, Error, FlexDriver, Local, Skeleton, apply_controllers};
use glam::{Quat, Vec3};

use super::bone;

/// A header of a run: values and frames.
fn run(valid: u16, total: u16) -> u16 {
    valid | total << 8
}

#[test]
fn runs_give_their_values_and_repeat_the_last() {
    let minus = (-5_i16).cast_unsigned();
    let channel = [
        run(2, 4),
        10,
        minus,
        run(3, 3),
        1,
        2,
        3,
        run(1, 1),
        9,
        run(1, 2),
        4,
    ];
    let expected: [[i16; 2]; 10] = [
        [10, -5],
        [-5, -5],
        [-5, -5],
        [-5, 1],
        [1, 2],
        [2, 3],
        [3, 9],
        // One value for one frame gives it for any.
        [9, 9],
        [4, 4],
        [4, 4],
    ];
    for (frame, values) in expected.into_iter().enumerate() {
        assert_eq!(raw(Some(&channel), frame), values, "frame {frame}");
    }
    for frame in [10, 11, 1_000_000, usize::MAX] {
        assert_eq!(raw(Some(&channel), frame), [0, 0], "past the end");
    }
    assert_eq!(raw(None, 3), [0, 0]);
    assert_eq!(raw(Some(&[]), 0), [0, 0]);
    assert_eq!(raw(Some(&[run(2, 0), 1, 2]), 0), [0, 0], "no frames");
    assert_eq!(raw(Some(&[run(0, 2)]), 1), [0, 0], "no values");
    assert_eq!(raw(Some(&[run(9, 9), 1, 2]), 0), [0, 0], "cut off");
}

fn scales() -> Scales {
    Scales {
        position: Vec3::new(1.0, 2.0, 3.0),
        euler: Vec3::new(0.25, 0.0, 0.0),
        position_scale: Vec3::new(0.5, 0.25, 2.0),
        rotation_scale: Vec3::splat(0.125),
        alignment: Quat::from_xyzw(0.0, 0.0, 0.0, -1.0),
        flags: 0,
    }
}

#[test]
fn positions_are_scaled_offset_and_blended() {
    let x = [run(2, 2), 4, 8];
    let channels = [Some(&x[..]), None, Some(&x[..])];
    let at = |frame, fraction, delta| scales().position(channels, frame, fraction, delta);
    assert_eq!(at(0, 0.0, false), Vec3::new(3.0, 2.0, 11.0));
    assert_eq!(at(0, 0.0, true), Vec3::new(2.0, 0.0, 8.0));
    assert_eq!(at(0, 0.5, true), Vec3::new(3.0, 0.0, 12.0));
    assert_eq!(
        at(0, 0.001, true),
        at(0, 0.0, true),
        "as good as the frame itself"
    );
    assert_eq!(at(1, 0.0, false), Vec3::new(5.0, 2.0, 19.0));
}

#[test]
fn rotations_are_turns_about_x_then_y_then_z() {
    let [x, y, z] = [[run(2, 2), 2, 4], [run(1, 1), 3, 0], [run(1, 1), 5, 0]];
    let channels = [Some(&x[..]), Some(&y[..2]), Some(&z[..2])];
    let turn = |x: f32| {
        Quat::from_rotation_z(0.625) * Quat::from_rotation_y(0.375) * Quat::from_rotation_x(x)
    };
    let near = |a: Quat, b: Quat| assert!(a.abs_diff_eq(b, 1e-6), "{a} {b}");
    let at = |fraction, delta| scales().rotation(channels, 0, fraction, delta);
    near(at(0.0, true), turn(0.25));
    near(at(0.0, false), turn(0.5));
    let blend = (turn(0.25) * 0.75 + turn(0.5) * 0.25).normalize();
    near(at(0.25, true), blend);
    let aligned = Scales {
        flags: FIXED_ALIGNMENT,
        ..scales()
    };
    near(aligned.rotation(channels, 0, 0.0, false), -turn(0.5));
    near(aligned.rotation(channels, 0, 0.0, true), turn(0.25));
}

#[test]
fn bone_controllers_move_along_and_turn_about_their_axis() {
    let controller = |kind: u32, start: f32, end: f32| BoneController {
        bone: Some(0),
        kind,
        start,
        end,
    };
    assert_eq!(controller(1, -2.0, 6.0).value(0.25), 0.0);
    assert_eq!(controller(1, -2.0, 6.0).value(9.0), 6.0);
    let still = Local {
        position: Vec3::ONE,
        rotation: Quat::from_rotation_x(0.5),
    };
    let moved = |controller: BoneController, input: f32| {
        let mut local = still;
        controller.apply(input, &mut local);
        local
    };
    assert_eq!(
        moved(controller(2, 0.0, 4.0), 0.5).position,
        Vec3::new(1.0, 3.0, 1.0)
    );
    // Wrapping does not change what an input means.
    let turned = moved(controller(0x20 | 0x4_0000, 0.0, 90.0), 1.0);
    let wanted = Quat::from_rotation_z(90.0_f32.to_radians()) * still.rotation;
    assert!(turned.rotation.dot(wanted).abs() > 1.0 - 1e-6);
    assert_eq!(turned.position, still.position);
    assert_eq!(moved(controller(3, 0.0, 4.0), 1.0), still, "no such axis");
}

#[test]
fn controllers_act_in_file_order_on_bones_that_exist() {
    let skeleton = Skeleton::new(vec![bone(None, Vec3::ZERO, Quat::IDENTITY)], Vec::new());
    let mut pose = skeleton.expect("a bone").pose();
    let at = |bone: Option<usize>| BoneController {
        bone,
        kind: 4,
        start: 0.0,
        end: 1.0,
    };
    apply_controllers(
        &[at(Some(0)), at(None), at(Some(0))],
        &[1.0, 1.0, 0.5],
        &mut pose,
    )
    .expect("bones that exist");
    assert_eq!(pose.locals()[0].position, Vec3::Z * 1.5);
    let error = apply_controllers(&[at(Some(4))], &[1.0], &mut pose);
    assert!(matches!(error, Err(Error::Bone { bone: 4, .. })));
    assert!(apply_controllers(&[at(None)], &[], &mut pose).is_err());
}

#[test]
fn a_driver_follows_its_bone_from_0_to_1() {
    let driver = FlexDriver {
        bone: 0,
        component: 1,
        controller: 3,
        min: 2.0,
        max: 4.0,
    };
    let value = |y: f32| {
        driver.value(Local {
            position: Vec3::new(9.0, y, 9.0),
            rotation: Quat::IDENTITY,
        })
    };
    assert_eq!(
        [1.0, 2.0, 2.5, 4.0, 7.0].map(value),
        [0.0, 0.0, 0.25, 1.0, 1.0]
    );
    let backward = FlexDriver {
        min: 4.0,
        max: 2.0,
        ..driver
    };
    let local = |y: f32| Local {
        position: Vec3::Y * y,
        rotation: Quat::IDENTITY,
    };
    assert_eq!(backward.value(local(2.5)), 0.75);
    let step = FlexDriver { max: 2.0, ..driver };
    assert_eq!([1.9, 2.0].map(|y| step.value(local(y))), [0.0, 1.0]);
}
