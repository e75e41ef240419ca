//! The bytecode of a rule.

use std::fmt::Write;

use super::{Float, Named, Names};
use crate::code::{Affine, Binary, Code, Eyelid, Instr, NWay, PLACES, Place, Program, Scaled};

/// Lists the instructions one rule became; empty if there is no such rule or it is skipped.
///
/// A line is `number  written = what`, where `t0`, `t1` … are temporaries. A pose runs all rules' instructions
/// grouped by kind; listed they are in the order of the rules. The [module](super) has an example.
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
        let tables = &self.code.tables;
        let (dst, what) = match instr {
            Instr::Affine(i) => (i.dst, self.affine(i)),
            Instr::Div(i @ Binary { dst, .. }) => (dst, self.call("div", &[i.a, i.b])),
            Instr::Max(i @ Binary { dst, .. }) => (dst, self.call("max", &[i.a, i.b])),
            Instr::Min(i @ Binary { dst, .. }) => (dst, self.call("min", &[i.a, i.b])),
            Instr::TwoWay0(i) => (i.dst, self.call("two_way_0", &[i.a])),
            Instr::TwoWay1(i) => (i.dst, self.call("two_way_1", &[i.a])),
            Instr::NWay(entry) => self.nway(&tables.nways[entry as usize]),
            Instr::LowerEyelid(entry) => {
                self.eyelid("lower_eyelid", &tables.eyelids[entry as usize])
            }
            Instr::UpperEyelid(entry) => {
                self.eyelid("upper_eyelid", &tables.eyelids[entry as usize])
            }
            Instr::Checked(rule) => return self.checked(rule as usize),
        };
        format!("{} = {what}", self.place(dst))
    }

    /// As the op it stands for, whose value is the same in every bit.
    fn affine(&self, i: Affine) -> String {
        let [a, b, c] = [i.a, i.b, i.c].map(|place| self.place(place));
        let has =
            |place, value: f32| self.constant(place).map(f32::to_bits) == Some(value.to_bits());
        match (has(i.b, 1.0), has(i.b, -1.0), has(i.c, -0.0)) {
            (true, _, true) => a,
            (true, _, false) => format!("{a} + {c}"),
            (_, true, true) => format!("-{a}"),
            (_, true, false) => format!("{c} - {a}"),
            (_, _, true) => format!("{a} * {b}"),
            (_, _, false) => format!("{a} * {b} + {c}"),
        }
    }

    fn checked(&self, rule: usize) -> String {
        let rule = &self.code.checked[rule];
        let target = Named::descriptor(self.names, rule.target);
        format!("{target} = {} checked ops", rule.ops.len())
    }

    fn nway(&self, i: &NWay) -> (Place, String) {
        let [r0, r1, r2, r3] = i.limits;
        (
            i.dst,
            self.call("nway", &[i.multi, i.scaled, r0, r1, r2, r3]),
        )
    }

    fn eyelid(&self, name: &str, i: &Eyelid) -> (Place, String) {
        let up_down = i.up_down.map_or("none".to_owned(), |u| self.scaled(u));
        let [value, close] = [i.value, i.close].map(|scaled| self.scaled(scaled));
        (i.dst, format!("{name}({value}, {close}, {up_down})"))
    }

    fn scaled(&self, scaled: Scaled) -> String {
        let [place, min, max] =
            [scaled.place, scaled.min, scaled.max].map(|place| self.place(place));
        format!("{place} in {min}..{max}")
    }

    fn call(&self, name: &str, places: &[Place]) -> String {
        let places: Vec<String> = places.iter().map(|&place| self.place(place)).collect();
        format!("{name}({})", places.join(", "))
    }

    fn constant(&self, place: Place) -> Option<f32> {
        let index = usize::from(place).checked_sub(self.code.layout.constants)?;
        self.code.constants.get(index).copied()
    }

    fn place(&self, place: Place) -> String {
        if let Some(value) = self.constant(place) {
            return Float(value).to_string();
        }
        let place = usize::from(place);
        let layout = &self.code.layout;
        if place < layout.descriptors {
            Named::controller(self.names, place).to_string()
        } else if place < layout.constants {
            Named::descriptor(self.names, place - layout.descriptors).to_string()
        } else {
            format!("t{}", PLACES - 1 - place)
        }
    }
}
