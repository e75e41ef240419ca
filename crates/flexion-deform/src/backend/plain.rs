//! Rows as eight plain floats, for instruction sets that every processor has.

use crate::backend::Wide;
use crate::deltas::{LANES, Lanes, Row, WRINKLE};

/// Eight floats.
#[derive(Clone, Copy)]
pub(super) struct Plain(Lanes);

impl Wide for Plain {
    type Token = ();

    #[inline(always)]
    fn splat((): (), value: f32) -> Self {
        Self([value; LANES])
    }

    #[inline(always)]
    fn load((): (), from: &Lanes) -> Self {
        Self(*from)
    }

    #[inline(always)]
    fn store(self, to: &mut Lanes) {
        *to = self.0;
    }

    #[inline(always)]
    fn halves((): (), row: &Row) -> Self {
        Self(row.map(half))
    }

    #[inline(always)]
    fn fixed((): (), row: &Row, scale: Self) -> Self {
        Self(row.map(|bits| f32::from(bits.cast_signed()))).times(scale)
    }

    #[inline(always)]
    fn with_wrinkle(mut self, (): (), fixed: Self) -> Self {
        self.0[WRINKLE] = fixed.0[WRINKLE];
        self
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane] * other.0[lane]))
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane] + other.0[lane]))
    }

    #[inline(always)]
    fn root_or_one(self, (): ()) -> Self {
        let roots = self.0.map(f32::sqrt);
        Self(roots.map(|root| if root > 0.0 { root } else { 1.0 }))
    }
}

/// A half float as a float, without a branch, so that lanes may share an instruction.
///
/// The fifteen bits below the sign, moved to where a float has its exponent, are the value
/// times 2^-112; subnormal halves come out right because the multiplication normalises
/// them. An exponent of all ones (infinity, NaN) overshoots 65504 and gets the rest of its
/// bits set.
#[inline(always)]
fn half(bits: u16) -> f32 {
    const SHIFT: f32 = f32::from_bits((254 - 15) << 23);
    let magnitude = f32::from_bits(u32::from(bits & 0x7fff) << 13) * SHIFT;
    let special = if magnitude >= 65536.0 { 0xff << 23 } else { 0 };
    let sign = u32::from(bits & 0x8000) << 16;
    f32::from_bits(magnitude.to_bits() | special | sign)
}

/// Turns columns of `tile` floats into `tile` rows, `stride` floats apart.
#[inline(always)]
pub(super) fn turn(columns: &[f32], tile: usize, rows: &mut [f32], stride: usize) {
    let count = columns.len() / tile;
    for (frame, row) in rows.chunks_mut(stride).take(tile).enumerate() {
        for (at, float) in row[..count].iter_mut().enumerate() {
            *float = columns[at * tile + frame];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::half;

    #[test]
    fn every_half_is_what_the_format_says() {
        for bits in 0..=u16::MAX {
            let (ours, theirs) = (half(bits), half::f16::from_bits(bits).to_f32());
            let same = ours.to_bits() == theirs.to_bits() || (ours.is_nan() && theirs.is_nan());
            assert!(same, "{bits:#06x}: {ours:e} but the format says {theirs:e}");
        }
    }
}
