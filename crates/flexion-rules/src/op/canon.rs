//! The canonical function of each op: the only place where rule arithmetic is written.
//!
//! Floats in, one float out, each step rounded to f32 in the order written. The forms look clumsy on purpose:
//! `a < b ? b : a` and the standard library's `max` part on NaN and on the sign of zero, and a fused
//! multiply-add rounds once where the engine rounds twice. The source is `CStudioHdr::RunFlexRules` of the
//! SDK; every evaluator, the compiler's constant folding included, calls these.

use crate::rig::ControllerRange;

#[inline(always)]
pub(crate) fn add(a: f32, b: f32) -> f32 {
    a + b
}

#[inline(always)]
pub(crate) fn sub(a: f32, b: f32) -> f32 {
    a - b
}

#[inline(always)]
pub(crate) fn mul(a: f32, b: f32) -> f32 {
    a * b
}

/// The engine compares with the double 0.0001. The f32 nearest to it is below it and the next one above it,
/// so comparing with that f32 gives the same answer for every f32.
#[inline(always)]
pub(crate) fn div(a: f32, b: f32) -> f32 {
    if b > 0.0001 { a / b } else { 0.0 }
}

/// What ADD, SUB, MUL and NEG are compiled to. One of the two steps is exact and gives back its operand:
///
/// | op | as | exact step |
/// |---|---|---|
/// | a + b | a * 1 + b | product a |
/// | a - b | b * -1 + a | product -b |
/// | a * b | a * b + -0 | sum: -0 changes no float, not even 0 or -0 |
/// | -a | a * -1 + -0 | both |
#[inline(always)]
pub(crate) fn affine(a: f32, b: f32, c: f32) -> f32 {
    a * b + c
}

#[inline(always)]
pub(crate) fn neg(a: f32) -> f32 {
    -a
}

#[inline(always)]
pub(crate) fn max(a: f32, b: f32) -> f32 {
    if a < b { b } else { a }
}

#[inline(always)]
pub(crate) fn min(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

#[inline(always)]
pub(crate) fn two_way_0(x: f32) -> f32 {
    remap(x, -1.0, 0.0, 1.0, 0.0)
}

#[inline(always)]
pub(crate) fn two_way_1(x: f32) -> f32 {
    remap(x, 0.0, 1.0, 0.0, 1.0)
}

/// `f` is the multi controller's value, `r` the limits of its trapezoid, `x` the value it scales.
///
/// The order of the tests decides for degenerate, reversed and NaN limits; a NaN `f` passes all and counts as 1.
#[inline(always)]
pub(crate) fn nway(f: f32, r: [f32; 4], x: f32) -> f32 {
    let part = if f <= r[0] || f >= r[3] {
        0.0
    } else if f < r[1] {
        remap(f, r[0], r[1], 0.0, 1.0)
    } else if f > r[2] {
        remap(f, r[2], r[3], 1.0, 0.0)
    } else {
        1.0
    };
    part * x
}

/// `p` is the product of the dominating values.
#[inline(always)]
pub(crate) fn dominate(a: f32, p: f32) -> f32 {
    a * (1.0 - p)
}

/// `v` is the multi controller and `l` the lid's own, both scaled to 0..1; `u` is eyes-up-down scaled to -1..1.
#[inline(always)]
pub(crate) fn lower_eyelid(v: f32, l: f32, u: f32) -> f32 {
    if u > 0.0 {
        (1.0 - u) * (1.0 - v) * l
    } else {
        (1.0 - v) * l
    }
}

#[inline(always)]
pub(crate) fn upper_eyelid(v: f32, l: f32, u: f32) -> f32 {
    if u < 0.0 { (1.0 + u) * v * l } else { v * l }
}

/// A controller's value scaled from its range to 0..1.
#[inline(always)]
pub(crate) fn unit(x: f32, range: ControllerRange) -> f32 {
    remap(x, range.min, range.max, 0.0, 1.0)
}

/// A controller's value scaled from its range to -1..1.
#[inline(always)]
pub(crate) fn signed_unit(x: f32, range: ControllerRange) -> f32 {
    remap(x, range.min, range.max, -1.0, 1.0)
}

/// `RemapValClamped`: a..b becomes c..d, clamped; `a == b` is a step; NaN gives `c`.
#[inline(always)]
fn remap(x: f32, a: f32, b: f32, c: f32, d: f32) -> f32 {
    if a == b {
        return if x >= b { d } else { c };
    }
    let part = (x - a) / (b - a);
    // Both tests fail for a NaN, which so becomes the lower bound; `f32::clamp` would keep it.
    let part = if part > 0.0 { part } else { 0.0 };
    let part = if part < 1.0 { part } else { 1.0 };
    c + (d - c) * part
}

/// The engine's float-to-index conversion: truncates toward 0; `None` for NaN and what an `i32` cannot hold.
pub(crate) fn int(value: f32) -> Option<i32> {
    // 2^31 exactly; the largest f32 below it is an i32.
    const END: f32 = 2_147_483_648.0;
    (-END..END).contains(&value).then_some(value as i32)
}
