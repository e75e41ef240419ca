//! The vectors of the kernels: eight lanes of a row, or a lane for each frame.
//!
//! A kernel is a [`Job`], written once over an [`Isa`]. An instruction set has two vector
//! types: [`Wide`] holds the eight lanes of one row (one pose), `Lane` the same number for
//! several frames (many poses). Which of them run is [`Backend`]'s to say:
//!
//! | backend | `Wide` | `Lane` | halves |
//! |---|---|---|---|
//! | `scalar` | eight floats | one float | in integers |
//! | `sse2`, `neon` | eight floats, vectorised by the compiler | 4 | in integers |
//! | `avx2` | one register | 8 | by F16C |
//! | `avx512` | one register, that of AVX2 | 16 | by F16C |
//!
//! The baseline instructions of a platform are on in all code that is compiled for it, so
//! eight plain floats are two registers there and need no kernels of their own.
//!
//! All give the same bits: an operation is one IEEE operation a lane. Only a NaN's payload
//! is left to the processor.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod plain;

use flexion_simd::fearless_simd::{Simd, SimdFloat, f32x4};
use flexion_simd::{Backend, Lane};

use crate::deltas::{Lanes, Row};

/// The eight lanes of a row, as floats.
pub(crate) trait Wide: Copy {
    /// Proof that the processor has the instructions.
    type Token: Copy;

    fn splat(token: Self::Token, value: f32) -> Self;
    fn load(token: Self::Token, from: &Lanes) -> Self;
    fn store(self, to: &mut Lanes);
    /// Half floats to floats.
    fn halves(token: Self::Token, row: &Row) -> Self;
    /// Integers to multiples of the scale.
    fn fixed(token: Self::Token, row: &Row, scale: Self) -> Self;
    /// The wrinkle lane of `fixed`, the other lanes of `self`.
    fn with_wrinkle(self, token: Self::Token, fixed: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn plus(self, other: Self) -> Self;
    /// The square root, or 1 where that is 0 or not a number.
    fn root_or_one(self, token: Self::Token) -> Self;
}

/// An instruction set, with the proof that the processor has it.
pub(crate) trait Isa: Copy {
    /// Eight lanes of a row.
    type Wide: Wide;
    /// A float for each of some frames.
    type Lane: Lane;

    fn wide(self) -> <Self::Wide as Wide>::Token;
    fn lane(self) -> <Self::Lane as Lane>::Token;
    fn sqrt(value: Self::Lane) -> Self::Lane;
    /// Turns columns of `tile` floats into `tile` rows, `stride` floats apart.
    fn turn(self, columns: &[f32], tile: usize, rows: &mut [f32], stride: usize);
}

/// A kernel with its arguments. `run` and what it calls must be `#[inline(always)]`, so that
/// they are compiled for the instructions of `I`.
pub(crate) trait Job {
    type Output;
    fn run<I: Isa>(self, isa: I) -> Self::Output;
}

/// Runs a kernel, compiled for the backend.
pub(crate) fn run<J: Job>(backend: Backend, job: J) -> J::Output {
    let Some(level) = backend.level() else {
        return job.run(Scalar);
    };
    #[cfg(target_arch = "x86_64")]
    {
        if let (Some(token), Some(rows)) = (level.as_avx512(), level.as_avx2()) {
            return token.vectorize(
                #[inline(always)]
                || job.run(avx512::Avx512Isa(token, rows)),
            );
        }
        if let Some(token) = level.as_avx2() {
            return token.vectorize(
                #[inline(always)]
                || job.run(avx2::Avx2Isa(token)),
            );
        }
        if let Some(token) = level.as_sse2() {
            return job.run(Baseline(token));
        }
    }
    #[cfg(target_arch = "aarch64")]
    if let Some(token) = level.as_neon() {
        return job.run(Baseline(token));
    }
    let _ = level;
    job.run(Scalar)
}

#[derive(Clone, Copy)]
struct Scalar;

impl Isa for Scalar {
    type Wide = plain::Plain;
    type Lane = f32;

    #[inline(always)]
    fn wide(self) {}

    #[inline(always)]
    fn lane(self) {}

    #[inline(always)]
    fn sqrt(value: f32) -> f32 {
        value.sqrt()
    }

    #[inline(always)]
    fn turn(self, columns: &[f32], tile: usize, rows: &mut [f32], stride: usize) {
        plain::turn(columns, tile, rows, stride);
    }
}

/// The vectors that every processor of the platform has.
#[derive(Clone, Copy)]
struct Baseline<S>(S);

impl<S: Simd> Isa for Baseline<S> {
    type Wide = plain::Plain;
    type Lane = f32x4<S>;

    #[inline(always)]
    fn wide(self) {}

    #[inline(always)]
    fn lane(self) -> S {
        self.0
    }

    #[inline(always)]
    fn sqrt(value: f32x4<S>) -> f32x4<S> {
        value.sqrt()
    }

    #[inline(always)]
    fn turn(self, columns: &[f32], tile: usize, rows: &mut [f32], stride: usize) {
        plain::turn(columns, tile, rows, stride);
    }
}
