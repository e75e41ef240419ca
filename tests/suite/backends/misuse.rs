//! Slices that do not fit are refused before anything is written.

use std::panic::{AssertUnwindSafe, catch_unwind};

use flexion_rules::{BatchEvaluator, Dialect, Planes, PlanesMut};
use flexion_simd::Backend;
use flexion_testkit::reference::{Op, Rig, Rule};

use crate::programs::compile;

fn evaluator() -> BatchEvaluator {
    let rig = Rig {
        controllers: vec![(0.0, 1.0); 2],
        descriptors: 3,
        rules: vec![Rule {
            flex: 1,
            ops: vec![Op::index(2, 0)],
        }],
    };
    BatchEvaluator::new(&compile(&rig, Dialect::Shipped), Backend::best())
}

fn message(f: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(f)).expect_err("a panic");
    *panic.downcast::<String>().expect("a message")
}

#[test]
fn rows_of_different_numbers_of_poses() {
    let mut weights = [7.0; 9];
    let said = message(|| evaluator().rows(&[0.0; 8], &mut weights));
    assert_eq!(
        said,
        "8 sliders and 9 weights are not rows of 2 and 3 of the same number of poses"
    );
    let said = message(|| evaluator().rows_parallel(&[0.0; 5], &mut weights[..6]));
    assert!(said.starts_with("5 sliders and 6 weights"), "{said}");
    assert_eq!(weights, [7.0; 9]);
}

#[test]
fn planes_that_are_too_short() {
    let sliders = [0.0; 20];
    let mut weights = [7.0; 30];
    let mut run = |poses, input, output, length: usize| {
        let weights = &mut weights[..length];
        let said = message(|| {
            evaluator().planes(
                poses,
                Planes {
                    values: &sliders,
                    stride: input,
                },
                PlanesMut {
                    values: weights,
                    stride: output,
                },
            );
        });
        assert!(weights.iter().all(|&weight| weight == 7.0));
        said
    };
    assert_eq!(
        run(11, 10, 11, 30),
        "sliders: a stride of 10 for planes of 11 poses"
    );
    assert_eq!(
        run(10, 11, 10, 30),
        "sliders: 20 values where 2 planes of 10 poses need 21"
    );
    assert_eq!(
        run(10, 10, 10, 29),
        "weights: 29 values where 3 planes of 10 poses need 30"
    );
    assert!(run(10, 10, usize::MAX / 2, 30).contains("weights: 30 values"));
}

#[test]
fn a_block_takes_no_more_than_it_has() {
    let mut batch = evaluator();
    let catch = |f: &mut dyn FnMut()| catch_unwind(AssertUnwindSafe(f)).is_err();
    assert!(catch(&mut || batch.run(batch.block() + 1)));
    assert!(catch(&mut || {
        batch.sliders_mut(2);
    }));
    assert!(catch(&mut || {
        batch.weights(3);
    }));
}

/// Rigs without sliders or without targets have poses all the same.
#[test]
fn rigs_with_nothing_on_one_side() {
    let rig = |controllers: usize, descriptors: usize| Rig {
        controllers: vec![(0.0, 1.0); controllers],
        descriptors,
        rules: vec![Rule {
            flex: 0,
            ops: vec![Op::value(1, 0.25)],
        }],
    };
    let batch = |rig: &Rig| BatchEvaluator::new(&compile(rig, Dialect::Shipped), Backend::best());
    let mut weights = [7.0; 1000];
    batch(&rig(0, 2)).rows(&[], &mut weights);
    assert_eq!(weights, std::array::from_fn(|at| [0.25, 0.0][at % 2]));
    weights.fill(7.0);
    batch(&rig(0, 1)).rows_parallel(&[], &mut weights);
    assert_eq!(weights, [0.25; 1000]);
    batch(&rig(3, 0)).rows(&[0.5; 30], &mut []);
    batch(&rig(3, 0)).rows_parallel(&[0.5; 30_000], &mut []);
    batch(&rig(0, 0)).rows(&[], &mut []);
}
