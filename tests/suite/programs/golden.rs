//! The golden programs, and the few rules whose result is written out here.

use std::fs;

use flexion_rules::{Dialect, Evaluator, Opcode};
use flexion_testkit::corpus::corpus;
use flexion_testkit::reference::{Checks, Op, Rig, Rule};

use super::{check, compile, difference, expected};

/// One row of `golden/programs.tsv`.
struct Row {
    case: String,
    rig: Rig,
    sliders: Vec<f32>,
    weights: Vec<f32>,
}

fn float(bits: &str) -> f32 {
    f32::from_bits(u32::from_str_radix(bits, 16).expect("eight hex digits"))
}

fn floats(row: &str) -> Vec<f32> {
    row.as_bytes()
        .chunks(8)
        .map(|digits| float(str::from_utf8(digits).expect("hex digits")))
        .collect()
}

/// `code.operand`, the operand's number in hex.
fn op(text: &str) -> Op {
    let (code, operand) = text.split_once('.').expect("code.operand");
    Op {
        code: code.parse().expect("a code"),
        operand: u32::from_str_radix(operand, 16)
            .expect("eight hex digits")
            .to_le_bytes(),
    }
}

/// `flex:op op ...`
fn rule(text: &str) -> Rule {
    let (flex, ops) = text.split_once(':').expect("flex:ops");
    Rule {
        flex: flex.parse().expect("a flex"),
        ops: ops.split_whitespace().map(op).collect(),
    }
}

fn parse(line: &str) -> Row {
    let fields: Vec<&str> = line.split('\t').collect();
    let &[case, ranges, descriptors, rules, sliders, weights, _] = fields.as_slice() else {
        panic!("seven columns: {line}");
    };
    let range = |text: &str| {
        let (min, max) = text.split_once(':').expect("min:max");
        (float(min), float(max))
    };
    Row {
        case: case.to_owned(),
        rig: Rig {
            controllers: ranges.split(',').map(range).collect(),
            descriptors: descriptors.parse().expect("a count"),
            rules: rules.split(';').map(rule).collect(),
        },
        sliders: floats(sliders),
        weights: floats(weights),
    }
}

fn rows(test: &str) -> Vec<Row> {
    let Some(folder) = corpus(test) else {
        return Vec::new();
    };
    let text = fs::read_to_string(folder.join("golden/programs.tsv")).expect("golden programs");
    let rows: Vec<Row> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(parse)
        .collect();
    assert!(rows.len() > 1000, "{} rows", rows.len());
    rows
}

#[test]
fn golden_programs_are_equal_in_every_bit() {
    for row in rows("golden programs") {
        let program = compile(&row.rig, Dialect::Sdk2025);
        let mut evaluator = Evaluator::new(&program);
        let weights = evaluator.eval(&row.sliders);
        let wrong = difference(weights, &row.weights);
        assert_eq!(
            wrong, None,
            "{}: {weights:?}, not {:?}",
            row.case, row.weights
        );
    }
}

#[test]
fn the_reference_equals_the_golden_programs() {
    for row in rows("golden programs, reference") {
        let weights = expected(&row.rig, Checks::Sdk2025, &row.sliders);
        let wrong = difference(&weights, &row.weights);
        assert_eq!(
            wrong, None,
            "{}: {weights:?}, not {:?}",
            row.case, row.weights
        );
    }
}

const UNIT: (f32, f32) = (0.0, 1.0);

/// An op's number, by name.
fn code(name: &str) -> i32 {
    let op = Opcode::ALL.iter().find(|op| op.name() == name);
    *op.expect("an op of this name") as i32
}

fn value(value: f32) -> Op {
    Op::value(code("CONST"), value)
}

fn index(name: &str, index: i32) -> Op {
    Op::index(code(name), index)
}

/// A rule of constants, then one op.
fn constants(values: &[f32], last: Op) -> Vec<Op> {
    let mut ops: Vec<Op> = values.iter().copied().map(value).collect();
    ops.push(last);
    ops
}

#[test]
fn the_table_has_the_ops_of_the_format() {
    assert_eq!(Opcode::ALL.len(), 21);
    for (number, &op) in (1..).zip(Opcode::ALL) {
        assert_eq!(Opcode::decode(number), Some(op));
    }
    assert_eq!(Opcode::decode(0), None);
    assert_eq!(Opcode::decode(22), None);
}

#[test]
fn division_gives_0_unless_the_divisor_is_above_a_ten_thousandth() {
    let guard = 0.0001f32;
    let next = guard.next_up();
    for (divisor, quotient) in [(guard, 0.0), (next, 1.0 / next), (-2.0, 0.0), (4.0, 0.25)] {
        check(
            &[],
            &constants(&[1.0, divisor], index("DIV", 0)),
            &[],
            [quotient; 2],
        );
    }
}

