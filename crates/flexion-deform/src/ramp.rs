//! From a descriptor's weight to a flex's own weight.
//!
//! The four targets of a flex are places on the weight axis:
//!
//! ```text
//!      1        ┌───────┐
//!              ╱         ╲
//!      0 ─────┘           └─────
//!            t0 t1     t2 t3        default 0 1 10 11
//! ```
//!
//! Eyelids use other places, for instance `-11 -10 lowered neutral`: there the weight is
//! a height in model units.

use std::fmt;
use std::str::FromStr;

use crate::error::UnknownName;

/// The `target0..3` of an `mstudioflex_t`.
///
/// ```
/// use flexion_deform::{Ramp, RampMode};
///
/// let half = Ramp { targets: [0.0, 0.5, 0.5, 1.0] };
/// assert_eq!(half.weight(0.25, RampMode::Saturate), 0.5);
/// assert_eq!(half.weight(0.5, RampMode::Saturate), 1.0);
/// assert_eq!(half.weight(1.0, RampMode::Saturate), 0.0);
///
/// assert_eq!(Ramp::default().weight(2.0, RampMode::Saturate), 1.0);
/// assert_eq!(Ramp::default().weight(2.0, RampMode::Overdrive), 2.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ramp {
    /// Where the weight starts to rise, has risen, starts to fall and has fallen.
    pub targets: [f32; 4],
}

impl Default for Ramp {
    /// 0 1 10 11, what the model compiler writes when nothing else is asked.
    fn default() -> Self {
        Self {
            targets: [0.0, 1.0, 10.0, 11.0],
        }
    }
}

impl Ramp {
    /// The flex's weight for the descriptor weight `w`: 0 to 1, and any value where
    /// [`RampMode::Overdrive`] lets it through.
    ///
    /// The order of the tests is the engine's and keeps degenerate ramps finite: with
    /// `t0 == t1` nothing lies between the first test and the second, so there is no
    /// division by 0. Every test fails for a NaN weight, which therefore gives 1 (and NaN
    /// where it is let through); tests against a NaN target fail alike.
    #[must_use]
    pub fn weight(&self, w: f32, mode: RampMode) -> f32 {
        let [t0, t1, t2, t3] = self.targets;
        if mode == RampMode::Overdrive && self.has_default_start() {
            return w;
        }
        if w <= t0 || w >= t3 {
            0.0
        } else if w < t1 {
            (w - t0) / (t1 - t0)
        } else if w > t2 {
            (t3 - w) / (t3 - t2)
        } else {
            1.0
        }
    }

    pub(crate) fn has_default_start(&self) -> bool {
        let [t0, t1, t2, _] = self.targets;
        t0 == 0.0 && t1 == 1.0 && t2 >= 10.0
    }
}

/// What a weight outside 0..1 does; engine branches differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RampMode {
    /// Every flex ramps as its targets say (the 2013 engine).
    #[default]
    Saturate,
    /// A flex with the default start (`0 1`, third target at least 10) takes the weight as
    /// it is: above 1 it exaggerates, below 0 it inverts. Other flexes ramp.
    Overdrive,
}

impl fmt::Display for RampMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Saturate => "saturate",
            Self::Overdrive => "overdrive",
        })
    }
}

impl FromStr for RampMode {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        match name {
            "saturate" => Ok(Self::Saturate),
            "overdrive" => Ok(Self::Overdrive),
            _ => Err(UnknownName {
                option: "ramp mode",
                expected: ["saturate", "overdrive"],
            }),
        }
    }
}
