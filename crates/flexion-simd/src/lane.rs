//! One float or a vector of them, as the same type to a kernel.

use std::ops::{Add, Div, Mul, Sub};

use fearless_simd::{Select, Simd, SimdBase, f32x4, f32x8, f32x16};

/// A float for each of [`LANES`](Lane::LANES) poses.
///
/// Every operation works lane by lane and rounds as IEEE 754 says, so a lane's result does not depend on how many
/// others there are. Comparisons with a NaN are false.
pub trait Lane:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// Proof that the processor has the instructions.
    type Token: Copy;
    /// A truth value for each lane.
    type Mask: Copy;
    /// How many floats this is.
    const LANES: usize;

    /// The same float in every lane.
    fn splat(token: Self::Token, value: f32) -> Self;
    /// The first [`LANES`](Lane::LANES) floats of a slice.
    ///
    /// # Panics
    ///
    /// If there are fewer.
    fn load(token: Self::Token, from: &[f32]) -> Self;
    /// Overwrites the first [`LANES`](Lane::LANES) floats of a slice.
    ///
    /// # Panics
    ///
    /// If there are fewer.
    fn store(self, to: &mut [f32]);
    /// Where `self < other`.
    fn lt(self, other: Self) -> Self::Mask;
    /// Where `self <= other`.
    fn le(self, other: Self) -> Self::Mask;
    /// Where `self == other`.
    fn eq(self, other: Self) -> Self::Mask;
    /// `yes` where the mask is true, else `no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// Rows to columns, whatever the number of lanes.
    #[inline(always)]
    fn transpose(token: Self::Token, square: [[f32; 4]; 4]) -> [[f32; 4]; 4] {
        let _ = token;
        let [a, b, c, d] = square;
        [
            [a[0], b[0], c[0], d[0]],
            [a[1], b[1], c[1], d[1]],
            [a[2], b[2], c[2], d[2]],
            [a[3], b[3], c[3], d[3]],
        ]
    }
    /// Eight rows of four to four columns of eight.
    #[inline(always)]
    fn to_columns(token: Self::Token, rows: [[f32; 4]; 8]) -> [[f32; 8]; 4] {
        two_squares::to_columns(rows, |square| Self::transpose(token, square))
    }
    /// The way back.
    #[inline(always)]
    fn to_rows(token: Self::Token, columns: [[f32; 8]; 4]) -> [[f32; 4]; 8] {
        two_squares::to_rows(columns, |square| Self::transpose(token, square))
    }
}

/// Eight by four as two squares, one after the other.
mod two_squares {
    type Square = [[f32; 4]; 4];

    #[inline(always)]
    pub(super) fn to_columns(
        [a, b, c, d, e, f, g, h]: [[f32; 4]; 8],
        transpose: impl Fn(Square) -> Square,
    ) -> [[f32; 8]; 4] {
        let (low, high) = (transpose([a, b, c, d]), transpose([e, f, g, h]));
        let mut columns = [[0.0; 8]; 4];
        for (i, column) in columns.iter_mut().enumerate() {
            column[..4].copy_from_slice(&low[i]);
            column[4..].copy_from_slice(&high[i]);
        }
        columns
    }

    #[inline(always)]
    pub(super) fn to_rows(
        columns: [[f32; 8]; 4],
        transpose: impl Fn(Square) -> Square,
    ) -> [[f32; 4]; 8] {
        let (mut low, mut high) = ([[0.0; 4]; 4], [[0.0; 4]; 4]);
        for (i, column) in columns.iter().enumerate() {
            low[i].copy_from_slice(&column[..4]);
            high[i].copy_from_slice(&column[4..]);
        }
        let ([a, b, c, d], [e, f, g, h]) = (transpose(low), transpose(high));
        [a, b, c, d, e, f, g, h]
    }
}

/// [`Lane::transpose`] of two squares side by side, where there are instructions for both at once.
#[cfg(target_arch = "x86_64")]
mod wide {
    use fearless_simd::{Simd, SimdBase, SimdInto, f32x4, f32x8};

    fearless_simd::kernel!(
        #[inline]
        fn turn(
            avx2: Avx2,
            pairs: [f32x8<fearless_simd::x86::Avx2>; 4],
        ) -> [f32x8<fearless_simd::x86::Avx2>; 4] {
            use std::arch::x86_64::{_mm256_unpackhi_ps, _mm256_unpacklo_ps};
            let [a, b, c, d] = pairs;
            let (a, b, c, d) = (a.into(), b.into(), c.into(), d.into());
            let (ac_low, ac_high) = (_mm256_unpacklo_ps(a, c), _mm256_unpackhi_ps(a, c));
            let (bd_low, bd_high) = (_mm256_unpacklo_ps(b, d), _mm256_unpackhi_ps(b, d));
            [
                _mm256_unpacklo_ps(ac_low, bd_low).simd_into(avx2),
                _mm256_unpackhi_ps(ac_low, bd_low).simd_into(avx2),
                _mm256_unpacklo_ps(ac_high, bd_high).simd_into(avx2),
                _mm256_unpackhi_ps(ac_high, bd_high).simd_into(avx2),
            ]
        }
    );

    /// Rows 0 to 3 in the low halves, 4 to 7 in the high ones.
    #[inline(always)]
    pub(super) fn to_columns<S: Simd>(token: S, rows: [[f32; 4]; 8]) -> Option<[[f32; 8]; 4]> {
        let avx2 = token.level().as_avx2()?;
        let [a, b, c, d, e, f, g, h] = rows;
        let [w, x, y, z] = turn(
            avx2,
            [
                pair(avx2, a, e),
                pair(avx2, b, f),
                pair(avx2, c, g),
                pair(avx2, d, h),
            ],
        );
        Some([w.into(), x.into(), y.into(), z.into()])
    }

