//! Made-up rigs, valid and not: the slow reference, in every way.

use flexion_simd::Backend;
use flexion_testkit::programs::{Posed, awkward, valid, wild};
use flexion_testkit::{reference, rigs};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError};

use super::{counts, every_way, for_each_backend, same};
use crate::programs::{DIALECTS, compile, expected};

for_each_backend!(valid_rigs, rigs_of_random_ops, single_ops, rigs_for_benches);

fn config(cases: u32) -> Config {
    Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    }
}

fn valid_rigs(backend: Backend) {
    proptest!(config(150), |(posed in valid())| equals_reference(&posed, backend)?);
}

fn rigs_of_random_ops(backend: Backend) {
    proptest!(config(300), |(posed in wild())| equals_reference(&posed, backend)?);
}

/// Each op alone on awkward numbers, which rarely meet in longer rules.
fn single_ops(backend: Backend) {
    let values = proptest::collection::vec(awkward(), 8 * 37);
    let operands = proptest::collection::vec(awkward(), 4);
    proptest!(config(100), |(values in values, operands in operands)| {
        let posed = Posed {
            rig: every_op(&operands),
            poses: values.chunks(8).map(<[f32]>::to_vec).collect(),
        };
        equals_reference(&posed, backend)?;
    });
}

/// A rule for each op, on sliders and, where it takes them, on numbers.
fn every_op(numbers: &[f32]) -> reference::Rig {
    let fetch = |index| reference::Op::index(2, index);
    let number = |index: usize| reference::Op::value(1, numbers[index]);
    let op = |code| reference::Op::index(code, 0);
    let mut rules = Vec::new();
    for code in [4, 5, 6, 7, 13, 14] {
        rules.push(vec![fetch(0), fetch(1), op(code)]);
        rules.push(vec![fetch(0), number(0), op(code)]);
        rules.push(vec![number(1), fetch(1), op(code)]);
    }
    rules.push(vec![fetch(0), op(8)]);
    rules.extend([15, 16].map(|code| vec![reference::Op::index(code, 2)]));
    let limits = |first: reference::Op| vec![first, number(1), number(2), number(3)];
    let nway = |mut ops: Vec<reference::Op>| {
        ops.extend([reference::Op::value(1, 3.0), reference::Op::index(17, 4)]);
        ops
    };
    rules.push(nway(limits(number(0))));
    rules.push(nway(limits(fetch(0))));
    for code in [20, 21] {
        let indices = [5.0, 6.0, 7.0].map(|index| reference::Op::value(1, index));
        rules.push([&indices[..], &[reference::Op::index(code, 4)]].concat());
    }
    let rules: Vec<reference::Rule> = (0..)
        .zip(rules)
        .map(|(flex, ops)| reference::Rule { flex, ops })
        .collect();
    let ranges = [(0.0, 1.0), (-1.0, 1.0), (-1.0, 1.0), (0.0, 1.0)];
    let lids = [(0.0, 1.0), (-30.0, 30.0), (0.5, 0.5), (1.0, 0.0)];
    reference::Rig {
        controllers: [ranges, lids].concat(),
        descriptors: rules.len(),
        rules,
    }
}

fn rigs_for_benches(backend: Backend) {
    for rig in [rigs::arithmetic(), rigs::combination()] {
        let poses = rigs::poses(&rig, 50);
        equals_reference(&Posed { rig, poses }, backend).expect("equal weights");
    }
}

fn equals_reference(posed: &Posed, backend: Backend) -> Result<(), TestCaseError> {
    for (dialect, checks) in DIALECTS {
        let program = compile(&posed.rig, dialect);
        let expected: Vec<Vec<f32>> = posed
            .poses
            .iter()
            .map(|sliders| expected(&posed.rig, checks, sliders))
            .collect();
        for count in counts(&program, backend)
            .into_iter()
            .filter(|&count| count < 100)
        {
            let poses: Vec<&[f32]> = (0..count)
                .map(|i| &*posed.poses[i % posed.poses.len()])
                .collect();
            for (way, weights) in every_way(&program, backend, &poses) {
                let outputs = program.descriptors();
                for (at, &weight) in weights.iter().enumerate() {
                    let (pose, slot) = (at / outputs, at % outputs);
                    let expected = expected[pose % expected.len()][slot];
                    prop_assert!(
                        same(weight, expected),
                        "{dialect}, {way}, pose {pose} of {count} {:?}, weight {slot}: {} for {expected}",
                        poses[pose],
                        weight
                    );
                }
            }
        }
    }
    Ok(())
}
