//! Jaw, lips and tongue.

use glam::{Vec3, vec3};

use crate::math::{bump, hill, nod, smooth};
use crate::mesh::Part;
use crate::sculpt::MOUTH;
use crate::shapes::Spot;

/// The axis that the jaw turns about, in front of the ears.
pub(crate) const HINGE: Vec3 = vec3(0.0, -0.15, 64.2);
/// How far the jaw drops, in radians.
const DROP: f32 = 0.30;

/// How much a vertex goes with the jaw.
fn with_jaw(spot: &Spot) -> f32 {
    match spot.part {
        Part::Jaw | Part::Tongue => 1.0,
        Part::Fixed => 0.0,
        Part::Soft | Part::Lip(_) | Part::Lid(_) => {
            spot.lower * smooth(59.6, 61.6, spot.at.z) * smooth(1.0, -1.0, spot.at.y)
        }
    }
}

fn dropped(spot: &Spot, angle: f32) -> Vec3 {
    let turned = nod(spot.at, HINGE, angle) - spot.at;
    // The corners are drawn in a little by the lips' tension.
    let corner = bump(spot.at, vec3(1.0, -3.1, MOUTH.y), vec3(0.7, 1.2, 0.6)) * spot.soft;
    turned * with_jaw(spot) + vec3(-0.35 * angle, 0.0, 0.0) * corner
}

/// AU26/27: the jaw drops as far as it goes.
pub(crate) fn jaw_drop(spot: &Spot) -> Vec3 {
    dropped(spot, DROP)
}

/// Half-way there, on the arc and not on its chord.
pub(crate) fn jaw_half(spot: &Spot) -> Vec3 {
    dropped(spot, DROP / 2.0)
}

/// The jaw goes to the left; the right side of the face mirrors `side`.
pub(crate) fn jaw_left(spot: &Spot) -> Vec3 {
    let soft = bump(spot.at, vec3(0.0, -3.3, 63.1), vec3(1.6, 1.3, 0.9)) * spot.soft * 0.25;
    vec3(0.36 * spot.side, 0.0, 0.0) * with_jaw(spot).max(soft) * smooth(0.3, -1.6, spot.at.y)
}

/// The jaw goes to the right.
pub(crate) fn jaw_right(spot: &Spot) -> Vec3 {
    -jaw_left(spot)
}

fn corner(spot: &Spot, reach: Vec3) -> f32 {
    bump(spot.at, vec3(0.98, -3.1, 62.85), reach) * spot.soft
}

fn upper_lip(spot: &Spot, x: f32, reach: f32) -> f32 {
    let hill = bump(spot.at, vec3(x, -3.5, 62.9), vec3(reach, 1.2, 0.72));
    hill * (1.0 - spot.lower) * spot.soft
}

fn lower_lip(spot: &Spot, x: f32, reach: f32) -> f32 {
    let hill = bump(spot.at, vec3(x, -3.5, 62.5), vec3(reach, 1.2, 0.72));
    hill * spot.lower * spot.soft
}

/// 1 on the lips and close to them.
fn lips(spot: &Spot) -> f32 {
    bump(spot.at, vec3(0.0, -3.5, MOUTH.y), vec3(1.7, 1.5, 1.05)) * spot.soft
}

/// AU12: the corner goes up, out and back, the cheek swells.
pub(crate) fn smile(spot: &Spot) -> Vec3 {
    let corner = corner(spot, vec3(1.0, 1.5, 0.95));
    let cheek = bump(spot.at, vec3(1.50, -3.0, 64.0), vec3(1.1, 1.6, 1.0)) * spot.soft;
    vec3(0.42, 0.20, 0.40) * corner
        + vec3(0.10, -0.16, 0.16) * cheek
        + vec3(0.0, 0.05, 0.0) * lips(spot)
}

/// AU12 with AU26: the upper lip bares the teeth, the lower one becomes a bow.
pub(crate) fn smile_open(spot: &Spot) -> Vec3 {
    let lower = bump(spot.at, vec3(0.75, -3.3, 62.5), vec3(0.7, 1.3, 0.8)) * spot.lower * spot.soft;
    vec3(0.0, 0.06, 0.26) * upper_lip(spot, 0.0, 1.1)
        + vec3(0.16, 0.02, 0.12) * corner(spot, vec3(0.8, 1.3, 0.8))
        + vec3(0.10, 0.0, 0.06) * lower
}

/// AU14: the corner is drawn back into the cheek.
pub(crate) fn dimpler(spot: &Spot) -> Vec3 {
    vec3(0.26, 0.24, 0.06) * corner(spot, vec3(0.85, 1.2, 0.7))
}

/// AU15: the corner is drawn down.
pub(crate) fn corner_depressor(spot: &Spot) -> Vec3 {
    let chin = bump(spot.at, vec3(0.5, -3.3, 62.1), vec3(0.8, 1.0, 0.6)) * spot.soft;
    vec3(0.06, 0.04, -0.46) * corner(spot, vec3(0.95, 1.4, 0.9)) + vec3(0.0, -0.05, 0.05) * chin
}

/// AU20: the corner is drawn straight out.
pub(crate) fn stretcher(spot: &Spot) -> Vec3 {
    vec3(0.42, 0.22, -0.08) * corner(spot, vec3(1.0, 1.5, 0.9)) + vec3(0.0, 0.05, 0.0) * lips(spot)
}

