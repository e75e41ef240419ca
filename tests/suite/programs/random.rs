//! Compiled rules equal the slow reference on random rigs and poses, in both dialects.

use flexion_rules::{Evaluator, Stats};
use flexion_testkit::programs::{Posed, broken, valid, wild};
use flexion_testkit::reference;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError};

use super::{DIALECTS, compile, difference, expected};

/// Compares all poses, in both dialects, twice over, so that each pose also follows every other.
fn equals_reference(posed: &Posed) -> Result<(), TestCaseError> {
    for (dialect, checks) in DIALECTS {
        let mut evaluator = Evaluator::new(&compile(&posed.rig, dialect));
        for sliders in posed.poses.iter().chain(posed.poses.iter().rev()) {
            let expected = expected(&posed.rig, checks, sliders);
            let weights = evaluator.eval(sliders);
            let wrong = difference(weights, &expected);
            prop_assert_eq!(
                wrong,
                None,
                "{} {:?}: {:?}, not {:?}",
                dialect,
                sliders,
                weights,
                expected
            );
        }
    }
    Ok(())
}

fn config(cases: u32) -> Config {
    Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    }
}

#[test]
fn valid_rigs() {
    proptest!(config(4000), |(posed in valid())| equals_reference(&posed)?);
}

#[test]
fn rigs_with_one_fault() {
    proptest!(config(2000), |(broken in broken())| equals_reference(&broken.posed)?);
}

#[test]
fn rigs_of_random_ops() {
    proptest!(config(10_000), |(posed in wild())| equals_reference(&posed)?);
}

/// Rules past the 65,536th place of the frame are not bytecode; the result is the same.
#[test]
fn a_rig_too_large_for_bytecode() {
    let many = 70_000;
    let op = reference::Op::index;
    let rule = |flex: usize, from: usize| reference::Rule {
        flex: flex as i32,
        ops: vec![op(2, from as i32), op(3, 0), op(4, 0), op(16, 1), op(6, 0)],
    };
    let rig = reference::Rig {
        controllers: vec![(0.0, 1.0); many],
        descriptors: many,
        rules: vec![rule(0, 1), rule(1, many - 1), rule(many - 1, 2), rule(2, 3)],
    };
    let sliders: Vec<f32> = (0..many).map(|i| i as f32 / 1e4 + 0.5).collect();
    for (dialect, checks) in DIALECTS {
        let program = compile(&rig, dialect);
        assert!(program.stats().checked_rules > 0, "{:?}", program.stats());
        let mut evaluator = Evaluator::new(&program);
        let expected = expected(&rig, checks, &sliders);
        assert_ne!(expected[many - 1], 0.0);
        assert_eq!(difference(evaluator.eval(&sliders), &expected), None);
    }
}

/// A rig that leaves room for about 500 constants and temporaries; each rule adds `adds` numbers to a slider.
fn crowded(adds: usize, number: impl Fn(usize, usize) -> f32) -> reference::Rig {
    let rule = |flex: usize| {
        let adds = (0..adds).flat_map(|i| {
            [
                reference::Op::value(1, number(flex, i)),
                reference::Op::index(4, 0),
            ]
        });
        reference::Rule {
            flex: flex as i32,
            ops: [reference::Op::index(2, flex as i32)]
                .into_iter()
                .chain(adds)
                .collect(),
        }
    };
    reference::Rig {
        controllers: vec![(0.0, 1.0); 65_000],
        descriptors: 8,
        rules: (0..8).map(rule).collect(),
    }
}

fn equals_reference_crowded(rig: reference::Rig) -> Stats {
    let sliders: Vec<f32> = (0..65_000).map(|i| i as f32 / 7.0).collect();
    let posed = Posed {
        rig,
        poses: vec![sliders],
    };
    equals_reference(&posed).expect("equal weights");
    compile(&posed.rig, DIALECTS[0].0).stats()
}

/// A place is free again after the last use of what is in it.
#[test]
fn temporaries_share_places() {
    let stats = equals_reference_crowded(crowded(100, |_, i| i as f32 / 3.0));
    assert_eq!(stats.checked_rules, 0);
    assert!(stats.instructions > 500, "{stats:?}");
}

#[test]
fn constants_that_run_out_leave_rules_as_ops() {
    let stats = equals_reference_crowded(crowded(100, |flex, i| (flex * 100 + i) as f32 / 3.0));
    assert_eq!(stats.checked_rules, 8);
}

#[test]
fn what_cannot_reach_the_result_is_not_compiled() {
    let [fetch, negate] = [reference::Op::index(2, 0), reference::Op::index(8, 0)];
    let rig = reference::Rig {
        controllers: vec![(0.0, 1.0)],
        descriptors: 1,
        rules: vec![reference::Rule {
            flex: 0,
            ops: vec![fetch, negate, fetch, negate, negate],
        }],
    };
    assert_eq!(compile(&rig, DIALECTS[0].0).stats().instructions, 1);
}

#[test]
#[should_panic(expected = "one slider value per controller")]
fn a_pose_of_the_wrong_length_is_misuse() {
    let rig = reference::Rig {
        controllers: vec![(0.0, 1.0); 2],
        descriptors: 1,
        rules: Vec::new(),
    };
    Evaluator::new(&compile(&rig, DIALECTS[0].0)).eval(&[0.5]);
}

/// The generators reach what they are there for: else the tests above would pass for want of cases.
#[test]
fn random_rigs_use_every_op_and_both_kinds_of_code() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    let mut runner = TestRunner::deterministic();
    let mut seen = [0usize; 22];
    let (mut checked, mut straight, mut deepest) = (0, 0, 0);
    for _ in 0..500 {
        let posed = valid().new_tree(&mut runner).expect("a rig").current();
        for rule in &posed.rig.rules {
            deepest = deepest.max(rule.ops.len());
            rule.ops.iter().for_each(|op| seen[op.code as usize] += 1);
        }
        let stats = compile(&posed.rig, DIALECTS[0].0).stats();
        checked += stats.checked_rules;
        straight += stats.rules - stats.checked_rules;
    }
    for code in (1..=8).chain(13..=21) {
        assert!(seen[code] > 50, "op {code}: {}", seen[code]);
    }
    assert!(checked > 100 && straight > 300, "{checked} and {straight}");
    assert!(deepest > 40, "{deepest}");
}
