//! Picks to the ops of one valid rule.

use super::{Pick, filler};
use crate::reference::Op;

/// Builds one valid rule.
pub(super) struct Builder {
    controllers: usize,
    descriptors: usize,
    cap: usize,
    pub(super) ops: Vec<Op>,
    /// The least and the greatest possible depth: they part where an op may fail in some poses.
    low: usize,
    high: usize,
    /// The depth before and after each op.
    pub(super) depths: Vec<usize>,
}

impl Builder {
    pub(super) fn new(controllers: usize, descriptors: usize, cap: usize) -> Builder {
        Builder {
            controllers,
            descriptors,
            cap,
            ops: Vec::new(),
            low: 0,
            high: 0,
            depths: vec![0],
        }
    }

    /// Appends an op that takes and leaves so many values.
    fn op(&mut self, op: Op, takes: usize, leaves: usize) {
        self.low = self.low - takes + leaves;
        self.high = self.high - takes + leaves;
        self.ops.push(op);
        self.depths.push(self.low);
    }

    /// Pushes up to so many values.
    pub(super) fn fill(&mut self, count: usize) {
        for number in 0..count.min(self.cap) {
            self.op(filler(number), 0, 1);
        }
    }

    fn controller(&self, n: u8) -> i32 {
        i32::from(n) % self.controllers as i32
    }

    /// Turns one pick into ops that fit; into none if it does not fit here.
    pub(super) fn add(&mut self, (kind, n, value): Pick, computed: bool) {
        let room = self.cap - self.high;
        match kind % 24 {
            0..=2 if room > 0 => self.op(Op::value(1, value), 0, 1),
            3..=5 if room > 0 => self.op(Op::index(2, self.controller(n)), 0, 1),
            6 | 7 if room > 0 => {
                let flex = i32::from(n) % self.descriptors as i32;
                self.op(Op::index(3, flex), 0, 1);
            }
            8 | 9 if room > 0 => {
                let code = 15 + i32::from(kind % 2);
                self.op(Op::index(code, self.controller(n)), 0, 1);
            }
            10..=16 if self.low >= 2 => {
                let code = [4, 5, 6, 7, 13, 14, 5][usize::from(kind % 24) - 10];
                self.op(Op::index(code, n.into()), 2, 1);
            }
            17 if self.low >= 1 => self.op(Op::index(8, 0), 1, 1),
            18 | 19 if room > 0 => {
                let count = usize::from(n) % (self.low.min(self.controllers - 1) + 1);
                self.op(Op::index(18, count as i32), count, 1);
            }
            20 if room > 0 && self.low >= 1 => {
                let count = usize::from(n) % self.low.min(self.controllers);
                self.op(Op::index(19, count as i32), count + 1, 1);
            }
            21 if room >= 5 => self.nway(n, value, computed),
            22 | 23 if room >= 3 => self.eyelid(n, value, computed),
            _ => {}
        }
    }

    fn nway(&mut self, n: u8, value: f32, computed: bool) {
        let limits = if n & 1 == 0 {
            [0.0, 0.25, 0.5, 1.0]
        } else {
            [-1.0, value, value, 1.5]
        };
        for limit in limits {
            self.op(Op::value(1, limit), 0, 1);
        }
        let from_pose = self.index(n / 2, computed && n.is_multiple_of(3));
        self.op(Op::index(17, self.controller(n / 4)), 5, 1);
        if from_pose {
            self.high += 4;
        }
    }

    fn eyelid(&mut self, n: u8, value: f32, computed: bool) {
        let mut from_pose = self.index(n, computed && value < 0.0);
        self.index(n / 2, false);
        from_pose |= self.index(n / 4, computed && value > 1.0);
        self.op(
            Op::index(20 + i32::from(n & 1), self.controller(n / 8)),
            3,
            1,
        );
        if from_pose {
            self.high += 2;
        }
    }

    /// Pushes a controller index, as a constant or a slider's value; tells which.
    fn index(&mut self, n: u8, from_pose: bool) -> bool {
        let controller = self.controller(n);
        let op = match from_pose {
            true => Op::index(2, controller),
            // Truncation has to be tried too.
            false => Op::value(1, controller as f32 + f32::from(n % 2) * 0.75),
        };
        self.op(op, 0, 1);
        from_pose
    }
}
