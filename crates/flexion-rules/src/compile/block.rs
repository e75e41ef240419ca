//! Instructions to [`Block`] code: steps over planes, in the order of the rules.
//!
//! Planes of temporaries are used again as soon as they are free, the last one first, so that what was just
//! written is still in the nearest cache when it is read. A weight that is a slider as it is, or another weight,
//! is not copied: the caller gets the plane that has it.

use super::allocate::allocate;
use super::select::Selected;
use crate::code::{Arg, Block, Instr, Kind, Layout, Operand, Plane, Step};

pub(super) fn assemble(selected: &Selected, layout: Layout) -> Block {
    let (slots, temporaries) = allocate(selected.instrs.iter(), selected.temporaries);
    let arg = |operand| match operand {
        Operand::Constant(bits) => Arg::Constant(f32::from_bits(bits)),
        Operand::Controller(index) => Arg::Plane(index),
        Operand::Weight(index) => Arg::Plane(layout.descriptors as Plane + index),
        Operand::Temporary(index) => {
            Arg::Plane((layout.constants + slots[index as usize]) as Plane)
        }
    };
    let descriptors = layout.descriptors().map(|place| place as Plane);
    let mut block = Block {
        steps: Vec::with_capacity(selected.instrs.len()),
        planes: layout.constants + temporaries,
        weights: descriptors.collect(),
    };
    for instr in &selected.instrs {
        match shared(selected, instr) {
            Some((weight, source)) => {
                block.weights[weight] = match arg(source) {
                    Arg::Plane(plane) => plane,
                    Arg::Constant(_) => unreachable!("a constant has no plane"),
                };
            }
            None => block.steps.push(Step {
                kind: instr.kind,
                dst: match arg(instr.dst) {
                    Arg::Plane(dst) => dst,
                    Arg::Constant(_) => unreachable!("nothing writes a constant"),
                },
                args: instr.args.map(arg),
            }),
        }
    }
    block
}

/// A weight and where its value already is: what a copy would copy. Where a checked rule may read all weights, they
/// have to be in their own planes.
fn shared(selected: &Selected, instr: &Instr) -> Option<(usize, Operand)> {
    let whole = selected.segments.len() <= 1;
    match (instr.kind, instr.dst, instr.args[0]) {
        (
            Kind::Copy,
            Operand::Weight(weight),
            source @ (Operand::Controller(_) | Operand::Weight(_)),
        ) if whole => Some((weight as usize, source)),
        _ => None,
    }
}
