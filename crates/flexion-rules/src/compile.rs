//! Rules to bytecode.
//!
//! Each rule runs once on the [machine](crate::machine) with a value being the *place* it will have in the
//! frame. Pushing a controller, a weight or a constant emits nothing; an operation whose operands are constants
//! is done now, by the canonical function; any other emits one instruction that writes the stack slot it would
//! have in the engine. A slot is only ever read through the place the machine holds for it, so popped slots
//! keep their old value here for the same reason as in the engine: nobody has written them since.
//!
//! Two things follow from the machine and cost nothing here. An op reads its deepest value and writes it, so
//! what comes after the last write of slot 0 cannot reach the result and is dropped. And that last write can go
//! straight to the weight.
//!
//! Limits: each rule is compiled by itself and order is kept; nothing is shared between rules.

use std::collections::HashMap;
use std::ops::Range;

use crate::code::{
    CheckedRule, Code, Eyelid, Instr, Layout, NWay, Place, Scaled, Stats, binary, unary,
};
use crate::machine::{Bounds, Domain, Halt, Lid, Machine};
use crate::op::Opcode;
use crate::rig::{ControllerRange, Dialect, Rig, Rule};

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

/// Slot 0, where the engine looks for a rule's result.
const BOTTOM: Place = 0;

/// The rule cannot be straight bytecode and stays as ops.
struct Unfit;

struct Compiler<'a> {
    ranges: &'a [ControllerRange],
    layout: Layout,
    instrs: Vec<Instr>,
    constants: Vec<f32>,
    /// Constant bits to index: 0 and -0 differ.
    interned: HashMap<u32, usize>,
    nways: Vec<NWay>,
    eyelids: Vec<Eyelid>,
    checked: Vec<CheckedRule>,
    /// Which descriptors some rule so far has written; the others are 0.
    written: Vec<bool>,
    /// A place did not fit in an instruction of the current rule.
    overflow: bool,
}

impl<'a> Compiler<'a> {
    fn new(rig: &Rig<'a>) -> Compiler<'a> {
        Compiler {
            ranges: rig.controllers,
            layout: Layout::new(rig),
            instrs: Vec::new(),
            constants: Vec::new(),
            interned: HashMap::new(),
            nways: Vec::new(),
            eyelids: Vec::new(),
            checked: Vec::new(),
            written: vec![false; rig.descriptors],
            overflow: false,
        }
    }

    /// Appends one rule; returns its instructions.
    fn rule(&mut self, rule: &Rule<'_>, target: usize, bounds: Bounds) -> Range<usize> {
        let start = self.instrs.len();
        let (nways, eyelids) = (self.nways.len(), self.eyelids.len());
        if self.straight(rule, target, bounds).is_err() {
            self.instrs.truncate(start);
            self.nways.truncate(nways);
            self.eyelids.truncate(eyelids);
            self.instrs.push(Instr::Checked {
                rule: self.checked.len() as u32,
            });
            self.checked.push(CheckedRule {
                target,
                ops: rule.ops.into(),
            });
        }
        self.written[target] = true;
        start..self.instrs.len()
    }

    fn straight(&mut self, rule: &Rule<'_>, target: usize, bounds: Bounds) -> Result<(), Unfit> {
        let start = self.instrs.len();
        self.overflow = false;
        let mut machine = Machine::new(bounds, self.constant(0.0));
        for &op in rule.ops {
            if let Err(Halt::Computed) = machine.step(op, self) {
                return Err(Unfit);
            }
        }
        self.store(start, machine.result(), target);
        if self.overflow { Err(Unfit) } else { Ok(()) }
    }

    /// Ends a rule: its result goes to the weight.
    fn store(&mut self, start: usize, result: WidePlace, target: usize) {
        let dst = self.place(self.layout.descriptors + target);
        let last = self.instrs[start..]
            .iter_mut()
            .rposition(|instr| instr.dst_mut().is_some_and(|dst| *dst == BOTTOM));
        match last.map(|last| start + last) {
            Some(last) if result == WidePlace::from(BOTTOM) => {
                self.instrs.truncate(last + 1);
                if let Some(place) = self.instrs[last].dst_mut() {
                    *place = dst;
                }
            }
            _ => {
                self.instrs.truncate(start);
                let a = self.place(result);
                self.instrs.push(Instr::Copy { dst, a });
            }
        }
    }

    fn place(&mut self, place: WidePlace) -> Place {
        Place::try_from(place).unwrap_or_else(|_| {
            self.overflow = true;
            0
        })
    }

    fn emit(&mut self, slot: usize, instr: Instr) -> WidePlace {
        self.instrs.push(instr);
        slot
    }

    fn scaled(&mut self, controller: usize) -> Scaled {
        Scaled {
            place: self.place(self.layout.controllers + controller),
            range: self.ranges[controller],
        }
    }

    fn finish(self, dialect: Dialect, rules: Vec<Range<usize>>, stats: Stats) -> Code {
        let stats = Stats {
            checked_rules: self.checked.len(),
            instructions: self.instrs.len(),
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
            constants: self.constants,
            nways: self.nways,
            eyelids: self.eyelids,
            checked: self.checked,
            ranges,
            stats,
        }
    }
}

impl Domain for Compiler<'_> {
    type Value = WidePlace;

