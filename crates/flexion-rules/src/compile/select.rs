//! Values to instructions.
//!
//! From the graph and what is stored when, in; instructions in the order of the rules, out. Only what reaches a
//! weight is selected. A product, sum or difference takes in the operation that makes one of its operands, and
//! that one's product in turn, if nobody else uses them:
//!
//! ```text
//! x * (1 - y * 0.8)     damp(y, -0.8, 1, x)   = (y * -0.8 + 1) * x
//! a * b + c             affine(a, b, c)       = a * b + c
//! a * b * c             damp(a, b, -0, c)     = (a * b + -0) * c
//! ```
//!
//! Every operation keeps its own rounding, and a step that is not needed is exact, so no bit changes (see
//! [`canon::affine`](crate::op::canon::affine)).

use std::ops::Range;

use super::emit::emit;
use super::graph::{Graph, Node, Operation, Value};
use crate::code::{Instr, Kind};

/// What has to be in the weights at some point of the program.
pub(super) struct Segment {
    /// Descriptor, its value, and the rule that gave it.
    pub(super) stores: Vec<(usize, Value, usize)>,
    pub(super) checked: Option<CheckedEnd>,
}

/// The checked rule that ends a segment.
#[derive(Clone, Copy)]
pub(super) struct CheckedEnd {
    /// Its number among checked rules.
    pub(super) index: usize,
    /// Its number among all rules.
    pub(super) rule: usize,
    pub(super) result: Value,
}

/// Instructions in an order in which they can run.
#[derive(Default)]
pub(super) struct Selected {
    pub(super) instrs: Vec<Instr>,
    /// Instructions must not move from one segment to another.
    pub(super) segments: Vec<Range<usize>>,
    pub(super) temporaries: usize,
}

/// An instruction before it has a place to write to.
#[derive(Clone, Copy)]
pub(super) struct Draft {
    pub(super) kind: Kind,
    pub(super) operands: [Value; 5],
}

pub(super) fn select(graph: &mut Graph, segments: &[Segment], ends: &[Value]) -> Selected {
    let drafts = Selector::new(graph, segments).drafts();
    emit(graph, &drafts, segments, ends)
}

struct Selector<'a> {
    graph: &'a mut Graph,
    /// How often each value is used, stores included; 0: not at all.
    uses: Vec<u32>,
    /// How many operations follow one from the other up to each value.
    ages: Vec<u32>,
    minus_zero: Value,
    one: Value,
    minus_one: Value,
}

