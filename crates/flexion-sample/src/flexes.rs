//! Shapes as the file has them: rows of deltas per mesh.

use flexion_mdl::mdl::{Flex as FileFlex, VertAnim, VertAnims, WrinkleVertAnim};
use glam::Vec3;
use half::f16;
use zerocopy::byteorder::little_endian::{I16, U16};

use crate::math::smooth;
use crate::mesh::Mesh;
use crate::rig::Rig;
use crate::shapes::{self, Flex};

/// Half the width over which a split shape passes from the right half to the left.
const MIDDLE: f32 = 0.45;
/// Shorter deltas of positions (inches) and normals are left out.
const LEAST_MOTION: f32 = 2e-4;
const LEAST_TURN: f32 = 4e-3;
/// Steps of a wrinkle's fixed point number.
const WRINKLE_SCALE: f32 = 4096.0;

/// A shape on all vertices of the head.
pub(crate) struct Motions {
    flex: Flex,
    deltas: Vec<Vec3>,
    turns: Vec<Vec3>,
    farthest: f32,
}

/// Every shape, with what it does to the normals: the difference between those of the moved mesh
/// and those of the mesh at rest.
pub(crate) fn motions(mesh: &Mesh, normals: &[Vec3]) -> Vec<Motions> {
    let positions = mesh.positions();
    let of_flex = |flex: Flex| {
        let deltas: Vec<Vec3> = mesh
            .vertices
            .iter()
            .map(|vertex| shapes::motion(&flex, vertex))
            .collect();
        let moved: Vec<Vec3> = positions
            .iter()
            .zip(&deltas)
            .map(|(&p, &d)| p + d)
            .collect();
        let turns = mesh
            .normals(&moved)
            .iter()
            .zip(normals)
            .map(|(&n, &rest)| n - rest)
            .collect();
        let farthest = deltas
            .iter()
            .map(|delta| delta.length())
            .fold(0.0, f32::max);
        Motions {
            flex,
            deltas,
            turns,
            farthest,
        }
    };
    shapes::flexes().into_iter().map(of_flex).collect()
}

/// The flexes of a mesh that uses the vertices `used`; shapes that do not reach it are left out.
pub(crate) fn of_mesh(
    motions: &[Motions],
    mesh: &Mesh,
    rig: &Rig,
    used: &[usize],
) -> Vec<FileFlex<'static>> {
    let flex = |motion: &Motions| {
        let rows = rows(motion, mesh, used);
        let flex = &motion.flex;
        let wrinkled = rows.iter().any(|row| row.wrinkle != I16::ZERO);
        let vert_anims = if wrinkled {
            VertAnims::Wrinkle(rows.into())
        } else {
            VertAnims::Plain(rows.iter().map(|row| row.base).collect())
        };
        FileFlex {
            descriptor: rig.descriptor(&flex.descriptor()),
            targets: flex.targets,
            partner: flex.partner().map_or(0, |name| rig.descriptor(&name)),
            vert_anims,
        }
    };
    motions
        .iter()
        .map(flex)
        .filter(|flex| !flex.vert_anims.is_empty())
        .collect()
}

fn rows(motion: &Motions, mesh: &Mesh, used: &[usize]) -> Vec<WrinkleVertAnim> {
    let Motions {
        flex,
        deltas,
        turns,
        farthest,
    } = motion;
    let row = |(number, &vertex): (usize, &usize)| {
        let (delta, turn) = (deltas[vertex], turns[vertex]);
        let at = mesh.vertices[vertex].position;
        if delta.length() < LEAST_MOTION && turn.length() < LEAST_TURN {
            return None;
        }
        let lag = flex.lag * delta.length() / farthest;
        let side = if flex.split {
            smooth(-MIDDLE, MIDDLE, at.x)
        } else {
            0.0
        };
        let mirrored = Vec3::new(at.x.abs(), at.y, at.z);
        let wrinkle = flex
            .crease
            .map_or(0.0, |(depth, crease)| depth * crease(mirrored));
        let halves = |v: Vec3| {
            v.to_array()
                .map(|part| U16::new(f16::from_f32(part).to_bits()))
        };
        Some(WrinkleVertAnim {
            base: VertAnim {
                vertex: U16::new(number as u16),
                speed: ((1.0 - lag) * 255.0 + 0.5) as u8,
                side: (side * 255.0 + 0.5) as u8,
                delta: halves(delta),
                normal_delta: halves(turn),
            },
            wrinkle: I16::new((wrinkle * WRINKLE_SCALE) as i16),
        })
    };
    used.iter().enumerate().filter_map(row).collect()
}
