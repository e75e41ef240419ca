//! Speed and side: the four weights of a flex become the one of a row.

use crate::apply::Weights;
use crate::ramp::RampMode;
use crate::store::Flex;

/// Bytes become shares by a multiplication with the f32 nearest 1/255, as in the engine;
/// 255 of them are exactly 1.
const SHARE: f32 = 1.0 / 255.0;

/// A flex moves nothing while its weights stay on this side of it, both signs.
const THRESHOLD: f32 = 0.001;

/// A flex's ramped weights for one pose: of the descriptor (current, delayed), then of the
/// partner (current, delayed), which without a partner repeat the first two.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FlexWeights([f32; 4]);

impl FlexWeights {
    /// `None` if the flex is to be skipped. A NaN is not near 0, so it keeps the flex.
    pub(crate) fn of(flex: &Flex, weights: Weights<'_>, mode: RampMode) -> Option<Self> {
        let ramped = |descriptor: usize| {
            [
                flex.ramp.weight(weights.current[descriptor], mode),
                flex.ramp.weight(weights.delayed[descriptor], mode),
            ]
        };
        let [w1, w2] = ramped(flex.descriptor);
        let [w3, w4] = flex.partner.map_or([w1, w2], ramped);
        let all = [w1, w2, w3, w4];
        let near_zero = all.iter().all(|&w| -THRESHOLD < w && w < THRESHOLD);
        (!near_zero).then_some(Self(all))
    }
}

/// The speed and side of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Blend {
    pub(crate) speed: u8,
    pub(crate) side: u8,
}

impl Blend {
    pub(crate) fn to_bits(self) -> u16 {
        u16::from_le_bytes([self.speed, self.side])
    }

    pub(crate) fn from_bits(bits: u16) -> Self {
        let [speed, side] = bits.to_le_bytes();
        Self { speed, side }
    }

    /// The row's weight. Written out in the engine's order: not even `0 * w` may go, for a
    /// NaN or an infinity in `w` shows in the result.
    #[inline]
    pub(crate) fn weight(self, FlexWeights([w1, w2, w3, w4]): FlexWeights) -> f32 {
        let s = f32::from(self.speed) * SHARE;
        let b = f32::from(self.side) * SHARE;
        (w1 * s + (1.0 - s) * w2) * (1.0 - b) + b * (w3 * s + (1.0 - s) * w4)
    }
}
