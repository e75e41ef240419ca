//! Posing on: only what moves is written, and nothing that should be is missed.

use flexion_deform::{Precision, RampMode, Shape, Weights};
use flexion_testkit::deform_reference::{ReferenceModel, ReferenceShape};
use proptest::collection::vec;
use proptest::prelude::*;

use super::bridge::{assert_same, product, reference};
use super::calls::{MOVING, large_model};
use super::strategies::{model, weight};

fn shown(shape: &Shape) -> ReferenceShape {
    ReferenceShape {
        positions: shape.positions.clone(),
        normals: shape.normals.clone(),
        tangents: shape.tangents.clone(),
        wrinkles: shape.wrinkles.clone(),
        touched: Vec::new(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn poses_in_a_row_equal_the_reference(
        model in model(),
        poses in vec((vec(weight(), 5), any::<[bool; 5]>(), any::<bool>()), 2..6),
    ) {
        let deformer = product(&model, Precision::File);
        let engine = deformer.quantised();
        let mut shape = deformer.shape();
        for (weights, kept, quantised) in poses {
            let weights: Vec<f32> =
                weights.iter().zip(kept).map(|(&w, kept)| if kept { w } else { 0.0 }).collect();
            let weights = Weights::still(&weights);
            let (deformer, precision) = match quantised {
                false => (&deformer, Precision::File),
                true => (&engine, Precision::Engine),
            };
            deformer.apply_next(weights, RampMode::Saturate, &mut shape).unwrap();
            let expected = reference(&model, precision, weights, RampMode::Saturate);
            assert_same(&shown(&shape), &expected);
        }
    }
}

/// Vertices from 400 on are on no flex.
fn half_flexed() -> ReferenceModel {
    let mut model = large_model(800);
    for flex in &mut model.flexes {
        flex.rows.retain(|row| row.index < 400);
    }
    model
}

#[test]
fn what_does_not_move_is_left_alone() {
    let deformer = product(&half_flexed(), Precision::File);
    let mode = RampMode::Saturate;
    let mut shape = deformer.shape();
    deformer.apply_next(MOVING, mode, &mut shape).unwrap();
    shape.positions[700] = [7.0; 3];
    deformer.apply_next(MOVING, mode, &mut shape).unwrap();
    assert_eq!(shape.positions[700], [7.0; 3], "no flex lists it");
    deformer.apply_to(MOVING, mode, &mut shape).unwrap();
    assert_eq!(shape.positions[700], deformer.base().positions[700]);
}

#[test]
fn a_pose_that_is_not_known_is_written_whole() {
    let deformer = product(&half_flexed(), Precision::File);
    let same_again = product(&half_flexed(), Precision::File);
    let mode = RampMode::Saturate;
    let mut expected = deformer.shape();
    deformer.apply_to(MOVING, mode, &mut expected).unwrap();
    let spoil: [fn(&mut Shape, &flexion_deform::Deformer); 4] = [
        |shape, _| *shape = Shape::default(),
        |shape, _| {
            shape.as_mut().positions[700] = [7.0; 3];
        },
        |shape, other| {
            other.apply_next(MOVING, RampMode::Saturate, shape).unwrap();
            shape.positions[700] = [7.0; 3];
        },
        |shape, _| shape.wrinkles.truncate(3),
    ];
    for spoil in spoil {
        let mut shape = deformer.shape();
        deformer.apply_next(MOVING, mode, &mut shape).unwrap();
        spoil(&mut shape, &same_again);
        deformer.apply_next(MOVING, mode, &mut shape).unwrap();
        assert_same(&shown(&shape), &shown(&expected));
    }
}

#[test]
fn posing_on_allocates_nothing() {
    let deformer = product(&large_model(2000), Precision::File);
    let mut shape = deformer.shape();
    let mut pose = |weights| {
        deformer
            .apply_next(weights, RampMode::Saturate, &mut shape)
            .unwrap();
    };
    let first = allocation_counter::measure(|| pose(Weights::still(&[0.0; 4])));
    assert!(first.count_total > 0, "the counter counts");
    // A pose that moves most rows makes the model order them by vertex, once.
    pose(MOVING);
    let again = allocation_counter::measure(|| {
        pose(MOVING);
        pose(Weights::still(&[0.9, 0.0, 0.0, 0.0]));
        pose(MOVING);
    });
    assert_eq!(again.count_total, 0);
}
