//! The bytecode of a rule.

use std::fmt::Write;

use super::{Float, Named, Names};
use crate::code::{Code, Eyelid, Instr, NWay, Place, Program, SLOTS, Scaled};

/// Lists the instructions one rule became; empty if there is no such rule or it is skipped.
///
/// A line is `number  instruction  written <- read, read`. Stack slots are `s0` to `s31`, `s32` is a value beside
/// the stack. The [module](self) has an example.
pub fn code(program: &Program, rule: usize, names: &dyn Names) -> String {
    let code = &*program.code;
    let range = code.rules.get(rule).cloned().unwrap_or_default();
    let lister = Lister { code, names };
    let mut out = String::new();
    for index in range {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{index:>5}  {}", lister.line(code.instrs[index]));
    }
    out
}

struct Lister<'a> {
    code: &'a Code,
    names: &'a dyn Names,
}

impl Lister<'_> {
    fn line(&self, instr: Instr) -> String {
        let (name, dst, read) = match instr {
            Instr::Copy { dst, a } => ("Copy", dst, self.places(&[a])),
            Instr::Neg { dst, a } => ("Neg", dst, self.places(&[a])),
            Instr::TwoWay0 { dst, a } => ("TwoWay0", dst, self.places(&[a])),
            Instr::TwoWay1 { dst, a } => ("TwoWay1", dst, self.places(&[a])),
            Instr::Add { dst, a, b } => ("Add", dst, self.places(&[a, b])),
            Instr::Sub { dst, a, b } => ("Sub", dst, self.places(&[a, b])),
            Instr::Mul { dst, a, b } => ("Mul", dst, self.places(&[a, b])),
            Instr::Div { dst, a, b } => ("Div", dst, self.places(&[a, b])),
            Instr::Max { dst, a, b } => ("Max", dst, self.places(&[a, b])),
            Instr::Min { dst, a, b } => ("Min", dst, self.places(&[a, b])),
            Instr::Dominate { dst, a, b } => ("Dominate", dst, self.places(&[a, b])),
            Instr::NWay { dst, entry } => {
                ("NWay", dst, self.nway(&self.code.nways[entry as usize]))
            }
            Instr::LowerEyelid { dst, entry } => (
                "LowerLid",
                dst,
                self.eyelid(&self.code.eyelids[entry as usize]),
            ),
            Instr::UpperEyelid { dst, entry } => (
                "UpperLid",
                dst,
                self.eyelid(&self.code.eyelids[entry as usize]),
            ),
            Instr::Checked { rule } => return self.checked(rule as usize),
        };
        format!("{name:<8}  {} <- {read}", self.place(dst))
    }

    fn checked(&self, rule: usize) -> String {
        let rule = &self.code.checked[rule];
        let target = Named::descriptor(self.names, rule.target);
        format!("Checked   {target} <- {} ops", rule.ops.len())
    }

    fn nway(&self, entry: &NWay) -> String {
        let [multi, scaled] = [entry.multi, entry.scaled].map(|place| self.place(place));
        format!("{multi}, {scaled}, limits {}", self.places(&entry.limits))
    }

    fn eyelid(&self, entry: &Eyelid) -> String {
        let up_down = entry.up_down.map_or("none".to_owned(), |u| self.scaled(u));
        let [value, close] = [entry.value, entry.close].map(|scaled| self.scaled(scaled));
        format!("{value}, {close}, {up_down}")
    }

    fn scaled(&self, scaled: Scaled) -> String {
        let (min, max) = (Float(scaled.range.min), Float(scaled.range.max));
        format!("{} in {min}..{max}", self.place(scaled.place))
    }

    fn places(&self, places: &[Place]) -> String {
        let places: Vec<String> = places.iter().map(|&place| self.place(place)).collect();
        places.join(", ")
    }

    fn place(&self, place: Place) -> String {
        let place = usize::from(place);
        let layout = &self.code.layout;
        if place < SLOTS {
            format!("s{place}")
        } else if place < layout.descriptors {
            Named::controller(self.names, place - layout.controllers).to_string()
        } else if place < layout.constants {
            Named::descriptor(self.names, place - layout.descriptors).to_string()
        } else {
            Float(self.code.constants[place - layout.constants]).to_string()
        }
    }
}
