//! The verifier names what does nothing, where and why, and nothing else.

use flexion_rules::{Dialect, Finding, Reason, verify};
use flexion_testkit::programs::{Fault, broken, valid};
use flexion_testkit::reference::{Op, Rig, Rule};
use proptest::prelude::*;
use proptest::test_runner::Config;

use super::{DIALECTS, with_rig};

fn findings(rig: &Rig, dialect: Dialect) -> Vec<Finding> {
    with_rig(rig, |rig| verify(rig, dialect))
}

fn fault(reason: Reason, of_rule: bool, from_stack: bool) -> Fault {
    match reason {
        Reason::Unknown => Fault::Unknown,
        Reason::Inert => Fault::Inert,
        Reason::Controller { .. } if from_stack => Fault::StackIndex,
        Reason::Controller { .. } => Fault::Controller,
        Reason::Descriptor { .. } if of_rule => Fault::Target,
        Reason::Descriptor { .. } => Fault::Descriptor,
        Reason::Count { .. } => Fault::Count,
        Reason::NotAnIndex { .. } => Fault::StackIndex,
        Reason::Underflow { .. } => Fault::Underflow,
        Reason::StackFull => Fault::Overflow,
        other => panic!("a reason without a test: {other}"),
    }
}

fn config() -> Config {
    Config {
        cases: 3000,
        failure_persistence: None,
        ..Config::default()
    }
}

#[test]
fn valid_rigs_have_none() {
    proptest!(config(), |(posed in valid())| {
        for (dialect, _) in DIALECTS {
            let found = findings(&posed.rig, dialect);
            prop_assert!(found.is_empty(), "{}", found[0]);
        }
    });
}

#[test]
fn one_fault_is_found_in_its_place() {
    proptest!(config(), |(broken in broken())| {
        for (dialect, _) in DIALECTS {
            let found = findings(&broken.posed.rig, dialect);
            prop_assert_eq!(found.len(), 1, "{:?}", found);
            prop_assert_eq!(found[0].rule, broken.rule);
            prop_assert_eq!(found[0].op.map(|op| op.index), broken.op);
            let from_stack = found[0].op.is_some_and(|op| [17, 20, 21].contains(&op.code));
            let named = fault(found[0].reason, broken.op.is_none(), from_stack);
            prop_assert_eq!(named, broken.fault);
        }
    });
}

/// The line of the only finding of a rule.
fn line(ops: &[Op], dialect: Dialect) -> String {
    let rig = Rig {
        controllers: vec![(0.0, 1.0); 2],
        descriptors: 1,
        rules: vec![Rule {
            flex: 0,
            ops: ops.to_vec(),
        }],
    };
    let found = findings(&rig, dialect);
    assert_eq!(found.len(), 1, "{found:?}");
    found[0].to_string()
}

#[test]
fn findings_read_well() {
    let one = Op::value(1, 1.0);
    let fetch = line(&[Op::index(2, 97)], Dialect::Shipped);
    assert_eq!(
        fetch,
        "rule 0 op 0 FETCH1: controller 97 of 2, the op does nothing"
    );
    let nan = line(
        &[one, one, one, one, Op::value(1, f32::NAN), Op::index(17, 0)],
        Dialect::Shipped,
    );
    assert_eq!(
        nan,
        "rule 0 op 5 NWAY: controller index NaN, the op does nothing"
    );
    let count = line(&[one, one, Op::index(18, 2)], Dialect::Sdk2025);
    assert_eq!(
        count,
        "rule 0 op 2 COMBO: count 2, checked like a controller, of which there are 2, the op does nothing"
    );
    let negative = line(&[Op::index(19, -1)], Dialect::Shipped);
    assert_eq!(
        negative,
        "rule 0 op 0 DOMINATE: count -1, the op does nothing"
    );
    let unknown = line(&[Op::index(40, 0)], Dialect::Shipped);
    assert_eq!(
        unknown,
        "rule 0 op 0 code 40: unknown op, the op does nothing"
    );
}

#[test]
fn a_rule_without_a_target_is_one_finding() {
    let rig = Rig {
        controllers: Vec::new(),
        descriptors: 3,
        rules: vec![Rule {
            flex: 3,
            ops: vec![Op::index(4, 0)],
        }],
    };
    let found = findings(&rig, Dialect::Shipped);
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].to_string(),
        "rule 0: descriptor 3 of 3, the rule is skipped"
    );
}
