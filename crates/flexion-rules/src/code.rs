//! The bytecode: what the compiler makes and the evaluators run.
//!
//! Rules become one list of [`Instr`]s, each of which reads a few [`Operand`]s and writes one. A fetch or a
//! constant is no instruction, only an operand of the one that uses it, and weights are made where the caller
//! reads them. The rule `FETCH1 0, CONST 1, FETCH1 1, SUB, MUL` is one instruction:
//!
//! ```text
//! Damp { dst: weight 0, args: [controller 1, -1, 1, controller 0] }     (x1 * -1 + 1) * x0
//! ```
//!
//! Addition, subtraction, multiplication and negation are all **affine**, `a * b + c`, or **damp**,
//! `(a * b + c) * d`, rounded after each step: with a factor of ±1 or a summand of -0 a step is exact and gives
//! back its operand, zeros with their sign.
//!
//! From the list come two codes, for the two ways to use a processor well:
//!
//! | | [`Level`] | [`Block`] |
//! |---|---|---|
//! | for | one pose and few | many |
//! | order | long runs of one kind, by what is ready | that of the rules |
//! | costs | loads: an operand each | decoding: once a block |
//!
//! A frame of level code is a row of slots, each of which holds one value of all its poses:
//!
//! ```text
//! | controllers | descriptors (weights) | constants | temporaries |
//! ```
//!
//! Slots are [`Place`]s of sixteen bits and the frame has all 65,536, so that no access needs a check; what a
//! program does not use is never touched. A rule whose depth depends on the pose stays as ops, in both codes; so
//! do all rules of a rig that has more slots than that.
//!
//! The bytecode is internal and may change with any release; [`disasm::code`](crate::disasm::code) prints it.

use std::ops::Range;
use std::sync::Arc;

use crate::compile;
use crate::rig::{ControllerRange, Dialect, Op, Rig};

/// What an instruction computes, of how many operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    TwoWay0,
    TwoWay1,
    /// x min max
    Unit,
    /// x min max
    SignedUnit,
    /// multi r0 r1 r2 r3
    Trapezoid,
    /// value, close-lid, eyes-up-down
    LowerEyelid,
    UpperEyelid,
    Div,
    Max,
    Min,
    /// a * b + c
    Affine,
    /// (a * b + c) * d
    Damp,
    Copy,
    /// A rule that stayed as ops, by its number in [`Code::checked`].
    Checked(u32),
}

impl Kind {
    pub(crate) const RANKS: usize = 14;

    /// The order in which the scheduler prefers kinds: arithmetic last.
    pub(crate) fn rank(self) -> usize {
        match self {
            Kind::TwoWay0 => 0,
            Kind::TwoWay1 => 1,
            Kind::Unit => 2,
            Kind::SignedUnit => 3,
            Kind::Trapezoid => 4,
            Kind::LowerEyelid => 5,
            Kind::UpperEyelid => 6,
            Kind::Div => 7,
            Kind::Max => 8,
            Kind::Min => 9,
            Kind::Affine => 10,
            Kind::Damp => 11,
            Kind::Copy => 12,
            Kind::Checked(_) => 13,
        }
    }

    pub(crate) fn operands(self) -> usize {
        match self {
            Kind::Checked(_) => 0,
            Kind::TwoWay0 | Kind::TwoWay1 | Kind::Copy => 1,
            Kind::Div | Kind::Max | Kind::Min => 2,
            Kind::Unit
            | Kind::SignedUnit
            | Kind::LowerEyelid
            | Kind::UpperEyelid
            | Kind::Affine => 3,
            Kind::Damp => 4,
            Kind::Trapezoid => 5,
        }
    }
}

/// What an instruction reads or writes, wherever that is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Operand {
    Controller(u32),
    Weight(u32),
    /// The bits of a float.
    Constant(u32),
    Temporary(u32),
}

impl Default for Operand {
    fn default() -> Operand {
        Operand::Constant(0)
    }
}

/// One instruction, in the order of the rules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instr {
    pub kind: Kind,
    /// The rule that first needed it.
    pub rule: u32,
    pub dst: Operand,
    /// More than the kind has are not used.
    pub args: [Operand; 5],
}

impl Instr {
    pub(crate) fn args(&self) -> &[Operand] {
        &self.args[..self.kind.operands()]
    }
}

/// A slot of a frame.
pub(crate) type Place = u16;

/// Slots that a [`Place`] can name.
pub(crate) const PLACES: usize = 1 << Place::BITS;

/// Instructions of one kind: entries `start..end` of the table of [`Level`] for as many places as the kind has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
}

impl Run {
    pub(crate) fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// Code for one pose and few.
///
/// An entry has the place it writes and those it reads, two in a word, the first in the lower half.
#[derive(Debug, Default)]
pub(crate) struct Level {
    /// Instructions of up to two places.
    pub ones: Vec<[u32; 1]>,
    /// Of three and four.
    pub twos: Vec<[u32; 2]>,
    /// Of five and six.
    pub threes: Vec<[u32; 3]>,
    pub runs: Vec<Run>,
    pub constants: Vec<f32>,
}

/// A row of one value for all poses of a block, numbered like the slots of a frame.
pub(crate) type Plane = u32;

/// What a step reads: a plane, or a number that all poses share.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Arg {
    Plane(Plane),
    Constant(f32),
}

