//! Small functions that give the same bits on every platform.
//!
//! Only `+ - * /` and square roots are used besides `libm`, because the standard library's sines
//! differ from platform to platform and the files must not.

use glam::Vec3;

pub(crate) use std::f32::consts::{FRAC_PI_2, PI, TAU};

/// The point between `a` at 0 and `b` at 1.
pub(crate) fn lerp(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

/// Where `x` lies between `a` (0) and `b` (1), clamped.
pub(crate) fn ramp(a: f32, b: f32, x: f32) -> f32 {
    ((x - a) / (b - a)).clamp(0.0, 1.0)
}

/// As [`ramp`], leaving and arriving gently.
pub(crate) fn smooth(a: f32, b: f32, x: f32) -> f32 {
    let t = ramp(a, b, x);
    t * t * (3.0 - 2.0 * t)
}

/// 1 at `centre`, falling smoothly to 0 on the ellipsoid of radii `reach` around it.
pub(crate) fn bump(point: Vec3, centre: Vec3, reach: Vec3) -> f32 {
    let inside = (1.0 - ((point - centre) / reach).length_squared()).max(0.0);
    inside * inside
}

/// 1 at 0, falling smoothly to 0 at `-reach` and `reach`.
pub(crate) fn hill(x: f32, reach: f32) -> f32 {
    let inside = (1.0 - (x / reach) * (x / reach)).max(0.0);
    inside * inside
}

/// The direction with azimuth `around` (0 in front, growing to the left) and elevation `up`, in
/// radians.
pub(crate) fn direction(around: f32, up: f32) -> Vec3 {
    let flat = libm::cosf(up);
    Vec3::new(
        flat * libm::sinf(around),
        -flat * libm::cosf(around),
        libm::sinf(up),
    )
}

/// `point` turned about the axis through `hinge` along +X, by `angle` radians; positive lowers
/// what is in front.
pub(crate) fn nod(point: Vec3, hinge: Vec3, angle: f32) -> Vec3 {
    let (sin, cos) = (libm::sinf(angle), libm::cosf(angle));
    let from = point - hinge;
    hinge
        + Vec3::new(
            from.x,
            from.y * cos - from.z * sin,
            from.y * sin + from.z * cos,
        )
}
