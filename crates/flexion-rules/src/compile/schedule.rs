//! An order of instructions with long runs of one kind.
//!
//! Instructions that depend on each other keep their order, all others may move: within a segment each place is
//! written once. The scheduler takes whatever is ready of one kind, including what becomes ready on the way,
//! before it goes on to another kind; arithmetic comes last, so that one run takes as many as possible. Within a
//! run instructions stand in the order in which they became ready, so neighbours are mostly independent and
//! overlap in the processor.
//!
//! ```text
//! t0 = two_way_0(a)   t1 = t0 * b   t2 = two_way_1(c)   w0 = t2 * t1
//!   → two_way_0: t0   two_way_1: t2   affine: t1, w0
//! ```

use std::collections::{HashMap, VecDeque};
use std::ops::Range;

use crate::code::{Instr, Kind, Operand};

/// Appends the indices of a segment's instructions in the order in which they shall run.
pub(super) fn schedule(instrs: &[Instr], segment: Range<usize>, order: &mut Vec<usize>) {
    let mut ready = Ready::new(instrs, segment);
    let mut kind = None;
    while let Some((next, index)) = ready.next(kind) {
        order.push(index);
        ready.done(index, instrs);
        kind = Some(next);
    }
}

/// Which instructions can run, by the rank of their kind.
struct Ready {
    start: usize,
    queues: [VecDeque<usize>; Kind::RANKS],
    /// How many operands of each instruction are not computed yet.
    missing: Vec<u8>,
    /// Who reads the result of each instruction.
    readers: Vec<Vec<usize>>,
}

impl Ready {
    fn new(instrs: &[Instr], segment: Range<usize>) -> Ready {
        let start = segment.start;
        let writers: HashMap<Operand, usize> = segment
            .clone()
            .map(|index| (instrs[index].dst, index))
            .collect();
        let mut ready = Ready {
            start,
            queues: Default::default(),
            missing: vec![0; segment.len()],
            readers: vec![Vec::new(); segment.len()],
        };
        for index in segment {
            for arg in instrs[index].args() {
                if let Some(&writer) = writers.get(arg) {
                    ready.readers[writer - start].push(index);
                    ready.missing[index - start] += 1;
                }
            }
            if ready.missing[index - start] == 0 {
                ready.queues[instrs[index].kind.rank()].push_back(index);
            }
        }
        ready
    }

    /// The next instruction: of the same rank as the one before if there is any.
    fn next(&mut self, rank: Option<usize>) -> Option<(usize, usize)> {
        if let Some(rank) = rank
            && let Some(index) = self.queues[rank].pop_front()
        {
            return Some((rank, index));
        }
        (0..Kind::RANKS).find_map(|rank| Some((rank, self.queues[rank].pop_front()?)))
    }

    fn done(&mut self, index: usize, instrs: &[Instr]) {
        for reader in std::mem::take(&mut self.readers[index - self.start]) {
            self.missing[reader - self.start] -= 1;
            if self.missing[reader - self.start] == 0 {
                self.queues[instrs[reader].kind.rank()].push_back(reader);
            }
        }
    }
}
