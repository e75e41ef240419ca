//! From rows of weights to a flex's vectors.

use std::ops::Range;

use flexion_simd::Lane;

use crate::backend::Isa;
use crate::blend::THRESHOLD;
use crate::layout::Flex;
use crate::ramp::{Ramp, RampMode};

use super::{FrameSet, Run, VECTORS};

impl Run<'_> {
    /// A vector per descriptor. Frames past the last repeat it.
    #[inline(always)]
    pub(super) fn load_weights(&mut self, frames: Range<usize>, tile: usize) {
        let descriptors = self.layout.descriptors;
        for lane in 0..tile {
            let frame = (frames.start + lane).min(frames.end - 1);
            let row = self.weights.frame(frame, descriptors);
            for descriptor in 0..descriptors {
                self.workspace.current[descriptor * tile + lane] = row.current[descriptor];
                self.workspace.delayed[descriptor * tile + lane] = row.delayed[descriptor];
            }
        }
    }

    /// Ramps the weights of a flex; 0 in frames that do not have it active.
    #[inline(always)]
    pub(super) fn weigh<I: Isa>(&mut self, isa: I, number: usize) {
        let lanes = I::Lane::LANES;
        let zero = I::Lane::splat(isa.lane(), 0.0);
        let mut live = 0;
        for vector in 0..VECTORS {
            let ramped = self.ramped(isa, &self.layout.flexes[number], vector);
            let active = activity::<I>(isa, &ramped);
            let is_active = zero.lt(active);
            for (weight, ramped) in ramped.into_iter().enumerate() {
                let at = ((number * 4 + weight) * VECTORS + vector) * lanes;
                I::Lane::select(is_active, ramped, zero).store(&mut self.workspace.flexes[at..]);
            }
            let mut floats = [0.0; 16];
            active.store(&mut floats);
            for (lane, &float) in floats[..lanes].iter().enumerate() {
                live |= FrameSet::from(float > 0.0) << (vector * lanes + lane);
            }
        }
        self.workspace.live[number] = live;
    }

    /// The four weights of a flex, for the frames of a vector.
    #[inline(always)]
    fn ramped<I: Isa>(&self, isa: I, flex: &Flex, vector: usize) -> [I::Lane; 4] {
        let (lanes, token) = (I::Lane::LANES, isa.lane());
        let at = |descriptor: usize| (descriptor * VECTORS + vector) * lanes;
        let own = at(flex.descriptor);
        let current = I::Lane::load(token, &self.workspace.current[own..]);
        let delayed = I::Lane::load(token, &self.workspace.delayed[own..]);
        let w1 = ramp::<I>(isa, &flex.ramp, self.mode, current);
        let w2 = ramp::<I>(isa, &flex.ramp, self.mode, delayed);
        let Some(partner) = flex.partner else {
            return [w1, w2, w1, w2];
        };
        let other = at(partner);
        let current = I::Lane::load(token, &self.workspace.current[other..]);
        let delayed = I::Lane::load(token, &self.workspace.delayed[other..]);
        let w3 = ramp::<I>(isa, &flex.ramp, self.mode, current);
        let w4 = ramp::<I>(isa, &flex.ramp, self.mode, delayed);
        [w1, w2, w3, w4]
    }
}

/// [`Ramp::weight`] for a vector of weights: the same tests, the last that holds first.
#[inline(always)]
fn ramp<I: Isa>(isa: I, ramp: &Ramp, mode: RampMode, w: I::Lane) -> I::Lane {
    if mode == RampMode::Overdrive && ramp.has_default_start() {
        return w;
    }
    let token = isa.lane();
    let [t0, t1, t2, t3] = ramp.targets;
    let [t0, t1, t2, t3] = [
        I::Lane::splat(token, t0),
        I::Lane::splat(token, t1),
        I::Lane::splat(token, t2),
        I::Lane::splat(token, t3),
    ];
    let zero = I::Lane::splat(token, 0.0);
    let flat = I::Lane::splat(token, 1.0);
    let falling = I::Lane::select(t2.lt(w), (t3 - w) / (t3 - t2), flat);
    let rising = I::Lane::select(w.lt(t1), (w - t0) / (t1 - t0), falling);
    let before_end = I::Lane::select(t3.le(w), zero, rising);
    I::Lane::select(w.le(t0), zero, before_end)
}

/// 0 where all four weights are near 0, else 1.
#[inline(always)]
fn activity<I: Isa>(isa: I, weights: &[I::Lane; 4]) -> I::Lane {
    let token = isa.lane();
    let (low, high) = (
        I::Lane::splat(token, -THRESHOLD),
        I::Lane::splat(token, THRESHOLD),
    );
    let one = I::Lane::splat(token, 1.0);
    let mut activity = I::Lane::splat(token, 0.0);
    for &weight in weights {
        let below = I::Lane::select(weight.lt(high), activity, one);
        activity = I::Lane::select(low.lt(weight), below, one);
    }
    activity
}