    fn constant(&mut self, value: f32) -> WidePlace {
        let next = self.constants.len();
        let index = *self.interned.entry(value.to_bits()).or_insert(next);
        if index == next {
            self.constants.push(value);
        }
        self.layout.constants + index
    }

    fn controller(&mut self, index: usize) -> WidePlace {
        self.layout.controllers + index
    }

    fn descriptor(&mut self, index: usize) -> WidePlace {
        if self.written[index] {
            self.layout.descriptors + index
        } else {
            self.constant(0.0)
        }
    }

    fn known(&self, value: WidePlace) -> Option<f32> {
        let index = value.checked_sub(self.layout.constants)?;
        Some(self.constants[index])
    }

    fn unary(&mut self, slot: usize, code: Opcode, f: fn(f32) -> f32, a: WidePlace) -> WidePlace {
        if let Some(a) = self.known(a) {
            return self.constant(f(a));
        }
        let instr = unary(code, self.place(slot), self.place(a));
        self.emit(slot, instr)
    }

    fn binary(
        &mut self,
        slot: usize,
        code: Opcode,
        f: fn(f32, f32) -> f32,
        a: WidePlace,
        b: WidePlace,
    ) -> WidePlace {
        if let (Some(a), Some(b)) = (self.known(a), self.known(b)) {
            return self.constant(f(a, b));
        }
        let instr = binary(code, self.place(slot), self.place(a), self.place(b));
        self.emit(slot, instr)
    }

    fn nway(
        &mut self,
        slot: usize,
        multi: usize,
        limits: [WidePlace; 4],
        scaled: usize,
    ) -> WidePlace {
        let entry = NWay {
            multi: self.place(self.layout.controllers + multi),
            limits: limits.map(|limit| self.place(limit)),
            scaled: self.place(self.layout.controllers + scaled),
        };
        let dst = self.place(slot);
        let index = self.nways.len() as u32;
        self.nways.push(entry);
        self.emit(slot, Instr::NWay { dst, entry: index })
    }

    fn eyelid(
        &mut self,
        slot: usize,
        code: Opcode,
        _: fn(f32, f32, f32) -> f32,
        lid: Lid,
    ) -> WidePlace {
        let operands = Eyelid {
            value: self.scaled(lid.value),
            close: self.scaled(lid.close),
            up_down: lid.up_down.map(|index| self.scaled(index)),
        };
        let dst = self.place(slot);
        let entry = self.eyelids.len() as u32;
        self.eyelids.push(operands);
        let instr = match code {
            Opcode::LowerEyelid => Instr::LowerEyelid { dst, entry },
            Opcode::UpperEyelid => Instr::UpperEyelid { dst, entry },
            _ => unreachable!("{code} is no eyelid op"),
        };
        self.emit(slot, instr)
    }
}
