//! The canonical function of each op: the only place where rule arithmetic is written.
//!
//! Lanes in, one lane out, each step rounded to f32 in the order written. The forms look clumsy on purpose:
//! `a < b ? b : a` and the standard library's `max` part on NaN and on the sign of zero, and a fused
//! multiply-add rounds once where the engine rounds twice. The source is `CStudioHdr::RunFlexRules` of the
//! SDK; every evaluator, the compiler's constant folding included, calls these.
//!
//! Branches of the engine are selections here, so that the same text serves one pose and many: both sides are
//! computed and the one that the engine would have computed is taken, whatever became of the other.

use flexion_simd::Lane;

#[inline(always)]
pub(crate) fn add<L: Lane>(a: L, b: L) -> L {
    a + b
}

#[inline(always)]
pub(crate) fn sub<L: Lane>(a: L, b: L) -> L {
    a - b
}

#[inline(always)]
pub(crate) fn mul<L: Lane>(a: L, b: L) -> L {
    a * b
}

/// The engine compares with the double 0.0001. The f32 nearest to it is below it and the next one above it,
/// so comparing with that f32 gives the same answer for every f32.
#[inline(always)]
pub(crate) fn div<L: Lane>(t: L::Token, a: L, b: L) -> L {
    L::select(L::splat(t, 0.0001).lt(b), a / b, L::splat(t, 0.0))
}

/// What ADD, SUB, MUL and NEG are compiled to, alone or two of them merged: each has its own rounding here as
/// there. Where only one is meant, the other step is exact and gives back its operand:
///
/// | op | as | exact step |
/// |---|---|---|
/// | a + b | a * 1 + b | product a |
/// | a - b | b * -1 + a | product -b |
/// | a * b | a * b + -0 | sum: -0 changes no float, not even 0 or -0 |
/// | -a | a * -1 + -0 | both |
/// | a - b * 0.8 | b * -0.8 + a | none, and none is merged away: x - y is x + -y in every bit |
#[inline(always)]
pub(crate) fn affine<L: Lane>(a: L, b: L, c: L) -> L {
    a * b + c
}

/// An affine value times another: what `x * (1 - y)` is compiled to, the commonest phrase of rules.
#[inline(always)]
pub(crate) fn damp<L: Lane>(a: L, b: L, c: L, d: L) -> L {
    (a * b + c) * d
}

/// -a, and -0 for 0: 0 - a would be 0 there.
#[inline(always)]
pub(crate) fn neg<L: Lane>(t: L::Token, a: L) -> L {
    a * L::splat(t, -1.0)
}

#[inline(always)]
pub(crate) fn max<L: Lane>(a: L, b: L) -> L {
    L::select(a.lt(b), b, a)
}

#[inline(always)]
pub(crate) fn min<L: Lane>(a: L, b: L) -> L {
    L::select(b.lt(a), b, a)
}

#[inline(always)]
pub(crate) fn two_way_0<L: Lane>(t: L::Token, x: L) -> L {
    let end = |value| L::splat(t, value);
    remap(t, x, end(-1.0), end(0.0), end(1.0), end(0.0))
}

#[inline(always)]
pub(crate) fn two_way_1<L: Lane>(t: L::Token, x: L) -> L {
    unit(t, x, L::splat(t, 0.0), L::splat(t, 1.0))
}

/// The first factor of NWAY: `f` is the multi controller's value, `r` the limits of its trapezoid.
///
/// The order of the tests decides for degenerate, reversed and NaN limits; a NaN `f` passes all and counts as 1.
#[inline(always)]
pub(crate) fn trapezoid<L: Lane>(t: L::Token, f: L, [r0, r1, r2, r3]: [L; 4]) -> L {
    let (zero, one) = (L::splat(t, 0.0), L::splat(t, 1.0));
    let rising = remap(t, f, r0, r1, zero, one);
    let falling = remap(t, f, r2, r3, one, zero);
    let inside = L::select(f.lt(r1), rising, L::select(r2.lt(f), falling, one));
    L::select(f.le(r0), zero, L::select(r3.le(f), zero, inside))
}

/// NWAY whole: `x` is the value that the trapezoid scales.
#[inline(always)]
pub(crate) fn nway<L: Lane>(t: L::Token, f: L, limits: [L; 4], x: L) -> L {
    trapezoid(t, f, limits) * x
}

/// `p` is the product of the dominating values.
#[inline(always)]
pub(crate) fn dominate<L: Lane>(t: L::Token, a: L, p: L) -> L {
    a * (L::splat(t, 1.0) - p)
}

/// `v` is the multi controller and `l` the lid's own, both scaled to 0..1; `u` is eyes-up-down scaled to -1..1.
#[inline(always)]
pub(crate) fn lower_eyelid<L: Lane>(t: L::Token, v: L, l: L, u: L) -> L {
    let (zero, one) = (L::splat(t, 0.0), L::splat(t, 1.0));
    let rest = one - v;
    L::select(zero.lt(u), (one - u) * rest * l, rest * l)
}

#[inline(always)]
pub(crate) fn upper_eyelid<L: Lane>(t: L::Token, v: L, l: L, u: L) -> L {
    let (zero, one) = (L::splat(t, 0.0), L::splat(t, 1.0));
    L::select(u.lt(zero), (one + u) * v * l, v * l)
}

/// A controller's value scaled from its range to 0..1.
#[inline(always)]
pub(crate) fn unit<L: Lane>(t: L::Token, x: L, min: L, max: L) -> L {
    remap(t, x, min, max, L::splat(t, 0.0), L::splat(t, 1.0))
}

/// A controller's value scaled from its range to -1..1.
#[inline(always)]
pub(crate) fn signed_unit<L: Lane>(t: L::Token, x: L, min: L, max: L) -> L {
    remap(t, x, min, max, L::splat(t, -1.0), L::splat(t, 1.0))
}

/// `RemapValClamped`: a..b becomes c..d, clamped; `a == b` is a step; NaN gives `c`.
#[inline(always)]
fn remap<L: Lane>(t: L::Token, x: L, a: L, b: L, c: L, d: L) -> L {
    let (zero, one) = (L::splat(t, 0.0), L::splat(t, 1.0));
    let part = (x - a) / (b - a);
    // Both tests fail for a NaN, which so becomes the lower bound; `f32::clamp` would keep it.
    let part = L::select(zero.lt(part), part, zero);
    let part = L::select(part.lt(one), part, one);
    let step = L::select(b.le(x), d, c);
    L::select(a.eq(b), step, c + (d - c) * part)
}

/// The engine's float-to-index conversion: truncates toward 0; `None` for NaN and what an `i32` cannot hold.
pub(crate) fn int(value: f32) -> Option<i32> {
    // 2^31 exactly; the largest f32 below it is an i32.
    const END: f32 = 2_147_483_648.0;
    (-END..END).contains(&value).then_some(value as i32)
}
