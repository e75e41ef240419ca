//! Rows in one register, with F16C for the halves.

use std::arch::x86_64::{
    __m256, _mm256_blend_ps, _mm256_cvtepi16_epi32, _mm256_cvtepi32_ps, _mm256_cvtph_ps,
    _mm256_permute2f128_ps, _mm256_shuffle_ps, _mm256_unpackhi_ps, _mm256_unpacklo_ps,
};

use flexion_simd::Lane;
use flexion_simd::fearless_simd::x86::Avx2;
use flexion_simd::fearless_simd::{SimdBase, SimdFloat, SimdInto, f32x8, kernel, u16x8};

use crate::backend::{Isa, Wide, plain};
use crate::deltas::{LANES, Lanes, Row};

/// AVX2 and F16C.
#[derive(Clone, Copy)]
pub(super) struct Avx2Isa(pub(super) Avx2);

impl Isa for Avx2Isa {
    type Wide = f32x8<Avx2>;
    type Lane = f32x8<Avx2>;

    #[inline(always)]
    fn wide(self) -> Avx2 {
        self.0
    }

    #[inline(always)]
    fn lane(self) -> Avx2 {
        self.0
    }

    #[inline(always)]
    fn sqrt(value: f32x8<Avx2>) -> f32x8<Avx2> {
        value.sqrt()
    }

    #[inline(always)]
    fn turn(self, columns: &[f32], tile: usize, rows: &mut [f32], stride: usize) {
        turn(self.0, columns, tile, rows, stride);
    }
}

/// Eight columns at a time, if there are so many.
#[inline(always)]
pub(super) fn turn(token: Avx2, columns: &[f32], tile: usize, rows: &mut [f32], stride: usize) {
    let count = columns.len() / tile;
    if !count.is_multiple_of(LANES) || !tile.is_multiple_of(LANES) {
        return plain::turn(columns, tile, rows, stride);
    }
    for at in (0..count).step_by(LANES) {
        for frame in (0..tile).step_by(LANES) {
            let mut block = [<f32x8<Avx2> as SimdBase<Avx2>>::splat(token, 0.0); LANES];
            for (i, column) in block.iter_mut().enumerate() {
                let from = &columns[(at + i) * tile + frame..][..LANES];
                *column = f32x8::from_slice(token, from);
            }
            for (i, row) in turn_block(token, block).into_iter().enumerate() {
                row.store_slice(&mut rows[(frame + i) * stride + at..][..LANES]);
            }
        }
    }
}

impl Wide for f32x8<Avx2> {
    type Token = Avx2;

    #[inline(always)]
    fn splat(token: Avx2, value: f32) -> Self {
        <Self as SimdBase<Avx2>>::splat(token, value)
    }

    #[inline(always)]
    fn load(token: Avx2, from: &Lanes) -> Self {
        Self::from_slice(token, from)
    }

    #[inline(always)]
    fn store(self, to: &mut Lanes) {
        self.store_slice(to);
    }

    #[inline(always)]
    fn halves(token: Avx2, row: &Row) -> Self {
        halves(token, u16x8::from_slice(token, row))
    }

    #[inline(always)]
    fn fixed(token: Avx2, row: &Row, scale: Self) -> Self {
        integers(token, u16x8::from_slice(token, row)) * scale
    }

    #[inline(always)]
    fn with_wrinkle(self, token: Avx2, fixed: Self) -> Self {
        blend_wrinkle(token, self, fixed)
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self * other
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self + other
    }

    #[inline(always)]
    fn root_or_one(self, token: Avx2) -> Self {
        let root = self.sqrt();
        let zero = <Self as Wide>::splat(token, 0.0);
        Lane::select(zero.lt(root), root, <Self as Wide>::splat(token, 1.0))
    }
}

kernel! {
    #[inline(always)]
    fn halves(avx2: Avx2, row: u16x8<Avx2>) -> f32x8<Avx2> {
        _mm256_cvtph_ps(row.into()).simd_into(avx2)
    }
}

kernel! {
    #[inline(always)]
    fn integers(avx2: Avx2, row: u16x8<Avx2>) -> f32x8<Avx2> {
        _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(row.into())).simd_into(avx2)
    }
}

kernel! {
    #[inline(always)]
    fn blend_wrinkle(avx2: Avx2, others: f32x8<Avx2>, wrinkle: f32x8<Avx2>) -> f32x8<Avx2> {
        _mm256_blend_ps::<0b0100_0000>(others.into(), wrinkle.into()).simd_into(avx2)
    }
}

kernel! {
    /// Eight columns to eight rows.
    #[inline(always)]
    fn turn_block(avx2: Avx2, columns: [f32x8<Avx2>; 8]) -> [f32x8<Avx2>; 8] {
        let [c0, c1, c2, c3, c4, c5, c6, c7] = columns;
        let [a0, a1, a2, a3] = turn_half(avx2, [c0, c1, c2, c3]);
        let [b0, b1, b2, b3] = turn_half(avx2, [c4, c5, c6, c7]);
        [
            _mm256_permute2f128_ps::<0x20>(a0, b0).simd_into(avx2),
            _mm256_permute2f128_ps::<0x20>(a1, b1).simd_into(avx2),
            _mm256_permute2f128_ps::<0x20>(a2, b2).simd_into(avx2),
            _mm256_permute2f128_ps::<0x20>(a3, b3).simd_into(avx2),
            _mm256_permute2f128_ps::<0x31>(a0, b0).simd_into(avx2),
            _mm256_permute2f128_ps::<0x31>(a1, b1).simd_into(avx2),
            _mm256_permute2f128_ps::<0x31>(a2, b2).simd_into(avx2),
            _mm256_permute2f128_ps::<0x31>(a3, b3).simd_into(avx2),
        ]
    }
}

kernel! {
    /// Four columns to the halves of eight rows: rows 0 and 4 in the first, and so on.
    #[inline(always)]
    fn turn_half(avx2: Avx2, columns: [f32x8<Avx2>; 4]) -> [__m256; 4] {
        let [c0, c1, c2, c3] = columns;
        let low = _mm256_unpacklo_ps(c0.into(), c1.into());
        let high = _mm256_unpackhi_ps(c0.into(), c1.into());
        let low_after = _mm256_unpacklo_ps(c2.into(), c3.into());
        let high_after = _mm256_unpackhi_ps(c2.into(), c3.into());
        [
            _mm256_shuffle_ps::<0b01_00_01_00>(low, low_after),
            _mm256_shuffle_ps::<0b11_10_11_10>(low, low_after),
            _mm256_shuffle_ps::<0b01_00_01_00>(high, high_after),
            _mm256_shuffle_ps::<0b11_10_11_10>(high, high_after),
        ]
    }
}
