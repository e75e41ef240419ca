//! Twice the frames of AVX2; a row is still one register of eight.

use flexion_simd::fearless_simd::x86::{Avx2, Avx512};
use flexion_simd::fearless_simd::{SimdFloat, f32x8, f32x16};

use crate::backend::{Isa, avx2};

/// AVX-512 as Ice Lake has it, which includes AVX2 and F16C.
#[derive(Clone, Copy)]
pub(super) struct Avx512Isa(pub(super) Avx512, pub(super) Avx2);

impl Isa for Avx512Isa {
    type Wide = f32x8<Avx2>;
    type Lane = f32x16<Avx512>;

    #[inline(always)]
    fn wide(self) -> Avx2 {
        self.1
    }

    #[inline(always)]
    fn lane(self) -> Avx512 {
        self.0
    }

    #[inline(always)]
    fn sqrt(value: f32x16<Avx512>) -> f32x16<Avx512> {
        value.sqrt()
    }

    #[inline(always)]
    fn turn(self, columns: &[f32], tile: usize, rows: &mut [f32], stride: usize) {
        avx2::turn(self.1, columns, tile, rows, stride);
    }
}
