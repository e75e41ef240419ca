//! The ops of a rule as they are stored, with a note at each that does nothing.

use std::fmt::Write;

use super::{Float, Named, Names};
use crate::machine::Bounds;
use crate::op::Operand;
use crate::rig::{Dialect, Op, Rig};
use crate::verify::ignored_ops;

/// Lists the ops of one rule; empty if there is no such rule.
///
/// What an op has no use for is not shown. `dialect` decides which ops are noted as doing nothing.
/// The [module](super) has an example.
pub fn ops(rig: &Rig<'_>, rule: usize, dialect: Dialect, names: &dyn Names) -> String {
    let mut out = String::new();
    let Some(ops) = rig.rules.get(rule) else {
        return out;
    };
    let mut notes = vec![None; ops.ops.len()];
    ignored_ops(ops, Bounds::new(rig, dialect), |op, reason| {
        notes[op] = Some(reason);
    });

    let target = Named::Descriptor(names, ops.target.into());
    // Writing to a String cannot fail.
    let _ = writeln!(out, "rule {rule} for {target}");
    for (index, (op, note)) in ops.ops.iter().zip(notes).enumerate() {
        let mut line = format!("{index:>4}  {:<8}  {}", name(*op), operand(*op, names));
        if let Some(reason) = note {
            line.truncate(line.trim_end().len());
            let _ = write!(line, "{:>1$}; does nothing: {reason}", "", gap(&line));
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

/// Spaces before a note: up to the operand's column, else one.
fn gap(line: &str) -> usize {
    const OPERANDS: usize = 16;
    OPERANDS.saturating_sub(line.chars().count()).max(1)
}

fn name(op: Op) -> String {
    match op.opcode() {
        Some(code) => code.name().to_owned(),
        None => format!("op {}", op.code),
    }
}

fn operand(op: Op, names: &dyn Names) -> String {
    match op.opcode().map(|code| code.operand()) {
        None | Some(Operand::None) => String::new(),
        Some(Operand::Value) => Float(op.value()).to_string(),
        Some(Operand::Controller) => Named::Controller(names, op.index().into()).to_string(),
        Some(Operand::Descriptor) => Named::Descriptor(names, op.index().into()).to_string(),
        Some(Operand::Count) => op.index().to_string(),
    }
}
