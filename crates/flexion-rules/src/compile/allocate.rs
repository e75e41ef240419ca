//! Temporaries to slots: a slot is free again after the last use of what is in it.
//!
//! A small frame stays in the first-level cache, above all where every slot holds many poses.

use crate::code::{Instr, Operand};

/// The slot of each temporary, and how many slots there are, for instructions that run in this order.
pub(super) fn allocate<'a>(
    instrs: impl DoubleEndedIterator<Item = &'a Instr> + Clone,
    temporaries: usize,
) -> (Vec<usize>, usize) {
    // Walking backwards, the first sight of a temporary is its last use. Where an instruction may write over
    // what it reads, the slot goes from operand to result.
    let mut slots = vec![None; temporaries];
    let mut free = Vec::new();
    let mut count = 0;
    let mut take = |free: &mut Vec<usize>| {
        free.pop().unwrap_or_else(|| {
            count += 1;
            count - 1
        })
    };
    for instr in instrs.rev() {
        if let Operand::Temporary(made) = instr.dst {
            let slot = slots[made as usize].unwrap_or_else(|| take(&mut free));
            slots[made as usize] = Some(slot);
            free.push(slot);
        }
        for &arg in instr.args() {
            if let Operand::Temporary(used) = arg {
                slots[used as usize].get_or_insert_with(|| take(&mut free));
            }
        }
    }
    let slots = slots.into_iter().map(Option::unwrap_or_default).collect();
    (slots, count)
}
