//! Random models: equal to the slow reference in every bit.

use flexion_deform::{Precision, Ramp, RampMode, Scratch, Weights};
use flexion_testkit::deform_reference::{Number, ReferenceFlex, ReferenceModel, ReferenceRow};
use proptest::collection::vec;
use proptest::prelude::*;

use super::SCALE;
use super::bridge::{assert_same, lengths, product, reference};
use super::guarded::Guarded;
use super::strategies::{model, weight};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_model_quantised_later_is_one_built_so(model in model(), weights in vec(weight(), 5)) {
        let weights = Weights::still(&weights);
        for precision in [Precision::File, Precision::Engine] {
            let deformer = product(&model, precision).quantised();
            let mut out = Guarded::new(lengths(&model));
            deformer.apply(weights, RampMode::Saturate, out.lend()).unwrap();
            let built = reference(&model, Precision::Engine, weights, RampMode::Saturate);
            assert_same(&out.shape(), &built);
        }
    }

    #[test]
    fn poses_equal_the_reference_in_every_bit(
        model in model(),
        frames in vec((vec(weight(), 5), vec(weight(), 5), any::<bool>()), 1..5),
    ) {
        for precision in [Precision::File, Precision::Engine] {
            let deformer = product(&model, precision);
            let mut out = Guarded::new(lengths(&model));
            let mut scratch = Scratch::default();
            for (current, delayed, still) in &frames {
                let delayed = if *still { current } else { delayed };
                let weights = Weights { current, delayed };
                for mode in [RampMode::Saturate, RampMode::Overdrive] {
                    deformer.apply_with(weights, mode, out.lend(), &mut scratch).unwrap();
                    out.assert_guards();
                    assert_same(&out.shape(), &reference(&model, precision, weights, mode));
                }
            }
        }
    }
}

/// A model of one flex whose row `i` moves vertex `i` by the bits `i`.
fn every_half(scale: f32) -> ReferenceModel {
    let row = |index: u16| ReferenceRow {
        index,
        speed: 255,
        delta: [index, 0, 0],
        ndelta: [0, 0, index],
        wrinkledelta: index as i16,
        ..ReferenceRow::default()
    };
    ReferenceModel {
        positions: vec![[0.0; 3]; 1 << 16],
        normals: vec![[0.0, 1.0, 0.0]; 1 << 16],
        tangents: Vec::new(),
        numflexdesc: 1,
        number: Number::Half,
        scale,
        flexes: vec![ReferenceFlex {
            targets: Ramp::default().targets,
            numvertices: 1 << 16,
            rows: (0..=u16::MAX).map(row).collect(),
            ..ReferenceFlex::default()
        }],
    }
}

#[test]
fn every_half_means_what_the_reference_reads() {
    let scales = [
        SCALE,
        0.001,
        1e-7,
        1e-38,
        1e30,
        0.0,
        -0.25,
        f32::INFINITY,
        f32::NAN,
    ];
    for scale in scales {
        let model = every_half(scale);
        for precision in [Precision::File, Precision::Engine] {
            let mut out = Guarded::new(lengths(&model));
            let (weights, mode) = (Weights::still(&[1.0]), RampMode::Saturate);
            product(&model, precision)
                .apply(weights, mode, out.lend())
                .unwrap();
            assert_same(&out.shape(), &reference(&model, precision, weights, mode));
        }
    }
}
