//! Small cases with numbers worked out by hand.

use flexion_deform::{
    BaseVertices, DeformerBuilder, DeltaRow, Encoding, FlexOutcome, FlexRecord, Precision, Ramp,
    RampMode, SkipReason, Weights,
};

use super::{HALF, ONE, SCALE, base, deformer, mono, pose, row};

#[test]
fn ramps_follow_their_targets() {
    let lowered = [-11.0, -10.0, -0.5, 0.25];
    let raised = [0.25, 0.75, 10.0, 11.0];
    let cases = [
        ([0.0, 1.0, 10.0, 11.0], 0.25, 0.25),
        ([0.0, 1.0, 10.0, 11.0], 1.0, 1.0),
        ([0.0, 1.0, 10.0, 11.0], 10.25, 0.75),
        ([0.0, 1.0, 10.0, 11.0], 11.0, 0.0),
        ([0.0, 1.0, 10.0, 11.0], -1.0, 0.0),
        // A split without overlap: both halves are off at exactly 1.
        ([0.0, 1.0, 1.0, 1.0], 0.5, 0.5),
        ([0.0, 1.0, 1.0, 1.0], 1.0, 0.0),
        ([1.0, 1.0, 10.0, 11.0], 1.0, 0.0),
        ([1.0, 1.0, 10.0, 11.0], 1.5, 1.0),
        ([0.0, 0.0, 0.0, 0.0], 0.0, 0.0),
        // Eyelids: a height instead of a weight.
        (lowered, -0.5, 1.0),
        (lowered, -0.125, 0.5),
        (lowered, 0.25, 0.0),
        (raised, 0.25, 0.0),
        (raised, 0.5, 0.5),
        // No test holds for a NaN.
        ([0.0, 1.0, 10.0, 11.0], f32::NAN, 1.0),
        ([f32::NAN; 4], 0.5, 1.0),
        ([0.0, 1.0, 10.0, 11.0], f32::INFINITY, 0.0),
    ];
    for (targets, weight, expected) in cases {
        let ramped = Ramp { targets }.weight(weight, RampMode::Saturate);
        assert_eq!(ramped, expected, "{targets:?} at {weight}");
    }
}

#[test]
fn overdrive_opens_only_flexes_with_the_default_start() {
    let overdriven = |targets, weight| Ramp { targets }.weight(weight, RampMode::Overdrive);
    assert_eq!(overdriven([0.0, 1.0, 10.0, 11.0], 20.0), 20.0);
    assert_eq!(overdriven([0.0, 1.0, 10.0, 11.0], -0.5), -0.5);
    assert_eq!(overdriven([0.0, 1.0, 9.0, 11.0], 20.0), 0.0);
    assert_eq!(overdriven([0.0, 0.5, 10.0, 11.0], 2.0), 1.0);
    assert_eq!(overdriven([0.5, 1.0, 10.0, 11.0], -1.0), 0.0);
}

#[test]
fn side_follows_the_partner_and_speed_the_delay() {
    let mut builder = DeformerBuilder::new(base(4), 2, Encoding::Half, SCALE, Precision::File);
    let stereo = FlexRecord {
        partner: 1,
        ..mono()
    };
    let blended = |vertex, speed, side| DeltaRow {
        speed,
        side,
        ..row(vertex, ONE)
    };
    builder.flex(
        stereo,
        [
            blended(0, 255, 0),
            blended(1, 255, 255),
            blended(2, 0, 0),
            blended(3, 51, 204),
        ],
    );
    let deformer = builder.build();
    let mut shape = deformer.shape();
    let weights = Weights {
        current: &[1.0, 0.5],
        delayed: &[0.25, 0.125],
    };
    deformer
        .apply_to(weights, RampMode::Saturate, &mut shape)
        .unwrap();
    let x: Vec<f32> = shape.positions.iter().map(|p| p[0]).collect();
    assert_eq!(x[..3], [1.0, 0.5, 0.25]);
    // (1·0.2 + 0.25·0.8)·0.2 + (0.5·0.2 + 0.125·0.8)·0.8
    assert!((x[3] - 0.24).abs() < 1e-6, "{}", x[3]);
}

