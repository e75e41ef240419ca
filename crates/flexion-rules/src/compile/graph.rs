//! Rules as a graph of values: what is computed, without saying where or when.
//!
//! A value is a constant, a controller, the result of a checked rule, or an operation on earlier values. Each is
//! made once: an operation on constants is done now, by its canonical function, and one that exists already is
//! shared, whichever rule asks. A descriptor that a rule reads is simply the value that an earlier rule gave it.
//!
//! ```text
//! %smile = happy * (1 - pucker)     v0 happy   v1 = 1   v2 pucker   v3 = v1 - v2   v4 = v0 * v3
//! %grin  = %smile * (1 - pucker)                                                   v5 = v4 * v3
//! ```
//!
//! Only such steps are taken as change no bit for any float: `x * 1` is `x`, but `x + 0` is not (`-0 + 0` is 0),
//! and `x * 0` is not 0 (x may be NaN or infinite). Sums and products are shared whatever the order of their
//! operands, which rounding does not see.

use std::collections::HashMap;

use crate::op::canon;

/// A value of the graph, numbered from 0 in the order of making; operands come before what uses them.
pub(crate) type Value = u32;

/// What computes a value from others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Operation {
    Add,
    Sub,
    Mul,
    Neg,
    Div,
    Max,
    Min,
    TwoWay0,
    TwoWay1,
    /// x min max
    Unit,
    /// x min max
    SignedUnit,
    /// multi r0 r1 r2 r3
    Trapezoid,
    /// value, close-lid and eyes-up-down, all scaled
    LowerEyelid,
    UpperEyelid,
}

/// The most operands an operation has.
pub(crate) const OPERANDS: usize = 5;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Node {
    /// The bits of a float: 0 and -0 differ.
    Constant(u32),
    Controller(usize),
    /// Operands past the operation's own number are 0.
    Operation(Operation, [Value; OPERANDS]),
    /// The result of a checked rule, by its number.
    Checked(usize),
}

impl Operation {
    pub(crate) fn operands(self) -> usize {
        use Operation::*;
        match self {
            Neg | TwoWay0 | TwoWay1 => 1,
            Add | Sub | Mul | Div | Max | Min => 2,
            Unit | SignedUnit | LowerEyelid | UpperEyelid => 3,
            Trapezoid => 5,
        }
    }

    fn commutes(self) -> bool {
        matches!(self, Operation::Add | Operation::Mul)
    }

    fn of([a, b, c, d, e]: [f32; OPERANDS], operation: Operation) -> f32 {
        match operation {
            Operation::Add => canon::add(a, b),
            Operation::Sub => canon::sub(a, b),
            Operation::Mul => canon::mul(a, b),
            Operation::Neg => canon::neg((), a),
            Operation::Div => canon::div((), a, b),
            Operation::Max => canon::max(a, b),
            Operation::Min => canon::min(a, b),
            Operation::TwoWay0 => canon::two_way_0((), a),
            Operation::TwoWay1 => canon::two_way_1((), a),
            Operation::Unit => canon::unit((), a, b, c),
            Operation::SignedUnit => canon::signed_unit((), a, b, c),
            Operation::Trapezoid => canon::trapezoid((), a, [b, c, d, e]),
            Operation::LowerEyelid => canon::lower_eyelid((), a, b, c),
            Operation::UpperEyelid => canon::upper_eyelid((), a, b, c),
        }
    }
}

/// All values of a rig's rules.
#[derive(Default)]
pub(crate) struct Graph {
    nodes: Vec<Node>,
    interned: HashMap<Node, Value>,
}

impl Graph {
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn node(&self, value: Value) -> Node {
        self.nodes[value as usize]
    }

    /// The operation and operands of a value that has them.
    pub(crate) fn operation(&self, value: Value) -> Option<(Operation, &[Value])> {
        match &self.nodes[value as usize] {
            Node::Operation(operation, operands) => {
                Some((*operation, &operands[..operation.operands()]))
            }
            _ => None,
        }
    }

    /// The float of a constant.
    pub(crate) fn known(&self, value: Value) -> Option<f32> {
        match self.node(value) {
            Node::Constant(bits) => Some(f32::from_bits(bits)),
            _ => None,
        }
    }

    pub(crate) fn constant(&mut self, value: f32) -> Value {
        self.intern(Node::Constant(value.to_bits()))
    }

    pub(crate) fn controller(&mut self, index: usize) -> Value {
        self.intern(Node::Controller(index))
    }

    /// The result of a checked rule, the same value whenever asked.
    pub(crate) fn checked(&mut self, rule: usize) -> Value {
        self.intern(Node::Checked(rule))
    }

    /// An operation on values: a new one only if there is none yet that is equal in every bit.
    pub(crate) fn apply(&mut self, operation: Operation, operands: &[Value]) -> Value {
        let mut all = [0; OPERANDS];
        all[..operands.len()].copy_from_slice(operands);
        if operation.commutes() && all[0] > all[1] {
            all.swap(0, 1);
        }
        if let Some(value) = self.fold(operation, all) {
            return value;
        }
        self.intern(Node::Operation(operation, all))
    }

    fn fold(&mut self, operation: Operation, operands: [Value; OPERANDS]) -> Option<Value> {
        let known = operands.map(|value| self.known(value));
        let used = &known[..operation.operands()];
        if used.iter().all(|value| value.is_some()) {
            let floats = known.map(|value| value.unwrap_or(0.0));
            return Some(self.constant(Operation::of(floats, operation)));
        }
        let [a, b, ..] = operands;
        let is = |value: Option<f32>, bits: f32| value.map(f32::to_bits) == Some(bits.to_bits());
        match operation {
            Operation::Mul if is(known[0], 1.0) => Some(b),
            Operation::Mul if is(known[1], 1.0) => Some(a),
            Operation::Sub if is(known[1], 0.0) => Some(a),
            // Not above the engine's limit: always 0. Nor is NaN.
            Operation::Div if known[1].is_some_and(|b| b <= 0.0001 || b.is_nan()) => {
                Some(self.constant(0.0))
            }
            // The reciprocal of a power of two is exact, so both round the same number.
            Operation::Div => {
                let reciprocal = self.constant(exact_reciprocal(known[1]?)?);
                Some(self.apply(Operation::Mul, &[a, reciprocal]))
            }
            _ => None,
        }
    }

    fn intern(&mut self, node: Node) -> Value {
        let next = self.nodes.len() as Value;
        let value = *self.interned.entry(node).or_insert(next);
        if value == next {
            self.nodes.push(node);
        }
        value
    }
}

/// 1 / b if b is a power of two above the engine's limit, and not so large that 1 / b is not normal.
fn exact_reciprocal(b: f32) -> Option<f32> {
    let mantissa = b.to_bits() << 9;
    let reciprocal = 1.0 / b;
    (mantissa == 0 && b > 0.0001 && reciprocal.is_normal()).then_some(reciprocal)
}
