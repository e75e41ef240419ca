//! Drafts to instructions: where each value is made, and when weights are stored.

use std::ops::Range;

use super::graph::{Graph, Node, Value};
use super::select::{Draft, Segment, Selected};
use crate::code::{Instr, Kind, Operand};

/// Gives every draft a place to write to and puts the stores where they belong.
pub(super) fn emit(
    graph: &Graph,
    drafts: &[Option<Draft>],
    segments: &[Segment],
    ends: &[Value],
) -> Selected {
    let mut emitter = Emitter {
        graph,
        ends,
        operands: vec![None; drafts.len()],
        selected: Selected::default(),
    };
    // With one segment a weight is written once, so the value can be made right there.
    if let [only] = segments {
        for &(target, value, _) in &only.stores {
            if drafts[value as usize].is_some() {
                emitter.operands[value as usize].get_or_insert(Operand::Weight(target as u32));
            }
        }
    }
    let mut next = 0;
    for segment in segments {
        let end = segment
            .checked
            .map_or(drafts.len() as Value, |checked| checked.result);
        emitter.segment(drafts, next..end, segment);
        next = end;
    }
    emitter.selected
}

struct Emitter<'a> {
    graph: &'a Graph,
    ends: &'a [Value],
    /// Where each value is, once something has made it.
    operands: Vec<Option<Operand>>,
    selected: Selected,
}

impl Emitter<'_> {
    fn segment(&mut self, drafts: &[Option<Draft>], values: Range<Value>, segment: &Segment) {
        let start = self.selected.instrs.len();
        for value in values {
            let Some(draft) = drafts[value as usize] else {
                continue;
            };
            let rule = self.ends.partition_point(|&end| end <= value);
            let dst = self.made_at(value);
            let mut args = [Operand::default(); 5];
            for (arg, &operand) in args
                .iter_mut()
                .zip(&draft.operands[..draft.kind.operands()])
            {
                *arg = self.operand(operand);
            }
            self.push(draft.kind, rule, dst, args);
        }
        for &(target, value, rule) in &segment.stores {
            let dst = Operand::Weight(target as u32);
            let from = self.operand(value);
            if from != dst {
                let mut args = [Operand::default(); 5];
                args[0] = from;
                self.push(Kind::Copy, rule, dst, args);
            }
        }
        self.end_segment(start);
        if let Some(checked) = segment.checked {
            let start = self.selected.instrs.len();
            let dst = self.made_at(checked.result);
            let kind = Kind::Checked(checked.index as u32);
            self.push(kind, checked.rule, dst, Default::default());
            self.end_segment(start);
        }
    }

    fn end_segment(&mut self, start: usize) {
        let segment = start..self.selected.instrs.len();
        if !segment.is_empty() {
            self.selected.segments.push(segment);
        }
    }

    fn push(&mut self, kind: Kind, rule: usize, dst: Operand, args: [Operand; 5]) {
        self.selected.instrs.push(Instr {
            kind,
            rule: rule as u32,
            dst,
            args,
        });
    }

    fn made_at(&mut self, value: Value) -> Operand {
        let next = Operand::Temporary(self.selected.temporaries as u32);
        let operand = *self.operands[value as usize].get_or_insert(next);
        if operand == next {
            self.selected.temporaries += 1;
        }
        operand
    }

    fn operand(&self, value: Value) -> Operand {
        match self.graph.node(value) {
            Node::Constant(bits) => Operand::Constant(bits),
            Node::Controller(index) => Operand::Controller(index as u32),
            _ => self.operands[value as usize].expect("made before it is used"),
        }
    }
}