#[test]
fn minimum_and_maximum_keep_the_first_of_equals_and_of_nan() {
    for name in ["MAX", "MIN"] {
        check(
            &[],
            &constants(&[-0.0, 0.0], index(name, 0)),
            &[],
            [-0.0; 2],
        );
        check(&[], &constants(&[0.0, -0.0], index(name, 0)), &[], [0.0; 2]);
        check(
            &[],
            &constants(&[1.0, f32::NAN], index(name, 0)),
            &[],
            [1.0; 2],
        );
        check(
            &[],
            &constants(&[f32::NAN, 1.0], index(name, 0)),
            &[],
            [f32::NAN; 2],
        );
    }
}

#[test]
fn products_start_from_the_deepest_value() {
    // In the other order the first product would overflow.
    let factors = [1e-30, 1e30, 1e30];
    check(
        &[UNIT; 4],
        &constants(&factors, index("COMBO", 3)),
        &[0.0; 4],
        [1e-30 * 1e30 * 1e30; 2],
    );
    let damped = [2.0, 1e-30, 1e30, 1e30];
    let expected = 2.0 * (1.0 - 1e-30 * 1e30 * 1e30);
    check(
        &[UNIT; 4],
        &constants(&damped, index("DOMINATE", 3)),
        &[0.0; 4],
        [expected; 2],
    );
}

/// A fused multiply-add would round once: its product keeps the last bit, 2^-24, that rounding takes away here.
#[test]
fn each_step_rounds() {
    let a = 1.0 + 1.0 / 4096.0;
    let sum = -(1.0 + 1.0 / 2048.0);
    let fetch = |slider| index("FETCH1", slider);
    let [multiply, add, subtract] = ["MUL", "ADD", "SUB"].map(|name| index(name, 0));
    let sliders = [a, a, sum, -sum, 3.0];
    let product = vec![fetch(0), fetch(1), multiply];
    let ends = [
        vec![fetch(2), add],
        vec![fetch(3), subtract],
        vec![fetch(2), add, fetch(4), multiply],
        vec![value(sum), add],
        vec![value(-sum), subtract],
    ];
    for end in ends {
        check(
            &[UNIT; 5],
            &[product.clone(), end].concat(),
            &sliders,
            [0.0; 2],
        );
    }
    let from_number = [fetch(3), fetch(0), value(a), multiply, subtract];
    check(&[UNIT; 5], &from_number, &sliders, [0.0; 2]);
}

#[test]
fn a_combination_of_none_uncovers_the_stale_slot() {
    let mut ops = constants(&[5.0, 7.0], index("ADD", 0));
    ops.extend([index("COMBO", 0), index("SUB", 0)]);
    check(&[UNIT], &ops, &[0.0], [12.0 - 7.0; 2]);
}

#[test]
fn a_domination_by_none_reads_the_stale_slot() {
    let mut ops = constants(&[5.0, 7.0], index("ADD", 0));
    ops.push(index("DOMINATE", 0));
    check(&[UNIT], &ops, &[0.0], [12.0 * (1.0 - 7.0); 2]);
}

#[test]
fn a_full_stack_has_no_stale_slot() {
    let full: Vec<f32> = (0..32).map(|number| number as f32 / 2.0).collect();
    // The sum of all shows whether the op changed anything.
    for name in ["DOMINATE", "COMBO"] {
        let mut ops = constants(&full, index(name, 0));
        ops.extend([index("ADD", 0); 31]);
        check(&[UNIT], &ops, &[0.0], [full.iter().sum(); 2]);
    }
}

#[test]
fn the_dialects_part_on_a_count_past_the_controllers() {
    check(
        &[UNIT; 2],
        &constants(&[2.0, 3.0], index("COMBO", 2)),
        &[0.0; 2],
        [6.0, 2.0],
    );
    let dominate = constants(&[2.0, 3.0, 5.0], index("DOMINATE", 2));
    check(&[UNIT; 2], &dominate, &[0.0; 2], [2.0 * (1.0 - 15.0), 2.0]);
}

#[test]
fn the_dialects_part_on_the_indices_of_an_eyelid() {
    let lid = [UNIT; 3];
    let sliders = [0.5, 0.25, 0.75];
    // No eyes-up-down: 0. The SDK ignores the op, and slot 0 keeps the index.
    let none = constants(&[-1.0, 1.0, 2.0], index("DME_LOWER_EYELID", 0));
    check(&lid, &none, &sliders, [(1.0 - 0.5) * 0.75, -1.0]);
    // No blink: only the SDK looks.
    let blink = constants(&[1.0, f32::NAN, 2.0], index("DME_UPPER_EYELID", 0));
    check(&lid, &blink, &sliders, [(1.0 - 0.5) * 0.5 * 0.75, 1.0]);
    // Not an int, and so not negative either.
    let huge = constants(&[-3e9, 1.0, 2.0], index("DME_LOWER_EYELID", 0));
    check(&lid, &huge, &sliders, [-3e9; 2]);
}

#[test]
fn an_index_from_the_stack_is_truncated() {
    for (multi, weight) in [(1.9, 0.5), (-0.9, 0.25), (2.0, 0.0)] {
        let ops = constants(&[0.0, 1.0, 1.0, 2.0, multi], index("NWAY", 0));
        check(
            &[UNIT; 2],
            &ops,
            &[0.5, 1.0],
            [if multi == 2.0 { 0.0 } else { weight }; 2],
        );
    }
}
