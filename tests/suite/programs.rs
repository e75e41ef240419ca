//! Rules from outside: compiled programs against the golden programs and against the slow reference.

mod disassembly;
mod findings;
mod golden;
mod random;

use flexion_rules::{Dialect, Evaluator, Program};
use flexion_testkit::reference::{self, Checks};
use flexion_tests::bridge::with_rig;

pub(crate) const DIALECTS: [(Dialect, Checks); 2] = [
    (Dialect::Shipped, Checks::Shipped),
    (Dialect::Sdk2025, Checks::Sdk2025),
];

pub(crate) fn compile(rig: &reference::Rig, dialect: Dialect) -> Program {
    with_rig(rig, |rig| Program::compile(rig, dialect))
}

/// The reference's weights.
pub(crate) fn expected(rig: &reference::Rig, checks: Checks, sliders: &[f32]) -> Vec<f32> {
    let mut weights = vec![f32::NAN; rig.descriptors];
    reference::eval(rig, checks, sliders, &mut weights);
    weights
}

/// Whether two floats are equal in every bit, any NaN being equal to any other.
fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

/// The index of the first weight that differs.
fn difference(weights: &[f32], expected: &[f32]) -> Option<usize> {
    assert_eq!(weights.len(), expected.len());
    weights
        .iter()
        .zip(expected)
        .position(|(&a, &b)| !same(a, b))
}

/// Checks one rule of one descriptor on one pose, in both dialects, against weights written here.
#[track_caller]
fn check(ranges: &[(f32, f32)], ops: &[reference::Op], sliders: &[f32], weights: [f32; 2]) {
    let rig = reference::Rig {
        controllers: ranges.to_vec(),
        descriptors: 1,
        rules: vec![reference::Rule {
            flex: 0,
            ops: ops.to_vec(),
        }],
    };
    for ((dialect, checks), weight) in DIALECTS.into_iter().zip(weights) {
        let program = compile(&rig, dialect);
        let got = Evaluator::new(&program).eval(sliders)[0];
        assert!(same(got, weight), "{dialect}: {got} for {weight}");
        let reference = expected(&rig, checks, sliders)[0];
        assert!(
            same(reference, weight),
            "{dialect}, reference: {reference} for {weight}"
        );
    }
}
