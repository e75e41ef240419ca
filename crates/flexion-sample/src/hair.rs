//! Short hair: a shell over the skull whose edge turns in to the skin.
//!
//! Rays go from the middle of the head up to a hairline that is written down in degrees, leave the
//! skin, and end on a second form around it; the last row dives below the skin, so that the shell
//! has an edge and no gap.

use glam::{Vec3, vec3};

use crate::math::{FRAC_PI_2, TAU, direction, hill, lerp, smooth};
use crate::mesh::{Material, Mesh, Part};
use crate::parts::surface;
use crate::sculpt;

/// Heights of the hairline, in degrees over the middle of the head, by degrees from the front.
const HAIRLINE: [(f32, f32); 13] = [
    (0.0, 47.0),
    (25.0, 47.0),
    (44.0, 42.0),
    (57.0, 27.0),
    (66.0, 8.0),
    (74.0, -7.0),
    (82.0, -5.0),
    (89.0, 11.0),
    (100.0, 15.0),
    (111.0, 0.0),
    (125.0, -24.0),
    (150.0, -33.0),
    (180.0, -35.0),
];

fn hairline(around: f32) -> f32 {
    let degrees = libm::fabsf(around).to_degrees();
    let next = HAIRLINE
        .iter()
        .position(|&(at, _)| at >= degrees)
        .unwrap_or(12)
        .max(1);
    let ((from, low), (to, high)) = (HAIRLINE[next - 1], HAIRLINE[next]);
    let straight = lerp(low, high, smooth(from, to, degrees));
    // The fringe falls to the right.
    let fringe = 15.0 * hill(around.to_degrees() + 26.0, 34.0);
    (straight - fringe).to_radians()
}

fn hair_form(p: Vec3) -> f32 {
    let dome = ((p - vec3(0.0, 0.62, 67.2)) / vec3(3.22, 3.78, 3.62)).length() - 1.0;
    let swept = ((p - vec3(-0.5, -1.9, 69.0)) / vec3(2.1, 1.75, 1.5)).length() - 1.0;
    sculpt::union(dome * 3.3, swept * 1.6, 0.7)
}

/// Adds the hair to `mesh`.
pub(crate) fn build(mesh: &mut Mesh) {
    const ROWS: usize = 11;
    const COLUMNS: usize = 48;
    surface(
        mesh,
        Material::Hair,
        1.0,
        (ROWS, COLUMNS),
        true,
        |down, right| {
            let around = (right - 0.5) * TAU;
            let line = hairline(around);
            let t = (down * ROWS as f32 / (ROWS - 1) as f32).min(1.0);
            let along = direction(around, lerp(FRAC_PI_2, line, t));
            let scalp = sculpt::cast(sculpt::head, sculpt::CENTRE, along);
            if down > 0.99 {
                return (scalp - along * 0.12, Part::Fixed);
            }
            let outer = sculpt::cast(hair_form, sculpt::CENTRE, along);
            let locks = 0.05 * libm::sinf(17.0 * around + 5.0 * t) * smooth(0.0, 0.35, t);
            let thick = (outer - scalp).dot(along).max(0.12) + locks;
            let edge = lerp(1.0, 0.45, smooth(0.7, 1.0, t));
            (scalp + along * (thick * edge), Part::Fixed)
        },
    );
}