    #[inline(always)]
    fn pair<S: Simd>(token: S, low: [f32; 4], high: [f32; 4]) -> f32x8<S> {
        let (low, high) = (
            f32x4::from_slice(token, &low),
            f32x4::from_slice(token, &high),
        );
        token.combine_f32x4(low, high)
    }

    #[inline(always)]
    pub(super) fn to_rows<S: Simd>(token: S, columns: [[f32; 8]; 4]) -> Option<[[f32; 4]; 8]> {
        let avx2 = token.level().as_avx2()?;
        let [a, b, c, d] = columns;
        let (a, b) = (f32x8::from_slice(avx2, &a), f32x8::from_slice(avx2, &b));
        let (c, d) = (f32x8::from_slice(avx2, &c), f32x8::from_slice(avx2, &d));
        let [w, x, y, z] = turn(avx2, [a, b, c, d]);
        let ((a, e), (b, f)) = (avx2.split_f32x8(w), avx2.split_f32x8(x));
        let ((c, g), (d, h)) = (avx2.split_f32x8(y), avx2.split_f32x8(z));
        Some([
            a.into(),
            b.into(),
            c.into(),
            d.into(),
            e.into(),
            f.into(),
            g.into(),
            h.into(),
        ])
    }
}

/// Without instructions of 32 bytes two squares are two squares.
#[cfg(not(target_arch = "x86_64"))]
mod wide {
    use fearless_simd::Simd;

    pub(super) fn to_columns<S: Simd>(_: S, _: [[f32; 4]; 8]) -> Option<[[f32; 8]; 4]> {
        None
    }

    pub(super) fn to_rows<S: Simd>(_: S, _: [[f32; 8]; 4]) -> Option<[[f32; 4]; 8]> {
        None
    }
}

/// [`Lane::transpose`] by interleaving twice.
#[inline(always)]
fn transpose<S: Simd>(token: S, square: [[f32; 4]; 4]) -> [[f32; 4]; 4] {
    let [a, b, c, d] = square;
    let (a, b) = (f32x4::from_slice(token, &a), f32x4::from_slice(token, &b));
    let (c, d) = (f32x4::from_slice(token, &c), f32x4::from_slice(token, &d));
    let (ac_low, ac_high) = (a.zip_low(c), a.zip_high(c));
    let (bd_low, bd_high) = (b.zip_low(d), b.zip_high(d));
    [
        ac_low.zip_low(bd_low).into(),
        ac_low.zip_high(bd_low).into(),
        ac_high.zip_low(bd_high).into(),
        ac_high.zip_high(bd_high).into(),
    ]
}

impl Lane for f32 {
    type Token = ();
    type Mask = bool;
    const LANES: usize = 1;

    #[inline(always)]
    fn splat((): (), value: f32) -> f32 {
        value
    }

    #[inline(always)]
    fn load((): (), from: &[f32]) -> f32 {
        from[0]
    }

    #[inline(always)]
    fn store(self, to: &mut [f32]) {
        to[0] = self;
    }

    #[inline(always)]
    fn lt(self, other: f32) -> bool {
        self < other
    }

    #[inline(always)]
    fn le(self, other: f32) -> bool {
        self <= other
    }

    #[inline(always)]
    fn eq(self, other: f32) -> bool {
        self == other
    }

    #[inline(always)]
    fn select(mask: bool, yes: f32, no: f32) -> f32 {
        if mask { yes } else { no }
    }
}

macro_rules! vector_lane {
    ($vector:ident, $mask:ident, $lanes:literal) => {
        impl<S: Simd> Lane for $vector<S> {
            type Token = S;
            type Mask = fearless_simd::$mask<S>;
            const LANES: usize = $lanes;

            #[inline(always)]
            fn splat(token: S, value: f32) -> Self {
                <Self as SimdBase<S>>::splat(token, value)
            }

            #[inline(always)]
            fn load(token: S, from: &[f32]) -> Self {
                Self::from_slice(token, &from[..$lanes])
            }

            #[inline(always)]
            fn store(self, to: &mut [f32]) {
                self.store_slice(&mut to[..$lanes]);
            }

            #[inline(always)]
            fn lt(self, other: Self) -> Self::Mask {
                self.simd_lt(other)
            }

            #[inline(always)]
            fn le(self, other: Self) -> Self::Mask {
                self.simd_le(other)
            }

            #[inline(always)]
            fn eq(self, other: Self) -> Self::Mask {
                self.simd_eq(other)
            }

            #[inline(always)]
            fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
                mask.select(yes, no)
            }

            #[inline(always)]
            fn transpose(token: S, square: [[f32; 4]; 4]) -> [[f32; 4]; 4] {
                transpose(token, square)
            }

            #[inline(always)]
            fn to_columns(token: S, rows: [[f32; 4]; 8]) -> [[f32; 8]; 4] {
                match wide::to_columns(token, rows) {
                    Some(columns) => columns,
                    None => two_squares::to_columns(
                        rows,
                        #[inline(always)]
                        |square| transpose(token, square),
                    ),
                }
            }

            #[inline(always)]
            fn to_rows(token: S, columns: [[f32; 8]; 4]) -> [[f32; 4]; 8] {
                match wide::to_rows(token, columns) {
                    Some(rows) => rows,
                    None => two_squares::to_rows(
                        columns,
                        #[inline(always)]
                        |square| transpose(token, square),
                    ),
                }
            }
        }
    };
}

vector_lane!(f32x4, mask32x4, 4);
vector_lane!(f32x8, mask32x8, 8);
vector_lane!(f32x16, mask32x16, 16);
