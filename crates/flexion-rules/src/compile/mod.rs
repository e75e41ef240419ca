//! Rules to bytecode.
//!
//! Each rule runs once on the [machine](crate::machine) with a value being the *place* it will have in the
//! frame. Pushing a controller, a weight or a constant emits nothing; an operation whose operands are constants
//! is done now, by the canonical function; any other emits an instruction that writes a fresh temporary. The
//! machine's slots hold places, so a popped slot keeps its old value here for the same reason as in the engine:
//! nothing has replaced it.
//!
//! Instructions after the one that made a rule's result cannot matter to it and are dropped; that one writes the
//! weight instead of a temporary.
//!
//! Limits: each rule is compiled by itself, nothing is shared between rules.

mod emit;

use std::collections::HashMap;
use std::ops::Range;

use crate::code::{
    Affine, Binary, CheckedRule, Code, Instr, Layout, PLACES, Place, Stats, Tables, Unary,
};
use crate::machine::{Bounds, Domain, Halt, Machine};
use crate::rig::{ControllerRange, Dialect, Rig, Rule};
use crate::schedule::schedule;

pub(crate) fn compile(rig: &Rig<'_>, dialect: Dialect) -> Code {
    let bounds = Bounds::new(rig, dialect);
    let mut compiler = Compiler::new(rig);
    let mut rules = Vec::with_capacity(rig.rules.len());
    let mut stats = Stats {
        rules: rig.rules.len(),
        ..Stats::default()
    };
    for rule in rig.rules {
        stats.ops += rule.ops.len();
        match bounds.descriptor(rule.target) {
            Ok(target) => rules.push(compiler.rule(rule, target, bounds)),
            Err(_) => {
                stats.skipped_rules += 1;
                rules.push(Range::default());
            }
        }
    }
    compiler.finish(dialect, rules, stats)
}

/// A place that may yet turn out too far for an instruction.
type WidePlace = usize;

/// Why a rule cannot be straight bytecode.
enum Unfit {
    /// A controller index depends on the pose.
    Computed,
    /// There are not enough places.
    Large,
}

struct Compiler<'a> {
    ranges: &'a [ControllerRange],
    layout: Layout,
    instrs: Vec<Instr>,
    /// Operands of instructions that hold an index.
    drafts: Tables,
    constants: Vec<f32>,
    /// Constant bits to index: 0 and -0 differ.
    interned: HashMap<u32, usize>,
    checked: Vec<CheckedRule>,
    /// Which descriptors some rule so far has written; the others are 0.
    written: Vec<bool>,
    /// Segments that are complete.
    segments: Vec<Range<usize>>,
    /// The segment that last read or wrote each descriptor, counted from 1.
    touched: Vec<usize>,
    /// Temporaries of the largest segment.
    temporaries: usize,
    /// A place did not fit in an instruction of the current rule.
    overflow: bool,
}

/// What to go back to when a rule turns out unfit.
struct Mark {
    instrs: usize,
    nways: usize,
    eyelids: usize,
    constants: usize,
    temporaries: usize,
}

