//! The sums of a vertex, in all frames of a tile.

use flexion_simd::Lane;

use crate::backend::{Isa, Wide};
use crate::deltas::{Codec, Lanes, NORMAL, WRINKLE};
use crate::layout::Layout;
use crate::marks::is_set;
use crate::model::Model;
use crate::walk::Walk;

use super::{FrameSet, PAIR, VECTORS, Wanted, Workspace};

/// A vertex and its place in the block.
pub(super) struct TileVertex<'a> {
    pub(super) layout: &'a Layout,
    pub(super) model: &'a Model,
    pub(super) walk: &'a Walk,
    pub(super) vertex: usize,
    pub(super) column: usize,
    pub(super) wanted: Wanted,
    /// Pairs of vectors that have frames in them.
    pub(super) pairs: usize,
}

impl TileVertex<'_> {
    /// A vertex that no flex lists, the same in all frames.
    #[inline(always)]
    pub(super) fn rest<I: Isa>(&self, isa: I, workspace: &mut Workspace) {
        let base = &self.layout.base;
        let [positions, normals, tangents, wrinkles] = &mut workspace.columns;
        for pair in 0..self.pairs {
            if self.wanted[0] {
                let position = splat::<I, 3>(isa, base.positions[self.vertex]);
                self.store(positions, pair, position);
            }
            if self.wanted[1] {
                let normal = splat::<I, 3>(isa, base.normals[self.vertex]);
                self.store(normals, pair, normal);
            }
            if self.wanted[2] {
                let tangent = splat::<I, 4>(isa, base.tangents[self.vertex]);
                self.store(tangents, pair, tangent);
            }
            if self.wanted[3] {
                self.store(wrinkles, pair, splat::<I, 1>(isa, [0.0]));
            }
        }
    }

    #[inline(always)]
    pub(super) fn sum<I: Isa, C: Codec>(
        &self,
        isa: I,
        codec: C,
        workspace: &mut Workspace,
        rank: usize,
    ) {
        self.blend(isa, workspace, rank);
        let (count, touched) = self.collect(isa, codec, workspace, rank);
        if touched == 0 {
            return self.rest(isa, workspace);
        }
        let Workspace {
            table,
            rows,
            places,
            frames,
            columns: [positions, normals, tangents, wrinkles],
            ..
        } = workspace;
        let rows = Rows {
            rows: &rows[..count],
            places: &places[..count],
            frames: &frames[..count],
            table,
            masked: is_set(&self.model.awkward, rank),
        };
        let [x, y, z, nx, ny, nz, ..] = self.layout.rest[rank];
        // One attribute at a time: six sums and two weights fit in the registers. With twelve
        // sums for positions and normals together four were spilled, for 8 cycles a row.
        for pair in 0..self.pairs {
            if self.wanted[0] {
                let sums = rows.sum::<I, 0, 3>(isa, pair, [x, y, z]);
                self.store(positions, pair, sums);
            }
            if self.wanted[1] {
                let sums = rows.sum::<I, NORMAL, 3>(isa, pair, [nx, ny, nz]);
                self.store(normals, pair, units(isa, sums, pair, touched));
            }
            if self.wanted[2] {
                let [x, y, z, sign] = self.layout.base.tangents[self.vertex];
                let sums = rows.sum::<I, NORMAL, 3>(isa, pair, [x, y, z]);
                let [x, y, z] = units(isa, sums, pair, touched);
                self.store(tangents, pair, [x, y, z, splat::<I, 1>(isa, [sign])[0]]);
            }
            if self.wanted[3] {
                self.store(wrinkles, pair, rows.sum::<I, WRINKLE, 1>(isa, pair, [0.0]));
            }
        }
    }

    /// Fills the table for blends that no vertex before used. A flex that no frame has
    /// active keeps stale weights, which no frame reads.
    #[inline(always)]
    fn blend<I: Isa>(&self, isa: I, workspace: &mut Workspace, rank: usize) {
        let (lanes, token) = (I::Lane::LANES, isa.lane());
        let tile = VECTORS * lanes;
        let layout = self.layout;
        let walk = self.walk;
        let range = walk.met[rank] as usize..walk.met[rank + 1] as usize;
        let table = &mut workspace.table[range.start * tile..range.end * tile];
        let one = I::Lane::splat(token, 1.0);
        for (of_use, out) in walk.uses[range].iter().zip(table.chunks_exact_mut(tile)) {
            let flex = of_use.flex as usize;
            if workspace.live[flex] == 0 {
                continue;
            }
            let s = I::Lane::splat(token, layout.speeds[of_use.blend as usize]);
            let b = I::Lane::splat(token, layout.sides[of_use.blend as usize]);
            let weights = &workspace.flexes[flex * 4 * tile..][..4 * tile];
            for (vector, out) in out.chunks_exact_mut(lanes).enumerate() {
                let w1 = I::Lane::load(token, &weights[vector * lanes..]);
                let w2 = I::Lane::load(token, &weights[tile + vector * lanes..]);
                let w3 = I::Lane::load(token, &weights[2 * tile + vector * lanes..]);
                let w4 = I::Lane::load(token, &weights[3 * tile + vector * lanes..]);
                let weight = (w1 * s + (one - s) * w2) * (one - b) + b * (w3 * s + (one - s) * w4);
                weight.store(out);
            }
        }
    }

    /// Converts the rows that some frame needs; how many, and the frames that need any.
    #[inline(always)]
    fn collect<I: Isa, C: Codec>(
        &self,
        isa: I,
        codec: C,
        workspace: &mut Workspace,
        rank: usize,
    ) -> (usize, FrameSet) {
        let tile = VECTORS * I::Lane::LANES;
        let range = self.walk.rows_of(rank);
        let of_rank = &self.walk.rows[range.clone()];
        let uses = &self.walk.use_of[range];
        let (flexes, live_of) = (&self.walk.uses[..], &workspace.live[..]);
        // Slices of the vertex's own length: the compiler then knows that they do not move.
        let rows = &mut workspace.rows[..of_rank.len()];
        let places = &mut workspace.places[..of_rank.len()];
        let frames = &mut workspace.frames[..of_rank.len()];
        let (mut count, mut touched) = (0, 0);
        for (row, &number) in of_rank.iter().zip(uses) {
            let number = number as usize;
            let live = live_of[flexes[number].flex as usize];
            // Without a branch: what is not needed is overwritten by the next.
            codec
                .floats::<I::Wide>(isa.wide(), row)
                .store(&mut rows[count]);
            places[count] = number * tile;
            frames[count] = live;
            count += usize::from(live != 0);
            touched |= live;
        }
        (count, touched)
    }

    #[inline(always)]
    fn store<L: Lane, const N: usize>(
        &self,
        columns: &mut [f32],
        pair: usize,
        sums: [[L; PAIR]; N],
    ) {
        let tile = VECTORS * L::LANES;
        let columns = &mut columns[self.column * N * tile..][..N * tile];
        for (column, sums) in columns.chunks_exact_mut(tile).zip(sums) {
            let column = &mut column[pair * PAIR * L::LANES..];
            for (out, sum) in column.chunks_exact_mut(L::LANES).zip(sums) {
                sum.store(out);
            }
        }
    }
}

