//! What lies in and on the skin: eyeballs, brows, lashes, nostrils, ears, teeth and tongue.
//!
//! Each part is a closed surface of its own, made of rows of vertices that go down and to the
//! right as seen from outside ([`Mesh::stitch`]).

use glam::{Vec2, Vec3, vec3};

use crate::math::{PI, TAU, direction, hill, lerp, smooth};
use crate::mesh::{LidPoint, Material, Mesh, Part};
use crate::sculpt::{self, EYE, EYE_RADIUS, MOUTH};
use crate::skin::margin;

/// Both sides: the left one as it is written below, the right one mirrored.
const SIDES: [f32; 2] = [1.0, -1.0];

/// Adds all parts to `mesh`.
pub(crate) fn build(mesh: &mut Mesh) {
    for side in SIDES {
        brow(mesh, side);
        lashes(mesh, side);
        nostril(mesh, side);
        ear(mesh, side);
        eye(mesh, side);
    }
    teeth(mesh, true);
    teeth(mesh, false);
    tongue(mesh);
}

/// Adds a surface of `rows` x `columns` cells on the left, or its mirror image on the right.
///
/// `point` gets how far down and how far to the right a vertex is, each 0 to 1. With `closed` the
/// last column meets the first.
pub(crate) fn surface(
    mesh: &mut Mesh,
    material: Material,
    side: f32,
    (rows, columns): (usize, usize),
    closed: bool,
    point: impl Fn(f32, f32) -> (Vec3, Part),
) {
    let grid: Vec<Vec<u32>> = (0..=rows)
        .map(|row| {
            let down = row as f32 / rows as f32;
            let vertices: Vec<u32> = (0..=columns)
                .map(|column| {
                    let right = column as f32 / columns as f32;
                    // The mirror image turns the rows round, so that outside stays outside.
                    let along = if side > 0.0 { right } else { 1.0 - right };
                    let (position, part) = point(down, along);
                    let position = vec3(position.x * side, position.y, position.z);
                    mesh.vertex(position, Vec2::new(right, down), part)
                })
                .collect();
            if closed {
                let (first, last) = (vertices[0], vertices[columns] as usize);
                mesh.vertices[last].weld = first;
                mesh.vertices[last].position = mesh.vertices[first as usize].position;
            }
            vertices
        })
        .collect();
    for row in [&grid[0], &grid[rows]] {
        weld(mesh, row, |_| row[0]);
    }
    weld(mesh, &grid[rows], |column| grid[0][column]);
    mesh.stitch(material, &grid);
}

/// Makes the vertices of a row one with those that `twin` names, where they all lie together: a
/// row that is a single point, or the last row of a tube.
fn weld(mesh: &mut Mesh, row: &[u32], twin: impl Fn(usize) -> u32) {
    let at = |vertex: u32| mesh.vertices[vertex as usize].position;
    let twins: Vec<u32> = (0..row.len()).map(twin).collect();
    let together = |(&one, &other): (&u32, &u32)| at(one).distance_squared(at(other)) < 1e-8;
    if !row.iter().zip(&twins).all(together) {
        return;
    }
    for (&vertex, &twin) in row.iter().zip(&twins) {
        let other = mesh.vertices[twin as usize];
        mesh.vertices[vertex as usize].position = other.position;
        mesh.vertices[vertex as usize].weld = other.weld;
    }
}

fn eye(mesh: &mut Mesh, side: f32) {
    let material = if side > 0.0 {
        Material::LeftEye
    } else {
        Material::RightEye
    };
    surface(mesh, material, side, (10, 18), true, |down, right| {
        let out = direction((right - 0.5) * TAU, (0.5 - down) * PI);
        (EYE + out * EYE_RADIUS, Part::Fixed)
    });
}

/// A flattened tube on the brow ridge, thick inside and thin outside.
fn brow(mesh: &mut Mesh, side: f32) {
    surface(mesh, Material::Brow, side, (8, 14), false, |down, along| {
        let along = lerp(along, smooth(0.0, 1.0, along), 0.4);
        let turn = TAU * down;
        let body = smooth(-0.04, 0.14, along) * smooth(1.02, 0.55, along);
        let x = lerp(0.44, 2.08, along);
        let z = lerp(66.74, 66.76, along) + 0.24 * hill(along - 0.58, 0.75);
        let half = lerp(0.015, 0.165, body);
        let point = sculpt::front(x, z + half * libm::cosf(turn));
        let raise = lerp(0.0, 0.075, body) * libm::sinf(turn) - 0.005;
        // `down` runs over the front of the tube first, then behind it back to its top.
        (point + sculpt::normal(point) * raise, Part::Soft)
    });
}

