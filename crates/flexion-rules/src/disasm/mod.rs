//! Every stage of a rule as text: [ops](ops()) as stored, [text](text()) as a formula, [code](code()) as compiled.
//!
//! A rule and names go in, lines come out, each ended by a newline. The three are for people; only `text` has
//! a fixed grammar: that of rules in QC sources as far as QC can say it, a `%` before what is a flex
//! descriptor, so that a slider and a weight of the same name stay apart.
//!
//! ```
//! use flexion_rules::{ControllerRange, Dialect, Op, Program, Rig, Rule, disasm};
//!
//! let ops = [
//!     Op::with_index(2, 0),   // FETCH1
//!     Op::with_value(1, 0.5), // CONST
//!     Op::with_index(5, 0),   // SUB
//!     Op::with_index(9, 0),   // EXP
//! ];
//! let ranges = [ControllerRange { min: 0.0, max: 1.0 }];
//! let rig = Rig { controllers: &ranges, descriptors: 1, rules: &[Rule { target: 0, ops: &ops }] };
//! let program = Program::compile(&rig, Dialect::Shipped);
//! let names = disasm::Lists { controllers: &["jaw drop"], descriptors: &["AU26"] };
//!
//! assert_eq!(disasm::ops(&rig, 0, Dialect::Shipped, &names), "\
//! rule 0 for %AU26
//!    0  FETCH1    \"jaw drop\"
//!    1  CONST     0.5
//!    2  SUB
//!    3  EXP       ; does nothing: without effect in the engine
//! ");
//! assert_eq!(disasm::text(&rig, 0, Dialect::Shipped, &names), "%AU26 = \"jaw drop\" - 0.5\n");
//! assert_eq!(disasm::code(&program, 0, &names), "    0  %AU26 = \"jaw drop\" - 0.5\n");
//! ```

mod code;
mod ops;
mod text;

use std::fmt;

pub use code::code;
pub use ops::ops;
pub use text::text;

/// Where listings take names from.
///
/// A name that is `None` is shown by its index, as `controller#7`.
pub trait Names {
    /// The name of a flex controller.
    fn controller(&self, index: usize) -> Option<&str>;
    /// The name of a flex descriptor.
    fn descriptor(&self, index: usize) -> Option<&str>;
}

/// Names from two lists, in file order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lists<'a> {
    /// Names of the flex controllers.
    pub controllers: &'a [&'a str],
    /// Names of the flex descriptors.
    pub descriptors: &'a [&'a str],
}

impl Names for Lists<'_> {
    fn controller(&self, index: usize) -> Option<&str> {
        self.controllers.get(index).copied()
    }

    fn descriptor(&self, index: usize) -> Option<&str> {
        self.descriptors.get(index).copied()
    }
}

/// Something of the rig as it stands in a listing.
#[derive(Clone, Copy)]
enum Named<'a> {
    Controller(&'a dyn Names, i64),
    Descriptor(&'a dyn Names, i64),
}

impl<'a> Named<'a> {
    fn controller(names: &'a dyn Names, index: usize) -> Named<'a> {
        Named::Controller(names, index as i64)
    }

    fn descriptor(names: &'a dyn Names, index: usize) -> Named<'a> {
        Named::Descriptor(names, index as i64)
    }
}

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, kind, index) = match *self {
            Named::Controller(names, index) => (
                usize::try_from(index)
                    .ok()
                    .and_then(|i| names.controller(i)),
                "controller",
                index,
            ),
            Named::Descriptor(names, index) => {
                f.write_str("%")?;
                (
                    usize::try_from(index)
                        .ok()
                        .and_then(|i| names.descriptor(i)),
                    "descriptor",
                    index,
                )
            }
        };
        match name {
            Some(name) if is_plain(name) => f.write_str(name),
            Some(name) => write!(f, "{name:?}"),
            None => write!(f, "{kind}#{index}"),
        }
    }
}

/// Whether a name needs no quotes: one word that a formula does not use itself.
fn is_plain(name: &str) -> bool {
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let starts_well = name.bytes().next().is_some_and(|b| !b.is_ascii_digit());
    starts_well && name.bytes().all(word) && !text::WORDS.contains(&name)
}

/// A float that reads back to the same bits, as short as that allows.
struct Float(f32);

impl fmt::Display for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:?}", self.0);
        f.write_str(text.strip_suffix(".0").unwrap_or(&text))
    }
}
