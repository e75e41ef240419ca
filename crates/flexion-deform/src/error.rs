//! What a caller can get wrong.

use std::fmt;

use thiserror::Error as ThisError;

/// Misuse of a [`Deformer`](crate::Deformer): a slice of the wrong length.
///
/// Lengths are checked before anything is written, so the buffers are as they were.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ThisError)]
#[error("{buffer}: expected {expected} items, found {found}")]
pub struct Error {
    /// Which slice.
    pub buffer: Buffer,
    /// How many items the deformer needs there.
    pub expected: usize,
    /// How many it was given.
    pub found: usize,
}

impl Error {
    pub(crate) fn check(buffer: Buffer, expected: usize, found: usize) -> Result<(), Self> {
        if expected == found {
            return Ok(());
        }
        Err(Self {
            buffer,
            expected,
            found,
        })
    }
}

/// The slices that go in and out of a pose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Buffer {
    /// [`Weights::current`](crate::Weights::current), one item per descriptor.
    CurrentWeights,
    /// [`Weights::delayed`](crate::Weights::delayed), one item per descriptor.
    DelayedWeights,
    /// Positions out, one item per vertex.
    Positions,
    /// Normals out, one item per vertex.
    Normals,
    /// Tangents out, one item per tangent of the base (none if it has none).
    Tangents,
    /// Wrinkle values out, one item per vertex.
    Wrinkles,
    /// Vertices with all their attributes, in floats.
    Interleaved,
    /// Floats, or vertices, from one to the next: at least `expected`.
    Stride,
}

impl fmt::Display for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CurrentWeights => "current weights",
            Self::DelayedWeights => "delayed weights",
            Self::Positions => "positions",
            Self::Normals => "normals",
            Self::Tangents => "tangents",
            Self::Wrinkles => "wrinkles",
            Self::Interleaved => "interleaved vertices",
            Self::Stride => "stride",
        })
    }
}

/// A name that is none of an option's values, from the `FromStr` of
/// [`RampMode`](crate::RampMode) and [`Precision`](crate::Precision).
#[derive(Debug, Clone, Copy, PartialEq, Eq, ThisError)]
#[error("unknown {option}: expected {} or {}", .expected[0], .expected[1])]
pub struct UnknownName {
    /// The option, in words.
    pub option: &'static str,
    /// The names it knows.
    pub expected: [&'static str; 2],
}