impl<'a> Compiler<'a> {
    fn new(rig: &Rig<'a>) -> Compiler<'a> {
        Compiler {
            ranges: rig.controllers,
            layout: Layout::new(rig),
            instrs: Vec::new(),
            drafts: Tables::default(),
            constants: Vec::new(),
            interned: HashMap::new(),
            checked: Vec::new(),
            written: vec![false; rig.descriptors],
            segments: Vec::new(),
            touched: vec![0; rig.descriptors],
            temporaries: 0,
            overflow: false,
        }
    }

    /// Appends one rule; returns its instructions.
    fn rule(&mut self, rule: &Rule<'_>, target: usize, bounds: Bounds) -> Range<usize> {
        if self.touched[target] == self.segment() {
            self.end_segment();
        }
        let outcome = match self.straight(rule, target, bounds) {
            Err(Unfit::Large) if self.segment_start() < self.instrs.len() => {
                self.end_segment();
                self.straight(rule, target, bounds)
            }
            outcome => outcome,
        };
        let start = match outcome {
            Ok(start) => start,
            Err(_) => self.keep_ops(rule, target),
        };
        self.written[target] = true;
        start..self.instrs.len()
    }

    /// Compiles a rule to bytecode, or leaves all as it was.
    fn straight(&mut self, rule: &Rule<'_>, target: usize, bounds: Bounds) -> Result<usize, Unfit> {
        let mark = Mark {
            instrs: self.instrs.len(),
            nways: self.drafts.nways.len(),
            eyelids: self.drafts.eyelids.len(),
            constants: self.constants.len(),
            temporaries: self.temporaries,
        };
        let outcome = self.try_straight(rule, target, bounds, mark.instrs);
        if outcome.is_err() {
            self.instrs.truncate(mark.instrs);
            self.drafts.nways.truncate(mark.nways);
            self.drafts.eyelids.truncate(mark.eyelids);
            for constant in self.constants.drain(mark.constants..) {
                self.interned.remove(&constant.to_bits());
            }
            self.temporaries = mark.temporaries;
        }
        outcome.map(|()| mark.instrs)
    }

    fn try_straight(
        &mut self,
        rule: &Rule<'_>,
        target: usize,
        bounds: Bounds,
        start: usize,
    ) -> Result<(), Unfit> {
        self.overflow = false;
        let mut machine = Machine::new(bounds, self.constant(0.0));
        for &op in rule.ops {
            if let Err(Halt::Computed) = machine.step(op, self) {
                return Err(Unfit::Computed);
            }
            if self.overflow {
                return Err(Unfit::Large);
            }
        }
        self.store(start, machine.result(), target);
        if self.overflow {
            return Err(Unfit::Large);
        }
        self.touched[target] = self.segment();
        Ok(())
    }

    /// Ends a rule: its result goes to the weight.
    fn store(&mut self, start: usize, result: WidePlace, target: usize) {
        let dst = self.place(self.layout.descriptors + target);
        // Temporaries are numbered like the instructions that write them, from the end of the frame.
        let from_end = (PLACES - 1).checked_sub(result);
        let maker = from_end
            .map(|number| self.segment_start() + number)
            .filter(|maker| (start..self.instrs.len()).contains(maker));
        match maker {
            Some(maker) => {
                self.instrs.truncate(maker + 1);
                self.set_dst(maker, dst);
            }
            None => {
                self.instrs.truncate(start);
                self.copy(result);
                self.set_dst(start, dst);
            }
        }
    }

    fn set_dst(&mut self, instr: usize, place: Place) {
        let dst = match &mut self.instrs[instr] {
            Instr::Affine(Affine { dst, .. })
            | Instr::Div(Binary { dst, .. })
            | Instr::Max(Binary { dst, .. })
            | Instr::Min(Binary { dst, .. })
            | Instr::TwoWay0(Unary { dst, .. })
            | Instr::TwoWay1(Unary { dst, .. }) => dst,
            Instr::NWay(entry) => &mut self.drafts.nways[*entry as usize].dst,
            Instr::LowerEyelid(entry) | Instr::UpperEyelid(entry) => {
                &mut self.drafts.eyelids[*entry as usize].dst
            }
            Instr::Checked(_) => unreachable!("a checked rule stores its weight itself"),
        };
        *dst = place;
    }

    /// Keeps a rule as ops, in a segment of its own.
    fn keep_ops(&mut self, rule: &Rule<'_>, target: usize) -> usize {
        self.end_segment();
        let start = self.instrs.len();
        self.instrs.push(Instr::Checked(self.checked.len() as u32));
        self.checked.push(CheckedRule {
            target,
            ops: rule.ops.into(),
        });
        self.end_segment();
        start
    }

    fn segment_start(&self) -> usize {
        self.segments.last().map_or(0, |segment| segment.end)
    }

    /// The number of the segment in progress, counted from 1.
    fn segment(&self) -> usize {
        self.segments.len() + 1
    }

    fn end_segment(&mut self) {
        let segment = self.segment_start()..self.instrs.len();
        if !segment.is_empty() {
            self.segments.push(segment);
        }
    }

    fn place(&mut self, place: WidePlace) -> Place {
        Place::try_from(place).unwrap_or_else(|_| {
            self.overflow = true;
            0
        })
    }

    /// The temporary that the next instruction will write, as an operand and as a place.
    fn temporary(&mut self) -> (WidePlace, Place) {
        let number = self.instrs.len() - self.segment_start();
        self.temporaries = self.temporaries.max(number + 1);
        self.check_room();
        let place = (PLACES - 1).saturating_sub(number);
        (place, place as Place)
    }

    /// Constants grow from one side, temporaries from the other.
    fn check_room(&mut self) {
        let taken = self.layout.constants + self.constants.len() + self.temporaries;
        self.overflow |= taken > PLACES;
    }

    fn finish(mut self, dialect: Dialect, rules: Vec<Range<usize>>, stats: Stats) -> Code {
        self.end_segment();
        let (mut tables, mut runs) = (Tables::default(), Vec::new());
        for segment in self.segments {
            schedule(
                &mut self.instrs[segment],
                &self.drafts,
                &mut tables,
                &mut runs,
            );
        }
        let stats = Stats {
            checked_rules: self.checked.len(),
            instructions: self.instrs.len(),
            runs: runs.len(),
            constants: self.constants.len(),
            ..stats
        };
        let ranges = match self.checked.is_empty() {
            true => Vec::new(),
            false => self.ranges.to_vec(),
        };
        Code {
            dialect,
            layout: self.layout,
            instrs: self.instrs,
            rules,
            tables,
            runs,
            constants: self.constants,
            checked: self.checked,
            ranges,
            stats,
        }
    }
}
