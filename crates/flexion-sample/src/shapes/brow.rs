//! Brows, forehead, nose and cheeks.

use glam::{Vec3, vec3};

use crate::math::{bump, smooth};
use crate::shapes::Spot;

/// AU1: the inner ends of the brows rise.
pub(crate) fn inner_raiser(spot: &Spot) -> Vec3 {
    let hill = bump(spot.at, vec3(0.62, -3.4, 66.85), vec3(1.25, 1.6, 1.45));
    vec3(-0.04, 0.02, 0.52) * hill * spot.soft * beside(spot)
}

/// AU2: their outer ends rise.
pub(crate) fn outer_raiser(spot: &Spot) -> Vec3 {
    let hill = bump(spot.at, vec3(1.72, -3.0, 66.95), vec3(1.40, 1.9, 1.40));
    vec3(0.03, 0.02, 0.44) * hill * spot.soft
}

/// AU4: they come down and together.
pub(crate) fn lowerer(spot: &Spot) -> Vec3 {
    let inner = bump(spot.at, vec3(0.60, -3.4, 66.7), vec3(1.15, 1.6, 1.10));
    let outer = bump(spot.at, vec3(1.55, -3.1, 66.9), vec3(1.20, 1.6, 0.95));
    let pinch = vec3(-0.20, -0.10, -0.42) * inner;
    (pinch * beside(spot) + vec3(-0.04, 0.0, -0.12) * outer) * spot.soft
}

/// AU1 with AU4: the brow of sorrow, steep toward the middle.
pub(crate) fn sorrow(spot: &Spot) -> Vec3 {
    let inner = bump(spot.at, vec3(0.55, -3.4, 66.8), vec3(0.9, 1.5, 1.0));
    let outer = bump(spot.at, vec3(1.75, -3.0, 66.85), vec3(1.0, 1.6, 0.9));
    (vec3(-0.05, 0.0, 0.30) * inner * beside(spot) + vec3(0.0, 0.0, -0.16) * outer) * spot.soft
}

/// AU6: the cheek rises against the eye.
pub(crate) fn squint(spot: &Spot) -> Vec3 {
    let cheek = bump(spot.at, vec3(1.45, -3.05, 64.75), vec3(1.15, 1.5, 0.95));
    let corner = bump(spot.at, vec3(2.25, -2.5, 65.6), vec3(0.8, 1.3, 0.8));
    (vec3(0.02, -0.10, 0.24) * cheek + vec3(-0.05, -0.02, 0.0) * corner) * spot.soft
}

/// AU9: the nose wrinkles, taking the upper lip and the brow with it.
pub(crate) fn wrinkler(spot: &Spot) -> Vec3 {
    let wing = bump(spot.at, vec3(0.45, -3.7, 63.95), vec3(0.75, 1.0, 0.75));
    let bridge = bump(spot.at, vec3(0.25, -3.5, 65.2), vec3(0.7, 1.2, 0.9));
    let lip = bump(spot.at, vec3(0.40, -3.5, 63.1), vec3(1.0, 1.2, 0.75)) * (1.0 - spot.lower);
    let brow = bump(spot.at, vec3(0.5, -3.4, 66.6), vec3(1.0, 1.5, 0.8));
    let moved = vec3(0.06, 0.03, 0.27) * wing
        + vec3(0.0, -0.07, 0.12) * bridge
        + vec3(0.03, -0.02, 0.16) * lip
        + vec3(-0.08, -0.04, -0.20) * brow;
    moved * spot.soft * beside(spot)
}

/// AU34: a cheek full of air.
pub(crate) fn cheek_puffer(spot: &Spot) -> Vec3 {
    let cheek = bump(spot.at, vec3(1.75, -2.35, 63.25), vec3(1.55, 1.9, 1.35));
    let lip = bump(spot.at, vec3(0.4, -3.6, 62.75), vec3(0.9, 1.0, 0.8));
    (vec3(0.52, -0.36, 0.02) * cheek + vec3(0.0, -0.10, 0.0) * lip) * spot.soft * beside(spot)
}

/// The muscle at the angle of the jaw stands out.
pub(crate) fn jaw_clencher(spot: &Spot) -> Vec3 {
    let angle = bump(spot.at, vec3(2.25, -0.8, 63.2), vec3(0.9, 1.3, 1.0));
    vec3(0.14, -0.03, 0.0) * angle * spot.soft
}

/// 0 in the middle of the face, 1 a little beside it: no sideways motion tears the middle.
fn beside(spot: &Spot) -> Vec3 {
    vec3(smooth(0.0, 0.3, spot.at.x), 1.0, 1.0)
}

/// Creases over the brow: how much the skin there is pressed together (positive).
pub(crate) fn forehead_crease(at: Vec3) -> f32 {
    bump(at, vec3(0.7, -3.4, 67.8), vec3(1.6, 1.5, 1.2))
}

/// The crease between the brows.
pub(crate) fn frown_crease(at: Vec3) -> f32 {
    bump(at, vec3(0.15, -3.5, 66.7), vec3(0.7, 1.2, 0.9))
}

/// Lines beside the eye.
pub(crate) fn eye_crease(at: Vec3) -> f32 {
    bump(at, vec3(2.25, -2.4, 65.6), vec3(0.8, 1.2, 0.9))
}

/// Lines over the bridge of the nose.
pub(crate) fn nose_crease(at: Vec3) -> f32 {
    bump(at, vec3(0.2, -3.6, 65.2), vec3(0.7, 1.2, 0.9))
}

/// The fold from the nose to the corner of the mouth.
pub(crate) fn smile_crease(at: Vec3) -> f32 {
    bump(at, vec3(1.15, -3.2, 63.4), vec3(0.7, 1.2, 0.8))
}
