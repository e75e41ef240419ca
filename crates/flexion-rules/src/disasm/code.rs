//! The bytecode of a rule.

use std::fmt::Write;

use super::{Float, Named, Names};
use crate::code::{Code, Instr, Kind, Operand, Program};

/// Lists the instructions one rule became; empty if there is no such rule or it is skipped.
///
/// A line is `number  written = what`, where `t0`, `t1` … are temporaries. What several rules compute is listed
/// under the first of them. A pose runs all rules' instructions grouped by kind; listed they are in the order of
/// the rules. The [module](super) has an example.
pub fn code(program: &Program, rule: usize, names: &dyn Names) -> String {
    let code = &*program.code;
    let lister = Lister { code, names };
    let Some(target) = code.targets.get(rule).copied().flatten() else {
        return String::new();
    };
    let mut out = String::new();
    let of_rule = |instr: &&(usize, &Instr)| instr.1.rule as usize == rule;
    let numbered: Vec<(usize, &Instr)> = code.instrs.iter().enumerate().collect();
    for (index, instr) in numbered.iter().filter(of_rule) {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{index:>5}  {}", lister.line(instr));
    }
    if out.is_empty() {
        let _ = writeln!(out, "       {}", lister.elsewhere(rule, target));
    }
    out
}

struct Lister<'a> {
    code: &'a Code,
    names: &'a dyn Names,
}

impl Lister<'_> {
    fn line(&self, instr: &Instr) -> String {
        let what = match instr.kind {
            Kind::Affine => self.affine(instr.args()),
            Kind::Damp => {
                let [factors @ .., d] = instr.args() else {
                    unreachable!("four operands")
                };
                let (sum, d) = (self.affine(factors), self.operand(*d));
                match sum.contains(" + ") || sum.contains(" - ") {
                    true => format!("({sum}) * {d}"),
                    false => format!("{sum} * {d}"),
                }
            }
            Kind::Copy => self.operand(instr.args[0]),
            Kind::Checked(rule) => return self.checked(rule as usize),
            Kind::Div => self.call("div", instr.args()),
            Kind::Max => self.call("max", instr.args()),
            Kind::Min => self.call("min", instr.args()),
            Kind::TwoWay0 => self.call("two_way_0", instr.args()),
            Kind::TwoWay1 => self.call("two_way_1", instr.args()),
            Kind::Unit => self.call("unit", instr.args()),
            Kind::SignedUnit => self.call("signed_unit", instr.args()),
            Kind::Trapezoid => self.call("trapezoid", instr.args()),
            Kind::LowerEyelid => self.call("lower_eyelid", instr.args()),
            Kind::UpperEyelid => self.call("upper_eyelid", instr.args()),
        };
        format!("{} = {what}", self.operand(instr.dst))
    }

    /// Why a rule has no instructions of its own.
    fn elsewhere(&self, rule: usize, target: usize) -> String {
        let name = Named::descriptor(self.names, target);
        let weight = Operand::Weight(target as u32);
        let later = self.code.targets[rule + 1..].contains(&Some(target));
        let maker = self.code.instrs.iter().find(|instr| instr.dst == weight);
        match maker {
            Some(instr) if !later => format!("{name} is made by rule {}", instr.rule),
            _ => format!("{name} is written again by a later rule"),
        }
    }

    /// As the op it stands for, whose value is the same in every bit.
    fn affine(&self, args: &[Operand]) -> String {
        let [a, b, c] = [0, 1, 2].map(|i| self.operand(args[i]));
        let has = |arg: Operand, value: f32| arg == Operand::Constant(value.to_bits());
        let subtracted = match args[2] {
            Operand::Constant(bits) if f32::from_bits(bits) < 0.0 => Some(-f32::from_bits(bits)),
            _ => None,
        };
        match (has(args[1], 1.0), has(args[1], -1.0), has(args[2], -0.0)) {
            (true, _, true) => a,
            (true, ..) if subtracted.is_some() => {
                format!("{a} - {}", Float(subtracted.unwrap_or_default()))
            }
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

    fn call(&self, name: &str, args: &[Operand]) -> String {
        let args: Vec<String> = args.iter().map(|&arg| self.operand(arg)).collect();
        format!("{name}({})", args.join(", "))
    }

    fn operand(&self, operand: Operand) -> String {
        match operand {
            Operand::Constant(bits) => Float(f32::from_bits(bits)).to_string(),
            Operand::Controller(index) => Named::controller(self.names, index as usize).to_string(),
            Operand::Weight(index) => Named::descriptor(self.names, index as usize).to_string(),
            Operand::Temporary(index) => format!("t{index}"),
        }
    }
}
