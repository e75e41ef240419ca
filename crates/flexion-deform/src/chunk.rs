//! The kernel: all active flexes on one contiguous range of vertices.
//!
//! In go the base vertices, the active flexes and the range's part of the output; out
//! come its finished vertices. A chunk needs nothing of any other chunk, which makes it
//! the unit of threads, and the whole model is the one-chunk case.
//!
//! Within a chunk the rows of a flex pass in blocks that stay in the first-level cache:
//! convert 64 rows, weigh them, add them up. Sums have the lanes of a row, so that a row
//! is one vector multiplication and addition; they start from the base when a vertex is
//! touched first and go to the output when all flexes are done. Tangents, for which a row
//! has no lanes of their own, are summed in the output.

use std::ops::Range;

use crate::apply::ActiveFlex;
use crate::blend::Blend;
use crate::record::BaseVertices;
use crate::shape::ShapeMut;
use crate::store::{Flex, LANES, Lanes, Rows, Store, blend_of, normal_of, position_of, wrinkle_of};

/// Rows converted at a time; 2 KiB as floats.
const BLOCK: usize = 64;

/// Vertices whose touched marks share a word. Chunks start at multiples of it.
pub(crate) const MARKS: usize = u64::BITS as usize;

/// A range of vertices and its part of every buffer.
pub(crate) struct Chunk<'a> {
    /// Number of the first vertex, a multiple of [`MARKS`].
    pub(crate) start: usize,
    pub(crate) out: ShapeMut<'a>,
    /// Running sums of touched vertices, in the lanes of a row.
    pub(crate) sums: &'a mut [Lanes],
    /// A bit per vertex: listed by an active flex.
    pub(crate) touched: &'a mut [u64],
}

impl Chunk<'_> {
    pub(crate) fn len(&self) -> usize {
        self.out.positions.len()
    }

    fn range(&self) -> Range<usize> {
        self.start..self.start + self.len()
    }

    /// Poses the vertices of the chunk.
    pub(crate) fn pose(mut self, base: &BaseVertices, store: &Store, active: &[ActiveFlex]) {
        self.reset(base);
        let mut block = Block::default();
        for &ActiveFlex { flex, weights } in active {
            let flex = &store.flexes()[flex];
            let rows = store.rows_within(flex, self.range());
            let vertices = rows.vertices.chunks(BLOCK);
            for (vertices, lanes) in vertices.zip(rows.lanes.chunks(BLOCK)) {
                let rows = Rows { vertices, lanes };
                block.load(store, flex, rows, |blend| blend.weight(weights));
                self.add(vertices, &block);
            }
        }
        self.finish();
    }

    /// Two chunks, the first about half as long and a multiple of [`MARKS`]; the chunk has
    /// more than that many vertices.
    pub(crate) fn halves(self) -> (Self, Self) {
        let middle = (self.len() / 2).next_multiple_of(MARKS);
        let ShapeMut {
            positions,
            normals,
            tangents,
            wrinkles,
        } = self.out;
        let (positions, positions_after) = positions.split_at_mut(middle);
        let (normals, normals_after) = normals.split_at_mut(middle);
        let (tangents, tangents_after) = split_optional(tangents, middle);
        let (wrinkles, wrinkles_after) = split_optional(wrinkles, middle);
        let (sums, sums_after) = self.sums.split_at_mut(middle);
        let (touched, touched_after) = self.touched.split_at_mut(middle / MARKS);
        let first = Self {
            start: self.start,
            out: ShapeMut {
                positions,
                normals,
                tangents,
                wrinkles,
            },
            sums,
            touched,
        };
        let second = Self {
            start: self.start + middle,
            out: ShapeMut {
                positions: positions_after,
                normals: normals_after,
                tangents: tangents_after,
                wrinkles: wrinkles_after,
            },
            sums: sums_after,
            touched: touched_after,
        };
        (first, second)
    }

    fn reset(&mut self, base: &BaseVertices) {
        let range = self.range();
        self.out
            .positions
            .copy_from_slice(&base.positions[range.clone()]);
        self.out
            .normals
            .copy_from_slice(&base.normals[range.clone()]);
        if let Some(tangents) = tangents_in(&mut self.out) {
            tangents.copy_from_slice(&base.tangents[range]);
        }
        if let Some(wrinkles) = &mut self.out.wrinkles {
            wrinkles.fill(0.0);
        }
        self.touched.fill(0);
    }

    fn add(&mut self, vertices: &[u32], block: &Block) {
        let start = self.start;
        let places = || vertices.iter().map(|&vertex| vertex as usize - start);
        for place in places() {
            self.touch(place);
        }
        for (place, (lanes, &weight)) in places().zip(block.rows()) {
            add_weighted(&mut self.sums[place], lanes, weight);
        }
        if let Some(tangents) = tangents_in(&mut self.out) {
            for (place, (lanes, &weight)) in places().zip(block.rows()) {
                let [xyz @ .., _] = &mut tangents[place];
                add_weighted(xyz, &normal_of(lanes), weight);
            }
        }
    }

    /// Starts the sums of a vertex that has none yet.
    #[inline]
    fn touch(&mut self, place: usize) {
        let (word, mark) = (&mut self.touched[place / MARKS], 1 << (place % MARKS));
        if *word & mark == 0 {
            *word |= mark;
            self.sums[place] = sums_at_rest(self.out.positions[place], self.out.normals[place]);
        }
    }

    /// Writes the vertices that have sums, with unit normals.
    fn finish(&mut self) {
        for (word, &marks) in self.touched.iter().enumerate() {
            let mut marks = marks;
            while marks != 0 {
                let place = word * MARKS + marks.trailing_zeros() as usize;
                marks &= marks - 1;
                let sums = &self.sums[place];
                self.out.positions[place] = position_of(sums);
                self.out.normals[place] = unit(normal_of(sums));
                if let Some(wrinkles) = &mut self.out.wrinkles {
                    wrinkles[place] = wrinkle_of(sums);
                }
                if let Some(tangents) = tangents_in(&mut self.out) {
                    let [x, y, z, sign] = tangents[place];
                    let [x, y, z] = unit([x, y, z]);
                    tangents[place] = [x, y, z, sign];
                }
            }
        }
    }
}

