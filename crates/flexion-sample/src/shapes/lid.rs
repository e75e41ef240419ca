//! Lids: they turn about the eyeball's own axis, so that they stay on it.

use glam::{Vec3, vec3};

use crate::math::nod;
use crate::mesh::Part;
use crate::sculpt::{EYE, EYE_RADIUS};
use crate::shapes::Spot;
use crate::skin::margin;

/// How far an upper lid can be raised over its neutral place, and a lower one lowered, in radians.
const UPPER_RAISE: f32 = 0.26;
const LOWER_DROP: f32 = 0.16;

/// Elevation of a point over the eyeball's centre, about the axis through both eyes.
fn elevation(point: Vec3) -> f32 {
    libm::atan2f(point.z - EYE.z, EYE.y - point.y)
}

/// Motion of a lid by the angle that `angle` gives for its margin and the other lid's.
fn turn(spot: &Spot, left: bool, upper: bool, angle: impl Fn(f32, f32) -> f32) -> Vec3 {
    let Part::Lid(point) = spot.part else {
        return Vec3::ZERO;
    };
    if point.upper != upper || (spot.side > 0.0) != left {
        return Vec3::ZERO;
    }
    let up = angle(elevation(point.margin), elevation(point.opposite));
    let axis = vec3(spot.at.x, EYE.y, EYE.z);
    nod(spot.at, axis, -up * point.nearness) - spot.at
}

/// The upper lid comes down onto the lower one.
pub(crate) fn upper_lowered<const LEFT: bool>(spot: &Spot) -> Vec3 {
    turn(spot, LEFT, true, |from, to| to - from)
}

/// Half-way there, on the eyeball and not through it.
pub(crate) fn upper_half<const LEFT: bool>(spot: &Spot) -> Vec3 {
    turn(spot, LEFT, true, |from, to| (to - from) / 2.0)
}

/// The upper lid goes up; less toward the corners, where the opening is low.
pub(crate) fn upper_raised<const LEFT: bool>(spot: &Spot) -> Vec3 {
    let open = elevation(margin(true, 0.5, EYE_RADIUS)) - elevation(margin(false, 0.5, EYE_RADIUS));
    turn(spot, LEFT, true, |from, to| {
        UPPER_RAISE * (from - to) / open
    })
}

/// The lower lid goes down.
pub(crate) fn lower_lowered<const LEFT: bool>(spot: &Spot) -> Vec3 {
    let open = elevation(margin(true, 0.5, EYE_RADIUS)) - elevation(margin(false, 0.5, EYE_RADIUS));
    turn(spot, LEFT, false, |from, to| {
        LOWER_DROP * (from - to) / open
    })
}

/// The lower lid comes up onto the upper one.
pub(crate) fn lower_raised<const LEFT: bool>(spot: &Spot) -> Vec3 {
    turn(spot, LEFT, false, |from, to| to - from)
}

/// Heights of a lid over the eyeball's centre in model units: lowered, neutral, raised.
pub(crate) fn heights(upper: bool) -> [f32; 3] {
    let neutral = elevation(margin(upper, 0.5, EYE_RADIUS));
    let other = elevation(margin(!upper, 0.5, EYE_RADIUS));
    let angles = if upper {
        [other, neutral, neutral + UPPER_RAISE]
    } else {
        [neutral - LOWER_DROP, neutral, other]
    };
    angles.map(|angle| EYE_RADIUS * libm::sinf(angle))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{Mesh, Vertex};
    use crate::skin;

    fn lid_vertices(upper: bool) -> Vec<(Vertex, f32)> {
        let mut mesh = Mesh::default();
        skin::build(&mut mesh);
        let lid = |vertex: &Vertex| match vertex.part {
            Part::Lid(point) if point.upper == upper && vertex.position.x > 0.0 => {
                Some((*vertex, point.nearness))
            }
            _ => None,
        };
        mesh.vertices.iter().filter_map(lid).collect()
    }

    #[test]
    fn a_lowered_upper_lid_lands_on_the_lower_one() {
        let mut margins = 0;
        for (vertex, nearness) in lid_vertices(true) {
            let Part::Lid(point) = vertex.part else {
                unreachable!("only lids are listed");
            };
            if nearness == 1.0 {
                let landed = vertex.position + upper_lowered::<true>(&Spot::of(&vertex));
                assert!(landed.distance(point.opposite) < 0.01, "{landed}");
                margins += 1;
            }
        }
        assert!(margins > 10);
    }

    #[test]
    fn a_closing_lid_stays_on_the_eyeball() {
        for (vertex, _) in lid_vertices(true) {
            let spot = Spot::of(&vertex);
            let (half, whole) = (upper_half::<true>(&spot), upper_lowered::<true>(&spot));
            // The ramps of the two flexes lead along this path.
            for step in 0..=20 {
                let closed = step as f32 / 20.0;
                let moved = if closed < 0.5 {
                    half * (2.0 * closed)
                } else {
                    half * (2.0 - 2.0 * closed) + whole * (2.0 * closed - 1.0)
                };
                let height = (vertex.position + moved).distance(EYE) - EYE_RADIUS;
                assert!(height > -0.02, "{height} at {}", vertex.position);
            }
        }
    }

    #[test]
    fn heights_lie_in_order_within_the_eyeball() {
        for upper in [true, false] {
            let [low, neutral, high] = heights(upper);
            assert!(-EYE_RADIUS < low && low < neutral && neutral < high && high < EYE_RADIUS);
        }
        assert_eq!(heights(true)[0], heights(false)[1]);
        assert_eq!(heights(false)[2], heights(true)[1]);
    }
}