/// AU10: the upper lip is raised beside the nose.
pub(crate) fn upper_raiser(spot: &Spot) -> Vec3 {
    let wing = bump(spot.at, vec3(0.5, -3.7, 63.8), vec3(0.7, 1.0, 0.7)) * spot.soft;
    let fold = bump(spot.at, vec3(1.1, -3.2, 63.7), vec3(0.8, 1.2, 0.8)) * spot.soft;
    vec3(0.03, 0.0, 0.32) * upper_lip(spot, 0.38, 1.0)
        + vec3(0.0, 0.0, 0.10) * wing
        + vec3(0.03, -0.08, 0.14) * fold
}

/// AU16: the lower lip is drawn down.
pub(crate) fn lower_depressor(spot: &Spot) -> Vec3 {
    vec3(0.05, -0.02, -0.33) * lower_lip(spot, 0.34, 1.0)
}

/// AU17: the chin pushes the lower lip up and out.
pub(crate) fn chin_raiser(spot: &Spot) -> Vec3 {
    let chin = bump(spot.at, vec3(0.0, -3.4, 62.0), vec3(1.0, 1.2, 0.75)) * spot.soft;
    let both = bump(spot.at, vec3(0.0, -3.6, MOUTH.y), vec3(1.0, 1.2, 0.55)) * spot.soft;
    vec3(0.0, -0.06, 0.18) * chin + vec3(0.0, -0.14, 0.14) * both
}

/// AU18: the lips gather to a kiss.
pub(crate) fn pucker(spot: &Spot) -> Vec3 {
    let near = lips(spot);
    let from_line = spot.at.z - MOUTH.y;
    let full = hill(spot.at.x, 0.8) * hill(from_line, 0.75) * spot.soft;
    vec3(-0.50 * spot.at.x, -0.42, 0.0) * near + vec3(0.0, -0.06, 0.45 * from_line) * full
}

/// AU18 with AU26: the open kiss is a ring.
pub(crate) fn pucker_open(spot: &Spot) -> Vec3 {
    vec3(-0.16 * spot.at.x, -0.05, 0.10 * spot.lower) * lips(spot)
}

/// AU22: the lips turn out like a funnel.
pub(crate) fn funneler(spot: &Spot) -> Vec3 {
    let open = vec3(0.0, 0.0, 0.20) * upper_lip(spot, 0.0, 0.9)
        - vec3(0.0, 0.0, 0.26) * lower_lip(spot, 0.0, 0.9);
    vec3(-0.30 * spot.at.x, -0.34, 0.0) * lips(spot) + open
}

/// AU24: the lips are pressed to a line.
pub(crate) fn presser(spot: &Spot) -> Vec3 {
    let near = bump(spot.at, vec3(0.0, -3.6, MOUTH.y), vec3(1.25, 1.2, 0.6)) * spot.soft;
    vec3(0.0, 0.14, -0.55 * (spot.at.z - MOUTH.y)) * near
}

/// AU25: the lips part.
pub(crate) fn part(spot: &Spot) -> Vec3 {
    vec3(0.0, -0.02, 0.10) * upper_lip(spot, 0.0, 1.0)
        - vec3(0.0, 0.02, 0.20) * lower_lip(spot, 0.0, 1.0)
}

/// AU32: the lower lip goes under the upper teeth.
pub(crate) fn lip_bite(spot: &Spot) -> Vec3 {
    let chin = bump(spot.at, vec3(0.0, -3.4, 62.1), vec3(1.0, 1.2, 0.7)) * spot.soft;
    vec3(0.0, 0.24, 0.16) * lower_lip(spot, 0.0, 1.0)
        + vec3(0.0, 0.0, 0.14) * upper_lip(spot, 0.0, 1.0)
        + vec3(0.0, 0.03, 0.08) * chin
}

/// The whole mouth goes to the left.
pub(crate) fn mouth_left(spot: &Spot) -> Vec3 {
    let near = bump(spot.at, vec3(0.0, -3.4, 62.8), vec3(2.0, 1.7, 1.3)) * spot.soft;
    vec3(0.45 * spot.side, 0.0, 0.0) * near
}

/// The whole mouth goes to the right.
pub(crate) fn mouth_right(spot: &Spot) -> Vec3 {
    -mouth_left(spot)
}

/// The tongue comes out between the lips.
pub(crate) fn tongue_out(spot: &Spot) -> Vec3 {
    if spot.part != Part::Tongue {
        return Vec3::ZERO;
    }
    let front = smooth(-1.8, -3.1, spot.at.y);
    vec3(0.0, -1.30, 0.36) * front + vec3(-0.15 * spot.at.x, 0.0, -0.10) * front * front
}

/// "ah": open and at ease.
pub(crate) fn viseme_ah(spot: &Spot) -> Vec3 {
    dropped(spot, 0.6 * DROP) + part(spot) * 0.5
}

/// "ee": wide and narrow.
pub(crate) fn viseme_ee(spot: &Spot) -> Vec3 {
    dropped(spot, 0.12 * DROP) + stretcher(spot) * 0.7 + part(spot) + upper_raiser(spot) * 0.3
}

/// "oh": round and open.
pub(crate) fn viseme_oh(spot: &Spot) -> Vec3 {
    dropped(spot, 0.45 * DROP) + funneler(spot) * 0.8
}

/// "oo": round and nearly closed.
pub(crate) fn viseme_oo(spot: &Spot) -> Vec3 {
    dropped(spot, 0.1 * DROP) + pucker(spot) * 0.8 + funneler(spot) * 0.3
}