#[inline(always)]
fn splat<I: Isa, const N: usize>(isa: I, values: [f32; N]) -> [[I::Lane; PAIR]; N] {
    let mut vectors = [[I::Lane::splat(isa.lane(), 0.0); PAIR]; N];
    for (vectors, value) in vectors.iter_mut().zip(values) {
        *vectors = [I::Lane::splat(isa.lane(), value); PAIR];
    }
    vectors
}

/// The frames of a pair that are among `frames`, as masks.
#[inline(always)]
fn masks<I: Isa>(isa: I, pair: usize, frames: FrameSet) -> [<I::Lane as Lane>::Mask; PAIR] {
    let frames = frames >> (pair * PAIR * I::Lane::LANES);
    let mut floats = [0.0; PAIR * 16];
    for (frame, float) in floats[..PAIR * I::Lane::LANES].iter_mut().enumerate() {
        *float = (frames >> frame & 1) as f32;
    }
    let zero = I::Lane::splat(isa.lane(), 0.0);
    [
        zero.lt(I::Lane::load(isa.lane(), &floats)),
        zero.lt(I::Lane::load(isa.lane(), &floats[I::Lane::LANES..])),
    ]
}

/// To unit length in the frames that touch the vertex.
#[inline(always)]
fn units<I: Isa>(
    isa: I,
    sums: [[I::Lane; PAIR]; 3],
    pair: usize,
    touched: FrameSet,
) -> [[I::Lane; PAIR]; 3] {
    let mut units = sums;
    let masks = masks(isa, pair, touched);
    for vector in 0..PAIR {
        let sums = [sums[0][vector], sums[1][vector], sums[2][vector]];
        let unit = unit::<I>(isa, sums);
        for axis in 0..3 {
            units[axis][vector] = I::Lane::select(masks[vector], unit[axis], sums[axis]);
        }
    }
    units
}

