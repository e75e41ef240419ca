//! Every instruction set of this processor gives the bits of the slow reference.

use flexion_deform::{Backend, Precision, RampMode, Scratch, Weights};
use proptest::collection::vec;
use proptest::prelude::*;

use super::bridge::{assert_same, lengths, product, reference};
use super::guarded::Guarded;
use super::strategies::{model, weight};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn backends_equal_the_reference(
        model in model(),
        current in vec(weight(), 5),
        delayed in vec(weight(), 5),
        only in 0..6usize,
    ) {
        // All flexes of the pose, or only those of one descriptor: by vertex, or by flex.
        let still = |weights: &[f32]| -> Vec<f32> {
            let kept = |at: usize| only == 5 || at == only;
            weights.iter().enumerate().map(|(at, &w)| if kept(at) { w } else { 0.0 }).collect()
        };
        let (current, delayed) = (still(&current), still(&delayed));
        let weights = Weights { current: &current, delayed: &delayed };
        for precision in [Precision::File, Precision::Engine] {
            let expected = reference(&model, precision, weights, RampMode::Overdrive);
            let deformer = product(&model, precision);
            for backend in Backend::available() {
                let deformer = deformer.with_backend(backend);
                assert_eq!(deformer.backend(), backend);
                let mut out = Guarded::new(lengths(&model));
                let scratch = &mut Scratch::default();
                deformer.apply_with(weights, RampMode::Overdrive, out.lend(), scratch).unwrap();
                out.assert_guards();
                assert_same(&out.shape(), &expected);
            }
        }
    }
}

#[test]
fn a_deformer_runs_on_the_best_backend_unless_told() {
    let deformer = super::deformer(&[], Precision::File);
    assert_eq!(deformer.backend(), Backend::best());
}