/// A thin wedge along the margin of the upper lid.
fn lashes(mesh: &mut Mesh, side: f32) {
    surface(mesh, Material::Lash, side, (3, 20), false, |down, s| {
        let edge = margin(true, s, EYE_RADIUS + 0.012);
        let out = (edge - EYE).normalize_or_zero();
        let length = lerp(0.035, 0.15, smooth(0.1, 0.95, s))
            * smooth(-0.02, 0.12, s)
            * smooth(1.06, 0.92, s);
        let tip = edge + (out + vec3(0.55 * s, 0.0, 0.30)).normalize_or_zero() * (0.07 + length);
        let upper = edge + out * 0.055 + vec3(0.0, 0.0, 0.035);
        let position = match (down * 3.0 + 0.5) as u32 {
            1 => tip,
            2 => edge + out * 0.012,
            _ => upper,
        };
        let margin_point = |upper| {
            let point = margin(upper, s, EYE_RADIUS + 0.012);
            vec3(point.x * side, point.y, point.z)
        };
        let point = LidPoint {
            upper: true,
            nearness: 1.0,
            margin: margin_point(true),
            opposite: margin_point(false),
        };
        (position, Part::Lid(point))
    });
}

/// A dark patch below the wing of the nose.
fn nostril(mesh: &mut Mesh, side: f32) {
    let centre = vec3(0.215, -3.83, 63.66);
    let on_skin = |from: Vec3| {
        let point = sculpt::skin(sculpt::place_of(from));
        point + sculpt::normal(point) * 0.025
    };
    let middle = on_skin(centre);
    let out = sculpt::normal(middle);
    let across = out.cross(Vec3::Y).normalize_or_zero();
    let along = across.cross(out);
    surface(mesh, Material::Mouth, side, (2, 10), true, |down, right| {
        let turn = -TAU * right;
        let reach = across * (0.10 * libm::cosf(turn)) + along * (0.15 * libm::sinf(turn));
        (on_skin(middle + reach * down), Part::Soft)
    });
}

/// How far the rings of an ear stand out, from its middle over the rim to behind it.
const EAR_RINGS: [(f32, f32); 10] = [
    (0.0, -0.10),
    (0.30, -0.09),
    (0.52, 0.09),
    (0.66, 0.10),
    (0.78, 0.05),
    (0.92, 0.17),
    (1.0, 0.08),
    (0.92, -0.03),
    (0.55, -0.30),
    (0.0, -0.40),
];

fn ear(mesh: &mut Mesh, side: f32) {
    let centre = vec3(2.84, 0.42, 65.25);
    let up = vec3(0.08, 0.17, 0.98).normalize_or_zero();
    let back = vec3(0.42, 0.90, -0.14).normalize_or_zero();
    let out = back.cross(up).normalize_or_zero();
    surface(mesh, Material::Face, side, (9, 14), true, |down, right| {
        let (reach, raise) = EAR_RINGS[(down * 9.0 + 0.5) as usize];
        let turn = TAU * right;
        let (high, aft) = (libm::cosf(turn), libm::sinf(turn));
        // Narrow at the lobe.
        let width = lerp(0.36, 0.60, smooth(-1.0, 0.4, high));
        // The rim fades where the ear grows out of the cheek.
        let fade = lerp(0.35, 1.0, smooth(-0.9, 0.2, aft));
        let raise = raise * lerp(1.0, fade, reach);
        let position =
            centre + up * (0.98 * high * reach) + back * (width * aft * reach) + out * raise;
        (position, Part::Fixed)
    });
}

/// A row of teeth along an arch.
fn teeth(mesh: &mut Mesh, upper: bool) {
    const TEETH: f32 = 12.0;
    let (root, edge) = if upper { (0.52, 0.03) } else { (-0.50, -0.04) };
    let part = if upper { Part::Fixed } else { Part::Jaw };
    surface(mesh, Material::Teeth, 1.0, (5, 36), false, |down, right| {
        let turn = (right - 0.5) * 2.7;
        let gap = libm::fabsf(libm::cosf(PI * TEETH * right));
        let gap = 1.0 - gap * gap;
        let step = (down * 5.0 + 0.5) as u32;
        let step = if upper { step } else { 5 - step };
        // Root and edge in front, then the edge and the root behind.
        let (height, inward) = [
            (root, 0.06),
            (lerp(root, edge, 0.6), 0.0),
            (edge, 0.03),
            (edge, 0.12),
            (lerp(root, edge, 0.5), 0.2),
            (root, 0.24),
        ][step as usize];
        let notch = 0.035 * (1.0 - gap) * smooth(0.0, 1.0, (height - root) / (edge - root));
        let radius = 1.0 - inward - 0.03 * (1.0 - gap) * smooth(0.2, 0.0, inward);
        let flat = if upper { 1.0 } else { 0.95 };
        let position = vec3(
            0.90 * flat * radius * libm::sinf(turn),
            -2.46 - 0.86 * flat * radius * libm::cosf(turn),
            MOUTH.y + height - notch * (edge - root).signum(),
        );
        (position, part)
    });
}

fn tongue(mesh: &mut Mesh) {
    surface(mesh, Material::Tongue, 1.0, (8, 14), true, |down, right| {
        let out = direction((right - 0.5) * TAU, (0.5 - down) * PI);
        let groove = 0.05 * hill(out.x, 0.4) * smooth(0.0, 0.8, out.z);
        let position = vec3(0.0, -2.3, 62.36) + out * vec3(0.62, 0.78, 0.26) - Vec3::Z * groove;
        (position, Part::Tongue)
    });
}
