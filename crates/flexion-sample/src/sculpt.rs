//! The form of the head: a point goes in, its distance from the skin comes out.
//!
//! The head is a handful of ellipsoids and rounded cones that flow into one another (a "smooth
//! union" of signed distance functions). Nothing has vertices yet: [`crate::skin`] lays a net over
//! this form by following rays from the middle of the head outward until they leave it, which is
//! why the form must be seen whole from [`CENTRE`] (nostrils are dimples, ears are their own
//! part). Distances are approximate; only the place where they change sign matters.
//!
//! Lengths are inches; Z is up, the face looks along -Y, the character's left is +X.

use glam::{Vec2, Vec3, vec3};

use crate::math::{PI, direction, hill, lerp, smooth};

/// Where the rays of the net start, behind the bridge of the nose.
pub(crate) const CENTRE: Vec3 = vec3(0.0, 0.2, 65.2);
/// Centre of the left eyeball; the right one is its mirror image.
pub(crate) const EYE: Vec3 = vec3(1.30, -2.62, 65.70);
/// Radius of the eyeballs.
pub(crate) const EYE_RADIUS: f32 = 0.70;
/// Height of the line between the lips, and half its width.
pub(crate) const MOUTH: Vec2 = Vec2::new(0.95, 62.75);
/// Height of the cut through the neck.
pub(crate) const NECK: f32 = 59.2;
/// The lowest ray from [`CENTRE`] in front; below it rays start lower.
const CHIN_RAY: f32 = -1.29;

/// Distance of `point` from the skin: negative inside.
pub(crate) fn head(point: Vec3) -> f32 {
    let p = vec3(point.x.abs(), point.y, point.z);
    let mut d = ellipsoid(p, vec3(0.0, 0.50, 67.1), vec3(2.95, 3.62, 3.30));
    d = union(
        d,
        ellipsoid(p, vec3(0.0, -0.95, 65.0), vec3(2.55, 2.45, 3.4)),
        0.9,
    );
    // Jaw: two cones from below the ears to the chin.
    d = union(
        d,
        cone(
            p,
            vec3(1.55, -0.45, 63.45),
            vec3(0.42, -2.50, 62.1),
            0.78,
            0.66,
        ),
        0.9,
    );
    d = union(
        d,
        ellipsoid(p, vec3(0.0, -2.78, 62.0), vec3(0.72, 0.70, 0.60)),
        0.5,
    );
    // Cheekbones and the flesh in front of them.
    d = union(
        d,
        ellipsoid(p, vec3(1.55, -2.05, 64.6), vec3(0.98, 0.90, 0.85)),
        0.8,
    );
    d = union(
        d,
        ellipsoid(p, vec3(1.10, -2.35, 63.7), vec3(0.95, 0.85, 0.95)),
        0.8,
    );
    // The muzzle that the lips lie on.
    d = union(
        d,
        ellipsoid(p, vec3(0.0, -2.55, 62.85), vec3(1.20, 1.10, 0.95)),
        0.5,
    );
    // Brow ridge, then the sockets below it.
    d = union(
        d,
        ellipsoid(p, vec3(0.80, -2.75, 66.75), vec3(1.20, 0.58, 0.42)),
        0.8,
    );
    d = subtract(
        d,
        ellipsoid(p, vec3(1.36, -3.55, 65.84), vec3(0.92, 0.60, 0.50)),
        0.6,
    );
    d = union(d, nose(p), 0.34);
    // Lids: a shell around the eyeball.
    d = union(d, (p - EYE).length() - (EYE_RADIUS + 0.075), 0.16);
    union(d, neck(p), 0.6)
}

fn nose(p: Vec3) -> f32 {
    let bridge = cone(
        p,
        vec3(0.0, -3.02, 66.1),
        vec3(0.0, -3.82, 64.3),
        0.25,
        0.30,
    );
    let body = cone(
        p,
        vec3(0.0, -2.9, 65.2),
        vec3(0.0, -3.45, 64.05),
        0.35,
        0.46,
    );
    let tip = ellipsoid(p, vec3(0.0, -3.98, 64.12), vec3(0.34, 0.38, 0.31));
    let wing = ellipsoid(p, vec3(0.38, -3.62, 63.98), vec3(0.23, 0.36, 0.25));
    union(union(union(bridge, body, 0.3), tip, 0.28), wing, 0.16)
}

fn neck(p: Vec3) -> f32 {
    let flare = 0.5 * smooth(60.4, 58.4, p.z);
    cone(
        p,
        vec3(0.0, 1.0, 58.0),
        vec3(0.0, 0.80, 64.0),
        1.48 + flare,
        1.55,
    )
}

