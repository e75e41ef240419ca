//! Listings: the formula's brackets, the notes of the ops, names that need quotes, sizes that stay in bounds.

use flexion_rules::disasm::{self, Lists};
use flexion_rules::{Dialect, Program};
use flexion_testkit::programs::wild;
use flexion_testkit::reference::{Op, Rig, Rule};
use proptest::prelude::*;
use proptest::test_runner::Config;

use super::{compile, with_rig};

const NAMES: Lists<'_> = Lists {
    controllers: &["a", "b", "c", "jaw drop"],
    descriptors: &["AU1", "max"],
};

const ADD: Op = op(4);
const SUB: Op = op(5);
const MUL: Op = op(6);
const DIV: Op = op(7);
const NEG: Op = op(8);
const MAX: Op = op(13);

const fn op(code: i32) -> Op {
    Op {
        code,
        operand: [0; 4],
    }
}

fn fetch(controller: i32) -> Op {
    Op::index(2, controller)
}

fn rig(ops: &[Op]) -> Rig {
    Rig {
        controllers: vec![(0.0, 1.0); 4],
        descriptors: 2,
        rules: vec![Rule {
            flex: 0,
            ops: ops.to_vec(),
        }],
    }
}

fn text(ops: &[Op]) -> String {
    with_rig(&rig(ops), |rig| {
        disasm::text(rig, 0, Dialect::Shipped, &NAMES)
    })
}

#[test]
fn brackets_keep_the_order_of_evaluation() {
    let [a, b, c] = [fetch(0), fetch(1), fetch(2)];
    for (ops, formula) in [
        (vec![a, b, SUB, c, SUB], "a - b - c"),
        (vec![a, b, c, SUB, SUB], "a - (b - c)"),
        (vec![a, b, c, ADD, ADD], "a + (b + c)"),
        (vec![a, b, c, MUL, DIV], "a / (b * c)"),
        (vec![a, b, DIV, c, MUL], "a / b * c"),
        (vec![a, b, c, MUL, MUL], "a * (b * c)"),
        (vec![a, b, ADD, c, MUL], "(a + b) * c"),
        (vec![a, b, MUL, c, ADD], "a * b + c"),
        (vec![a, b, ADD, NEG], "-(a + b)"),
        (vec![a, NEG, b, MUL], "-a * b"),
        (vec![a, b, MUL, NEG], "-(a * b)"),
        (vec![a, NEG, NEG], "-(-a)"),
        (vec![a, Op::value(1, -0.5), SUB], "a - -0.5"),
        (vec![Op::value(1, -0.5), NEG], "-(-0.5)"),
        (vec![a, b, ADD, c, MAX], "max(a + b, c)"),
        (vec![a, b, c, Op::index(18, 3)], "a * b * c"),
        (vec![a, b, c, ADD, Op::index(19, 1)], "a * (1 - (b + c))"),
        (vec![a, b, c, Op::index(19, 2)], "a * (1 - b * c)"),
        (
            vec![Op::index(15, 0), Op::index(16, 1), op(14)],
            "min(two_way_0(a), two_way_1(b))",
        ),
    ] {
        assert_eq!(text(&ops), format!("%AU1 = {formula}\n"));
    }
}

#[test]
fn the_formula_is_what_runs() {
    // Ignored ops are not in it, and slot 0 is the result whatever the depth.
    assert_eq!(
        text(&[fetch(9), fetch(0), ADD, NEG, fetch(1)]),
        "%AU1 = -a\n"
    );
    assert_eq!(text(&[]), "%AU1 = 0\n");
    let lid = [
        Op::value(1, -1.0),
        Op::value(1, 1.0),
        Op::value(1, 2.0),
        Op::index(20, 0),
    ];
    assert_eq!(text(&lid), "%AU1 = lower_eyelid(a, c, none)\n");
    let limits = [0.0, 0.25, 0.5, 1.0, 1.0].map(|value| Op::value(1, value));
    let nway = [&limits[..], &[Op::index(17, 3)]].concat();
    assert_eq!(
        text(&nway),
        "%AU1 = nway(b, \"jaw drop\", 0, 0.25, 0.5, 1)\n"
    );
    let computed = [&limits[..4], &[fetch(0), Op::index(17, 3)]].concat();
    assert_eq!(
        text(&computed),
        "# %AU1: op 5 NWAY computes which controller it reads\n"
    );
}