/// To unit length; a vector without a length (all zeros, or a NaN in it) stays.
#[inline(always)]
fn unit<I: Isa>(isa: I, [x, y, z]: [I::Lane; 3]) -> [I::Lane; 3] {
    let length = I::sqrt(x * x + y * y + z * z);
    let has_length = I::Lane::splat(isa.lane(), 0.0).lt(length);
    [
        I::Lane::select(has_length, x / length, x),
        I::Lane::select(has_length, y / length, y),
        I::Lane::select(has_length, z / length, z),
    ]
}

/// The rows of a vertex that some frame needs.
struct Rows<'a> {
    rows: &'a [Lanes],
    places: &'a [usize],
    frames: &'a [FrameSet],
    table: &'a [f32],
    /// Whether frames that do not need a row must not meet it.
    masked: bool,
}

impl Rows<'_> {
    /// Sums `N` lanes of the rows from `FIRST` on.
    #[inline(always)]
    fn sum<I: Isa, const FIRST: usize, const N: usize>(
        &self,
        isa: I,
        pair: usize,
        start: [f32; N],
    ) -> [[I::Lane; PAIR]; N] {
        if self.masked {
            self.sum_rows::<I, FIRST, N, true>(isa, pair, start)
        } else {
            self.sum_rows::<I, FIRST, N, false>(isa, pair, start)
        }
    }

    /// Each row in the frames that need it, or in all: where a frame does not need a row, its
    /// weight is 0.
    #[inline(always)]
    fn sum_rows<I: Isa, const FIRST: usize, const N: usize, const MASKED: bool>(
        &self,
        isa: I,
        pair: usize,
        start: [f32; N],
    ) -> [[I::Lane; PAIR]; N] {
        let token = isa.lane();
        let mut sums = splat::<I, N>(isa, start);
        for ((row, &place), &frames) in self.rows.iter().zip(self.places).zip(self.frames) {
            let [first, second] = self.weights(isa, place, pair);
            for (sums, &delta) in sums.iter_mut().zip(&row[FIRST..FIRST + N]) {
                let delta = I::Lane::splat(token, delta);
                let mut next = [sums[0] + delta * first, sums[1] + delta * second];
                if MASKED {
                    let masks = masks(isa, pair, frames);
                    next[0] = I::Lane::select(masks[0], next[0], sums[0]);
                    next[1] = I::Lane::select(masks[1], next[1], sums[1]);
                }
                *sums = next;
            }
        }
        sums
    }

    #[inline(always)]
    fn weights<I: Isa>(&self, isa: I, place: usize, pair: usize) -> [I::Lane; PAIR] {
        let pair = place + pair * PAIR * I::Lane::LANES;
        let weights = &self.table[pair..][..PAIR * I::Lane::LANES];
        [
            I::Lane::load(isa.lane(), weights),
            I::Lane::load(isa.lane(), &weights[I::Lane::LANES..]),
        ]
    }
}
