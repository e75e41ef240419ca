//! The bytecode: what the compiler makes and the evaluators run.
//!
//! An instruction reads a few places of the **frame** and writes one. The frame is a row of 65,536 floats, as many
//! as a [`Place`] can name, so that no access needs a check; what a program does not use is never touched.
//!
//! ```text
//! | controllers | descriptors (weights) | constants → … free … ← temporaries |
//! ```
//!
//! So a fetch or a constant is no instruction, only an operand of the one that uses it, and the weights are where
//! the caller reads them. In a rig of two controllers and one descriptor these are places 0, 1 and 2, constants
//! start at 3, and the rule `FETCH1 0, CONST 1, FETCH1 1, SUB, MUL` becomes two instructions:
//!
//! ```text
//! Affine { dst: 65535, a: 1, b: 5, c: 4 }     t0       = controller 1 * -1 + 1
//! Affine { dst: 2, a: 0, b: 65535, c: 6 }     weight 0 = controller 0 * t0 + -0
//! ```
//!
//! Addition, subtraction, multiplication and negation are all the one **affine** instruction `a * b + c`, rounded
//! after each step: with a factor of ±1 or a summand of -0 one of the steps is exact and gives back its operand,
//! zeros with their sign. A loop over affine instructions has no branch to mispredict, which is where an
//! interpreter of single ops spends most of its time.
//!
//! For the same reason instructions are not run one by one but in [`Run`]s of one kind (see `schedule`). The
//! order is free because a temporary is written once in its **segment**, a row of rules in which no weight is
//! written after it has been read or written; what an instruction needs is always there before it.
//!
//! A rule that needs a place too far, or whose depth depends on the pose, stays as ops: a segment for itself.
//! The bytecode is internal and may change with any release; [`disasm::code`](crate::disasm::code) prints it.

use std::ops::Range;
use std::sync::Arc;

use crate::compile;
use crate::rig::{ControllerRange, Dialect, Op, Rig};

/// A place of the frame.
pub(crate) type Place = u16;

/// Places that a [`Place`] can name.
pub(crate) const PLACES: usize = 1 << Place::BITS;

/// `dst = a * b + c`, rounded twice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Affine {
    pub dst: Place,
    pub a: Place,
    pub b: Place,
    pub c: Place,
}

/// A function of two places.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binary {
    pub dst: Place,
    pub a: Place,
    pub b: Place,
}

/// A function of one place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unary {
    pub dst: Place,
    pub a: Place,
}

/// The operands of an NWAY.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NWay {
    pub dst: Place,
    pub multi: Place,
    pub limits: [Place; 4],
    pub scaled: Place,
}

/// The operands of an eyelid op.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eyelid {
    pub dst: Place,
    pub value: Scaled,
    pub close: Scaled,
    pub up_down: Option<Scaled>,
}

/// A controller and the constants of its range.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scaled {
    pub place: Place,
    pub min: Place,
    pub max: Place,
}

/// One instruction as compiled, in the order of the rules.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Instr {
    Affine(Affine),
    Div(Binary),
    Max(Binary),
    Min(Binary),
    TwoWay0(Unary),
    TwoWay1(Unary),
    /// Index in [`Tables::nways`].
    NWay(u32),
    /// Index in [`Tables::eyelids`].
    LowerEyelid(u32),
    /// Index in [`Tables::eyelids`].
    UpperEyelid(u32),
    /// Index in [`Code::checked`].
    Checked(u32),
}

/// What the instructions of a run have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    TwoWay0,
    TwoWay1,
    NWay,
    LowerEyelid,
    UpperEyelid,
    Div,
    Max,
    Min,
    Affine,
    Checked,
}

impl Kind {
    pub(crate) const COUNT: usize = Kind::Checked as usize + 1;
}

impl Instr {
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Instr::Affine(_) => Kind::Affine,
            Instr::Div(_) => Kind::Div,
            Instr::Max(_) => Kind::Max,
            Instr::Min(_) => Kind::Min,
            Instr::TwoWay0(_) => Kind::TwoWay0,
            Instr::TwoWay1(_) => Kind::TwoWay1,
            Instr::NWay(_) => Kind::NWay,
            Instr::LowerEyelid(_) => Kind::LowerEyelid,
            Instr::UpperEyelid(_) => Kind::UpperEyelid,
            Instr::Checked(_) => Kind::Checked,
        }
    }
}

/// Operands, by shape; runs are ranges of these.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    pub affine: Vec<Affine>,
    pub binary: Vec<Binary>,
    pub unary: Vec<Unary>,
    pub nways: Vec<NWay>,
    pub eyelids: Vec<Eyelid>,
}

/// Instructions of one kind: entries `start..end` of the kind's table; for checked rules, of [`Code::checked`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub kind: Kind,
    pub start: u32,
    pub end: u32,
}

impl Run {
    pub(crate) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
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
    /// All instructions, rule by rule: for listings.
    pub instrs: Vec<Instr>,
    /// Which instructions each rule became; empty for a skipped one.
    pub rules: Vec<Range<usize>>,
    pub tables: Tables,
    pub runs: Vec<Run>,
    pub constants: Vec<f32>,
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
/// assert_eq!(program.stats().instructions, 2);
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
        assert_eq!(size_of::<Affine>(), 8);
        assert_eq!(size_of::<Instr>(), 12);
    }

    #[test]
    fn programs_go_between_threads() {
        fn shared<T: Send + Sync + Clone>() {}
        shared::<Program>();
    }
}
