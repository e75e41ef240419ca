//! Which flexes a pose has active, and the memory for it.

use crate::backend::{self, Isa, Job};
use crate::blend::FlexWeights;
use crate::deformer::{Deformer, Weights};
use crate::deltas::{LANES, Lanes};
use crate::layout::Layout;
use crate::marks::MARKS;
use crate::ramp::RampMode;

/// Memory that a pose needs on the way; its content means nothing between calls.
///
/// Starts empty and grows to the largest deformer it has served: some 32 bytes for every
/// vertex that a flex lists (64 with tangents) and 4 for every speed and side of a flex.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    pub(crate) active: Vec<u32>,
    pub(crate) is_active: Vec<bool>,
    pub(crate) weights: Vec<f32>,
    pub(crate) sums: Vec<Lanes>,
    pub(crate) tangent_sums: Vec<Lanes>,
    pub(crate) touched: Vec<u64>,
    /// What the pose before touched.
    pub(crate) previous: Vec<u64>,
}

impl Scratch {
    /// Takes a model's sizes. What the pose before touched becomes `previous`.
    pub(crate) fn begin(&mut self, layout: &Layout, tangents: bool) {
        let ranks = layout.flexed.len();
        std::mem::swap(&mut self.touched, &mut self.previous);
        self.previous.resize(ranks.div_ceil(MARKS), 0);
        self.touched.clear();
        self.touched.resize(ranks.div_ceil(MARKS), 0);
        self.weights.resize(layout.speeds.len(), 0.0);
        self.sums.resize(ranks, [0.0; LANES]);
        let tangents = if tangents { ranks } else { 0 };
        self.tangent_sums.resize(tangents, [0.0; LANES]);
    }

    /// Lists the active flexes, weighs their blends and marks what they touch; how many rows
    /// they have.
    pub(crate) fn activate(
        &mut self,
        deformer: &Deformer,
        weights: Weights<'_>,
        mode: RampMode,
    ) -> usize {
        self.active.clear();
        // All of them once, so that a later pose with more active flexes does not allocate.
        self.active.reserve(deformer.flexes());
        self.is_active.clear();
        self.is_active.resize(deformer.flexes(), false);
        backend::run(
            deformer.backend(),
            Activate {
                layout: &deformer.layout,
                weights,
                mode,
                scratch: self,
            },
        )
    }

    /// Takes the weight from the flexes that are not active.
    pub(crate) fn still(&mut self, layout: &Layout) {
        for (flex, _) in layout
            .flexes
            .iter()
            .zip(&self.is_active)
            .filter(|(_, active)| !**active)
        {
            self.weights[flex.blends.clone()].fill(0.0);
        }
    }

    /// Leaves in `previous` only what this pose does not touch.
    pub(crate) fn leave_touched(&mut self) {
        for (before, now) in self.previous.iter_mut().zip(&self.touched) {
            *before &= !now;
        }
    }
}

struct Activate<'a> {
    layout: &'a Layout,
    weights: Weights<'a>,
    mode: RampMode,
    scratch: &'a mut Scratch,
}

impl Job for Activate<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> usize {
        let (layout, scratch) = (self.layout, self.scratch);
        let mut rows = 0;
        for (number, flex) in layout.flexes.iter().enumerate() {
            let Some(weights) = FlexWeights::of(flex, self.weights, self.mode) else {
                continue;
            };
            let blends = flex.blends.clone();
            let (speeds, sides) = (
                &layout.speeds[blends.clone()],
                &layout.sides[blends.clone()],
            );
            weights.blend(speeds, sides, &mut scratch.weights[blends]);
            for mark in &layout.marks[flex.marks.clone()] {
                scratch.touched[mark.word as usize] |= mark.bits;
            }
            scratch.active.push(number as u32);
            scratch.is_active[number] = true;
            rows += flex.rows.len();
        }
        rows
    }
}