#[test]
fn touched_normals_become_unit_and_others_stay() {
    let mut base = base(4);
    base.normals = vec![[0.0, 0.0, 2.0], [0.0, 0.0, 2.0], [0.0; 3], [0.0, 0.0, 1.0]];
    base.tangents[0] = [3.0, 0.0, 4.0, -1.0];
    let mut builder = DeformerBuilder::new(base, 1, Encoding::Half, SCALE, Precision::File);
    let tilt = DeltaRow {
        normal_delta: [ONE, 0, 0],
        ..row(3, 0)
    };
    builder.flex(mono(), [row(0, 0), row(2, 0), tilt]);
    let shape = pose(&builder.build(), &[0.75]);
    assert_eq!(shape.normals[0], [0.0, 0.0, 1.0], "zero deltas touch too");
    assert_eq!(shape.tangents[0], [0.6, 0.0, 0.8, -1.0]);
    assert_eq!(shape.normals[1], [0.0, 0.0, 2.0], "not listed");
    assert_eq!(shape.normals[2], [0.0; 3], "no length to bring to 1");
    assert_eq!(shape.normals[3], [0.6, 0.0, 0.8]);
    assert_eq!(shape.tangents[3], [1.0, 0.0, 0.0, -1.0]);
}

#[test]
fn wrinkles_are_fixed_point_beside_half_floats() {
    let wrinkled = DeltaRow {
        wrinkle: -2048,
        ..row(1, ONE)
    };
    for precision in [Precision::File, Precision::Engine] {
        let shape = pose(&deformer(&[wrinkled], precision), &[0.5, 0.0]);
        assert_eq!(shape.wrinkles, [0.0, -0.25, 0.0, 0.0]);
        assert_eq!(shape.positions[1], [0.5, 0.0, 0.0]);
    }
}

#[test]
fn engine_precision_cuts_and_wraps() {
    let cases = [
        (0x0d00, SCALE),  // 1.25 steps
        (0x8f80, -SCALE), // -1.875 steps: toward 0
        (0x3b33, 3686.0 * SCALE),
        (0x4840, -7.5), // 8.5 wraps
        (0xc840, 7.5),
        (0x47ff, 7.9960938),
        (0x7c00, 0.0), // infinity is 65504, whose low word of steps is 0
        (0x7e00, 0.0), // NaN
    ];
    for (bits, expected) in cases {
        let shape = pose(&deformer(&[row(0, bits)], Precision::Engine), &[1.0, 0.0]);
        assert_eq!(shape.positions[0][0], expected, "{bits:#06x}");
    }
}

#[test]
fn file_precision_keeps_every_half() {
    let x = |bits| pose(&deformer(&[row(0, bits)], Precision::File), &[1.0, 0.0]).positions[0][0];
    assert_eq!(x(0x0001), 2f32.powi(-24));
    assert_eq!(x(0x7bff), 65504.0);
    assert_eq!(x(0xfc00), f32::NEG_INFINITY);
    assert!(x(0x7e00).is_nan());
}

#[test]
fn fixed_files_look_the_same_in_both_precisions() {
    for precision in [Precision::File, Precision::Engine] {
        let mut builder = DeformerBuilder::new(base(4), 1, Encoding::Fixed, 0.125, precision);
        builder.flex(mono(), [row(0, 0xfff8)]);
        assert_eq!(pose(&builder.build(), &[0.5]).positions[0][0], -0.5);
    }
}

#[test]
fn a_flex_is_skipped_while_all_four_weights_are_near_zero() {
    let mut builder = DeformerBuilder::new(base(4), 2, Encoding::Half, SCALE, Precision::File);
    let stereo = FlexRecord {
        partner: 1,
        ..mono()
    };
    builder.flex(stereo, [row(0, ONE)]);
    let deformer = builder.build();
    let mut shape = deformer.shape();
    let below = 0.001f32.next_down();
    let mut x = |current: [f32; 2], delayed: [f32; 2]| {
        let weights = Weights {
            current: &current,
            delayed: &delayed,
        };
        deformer
            .apply_to(weights, RampMode::Overdrive, &mut shape)
            .unwrap();
        shape.positions[0][0]
    };
    assert_eq!(x([below, 0.0], [0.0, 0.0]), 0.0);
    assert_eq!(x([-below, below], [below, below]), 0.0);
    assert_eq!(x([0.001, 0.0], [0.0, 0.0]), 0.001);
    assert_eq!(x([-0.001, 0.0], [0.0, 0.0]), -0.001);
    assert_eq!(x([below, 0.001], [0.0, 0.0]), below, "the partner counts");
    assert_eq!(x([below, 0.0], [0.001, 0.0]), below, "the delay counts");
    assert_eq!(x([below, 0.0], [0.0, 0.001]), below, "the partner's too");
    assert!(x([f32::NAN, 0.0], [0.0, 0.0]).is_nan());
}

