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
        }
    };
}

vector_lane!(f32x4, mask32x4, 4);
vector_lane!(f32x8, mask32x8, 8);
vector_lane!(f32x16, mask32x16, 16);