#[test]
fn names_that_a_formula_cannot_hold_are_quoted() {
    assert_eq!(text(&[fetch(3)]), "%AU1 = \"jaw drop\"\n");
    assert_eq!(text(&[Op::index(3, 1)]), "%AU1 = %\"max\"\n");
    let none = Lists::default();
    let text = with_rig(&rig(&[fetch(3), Op::index(3, 1), ADD]), |rig| {
        disasm::text(rig, 0, Dialect::Shipped, &none)
    });
    assert_eq!(text, "%descriptor#0 = controller#3 + %descriptor#1\n");
    let odd = Lists {
        controllers: &["", "1a", "\"\n", "é"],
        descriptors: &["x y"],
    };
    let text = with_rig(
        &rig(&[fetch(0), fetch(1), ADD, fetch(2), ADD, fetch(3), ADD]),
        |rig| disasm::text(rig, 0, Dialect::Shipped, &odd),
    );
    assert_eq!(text, "%\"x y\" = \"\" + \"1a\" + \"\\\"\\n\" + \"é\"\n");
}

#[test]
fn ops_are_listed_with_what_does_nothing() {
    let ops = [
        fetch(0),
        fetch(-1),
        Op::value(1, 0.1),
        SUB,
        Op::index(18, 7),
        op(99),
    ];
    let listing = with_rig(&rig(&ops), |rig| {
        disasm::ops(rig, 0, Dialect::Shipped, &NAMES)
    });
    let expected = "\
rule 0 for %AU1
   0  FETCH1    a
   1  FETCH1    controller#-1 ; does nothing: controller -1 of 4
   2  CONST     0.1
   3  SUB
   4  COMBO     7 ; does nothing: needs 7 values where the stack holds 1
   5  op 99     ; does nothing: unknown op
";
    assert_eq!(listing, expected);
}

#[test]
fn code_shows_slots_names_and_constants() {
    let ops = [fetch(0), Op::value(1, 1.0), fetch(3), SUB, MUL, fetch(1)];
    let program = compile(&rig(&ops), Dialect::Shipped);
    let expected = "    0  %AU1 = (1 - \"jaw drop\") * a\n";
    assert_eq!(disasm::code(&program, 0, &NAMES), expected);
    assert_eq!(disasm::code(&program, 1, &NAMES), "");
}

/// Popped slots can be used again and again: a formula with all of it written out would have 10^20 terms.
#[test]
fn a_formula_stays_short() {
    let mut ops: Vec<Op> = (0..20).map(|_| fetch(0)).collect();
    for _ in 0..10 {
        for depth in (1..20).rev() {
            ops.push(ADD);
            if depth % 2 == 0 {
                ops.extend([Op::index(18, 0), ADD]);
            }
        }
        ops.extend((1..20).map(|_| Op::index(18, 0)));
    }
    ops.extend((1..20).map(|_| ADD));
    let formula = text(&ops);
    assert!(formula.contains("$1 = "), "nothing is shared");
    assert!(
        formula.len() < 20 * ops.len(),
        "{} for {} ops",
        formula.len(),
        ops.len()
    );
}

#[test]
fn a_formula_of_any_depth_is_cut_into_lines() {
    let mut ops = vec![fetch(0)];
    ops.extend(vec![NEG; 100_000]);
    let formula = text(&ops);
    assert_eq!(formula.lines().count(), 100_000 / 41 + 1);
}

#[test]
fn any_rig_can_be_listed() {
    let config = Config {
        cases: 2000,
        failure_persistence: None,
        ..Config::default()
    };
    proptest!(config, |(posed in wild())| {
        with_rig(&posed.rig, |rig| {
            let program = Program::compile(rig, Dialect::Sdk2025);
            for (rule, ops) in posed.rig.rules.iter().enumerate() {
                let listing = disasm::ops(rig, rule, Dialect::Sdk2025, &NAMES);
                prop_assert_eq!(listing.lines().count(), ops.ops.len() + 1);
                prop_assert!(disasm::text(rig, rule, Dialect::Sdk2025, &NAMES).ends_with('\n'));
                let target_exists = (0..posed.rig.descriptors as i32).contains(&ops.flex);
                prop_assert_eq!(!disasm::code(&program, rule, &NAMES).is_empty(), target_exists);
            }
            Ok(())
        })?;
    });
}