/// The tangents if they are wanted and there are any.
fn tangents_in<'a>(out: &'a mut ShapeMut<'_>) -> Option<&'a mut [[f32; 4]]> {
    out.tangents.as_deref_mut().filter(|all| !all.is_empty())
}

/// Splits a buffer that may not be wanted, or be empty because the base has no tangents.
fn split_optional<T>(
    buffer: Option<&mut [T]>,
    middle: usize,
) -> (Option<&mut [T]>, Option<&mut [T]>) {
    match buffer {
        Some(items) if !items.is_empty() => {
            let (before, after) = items.split_at_mut(middle);
            (Some(before), Some(after))
        }
        _ => (None, None),
    }
}

/// Some rows of a flex as floats, with the weight of each; places past them are stale.
struct Block {
    lanes: [Lanes; BLOCK],
    weights: [f32; BLOCK],
}

impl Default for Block {
    fn default() -> Self {
        Self {
            lanes: [[0.0; LANES]; BLOCK],
            weights: [0.0; BLOCK],
        }
    }
}

impl Block {
    fn rows(&self) -> impl Iterator<Item = (&Lanes, &f32)> {
        self.lanes.iter().zip(&self.weights)
    }

    /// Takes at most [`BLOCK`] rows.
    fn load(&mut self, store: &Store, flex: &Flex, rows: Rows<'_>, weight: impl Fn(Blend) -> f32) {
        let count = rows.lanes.len();
        store.codec().unpack(rows.lanes, &mut self.lanes[..count]);
        match flex.blend {
            Some(blend) => self.weights[..count].fill(weight(blend)),
            None => {
                for (out, row) in self.weights.iter_mut().zip(rows.lanes) {
                    *out = weight(blend_of(row));
                }
            }
        }
    }
}

/// What a vertex sums up from, in the lanes of a row. The last lane is never read.
#[inline]
fn sums_at_rest([x, y, z]: [f32; 3], [nx, ny, nz]: [f32; 3]) -> Lanes {
    [x, y, z, nx, ny, nz, 0.0, 0.0]
}

#[inline]
fn add_weighted<const N: usize>(sums: &mut [f32; N], deltas: &[f32; N], weight: f32) {
    *sums = std::array::from_fn(|lane| sums[lane] + deltas[lane] * weight);
}

/// To unit length; a vector without a length (all zeros, or a NaN in it) stays.
#[inline]
fn unit([x, y, z]: [f32; 3]) -> [f32; 3] {
    let length = (x * x + y * y + z * z).sqrt();
    if length > 0.0 {
        [x / length, y / length, z / length]
    } else {
        [x, y, z]
    }
}