fn ellipsoid(p: Vec3, centre: Vec3, radii: Vec3) -> f32 {
    let scaled = (p - centre) / radii;
    let outer = scaled.length();
    let inner = (scaled / radii).length();
    if inner < 1e-6 {
        return -radii.min_element();
    }
    outer * (outer - 1.0) / inner
}

/// A capsule whose radius changes from `a` to `b`.
fn cone(p: Vec3, a: Vec3, b: Vec3, radius_a: f32, radius_b: f32) -> f32 {
    let along = b - a;
    let t = ((p - a).dot(along) / along.length_squared()).clamp(0.0, 1.0);
    (p - a - along * t).length() - lerp(radius_a, radius_b, t)
}

/// The lesser distance, rounded over a seam about `width` wide.
pub(crate) fn union(a: f32, b: f32, width: f32) -> f32 {
    let near = (width - (a - b).abs()).max(0.0) / width;
    a.min(b) - near * near * width * 0.25
}

fn subtract(a: f32, b: f32, width: f32) -> f32 {
    -union(-a, b, width)
}

/// Where the ray from `origin` (inside) along `along` leaves the form `distance`.
pub(crate) fn cast(distance: impl Fn(Vec3) -> f32, origin: Vec3, along: Vec3) -> Vec3 {
    let (mut inside, mut outside) = (0.0, 0.6);
    while outside < 12.0 {
        let depth = -distance(origin + along * outside);
        if depth <= 0.0 {
            break;
        }
        inside = outside;
        outside += (depth * 0.6).clamp(0.01, 0.4);
    }
    for _ in 0..18 {
        let middle = (inside + outside) / 2.0;
        if distance(origin + along * middle) < 0.0 {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    origin + along * ((inside + outside) / 2.0)
}

/// The foremost point of the skin at `x` and `z`.
pub(crate) fn front(x: f32, z: f32) -> Vec3 {
    let behind = vec3(x, -1.5, z);
    cast(head, behind, Vec3::NEG_Y)
}

/// Unit normal of the form at `point`, by differences.
pub(crate) fn normal(point: Vec3) -> Vec3 {
    const STEP: f32 = 0.02;
    let slope = |axis: Vec3| head(point + axis * STEP) - head(point - axis * STEP);
    vec3(slope(Vec3::X), slope(Vec3::Y), slope(Vec3::Z)).normalize_or_zero()
}

/// A place on the net: `around` in radians from the front (left positive), `up` from -[`REACH`]
/// (the cut of the neck) over 0 (level with [`CENTRE`]) to π/2 (the crown).
pub(crate) type Place = Vec2;

/// How far below 0 `up` goes: the chin ray and then one unit for the neck.
pub(crate) const REACH: f32 = -CHIN_RAY + 1.0;

/// How much flatter the lowest ray is at the sides and behind than in front: there the jaw line
/// and the nape are higher than the chin.
fn jaw_line(around: f32) -> f32 {
    lerp(0.56, 1.0, hill(around, 0.75 * PI))
}

/// Origin and direction of the ray through a place.
pub(crate) fn ray(place: Place) -> (Vec3, Vec3) {
    if place.y >= 0.0 {
        return (CENTRE, direction(place.x, place.y));
    }
    let bend = jaw_line(place.x);
    if place.y >= CHIN_RAY {
        return (CENTRE, direction(place.x, place.y * bend));
    }
    // Down the neck the start of the ray sinks while the ray becomes level.
    let t = (CHIN_RAY - place.y).min(1.0);
    let level = t * t;
    let origin = vec3(0.0, lerp(CENTRE.y, 0.9, t), lerp(CENTRE.z, NECK, t));
    (origin, direction(place.x, CHIN_RAY * bend * (1.0 - level)))
}

/// The place whose ray passes through `point`; for points above the neck.
pub(crate) fn place_of(point: Vec3) -> Place {
    let from = point - CENTRE;
    let around = libm::atan2f(from.x, -from.y);
    let flat = libm::sqrtf(from.x * from.x + from.y * from.y);
    let up = libm::atan2f(from.z, flat);
    let bend = if up < 0.0 { jaw_line(around) } else { 1.0 };
    Place::new(around, up / bend)
}

/// The point of the skin at a place.
pub(crate) fn skin(place: Place) -> Vec3 {
    let (origin, along) = ray(place);
    cast(head, origin, along)
}