#[test]
fn a_vertex_listed_twice_moves_twice_in_file_order() {
    // 1 + 2^-24 + 2^-24 is 1 in f32, 2^-24 + 2^-24 + 1 is not.
    let tiny = 0x0001;
    let small_first = deformer(
        &[row(1, tiny), row(0, ONE), row(1, tiny), row(1, ONE)],
        Precision::File,
    );
    let large_first = deformer(
        &[row(1, ONE), row(1, tiny), row(0, ONE), row(1, tiny)],
        Precision::File,
    );
    assert_eq!(
        pose(&small_first, &[1.0, 0.0]).positions[1][0],
        1.0 + f32::EPSILON
    );
    assert_eq!(pose(&large_first, &[1.0, 0.0]).positions[1][0], 1.0);
}

#[test]
fn meshes_share_the_model_and_rows_past_them_are_ignored() {
    let mut builder = DeformerBuilder::new(base(6), 1, Encoding::Half, SCALE, Precision::File);
    let second_mesh = FlexRecord {
        first_vertex: 3,
        vertex_count: 2,
        ..mono()
    };
    let past_the_model = FlexRecord {
        first_vertex: u32::MAX - 1,
        vertex_count: u32::MAX,
        ..mono()
    };
    let ignored = |outcome| match outcome {
        FlexOutcome::Kept { ignored_rows } => ignored_rows,
        FlexOutcome::Skipped(reason) => panic!("{reason}"),
    };
    let rows = [row(0, ONE), row(1, HALF), row(2, ONE), row(u16::MAX, ONE)];
    assert_eq!(ignored(builder.flex(second_mesh, rows)), 2);
    assert_eq!(ignored(builder.flex(past_the_model, rows)), 4);
    let half_outside = FlexRecord {
        first_vertex: 5,
        vertex_count: 9,
        ..mono()
    };
    assert_eq!(ignored(builder.flex(half_outside, rows)), 3);
    let deformer = builder.build();
    assert_eq!((deformer.flexes(), deformer.rows()), (3, 3));
    let shape = pose(&deformer, &[1.0]);
    let x: Vec<f32> = shape.positions.iter().map(|p| p[0]).collect();
    assert_eq!(x, [0.0, 0.0, 0.0, 1.0, 0.5, 1.0]);
}

#[test]
fn flexes_of_no_descriptor_are_skipped_with_the_reason() {
    let mut builder = DeformerBuilder::new(base(4), 3, Encoding::Half, SCALE, Precision::File);
    let mut outcome = |descriptor, partner| {
        let record = FlexRecord {
            descriptor,
            partner,
            ..mono()
        };
        builder.flex(record, [row(0, ONE)])
    };
    let kept = FlexOutcome::Kept { ignored_rows: 0 };
    assert_eq!(outcome(2, 2), kept);
    for index in [-1, 3, i32::MIN, i32::MAX] {
        let reason = SkipReason::DescriptorOutOfRange { index, count: 3 };
        assert_eq!(outcome(index, 0), FlexOutcome::Skipped(reason));
        let reason = SkipReason::PartnerOutOfRange { index, count: 3 };
        assert_eq!(outcome(0, index), FlexOutcome::Skipped(reason));
    }
    assert_eq!(builder.build().flexes(), 1);
}

#[test]
fn a_base_of_uneven_lengths_takes_that_of_its_positions() {
    let uneven = BaseVertices {
        positions: vec![[1.0; 3]; 3],
        normals: vec![[0.0, 0.0, 1.0]; 5],
        tangents: vec![[1.0; 4]; 1],
    };
    let deformer = DeformerBuilder::new(uneven, 0, Encoding::Half, SCALE, Precision::File).build();
    let shape = pose(&deformer, &[]);
    assert_eq!(shape.normals, [[0.0, 0.0, 1.0]; 3]);
    assert_eq!(shape.tangents, [[1.0; 4], [0.0; 4], [0.0; 4]]);
}

#[test]
fn options_have_names() {
    for mode in [RampMode::Saturate, RampMode::Overdrive] {
        assert_eq!(mode.to_string().parse(), Ok(mode));
    }
    for precision in [Precision::File, Precision::Engine] {
        assert_eq!(precision.to_string().parse(), Ok(precision));
    }
    assert_eq!(Precision::default().to_string(), "file");
    assert_eq!(RampMode::default().to_string(), "saturate");
    assert_eq!(
        "File".parse::<Precision>().unwrap_err().to_string(),
        "unknown precision: expected file or engine"
    );
    assert_eq!(
        "".parse::<RampMode>().unwrap_err().to_string(),
        "unknown ramp mode: expected saturate or overdrive"
    );
}
