//! The bytecode: what the compiler makes and the evaluators run.
//!
//! An instruction reads one or more places of the **frame** and writes one. The frame is a row of floats:
//!
//! ```text
//! | stack slots 0..32, one spare | controllers | descriptors (weights) | constants |
//! ```
//!
//! So a fetch or a constant is no instruction at all, only an operand of the one that uses it, and the weights
//! are where the caller reads them. A rule's last instruction writes its weight. In a rig of two controllers
//! and one descriptor they are at 33, 34 and 35, constants start at 36, and the rule
//! `FETCH1 0, CONST 1, FETCH1 1, SUB, MUL` for descriptor 0 becomes two instructions:
//!
//! ```text
//! Sub { dst: 1,  a: 37, b: 34 }     slot 1   = constant 1, minus controller 1 (36 is the 0 a stack starts with)
//! Mul { dst: 35, a: 33, b: 1 }      weight 0 = controller 0 times slot 1
//! ```
//!
//! Places are 16 bits and an instruction is 8 bytes. A rule that needs a place past 65,535, or whose depth
//! depends on the pose, stays as ops behind one [`Instr::Checked`].
//!
//! The bytecode is internal and may change with any release; [`disasm::code`](crate::disasm::code) prints it.

use std::ops::Range;
use std::sync::Arc;

use crate::compile;
use crate::machine::DEPTH;
use crate::op::Opcode;
use crate::rig::{ControllerRange, Dialect, Op, Rig};

/// A place of the frame.
pub(crate) type Place = u16;

/// One instruction; `dst` is written, the other places are read.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Instr {
    Copy {
        dst: Place,
        a: Place,
    },
    Neg {
        dst: Place,
        a: Place,
    },
    TwoWay0 {
        dst: Place,
        a: Place,
    },
    TwoWay1 {
        dst: Place,
        a: Place,
    },
    Add {
        dst: Place,
        a: Place,
        b: Place,
    },
    Sub {
        dst: Place,
        a: Place,
        b: Place,
    },
    Mul {
        dst: Place,
        a: Place,
        b: Place,
    },
    Div {
        dst: Place,
        a: Place,
        b: Place,
    },
    Max {
        dst: Place,
        a: Place,
        b: Place,
    },
    Min {
        dst: Place,
        a: Place,
        b: Place,
    },
    Dominate {
        dst: Place,
        a: Place,
        b: Place,
    },
    NWay {
        dst: Place,
        entry: u32,
    },
    LowerEyelid {
        dst: Place,
        entry: u32,
    },
    UpperEyelid {
        dst: Place,
        entry: u32,
    },
    /// Runs a rule from its ops; the rule knows its target.
    Checked {
        rule: u32,
    },
}

impl Instr {
    /// The place written, except by a checked rule.
    pub(crate) fn dst_mut(&mut self) -> Option<&mut Place> {
        match self {
            Instr::Copy { dst, .. }
            | Instr::Neg { dst, .. }
            | Instr::TwoWay0 { dst, .. }
            | Instr::TwoWay1 { dst, .. }
            | Instr::Add { dst, .. }
            | Instr::Sub { dst, .. }
            | Instr::Mul { dst, .. }
            | Instr::Div { dst, .. }
            | Instr::Max { dst, .. }
            | Instr::Min { dst, .. }
            | Instr::Dominate { dst, .. }
            | Instr::NWay { dst, .. }
            | Instr::LowerEyelid { dst, .. }
            | Instr::UpperEyelid { dst, .. } => Some(dst),
            Instr::Checked { .. } => None,
        }
    }
}

/// The operands of an NWAY.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NWay {
    pub multi: Place,
    pub limits: [Place; 4],
    pub scaled: Place,
}

/// The operands of an eyelid op, with the ranges its controllers are scaled from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eyelid {
    pub value: Scaled,
    pub close: Scaled,
    pub up_down: Option<Scaled>,
}

/// A controller and its range.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scaled {
    pub place: Place,
    pub range: ControllerRange,
}

/// A rule kept as ops.
#[derive(Clone, Debug)]
pub(crate) struct CheckedRule {
    pub target: usize,
    pub ops: Box<[Op]>,
}

/// Where the parts of the frame start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    pub controllers: usize,
    pub descriptors: usize,
    pub constants: usize,
}

/// Stack slots at the start of the frame: the engine's 32 and one for a product beside the stack.
pub(crate) const SLOTS: usize = DEPTH + 1;

impl Layout {
    pub(crate) fn new(rig: &Rig<'_>) -> Layout {
        let controllers = SLOTS;
        let descriptors = controllers + rig.controllers.len();
        Layout {
            controllers,
            descriptors,
            constants: descriptors + rig.descriptors,
        }
    }

    pub(crate) fn controllers(&self) -> Range<usize> {
        self.controllers..self.descriptors
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
    pub instrs: Vec<Instr>,
    /// Which instructions each rule became; empty for a skipped one.
    pub rules: Vec<Range<usize>>,
    pub constants: Vec<f32>,
    pub nways: Vec<NWay>,
    pub eyelids: Vec<Eyelid>,
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

/// The instruction of a one-operand op.
pub(crate) fn unary(code: Opcode, dst: Place, a: Place) -> Instr {
    match code {
        Opcode::Neg => Instr::Neg { dst, a },
        Opcode::TwoWay0 => Instr::TwoWay0 { dst, a },
        Opcode::TwoWay1 => Instr::TwoWay1 { dst, a },
        _ => unreachable!("{code} has no one-operand instruction"),
    }
}

/// The instruction of a two-operand op.
pub(crate) fn binary(code: Opcode, dst: Place, a: Place, b: Place) -> Instr {
    match code {
        Opcode::Add => Instr::Add { dst, a, b },
        Opcode::Sub => Instr::Sub { dst, a, b },
        Opcode::Mul => Instr::Mul { dst, a, b },
        Opcode::Div => Instr::Div { dst, a, b },
        Opcode::Max => Instr::Max { dst, a, b },
        Opcode::Min => Instr::Min { dst, a, b },
        Opcode::Dominate => Instr::Dominate { dst, a, b },
        _ => unreachable!("{code} has no two-operand instruction"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_is_eight_bytes() {
        assert_eq!(size_of::<Instr>(), 8);
    }

    #[test]
    fn programs_go_between_threads() {
        fn shared<T: Send + Sync + Clone>() {}
        shared::<Program>();
    }
}
