//! Checks over the rows of flexes, at memory speed.
//!
//! Models have hundreds of thousands of rows and nearly always nothing is wrong with them. So each
//! flex is first folded into the largest vertex and the largest delta it has, eight rows at a time,
//! which compilers turn into vector instructions; only where a maximum is too large are the rows
//! counted.

use half::f16;
use zerocopy::byteorder::little_endian::U16;

use crate::error::WarningKind;
use crate::mdl::{FLAG_FLEXES_CONVERTED, FLAG_VERT_ANIM_FIXED_POINT_SCALE};
use crate::mdl::{Mesh, Model, VertAnim, VertAnims, WrinkleVertAnim};
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
    let largest = Largest::of(rows);
    let past_mesh = |row: &VertAnim| i32::from(row.vertex.get()) >= vertices;
    let past = (i32::from(largest.vertex) >= vertices).then(|| count(rows, past_mesh));
    let wrapped = limit
        .filter(|limit| largest.delta > limit.bits)
        .map(|limit| (count(rows, |row| limit.broken_by(row)), limit.units));
    let past = past.map(|rows| (rows, WarningKind::VertexPastMesh { rows, vertices }));
    let wrapped = wrapped.map(|(rows, limit)| (rows, WarningKind::DeltaRange { rows, limit }));
    let found = [past, wrapped].into_iter().flatten();
    // None are found where there are no rows, or where a delta is not a number.
    found.filter(|(rows, _)| *rows > 0).map(|(_, kind)| kind)
}

fn count(rows: &VertAnims<'_>, matches: impl Fn(&VertAnim) -> bool) -> u32 {
    let count = match rows {
        VertAnims::Plain(rows) => rows.iter().filter(|row| matches(row)).count(),
        VertAnims::Wrinkle(rows) => rows.iter().filter(|row| matches(&row.base)).count(),
    };
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The largest vertex and the largest delta, as the bits of a half, of all rows; 0 for no rows.
struct Largest {
    vertex: u16,
    delta: u16,
}

/// Columns of 16 bits in a block of eight rows.
const PLAIN: usize = 8 * size_of::<VertAnim>() / 2;
const WRINKLE: usize = 8 * size_of::<WrinkleVertAnim>() / 2;

impl Largest {
    fn of(rows: &VertAnims<'_>) -> Self {
        match rows {
            VertAnims::Plain(rows) => {
                let words = |rows: &[VertAnim; 8]| -> [U16; PLAIN] { zerocopy::transmute!(*rows) };
                Self::of_columns(&maxima(rows, words))
            }
            VertAnims::Wrinkle(rows) => {
                let words =
                    |rows: &[WrinkleVertAnim; 8]| -> [U16; WRINKLE] { zerocopy::transmute!(*rows) };
                Self::of_columns(&maxima(rows, words))
            }
        }
    }

    fn of_columns(columns: &[u16]) -> Self {
        let mut largest = Largest {
            vertex: 0,
            delta: 0,
        };
        for row in columns.chunks(columns.len() / 8) {
            let &[vertex, _, ref deltas @ ..] = row else {
                continue;
            };
            largest.vertex = largest.vertex.max(vertex);
            largest.delta = deltas.iter().copied().fold(largest.delta, u16::max);
        }
        largest
    }
}

/// The largest value of each column of 16 bits over all blocks of eight rows.
///
/// Whole blocks rather than rows, so that what is compared stands side by side in memory.
fn maxima<T: Copy + Default, const N: usize>(
    rows: &[T],
    words: impl Fn(&[T; 8]) -> [U16; N],
) -> [u16; N] {
    let masks = const { masks::<N>() };
    let mut largest = [0; N];
    let mut add = |block: &[T; 8]| {
        for ((largest, word), mask) in largest.iter_mut().zip(words(block)).zip(masks) {
            *largest = (word.get() & mask).max(*largest);
        }
    };
    let (blocks, rest) = rows.as_chunks::<8>();
    blocks.iter().for_each(&mut add);
    // Rows of zeros change no maximum.
    let mut last = [T::default(); 8];
    last.iter_mut()
        .zip(rest)
        .for_each(|(row, &rest)| *row = rest);
    add(&last);
    largest
}

/// What counts of each column: all of the vertex, nothing of speed and side, the magnitudes of the
/// deltas, nothing of the wrinkle.
const fn masks<const N: usize>() -> [u16; N] {
    let mut masks = [0; N];
    let mut at = 0;
    while at < N {
        masks[at] = match at % (N / 8) {
            0 => u16::MAX,
            2..8 => MAGNITUDE,
            _ => 0,
        };
        at += 1;
    }
    masks
}

/// How many vertices of a model its flexes move, each counted once, if that can be more than
/// `cap`; else some number up to `cap`.
pub(super) fn flexed_vertices(model: &Model<'_>, cap: u64) -> u64 {
    let possible = model.meshes.iter().map(|mesh| {
        let rows = mesh.flexes.iter().map(|flex| flex.vert_anims.len() as u64);
        rows.sum::<u64>()
            .min(u64::try_from(mesh.vertex_count).unwrap_or(0))
    });
    let possible = possible.sum();
    if possible <= cap {
        return possible;
    }
    let mut seen = Seen([0; 1024]);
    let distinct = model.meshes.iter().map(|mesh| seen.distinct(mesh));
    distinct.sum()
}

/// A set of vertices of a mesh: rows name them with 16 bits.
struct Seen([u64; (1 << 16) / 64]);

impl Seen {
    /// How many of its own vertices the flexes of a mesh move. Leaves the set empty as it was.
    fn distinct(&mut self, mesh: &Mesh<'_>) -> u64 {
        let mut count = 0;
        Self::each_vertex(mesh, |vertex| {
            let (word, bit) = self.bit(vertex);
            if *word & bit == 0 && i32::from(vertex) < mesh.vertex_count {
                *word |= bit;
                count += 1;
            }
        });
        // Only what was set is cleared: a damaged file may have very many meshes of one row.
        Self::each_vertex(mesh, |vertex| *self.bit(vertex).0 = 0);
        count
    }

    fn bit(&mut self, vertex: u16) -> (&mut u64, u64) {
        (&mut self.0[usize::from(vertex / 64)], 1 << (vertex % 64))
    }

    fn each_vertex(mesh: &Mesh<'_>, mut visit: impl FnMut(u16)) {
        for flex in &mesh.flexes {
            match &flex.vert_anims {
                VertAnims::Plain(rows) => rows.iter().for_each(|row| visit(row.vertex.get())),
                VertAnims::Wrinkle(rows) => {
                    rows.iter().for_each(|row| visit(row.base.vertex.get()));
                }
            }
        }
    }
}