impl<'a> Selector<'a> {
    fn new(graph: &'a mut Graph, segments: &[Segment]) -> Selector<'a> {
        let [minus_zero, one, minus_one] = [-0.0, 1.0, -1.0].map(|value| graph.constant(value));
        let mut uses = vec![0; graph.len()];
        for &(_, value, _) in segments.iter().flat_map(|segment| &segment.stores) {
            uses[value as usize] += 1;
        }
        for value in (0..graph.len()).rev() {
            if uses[value] > 0
                && let Some((_, operands)) = graph.operation(value as Value)
            {
                operands
                    .iter()
                    .for_each(|&operand| uses[operand as usize] += 1);
            }
        }
        let ages = ages(graph);
        Selector {
            graph,
            uses,
            ages,
            minus_zero,
            one,
            minus_one,
        }
    }

    /// What computes each value, `None` where nothing has to; users before what they take in.
    fn drafts(&mut self) -> Vec<Option<Draft>> {
        let count = self.uses.len();
        let mut drafts = vec![None; count];
        for value in (0..count).rev() {
            if self.uses[value] > 0 {
                drafts[value] = self.draft(value as Value);
            }
        }
        drafts
    }

    fn draft(&mut self, value: Value) -> Option<Draft> {
        let Node::Operation(operation, operands) = self.graph.node(value) else {
            return None;
        };
        let kind = match operation {
            Operation::Add | Operation::Sub | Operation::Mul | Operation::Neg => {
                return Some(self.arithmetic(value));
            }
            Operation::Div => Kind::Div,
            Operation::Max => Kind::Max,
            Operation::Min => Kind::Min,
            Operation::TwoWay0 => Kind::TwoWay0,
            Operation::TwoWay1 => Kind::TwoWay1,
            Operation::Unit => Kind::Unit,
            Operation::SignedUnit => Kind::SignedUnit,
            Operation::Trapezoid => Kind::Trapezoid,
            Operation::LowerEyelid => Kind::LowerEyelid,
            Operation::UpperEyelid => Kind::UpperEyelid,
        };
        Some(Draft { kind, operands })
    }

    fn arithmetic(&mut self, value: Value) -> Draft {
        let factors = self.factors(value);
        let best = factors.and_then(|[a, b]| {
            let depth = |value| self.depth(value);
            let age = |value: Value| self.ages[value as usize];
            let [inner, other] = match (depth(a), depth(b)) {
                (0, _) => [b, a],
                (_, 0) => [a, b],
                _ if age(a) < age(b) => [a, b],
                _ => [b, a],
            };
            (depth(inner) > 0).then_some((inner, other))
        });
        match best {
            Some((inner, other)) => {
                let [a, b, c] = self.take_affine(inner);
                self.take(inner);
                Draft {
                    kind: Kind::Damp,
                    operands: [a, b, c, other, 0],
                }
            }
            None => {
                let [a, b, c] = self.take_affine(value);
                Draft {
                    kind: Kind::Affine,
                    operands: [a, b, c, 0, 0],
                }
            }
        }
    }

    /// How many operations a user could take in together with this one; 0 if it is needed for itself.
    fn depth(&self, value: Value) -> usize {
        match (self.uses[value as usize], self.graph.operation(value)) {
            (1, Some((Operation::Mul, _))) => 1,
            (1, Some((Operation::Add | Operation::Sub | Operation::Neg, _))) => {
                // A difference is preferred to a product, which may be the beginning of a longer one.
                2 + usize::from(self.product_within(value).is_some())
            }
            _ => 0,
        }
    }

    fn factors(&self, value: Value) -> Option<[Value; 2]> {
        match self.graph.operation(value) {
            Some((Operation::Mul, &[a, b])) => Some([a, b]),
            _ => None,
        }
    }

    /// A product that nobody else uses.
    fn own_product(&self, value: Value) -> Option<[Value; 2]> {
        self.factors(value)
            .filter(|_| self.uses[value as usize] == 1)
    }

    /// The product that a sum, difference or negation can take in: as `a * b + c`, its factors negated where
    /// the form needs it.
    fn product_within(&self, value: Value) -> Option<Merge> {
        let (operation, operands) = self.graph.operation(value)?;
        let by_constant = |value| {
            let [a, b] = self.own_product(value)?;
            match (self.graph.known(a), self.graph.known(b)) {
                (_, Some(factor)) => Some((a, factor)),
                (Some(factor), _) => Some((b, factor)),
                _ => None,
            }
        };
        match (operation, operands) {
            (Operation::Add, &[p, q]) => {
                let found = self.own_product(p).map(|factors| (p, factors, q));
                let found = found.or_else(|| self.own_product(q).map(|factors| (q, factors, p)));
                let (product, factors, rest) = found?;
                Some(Merge::Sum(product, factors, rest))
            }
            (Operation::Sub, &[p, q]) => match by_constant(q) {
                Some((a, factor)) => Some(Merge::Negated(q, a, factor, p)),
                None => {
                    let subtracted = self.graph.known(q)?;
                    Some(Merge::Less(p, self.own_product(p)?, subtracted))
                }
            },
            (Operation::Neg, &[p]) => {
                let (a, factor) = by_constant(p)?;
                Some(Merge::Negated(p, a, factor, self.minus_zero))
            }
            _ => None,
        }
    }

    /// As [`merged`](Self::merged), a constant factor second.
    fn take_affine(&mut self, value: Value) -> [Value; 3] {
        let [a, b, c] = self.merged(value);
        match self.graph.known(a) {
            Some(_) => [b, a, c],
            None => [a, b, c],
        }
    }

    /// The operands of `a * b + c` for an Add, Sub, Mul or Neg; a product that it takes in has no use any more.
    fn merged(&mut self, value: Value) -> [Value; 3] {
        if let Some(merge) = self.product_within(value) {
            let (product, operands) = match merge {
                Merge::Sum(product, [a, b], rest) => (product, [a, b, rest]),
                Merge::Negated(product, a, factor, rest) => {
                    (product, [a, self.graph.constant(-factor), rest])
                }
                Merge::Less(product, [a, b], subtracted) => {
                    (product, [a, b, self.graph.constant(-subtracted)])
                }
            };
            self.take(product);
            return operands;
        }
        match self.graph.operation(value) {
            Some((Operation::Add, &[p, q])) => {
                let [early, late] = self.in_order_of_arrival(p, q);
                [early, self.one, late]
            }
            Some((Operation::Sub, &[p, q])) => match self.graph.known(q) {
                Some(subtracted) => [p, self.one, self.graph.constant(-subtracted)],
                None => [q, self.minus_one, p],
            },
            Some((Operation::Mul, &[a, b])) => [a, b, self.minus_zero],
            Some((Operation::Neg, &[p])) => [p, self.minus_one, self.minus_zero],
            _ => unreachable!("only these four are arithmetic"),
        }
    }

    /// What is longer on its way enters last, so that less has to wait for it; but a number is no factor of 1.
    fn in_order_of_arrival(&self, a: Value, b: Value) -> [Value; 2] {
        let rank = |value| (self.graph.known(value).is_some(), self.ages[value as usize]);
        if rank(a) > rank(b) { [b, a] } else { [a, b] }
    }

    fn take(&mut self, value: Value) {
        self.uses[value as usize] = 0;
    }
}

/// How many operations follow one from the other up to each value.
fn ages(graph: &Graph) -> Vec<u32> {
    let mut ages: Vec<u32> = Vec::with_capacity(graph.len());
    for value in 0..graph.len() {
        let operation = graph.operation(value as Value);
        ages.push(operation.map_or(0, |(_, operands)| {
            let operands = operands.iter().map(|&operand| ages[operand as usize]);
            operands.max().unwrap_or(0) + 1
        }));
    }
    ages
}

/// A product within a sum: the value of the product, what it multiplies, and what it is added to.
enum Merge {
    /// product + rest
    Sum(Value, [Value; 2], Value),
    /// rest - a * factor
    Negated(Value, Value, f32, Value),
    /// product - constant
    Less(Value, [Value; 2], f32),
}
