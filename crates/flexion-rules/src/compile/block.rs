//! Instructions to [`Block`] code: steps over planes, in the order of the rules.
//!
//! Planes of temporaries are used again as soon as they are free, the last one first, so that what was just
//! written is still in the nearest cache when it is read.

use super::allocate::allocate;
use super::select::Selected;
use crate::code::{Arg, Block, Instr, Layout, Operand, Plane, Step};

pub(super) fn assemble(selected: &Selected, layout: Layout) -> Block {
    let (slots, temporaries) = allocate(selected.instrs.iter(), selected.temporaries);
    let plane = |operand| match operand {
        Operand::Controller(index) => Arg::Plane(index),
        Operand::Weight(index) => Arg::Plane(layout.descriptors as Plane + index),
        Operand::Temporary(index) => {
            Arg::Plane((layout.constants + slots[index as usize]) as Plane)
        }
        Operand::Constant(bits) => Arg::Constant(f32::from_bits(bits)),
    };
    let step = |instr: &Instr| Step {
        kind: instr.kind,
        dst: match plane(instr.dst) {
            Arg::Plane(dst) => dst,
            Arg::Constant(_) => unreachable!("nothing writes a constant"),
        },
        args: instr.args.map(plane),
    };
    Block {
        steps: selected.instrs.iter().map(step).collect(),
        planes: layout.constants + temporaries,
    }
}
