//! The op table: the one place that says which ops exist.
//!
//! A row gives an op's number, name, operand, how many values it takes from and leaves on the stack, and the
//! canonical function that computes it. The enum, decoding, arity, the names in listings, the documentation of
//! [`Opcode`] and the list that tests walk all come from the rows below; what a row cannot say (the order of
//! values on the stack, the checks of each dialect) is in `machine`, once.
//!
//! ```text
//! FETCH1 3, CONST 0.5, SUB        stack after each op, bottom first
//!   FETCH1 3                      x3
//!   CONST 0.5                     x3  0.5
//!   SUB          takes 2 leaves 1 x3-0.5 (0.5: popped, but the slot keeps it)
//! ```

pub(crate) mod canon;

use std::fmt;

/// What the four operand bytes of an op mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Operand {
    /// Nothing: the bytes are not looked at.
    None,
    /// A float.
    Value,
    /// Index of a flex controller.
    Controller,
    /// Index of a flex descriptor.
    Descriptor,
    /// How many values on the stack the op works on.
    Count,
}

/// How many values an op needs on the stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Takes {
    /// This many.
    Values(usize),
    /// As many as the operand says.
    Count,
    /// As many as the operand says, and the one below them.
    CountAndOne,
}

/// How an op computes: the shape of its canonical function and the function itself.
#[derive(Clone, Copy)]
pub(crate) enum Action {
    /// Push the operand.
    Constant,
    /// Push a controller's value.
    Controller,
    /// Push a descriptor's weight as written so far.
    Descriptor,
    /// Push a function of a controller's value.
    OfController(fn(f32) -> f32),
    /// Replace the top.
    Unary(fn(f32) -> f32),
    /// Replace the top two.
    Binary(fn(f32, f32) -> f32),
    /// Ramp over four limits, of a controller picked by the stack, times a controller.
    NWay,
    /// Product of the top values: repeated multiplication.
    Combo,
    /// Damp the value below the top ones by their product.
    Dominate(fn(f32, f32) -> f32),
    /// A function of three controllers, each scaled from its range; two are picked by the stack.
    Eyelid(fn(f32, f32, f32) -> f32),
    /// In the file format but without effect.
    Nothing,
}

/// Writes the enum and its accessors from the rows.
macro_rules! ops {
    ($( $number:literal $variant:ident $name:literal $operand:ident ($takes:expr => $leaves:literal) $action:expr, $doc:literal; )*) => {
        /// The ops of `mstudioflexop_t`, numbered as in the file.
        ///
        /// | op | name | operand | effect |
        /// |---|---|---|---|
        $( #[doc = concat!("| ", $number, " | ", $name, " | ", stringify!($operand), " | ", $doc, " |")] )*
        ///
        /// An op whose condition fails (too few values, no room, no such controller) does nothing at all, and
        /// the rule goes on with the next.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum Opcode {
            $( #[doc = $doc] $variant = $number, )*
        }

        impl Opcode {
            /// Every op, in the order of their numbers.
            pub const ALL: &[Opcode] = &[$( Opcode::$variant, )*];

            /// The op with this number; `None` for numbers the engine does not know.
            pub const fn decode(number: i32) -> Option<Opcode> {
                match number {
                    $( $number => Some(Opcode::$variant), )*
                    _ => None,
                }
            }

            /// The name of `STUDIO_<name>` in the SDK's `studio.h`.
            pub const fn name(self) -> &'static str {
                match self { $( Opcode::$variant => $name, )* }
            }

            /// What the operand means.
            pub const fn operand(self) -> Operand {
                match self { $( Opcode::$variant => Operand::$operand, )* }
            }

            /// How many values the op needs on the stack; it replaces them by [`leaves`](Self::leaves) values.
            pub const fn takes(self) -> Takes {
                match self { $( Opcode::$variant => $takes, )* }
            }

            /// How many values the op leaves in place of those it takes.
            pub const fn leaves(self) -> usize {
                match self { $( Opcode::$variant => $leaves, )* }
            }

            pub(crate) const fn action(self) -> Action {
                match self { $( Opcode::$variant => $action, )* }
            }
        }
    };
}

use Takes::{Count, CountAndOne, Values};

ops! {
    1  Const        "CONST"   Value      (Values(0) => 1)   Action::Constant, "push the operand";
    2  Fetch1       "FETCH1"  Controller (Values(0) => 1)   Action::Controller, "push the controller's value";
    3  Fetch2       "FETCH2"  Descriptor (Values(0) => 1)   Action::Descriptor, "push the descriptor's weight as written so far in this pass, 0 before";
    4  Add          "ADD"     None       (Values(2) => 1)   Action::Binary(canon::add), "a b → a + b";
    5  Sub          "SUB"     None       (Values(2) => 1)   Action::Binary(canon::sub), "a b → a - b";
    6  Mul          "MUL"     None       (Values(2) => 1)   Action::Binary(canon::mul), "a b → a * b";
    7  Div          "DIV"     None       (Values(2) => 1)   Action::Binary(|a, b| canon::div((), a, b)), "a b → a / b if b > 0.0001, else 0 (so also for a negative b)";
    8  Neg          "NEG"     None       (Values(1) => 1)   Action::Unary(|a| canon::neg((), a)), "a → -a";
    9  Exp          "EXP"     None       (Values(0) => 0)   Action::Nothing, "never implemented by the engine: nothing";
    10 Open         "OPEN"    None       (Values(0) => 0)   Action::Nothing, "a token of the model compiler: nothing";
    11 Close        "CLOSE"   None       (Values(0) => 0)   Action::Nothing, "a token of the model compiler: nothing";
    12 Comma        "COMMA"   None       (Values(0) => 0)   Action::Nothing, "a token of the model compiler: nothing";
    13 Max          "MAX"     None       (Values(2) => 1)   Action::Binary(canon::max), "a b → a < b ? b : a";
    14 Min          "MIN"     None       (Values(2) => 1)   Action::Binary(canon::min), "a b → b < a ? b : a";
    15 TwoWay0      "2WAY_0"  Controller (Values(0) => 1)   Action::OfController(|x| canon::two_way_0((), x)), "push the controller's lower half: -1..0 becomes 1..0";
    16 TwoWay1      "2WAY_1"  Controller (Values(0) => 1)   Action::OfController(|x| canon::two_way_1((), x)), "push the controller's upper half: 0..1 becomes 0..1";
    17 NWay         "NWAY"    Controller (Values(5) => 1)   Action::NWay, "r0 r1 r2 r3 c → trapezoid r0..r3 of controller c, times the operand's controller";
    18 Combo        "COMBO"   Count      (Count => 1)       Action::Combo, "the top m values → their product; m = 0 uncovers the stale slot above the top";
    19 Dominate     "DOMINATE" Count     (CountAndOne => 1) Action::Dominate(|a, p| canon::dominate((), a, p)), "a and the top m values → a * (1 - their product); m = 0 reads the stale slot above the top";
    20 LowerEyelid  "DME_LOWER_EYELID" Controller (Values(3) => 1) Action::Eyelid(|v, l, u| canon::lower_eyelid((), v, l, u)), "eyes-up-down, blink and close-lid controllers on the stack → lower lid of the operand's controller";
    21 UpperEyelid  "DME_UPPER_EYELID" Controller (Values(3) => 1) Action::Eyelid(|v, l, u| canon::upper_eyelid((), v, l, u)), "the same for the upper lid";
}

impl fmt::Display for Opcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
