//! Half floats or fixed point: what the sixteen bits of a delta mean.
//!
//! A file holds its deltas as half floats, or as fixed point when its header has the flag
//! `FLEXES_CONVERTED`. The engine converts the first kind to the second when it loads a
//! model, so what players see is quantised; [`Precision`] says which of the two is wanted.
//!
//! Quantising `0x3b33` (0.8999) at a scale of 1/4096: `0.8999 / scale = 3686.0` is cut to
//! the integer 3686, later read back as `3686 * scale = 0.89990234`. A delta of 8.5 gives
//! 34816, of which sixteen bits keep -30720, or -7.5: large deltas wrap.

use std::fmt;
use std::str::FromStr;

use half::f16;

use crate::error::UnknownName;

/// How the file stores position and normal deltas. Wrinkle deltas are fixed point always.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// IEEE half floats, in the unit of the model.
    Half,
    /// `i16 * scale` (header flag `FLEXES_CONVERTED`, 0x4000).
    Fixed,
}

/// Whose precision the deltas have. Files of [`Encoding::Fixed`] look the same in both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Precision {
    /// The file's own: half floats as they are, infinities and NaN included.
    #[default]
    File,
    /// The engine's: half floats cut to multiples of the scale, in sixteen bits that wrap.
    Engine,
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::File => "file",
            Self::Engine => "engine",
        })
    }
}

impl FromStr for Precision {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        match name {
            "file" => Ok(Self::File),
            "engine" => Ok(Self::Engine),
            _ => Err(UnknownName {
                option: "precision",
                expected: ["file", "engine"],
            }),
        }
    }
}

/// The engine's conversion at load: half float bits in, fixed-point bits out.
pub(crate) fn quantise(half_bits: u16, scale: f32) -> u16 {
    low_word(engine_half(half_bits) / scale)
}

/// The engine's half decoder: an infinity reads as the largest half, a NaN as 0.
fn engine_half(bits: u16) -> f32 {
    let half = f16::from_bits(bits);
    if half.is_nan() {
        0.0
    } else if half.is_infinite() {
        f32::from(f16::MAX).copysign(f32::from(half))
    } else {
        f32::from(half)
    }
}

/// Cuts toward 0 and keeps sixteen bits.
///
/// A quotient that no i32 holds (a scale below 3.1e-5 gives such, and a scale of 0 or NaN)
/// becomes 0: x86 converts it to `0x8000_0000`, whose low word that is.
fn low_word(quotient: f32) -> u16 {
    let fits_i32 = (-2_147_483_648.0..2_147_483_648.0).contains(&quotient);
    if fits_i32 { quotient as i32 as u16 } else { 0 }
}
