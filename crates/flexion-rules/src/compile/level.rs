//! Instructions to [`Level`] code: runs of one kind over places of a frame.

use std::collections::HashMap;

use super::allocate::allocate;
use super::schedule::schedule;
use super::select::Selected;
use crate::code::{Instr, Layout, Level, Operand, PLACES, Place, Run};

/// `None` if there are more places than a [`Place`] can name.
pub(super) fn assemble(selected: &Selected, layout: Layout) -> Option<Level> {
    let mut order = Vec::with_capacity(selected.instrs.len());
    for segment in &selected.segments {
        schedule(&selected.instrs, segment.clone(), &mut order);
    }
    let ordered = order.iter().map(|&index| &selected.instrs[index]);
    let (slots, temporaries) = allocate(ordered.clone(), selected.temporaries);

    let mut constants = Constants::default();
    for instr in ordered.clone() {
        instr.args().iter().for_each(|&arg| constants.add(arg));
    }
    let temporaries_start = layout.constants + constants.values.len();
    if temporaries_start + temporaries > PLACES {
        return None;
    }
    let place = |operand| -> Place {
        let place = match operand {
            Operand::Controller(index) => index as usize,
            Operand::Weight(index) => layout.descriptors + index as usize,
            Operand::Constant(bits) => layout.constants + constants.numbers[&bits],
            Operand::Temporary(index) => temporaries_start + slots[index as usize],
        };
        Place::try_from(place).expect("counted above")
    };
    Some(pack(ordered, place, constants.values.clone()))
}

/// The code of rules that all stayed as ops: their results go to the weights and nowhere else.
pub(super) fn as_ops(selected: &Selected) -> Level {
    let checked = selected.instrs.iter();
    Level {
        runs: checked
            .map(|instr| Run {
                kind: instr.kind,
                start: 0,
                end: 0,
            })
            .collect(),
        ..Level::default()
    }
}

fn pack<'a>(
    instrs: impl Iterator<Item = &'a Instr>,
    place: impl Fn(Operand) -> Place,
    constants: Vec<f32>,
) -> Level {
    let mut level = Level {
        constants,
        ..Level::default()
    };
    for instr in instrs {
        let args = instr.args().iter().map(|&arg| place(arg));
        let places: Vec<Place> = [place(instr.dst)].into_iter().chain(args).collect();
        let end = level.push(&places);
        match level.runs.last_mut() {
            Some(run) if run.kind == instr.kind => run.end = end,
            _ => level.runs.push(Run {
                kind: instr.kind,
                start: end - 1,
                end,
            }),
        }
    }
    level
}

impl Level {
    /// Appends an instruction's places to the table for as many; returns how many that has now.
    fn push(&mut self, places: &[Place]) -> usize {
        let word = |index: usize| {
            let place = |index| places.get(index).copied().map_or(0, u32::from);
            place(2 * index) | place(2 * index + 1) << Place::BITS
        };
        match places.len() {
            ..=2 => push(&mut self.ones, [word(0)]),
            3 | 4 => push(&mut self.twos, [word(0), word(1)]),
            _ => push(&mut self.threes, [word(0), word(1), word(2)]),
        }
    }
}

fn push<T>(table: &mut Vec<T>, entry: T) -> usize {
    table.push(entry);
    table.len()
}

/// Distinct constants, numbered as they come.
#[derive(Default)]
struct Constants {
    values: Vec<f32>,
    numbers: HashMap<u32, usize>,
}

impl Constants {
    fn add(&mut self, operand: Operand) {
        if let Operand::Constant(bits) = operand {
            let next = self.values.len();
            if *self.numbers.entry(bits).or_insert(next) == next {
                self.values.push(f32::from_bits(bits));
            }
        }
    }
}
