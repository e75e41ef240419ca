//! What in a rig does nothing, and why.
//!
//! A rig goes in, a list of [`Finding`]s comes out: the ops the engine ignores and the rules it skips. None of
//! them is an error. The engine runs such rigs, and so does [`Program`](crate::Program), exactly; but a rig's
//! author did not mean them.
//!
//! Limits: where an op takes a controller index from a value that only a pose decides, the depth after it is
//! unknown and the rest of that rule is not looked at.

use std::fmt;

use crate::machine::{Bounds, Domain, Halt, Lid, Machine};
use crate::op::Opcode;
use crate::rig::{Dialect, Rig, Rule};

/// One thing that does nothing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Finding {
    /// Index of the rule, in file order.
    pub rule: usize,
    /// Which op of the rule; `None` if the whole rule is skipped.
    pub op: Option<OpPlace>,
    /// Why it does nothing.
    pub reason: Reason,
}

/// An op's place in its rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpPlace {
    /// Index of the op in its rule.
    pub index: usize,
    /// The opcode as stored.
    pub code: i32,
}

impl OpPlace {
    /// The op's name, if the engine knows its number.
    pub fn name(self) -> Option<&'static str> {
        Opcode::decode(self.code).map(Opcode::name)
    }
}

/// Why an op or a rule does nothing.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// The engine knows no op of this number.
    Unknown,
    /// The op exists in the file format only (EXP, OPEN, CLOSE, COMMA).
    Inert,
    /// No such controller.
    Controller {
        /// The index asked for.
        index: i32,
        /// How many there are.
        count: usize,
    },
    /// No such descriptor. For a rule: its target.
    Descriptor {
        /// The index asked for.
        index: i32,
        /// How many there are.
        count: usize,
    },
    /// The count of COMBO or DOMINATE is negative, or not below the number of controllers (`Sdk2025`).
    Count {
        /// The count in the operand.
        count: i32,
        /// It must be below this.
        limit: usize,
    },
    /// A controller index on the stack is NaN or too large for an index.
    NotAnIndex {
        /// What the stack holds.
        value: f32,
    },
    /// Fewer values on the stack than the op takes.
    Underflow {
        /// How many the op takes.
        need: usize,
        /// How many there are.
        have: usize,
    },
    /// No room for the op's result on the stack of 32.
    StackFull,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Reason::Unknown => f.write_str("unknown op"),
            Reason::Inert => f.write_str("without effect in the engine"),
            Reason::Controller { index, count } => write!(f, "controller {index} of {count}"),
            Reason::Descriptor { index, count } => write!(f, "descriptor {index} of {count}"),
            Reason::Count {
                count,
                limit: usize::MAX,
            } => write!(f, "count {count}"),
            Reason::Count { count, limit } => {
                write!(
                    f,
                    "count {count}, checked like a controller, of which there are {limit}"
                )
            }
            Reason::NotAnIndex { value } => write!(f, "controller index {value:?}"),
            Reason::Underflow { need, have } => {
                write!(f, "needs {need} values where the stack holds {have}")
            }
            Reason::StackFull => f.write_str("the stack is full"),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rule {}", self.rule)?;
        let Some(place) = self.op else {
            return write!(f, ": {}, the rule is skipped", self.reason);
        };
        write!(f, " op {} ", place.index)?;
        match place.name() {
            Some(name) => f.write_str(name)?,
            None => write!(f, "code {}", place.code)?,
        }
        write!(f, ": {}, the op does nothing", self.reason)
    }
}

/// Lists what in `rig` does nothing under `dialect`, in file order.
///
/// ```
/// use flexion_rules::{ControllerRange, Dialect, Op, Rig, Rule, verify};
///
/// let jaw = [ControllerRange { min: 0.0, max: 1.0 }];
/// let ops = [Op::with_index(2, 0), Op::with_index(2, 7), Op::with_index(4, 0)]; // FETCH1 0, FETCH1 7, ADD
/// let rig = Rig { controllers: &jaw, descriptors: 1, rules: &[Rule { target: 0, ops: &ops }] };
///
/// let findings = verify(&rig, Dialect::Shipped);
/// let lines: Vec<String> = findings.iter().map(|finding| finding.to_string()).collect();
/// assert_eq!(lines, [
///     "rule 0 op 1 FETCH1: controller 7 of 1, the op does nothing",
///     "rule 0 op 2 ADD: needs 2 values where the stack holds 1, the op does nothing",
/// ]);
/// ```
pub fn verify(rig: &Rig<'_>, dialect: Dialect) -> Vec<Finding> {
    let mut findings = Vec::new();
    verify_each(rig, dialect, |finding| findings.push(finding));
    findings
}

/// As [`verify`], handing out the findings one by one; a damaged rig may have as many as ops.
pub fn verify_each(rig: &Rig<'_>, dialect: Dialect, mut report: impl FnMut(Finding)) {
    let bounds = Bounds::new(rig, dialect);
    for (index, rule) in rig.rules.iter().enumerate() {
        if let Err(reason) = bounds.descriptor(rule.target) {
            report(Finding {
                rule: index,
                op: None,
                reason,
            });
            continue;
        }
        ignored_ops(rule, bounds, |op, reason| {
            report(Finding {
                rule: index,
                op: Some(OpPlace {
                    index: op,
                    code: rule.ops[op].code,
                }),
                reason,
            });
        });
    }
}

/// Reports each op of a rule that does nothing.
pub(crate) fn ignored_ops(rule: &Rule<'_>, bounds: Bounds, mut report: impl FnMut(usize, Reason)) {
    let mut machine = Machine::new(bounds, Some(0.0));
    for (index, &op) in rule.ops.iter().enumerate() {
        match machine.step(op, &mut Knowledge) {
            Ok(()) => {}
            Err(Halt::Nothing(reason)) => report(index, reason),
            Err(Halt::Computed) => return,
        }
    }
}

/// Values are known before any pose, or not.
struct Knowledge;

impl Domain for Knowledge {
    type Value = Option<f32>;

    fn constant(&mut self, value: f32) -> Option<f32> {
        Some(value)
    }

    fn controller(&mut self, _: usize) -> Option<f32> {
        None
    }

    fn descriptor(&mut self, _: usize) -> Option<f32> {
        None
    }

    fn known(&self, value: Option<f32>) -> Option<f32> {
        value
    }

    fn unary(&mut self, _: Opcode, f: fn(f32) -> f32, a: Option<f32>) -> Option<f32> {
        a.map(f)
    }

    fn binary(
        &mut self,
        _: Opcode,
        f: fn(f32, f32) -> f32,
        a: Option<f32>,
        b: Option<f32>,
    ) -> Option<f32> {
        Some(f(a?, b?))
    }

    fn nway(&mut self, _: usize, _: [Option<f32>; 4], _: usize) -> Option<f32> {
        None
    }

    fn eyelid(&mut self, _: Opcode, _: fn(f32, f32, f32) -> f32, _: Lid) -> Option<f32> {
        None
    }
}
