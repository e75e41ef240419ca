//! The plain records a rig is made of: what goes in.
//!
//! No file type appears here: an op is a number and four bytes, whatever it was read from. So rules can be
//! compiled, tested and fuzzed without a model file, and a reader needs nothing from this crate.

use std::fmt;
use std::str::FromStr;

use crate::op::Opcode;

/// One instruction of a rule (`mstudioflexop_t`): an opcode and the four bytes of its operand.
///
/// The operand is an index, a count or a float, depending on the opcode; the bytes are kept as they are
/// (little-endian, as in the file) and read as what the opcode needs.
///
/// ```
/// use flexion_rules::Op;
///
/// let op = Op::with_value(1, 0.5); // CONST 0.5
/// assert_eq!(op.operand, [0, 0, 0, 0x3f]);
/// assert_eq!(op.value(), 0.5);
/// assert_eq!(Op::with_index(2, -1).index(), -1);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Op {
    /// The opcode as stored; numbers the engine does not know are allowed and do nothing.
    pub code: i32,
    /// The operand's bytes, little-endian.
    pub operand: [u8; 4],
}

impl Op {
    /// An op whose operand is an index or a count.
    pub const fn with_index(code: i32, index: i32) -> Op {
        Op {
            code,
            operand: index.to_le_bytes(),
        }
    }

    /// An op whose operand is a float.
    pub const fn with_value(code: i32, value: f32) -> Op {
        Op {
            code,
            operand: value.to_le_bytes(),
        }
    }

    /// The operand read as an index or a count.
    pub const fn index(self) -> i32 {
        i32::from_le_bytes(self.operand)
    }

    /// The operand read as a float.
    pub const fn value(self) -> f32 {
        f32::from_le_bytes(self.operand)
    }

    /// The opcode, unless it is a number the engine does not know.
    pub fn opcode(self) -> Option<Opcode> {
        Opcode::decode(self.code)
    }
}

/// A rule (`mstudioflexrule_t`): run `ops` on a fresh stack, store the bottom slot as the weight of `target`.
#[derive(Clone, Copy, Debug)]
pub struct Rule<'a> {
    /// Index of the flex descriptor to write; a rule whose target does not exist is skipped.
    pub target: i32,
    /// The instructions; an empty rule writes 0.
    pub ops: &'a [Op],
}

/// The range of one flex controller (`mstudioflexcontroller_t`), in the controller's own units.
///
/// Only the eyelid ops look at it. Any pair is allowed: equal, reversed, NaN.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ControllerRange {
    /// The value that normalizes to 0.
    pub min: f32,
    /// The value that normalizes to 1.
    pub max: f32,
}

/// Everything about a model that rules depend on.
#[derive(Clone, Copy, Debug)]
pub struct Rig<'a> {
    /// The flex controllers (sliders), in file order.
    pub controllers: &'a [ControllerRange],
    /// How many flex descriptors (weights) there are.
    pub descriptors: usize,
    /// The rules, in file order, which is the order they run in.
    pub rules: &'a [Rule<'a>],
}

/// Which generation of the engine to follow where two differ.
///
/// They differ only on input that a correct model compiler does not write: the count of COMBO and DOMINATE, and
/// the indices an eyelid op takes from the stack.
///
/// | | `Shipped` | `Sdk2025` |
/// |---|---|---|
/// | COMBO and DOMINATE count m | 0 <= m | 0 <= m < number of controllers |
/// | eyelid, blink index | not looked at | a controller |
/// | eyelid, eyes-up-down index | a controller, or negative: no such slider | a controller |
///
/// ```
/// use flexion_rules::Dialect;
///
/// assert_eq!("sdk2025".parse(), Ok(Dialect::Sdk2025));
/// assert_eq!(Dialect::default().to_string(), "shipped");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Dialect {
    /// The engines that shipped the games.
    #[default]
    Shipped,
    /// The public SDK of 2025, which added checks.
    Sdk2025,
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Dialect::Shipped => "shipped",
            Dialect::Sdk2025 => "sdk2025",
        })
    }
}

/// The text names no dialect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownDialect;

impl fmt::Display for UnknownDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a dialect is \"shipped\" or \"sdk2025\"")
    }
}

impl std::error::Error for UnknownDialect {}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(text: &str) -> Result<Dialect, UnknownDialect> {
        match text {
            "shipped" => Ok(Dialect::Shipped),
            "sdk2025" => Ok(Dialect::Sdk2025),
            _ => Err(UnknownDialect),
        }
    }
}
