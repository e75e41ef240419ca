//! Rules to bytecode.
//!
//! ```text
//! ops ──machine──► graph ──select, emit──► instructions ──level──► for one pose and few
//!                                                       └─block──► for many
//! ```
//!
//! Each rule runs once on the [machine](crate::machine) with a value being a node of the [graph], where equal
//! values are one and constants are folded. The machine's slots hold values, so a popped slot keeps its old one
//! here for the same reason as in the engine: nothing has replaced it. What reaches no weight is never selected;
//! the rest becomes [instructions](crate::code::Instr), two or three operations in one where that saves work.
//!
//! A rule whose depth depends on the pose cannot be a graph. It stays as ops, and because it may read any weight
//! written before, it ends a **segment**: everything before it is stored first.

mod allocate;
mod block;
mod emit;
mod graph;
mod level;
mod lower;
mod schedule;
mod select;

use crate::code::{CheckedRule, Code, Layout, PLACES, Stats};
use crate::machine::{Bounds, Halt, Machine};
use crate::rig::{ControllerRange, Dialect, Rig, Rule};
use graph::{Graph, Value};
use select::{CheckedEnd, Segment};

pub(crate) fn compile(rig: &Rig<'_>, dialect: Dialect) -> Code {
    let bounds = Bounds::new(rig, dialect);
    // A rig that is too large for places stays as ops altogether. None in reach comes near.
    let layout = Layout::new(rig);
    let small = (layout.constants < PLACES).then(|| Compiler::new(rig).compile(rig, bounds, false));
    match small.flatten() {
        Some(code) => code,
        None => Compiler::new(rig)
            .compile(rig, bounds, true)
            .expect("ops need no places"),
    }
}

struct Compiler<'a> {
    ranges: &'a [ControllerRange],
    graph: Graph,
    /// What each descriptor's weight is so far: 0 before any rule.
    weights: Vec<Value>,
    /// The rule that gave each weight since the segment began.
    writers: Vec<Option<usize>>,
    segments: Vec<Segment>,
    checked: Vec<CheckedRule>,
    /// How many values there are when each rule ends.
    ends: Vec<Value>,
}

impl<'a> Compiler<'a> {
    fn new(rig: &Rig<'a>) -> Compiler<'a> {
        let mut graph = Graph::default();
        let zero = graph.constant(0.0);
        Compiler {
            ranges: rig.controllers,
            graph,
            weights: vec![zero; rig.descriptors],
            writers: vec![None; rig.descriptors],
            segments: Vec::new(),
            checked: Vec::new(),
            ends: Vec::with_capacity(rig.rules.len()),
        }
    }

    /// `None` if the places do not suffice.
    fn compile(mut self, rig: &Rig<'_>, bounds: Bounds, as_ops: bool) -> Option<Code> {
        let mut targets = Vec::with_capacity(rig.rules.len());
        for (number, rule) in rig.rules.iter().enumerate() {
            let target = bounds.descriptor(rule.target).ok();
            if let Some(target) = target {
                let result = match as_ops {
                    true => None,
                    false => self.straight(rule, bounds),
                };
                self.weights[target] = match result {
                    Some(value) => {
                        self.writers[target] = Some(number);
                        value
                    }
                    None => self.keep_ops(rule, target, number),
                };
            }
            self.ends.push(self.graph.len() as Value);
            targets.push(target);
        }
        self.end_segment(None);
        self.finish(
            bounds,
            targets,
            Stats {
                rules: rig.rules.len(),
                ops: rig.rules.iter().map(|rule| rule.ops.len()).sum(),
                ..Stats::default()
            },
        )
    }

    /// The value of a rule's result; `None` if its depth depends on the pose.
    fn straight(&mut self, rule: &Rule<'_>, bounds: Bounds) -> Option<Value> {
        let zero = self.graph.constant(0.0);
        let mut machine = Machine::new(bounds, zero);
        for &op in rule.ops {
            if let Err(Halt::Computed) = machine.step(op, self) {
                return None;
            }
        }
        Some(machine.result())
    }

    /// Keeps a rule as ops. It stores its own weight, and its result is a value like others.
    fn keep_ops(&mut self, rule: &Rule<'_>, target: usize, number: usize) -> Value {
        let index = self.checked.len();
        self.checked.push(CheckedRule {
            target,
            ops: rule.ops.into(),
        });
        let result = self.graph.checked(index);
        self.end_segment(Some(CheckedEnd {
            index,
            rule: number,
            result,
        }));
        result
    }

    fn end_segment(&mut self, checked: Option<CheckedEnd>) {
        let writers = self.writers.iter_mut().enumerate();
        let stores = writers
            .filter_map(|(target, writer)| Some((target, self.weights[target], writer.take()?)))
            .collect();
        self.segments.push(Segment { stores, checked });
    }

    fn finish(mut self, bounds: Bounds, targets: Vec<Option<usize>>, stats: Stats) -> Option<Code> {
        let selected = select::select(&mut self.graph, &self.segments, &self.ends);
        let layout = Layout {
            descriptors: bounds.controllers,
            constants: bounds.controllers + bounds.descriptors,
        };
        let as_ops = self.checked.len() == targets.iter().flatten().count();
        let level = match as_ops {
            true => level::as_ops(&selected),
            false => level::assemble(&selected, layout)?,
        };
        let stats = Stats {
            skipped_rules: targets.iter().filter(|target| target.is_none()).count(),
            checked_rules: self.checked.len(),
            instructions: selected.instrs.len(),
            runs: level.runs.len(),
            constants: level.constants.len(),
            ..stats
        };
        let ranges = match self.checked.is_empty() {
            true => Vec::new(),
            false => self.ranges.to_vec(),
        };
        Some(Code {
            dialect: bounds.dialect,
            layout,
            block: block::assemble(&selected, layout),
            level,
            instrs: selected.instrs,
            targets,
            checked: self.checked,
            ranges,
            stats,
        })
    }
}
