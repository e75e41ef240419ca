//! Checks over the rows of flexes, at memory speed.
//!
//! Models have hundreds of thousands of rows and nearly always nothing is wrong with them. So each
//! flex is first folded into the largest vertex and the largest delta it has, eight columns of 16
//! bits at a time, which compilers turn into vector instructions; only where a maximum is too
//! large are the rows counted.

use half::f16;
use zerocopy::byteorder::little_endian::U16;

use crate::error::WarningKind;
use crate::mdl::{FLAG_FLEXES_CONVERTED, FLAG_VERT_ANIM_FIXED_POINT_SCALE};
use crate::mdl::{Model, VertAnim, VertAnims};
use crate::raw::mdl::StudioHdr;

/// The largest delta that the engine's 16 bits hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct DeltaLimit {
    /// Bits of the largest half that fits, without sign.
    bits: u16,
    /// The same in model units, before rounding to a half.
    units: f32,
}

/// Steps of the engine's fixed point on either side of zero.
const STEPS: f32 = 32767.0;
/// Bits of an infinity, the last half that is a number; the engine takes it for 65504.
const INFINITY: u16 = 0x7c00;
/// Takes the sign off a half.
const MAGNITUDE: u16 = 0x7fff;

impl DeltaLimit {
    /// The limit that `header` sets: none where deltas are fixed point on disk, or where the scale
    /// is no positive number.
    pub(super) fn of(header: &StudioHdr) -> Option<Self> {
        let scale = match header.flags & FLAG_VERT_ANIM_FIXED_POINT_SCALE {
            0 => 1.0 / 4096.0,
            _ => header.flVertAnimFixedPointScale,
        };
        if header.flags & FLAG_FLEXES_CONVERTED != 0 || !(scale > 0.0 && scale.is_finite()) {
            return None;
        }
        // Halves without sign are ordered as their bits are.
        let fits = |bits: u16| f16::from_bits(bits).to_f32() / scale <= STEPS;
        let (mut bits, mut past) = (0, INFINITY);
        while past - bits > 1 {
            let middle = bits + (past - bits) / 2;
            if fits(middle) {
                bits = middle;
            } else {
                past = middle;
            }
        }
        Some(DeltaLimit {
            bits,
            units: STEPS * scale,
        })
    }

    /// Whether the engine's precision wraps one of the row's deltas.
    fn broken_by(self, row: &VertAnim) -> bool {
        let past = |half: &U16| {
            let magnitude = half.get() & MAGNITUDE;
            magnitude > self.bits && magnitude <= INFINITY
        };
        row.delta.iter().chain(&row.normal_delta).any(past)
    }
}

/// What is odd about the rows of a flex on a mesh with `vertices` vertices.
pub(super) fn check(
    rows: &VertAnims<'_>,
    vertices: i32,
    limit: Option<DeltaLimit>,
) -> impl Iterator<Item = WarningKind> + use<> {
    let [past, wrapped] = match rows {
        VertAnims::Plain(rows) => check_rows(rows.iter(), vertices, limit),
        VertAnims::Wrinkle(rows) => check_rows(rows.iter().map(|row| &row.base), vertices, limit),
    };
    [past, wrapped].into_iter().flatten()
}

fn check_rows<'r>(
    rows: impl Iterator<Item = &'r VertAnim> + Clone,
    vertices: i32,
    limit: Option<DeltaLimit>,
) -> [Option<WarningKind>; 2] {
    let largest = largest(rows.clone());
    let count = |matches: &dyn Fn(&VertAnim) -> bool| {
        let count = rows.clone().filter(|row| matches(row)).count();
        u32::try_from(count).unwrap_or(u32::MAX)
    };
    let past_mesh = |row: &VertAnim| i32::from(row.vertex.get()) >= vertices;
    let past = (i32::from(largest.vertex) >= vertices)
        .then(|| count(&past_mesh))
        .filter(|&rows| rows > 0)
        .map(|rows| WarningKind::VertexPastMesh { rows, vertices });
    let wrapped = limit.filter(|limit| largest.delta > limit.bits);
    let wrapped = wrapped.and_then(|limit| {
        let rows = count(&|row| limit.broken_by(row));
        let limit = limit.units;
        (rows > 0).then_some(WarningKind::DeltaRange { rows, limit })
    });
    [past, wrapped]
}

/// The largest vertex and the largest delta, as the bits of a half, of all rows; 0 for no rows.
struct Largest {
    vertex: u16,
    delta: u16,
}

fn largest<'r>(rows: impl Iterator<Item = &'r VertAnim>) -> Largest {
    // Vertex, speed and side, three deltas, three normal deltas.
    const MASK: [u16; 8] = [
        0xffff, 0, MAGNITUDE, MAGNITUDE, MAGNITUDE, MAGNITUDE, MAGNITUDE, MAGNITUDE,
    ];
    let mut columns = [0; 8];
    for row in rows {
        let row: &[U16; 8] = zerocopy::transmute_ref!(row);
        for ((column, value), mask) in columns.iter_mut().zip(row).zip(MASK) {
            *column = (value.get() & mask).max(*column);
        }
    }
    let [vertex, _, deltas @ ..] = columns;
    Largest {
        vertex,
        delta: deltas.into_iter().fold(0, u16::max),
    }
}

/// How many vertices of a model its flexes move, each counted once, if that can be more than
/// `cap`; else some number up to `cap`.
pub(super) fn flexed_vertices(model: &Model<'_>, cap: u64) -> u64 {
    let flexed = || model.meshes.iter().filter(|mesh| !mesh.flexes.is_empty());
    let size = |count: i32| u64::try_from(count).unwrap_or(0);
    let possible: u64 = flexed().map(|mesh| size(mesh.vertex_count)).sum();
    if possible <= cap {
        return possible;
    }
    let distinct = flexed().map(|mesh| {
        // A vertex of a row has 16 bits.
        let mut moved = [0_u64; (1 << 16) / 64];
        for flex in &mesh.flexes {
            match &flex.vert_anims {
                VertAnims::Plain(rows) => mark(&mut moved, rows.iter()),
                VertAnims::Wrinkle(rows) => mark(&mut moved, rows.iter().map(|row| &row.base)),
            }
        }
        let inside = moved.iter().map(|word| u64::from(word.count_ones())).sum();
        size(mesh.vertex_count).min(inside)
    });
    distinct.sum()
}

fn mark<'r>(moved: &mut [u64; 1024], rows: impl Iterator<Item = &'r VertAnim>) {
    for row in rows {
        let vertex = row.vertex.get();
        moved[usize::from(vertex / 64)] |= 1 << (vertex % 64);
    }
}