/// An instruction of block code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub kind: Kind,
    pub dst: Plane,
    /// More than the kind has are not used.
    pub args: [Arg; 5],
}

/// Code for many poses.
#[derive(Debug, Default)]
pub(crate) struct Block {
    pub steps: Vec<Step>,
    /// How many planes a block has: controllers, descriptors, temporaries.
    pub planes: usize,
    /// The plane that has each descriptor's weight.
    pub weights: Vec<Plane>,
}

/// A rule kept as ops.
#[derive(Clone, Debug)]
pub(crate) struct CheckedRule {
    pub target: usize,
    pub ops: Box<[Op]>,
}

/// Where the parts of the frame start. A huge rig makes the frame longer than places reach.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    pub descriptors: usize,
    pub constants: usize,
}

impl Layout {
    pub(crate) fn new(rig: &Rig<'_>) -> Layout {
        let descriptors = rig.controllers.len();
        Layout {
            descriptors,
            constants: descriptors + rig.descriptors,
        }
    }

    /// How many controllers and how many descriptors there are.
    pub(crate) fn slots(&self) -> (usize, usize) {
        (self.descriptors, self.constants - self.descriptors)
    }

    pub(crate) fn controllers(&self) -> Range<usize> {
        0..self.descriptors
    }

    pub(crate) fn descriptors(&self) -> Range<usize> {
        self.descriptors..self.constants
    }
}

/// The compiled rules.
#[derive(Debug)]
pub(crate) struct Code {
    pub dialect: Dialect,
    pub layout: Layout,
    /// All instructions, in the order of the rules: for listings.
    pub instrs: Vec<Instr>,
    /// The descriptor of each rule; `None` for a skipped one.
    pub targets: Vec<Option<usize>>,
    pub level: Level,
    pub block: Block,
    pub checked: Vec<CheckedRule>,
    /// Ranges of all controllers if there are checked rules, which may need any; else empty.
    pub ranges: Vec<ControllerRange>,
    pub stats: Stats,
}

/// What a rig became; see [`Program::stats`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Stats {
    /// Rules of the rig.
    pub rules: usize,
    /// Rules skipped because their target does not exist.
    pub skipped_rules: usize,
    /// Rules kept as checked ops, because a controller index is computed from the pose or the rig is huge.
    pub checked_rules: usize,
    /// Ops of all rules.
    pub ops: usize,
    /// Bytecode instructions, a checked rule counting as one.
    pub instructions: usize,
    /// Runs of instructions of one kind: the branches of a pose.
    pub runs: usize,
    /// Distinct constants.
    pub constants: usize,
}

/// Rules, compiled: immutable, cheap to clone, shared between threads.
///
/// ```
/// use flexion_rules::{ControllerRange, Dialect, Evaluator, Op, Program, Rig, Rule};
///
/// // descriptor 0 = controller 0 * (1 - controller 1)
/// let ranges = [ControllerRange { min: 0.0, max: 1.0 }; 2];
/// let ops = [
///     Op::with_index(2, 0),   // FETCH1
///     Op::with_value(1, 1.0), // CONST
///     Op::with_index(2, 1),   // FETCH1
///     Op::with_index(5, 0),   // SUB
///     Op::with_index(6, 0),   // MUL
/// ];
/// let rig = Rig { controllers: &ranges, descriptors: 1, rules: &[Rule { target: 0, ops: &ops }] };
/// let program = Program::compile(&rig, Dialect::Shipped);
///
/// assert_eq!(program.stats().instructions, 1);
/// assert_eq!(Evaluator::new(&program).eval(&[0.5, 0.25]), [0.375]);
/// ```
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) code: Arc<Code>,
}

impl Program {
    /// Compiles a rig's rules for one dialect.
    ///
    /// Never fails: what the engine ignores is ignored. [`verify`](crate::verify()) lists it.
    /// Time and memory are proportional to the number of ops.
    pub fn compile(rig: &Rig<'_>, dialect: Dialect) -> Program {
        Program {
            code: Arc::new(compile::compile(rig, dialect)),
        }
    }

    /// How many sliders a pose has.
    pub fn controllers(&self) -> usize {
        self.code.layout.controllers().len()
    }

    /// How many weights a pose gives.
    pub fn descriptors(&self) -> usize {
        self.code.layout.descriptors().len()
    }

    /// The dialect compiled for.
    pub fn dialect(&self) -> Dialect {
        self.code.dialect
    }

    /// What the rig became.
    pub fn stats(&self) -> Stats {
        self.code.stats
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_small() {
        assert_eq!(size_of::<Operand>(), 8);
        assert_eq!(size_of::<Instr>(), 60);
        assert_eq!(size_of::<Step>(), 52);
    }

    #[test]
    fn programs_go_between_threads() {
        fn shared<T: Send + Sync + Clone>() {}
        shared::<Program>();
    }
}
