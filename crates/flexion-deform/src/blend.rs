//! Speed and side: the four weights of a flex become the one of a row.

use crate::deformer::Weights;
use crate::layout::Flex;
use crate::ramp::RampMode;
use crate::record::DeltaRow;

/// Bytes become shares by a multiplication with the f32 nearest 1/255, as in the engine;
/// 255 of them are exactly 1.
const SHARE: f32 = 1.0 / 255.0;

/// A flex moves nothing while its weights stay on this side of it, both signs.
pub(crate) const THRESHOLD: f32 = 0.001;

/// A flex's ramped weights for one pose: of the descriptor (current, delayed), then of the
/// partner (current, delayed), which without a partner repeat the first two.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FlexWeights([f32; 4]);

impl FlexWeights {
    /// `None` if the flex is to be skipped. A NaN is not near 0, so it keeps the flex.
    #[inline(always)]
    pub(crate) fn of(flex: &Flex, weights: Weights<'_>, mode: RampMode) -> Option<Self> {
        let ramped = |descriptor: usize| {
            let (current, delayed) = (weights.current[descriptor], weights.delayed[descriptor]);
            let ramped = flex.ramp.weight(current, mode);
            if current.to_bits() == delayed.to_bits() {
                return [ramped; 2];
            }
            [ramped, flex.ramp.weight(delayed, mode)]
        };
        let [w1, w2] = ramped(flex.descriptor);
        let [w3, w4] = flex.partner.map_or([w1, w2], ramped);
        let all = [w1, w2, w3, w4];
        let near_zero = all.iter().all(|&w| -THRESHOLD < w && w < THRESHOLD);
        (!near_zero).then_some(Self(all))
    }

    /// The weights of rows with these shares. Written out in the engine's order: not even
    /// `0 * w` may go, for a NaN or an infinity in `w` shows in the result.
    #[inline(always)]
    pub(crate) fn blend(self, speeds: &[f32], sides: &[f32], out: &mut [f32]) {
        let Self([w1, w2, w3, w4]) = self;
        for ((out, &s), &b) in out.iter_mut().zip(speeds).zip(sides) {
            *out = (w1 * s + (1.0 - s) * w2) * (1.0 - b) + b * (w3 * s + (1.0 - s) * w4);
        }
    }
}

/// The speed and side of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Blend {
    speed: u8,
    side: u8,
}

impl Blend {
    pub(crate) fn of(row: &DeltaRow) -> Self {
        Self {
            speed: row.speed,
            side: row.side,
        }
    }

    /// The share of the current weights.
    pub(crate) fn speed(self) -> f32 {
        f32::from(self.speed) * SHARE
    }

    /// The share of the partner.
    pub(crate) fn side(self) -> f32 {
        f32::from(self.side) * SHARE
    }

    fn index(self) -> usize {
        usize::from(u16::from_be_bytes([self.speed, self.side]))
    }
}

/// Numbers the blends of one flex after another, each flex's from 0.
#[derive(Debug, Default)]
pub(crate) struct BlendTable {
    /// The number of each blend of the flex, by its bytes; stale for other blends.
    numbers: Vec<u16>,
    /// Whether it is the flex's.
    known: Vec<bool>,
    blends: Vec<Blend>,
}

impl BlendTable {
    /// The distinct blends among `all`, sorted.
    pub(crate) fn collect(&mut self, all: impl Iterator<Item = Blend>) -> &[Blend] {
        self.numbers.resize(1 << 16, 0);
        self.known.resize(1 << 16, false);
        self.blends.clear();
        for blend in all {
            if !std::mem::replace(&mut self.known[blend.index()], true) {
                self.blends.push(blend);
            }
        }
        self.blends.sort_unstable();
        for (number, blend) in self.blends.iter().enumerate() {
            // 2^16 blends at most, hence numbers below.
            self.numbers[blend.index()] = number as u16;
            self.known[blend.index()] = false;
        }
        &self.blends
    }

    /// The number of a blend that was collected last.
    pub(crate) fn number(&self, blend: Blend) -> u16 {
        self.numbers[blend.index()]
    }
}
