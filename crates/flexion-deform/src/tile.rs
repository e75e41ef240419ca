//! A tile of frames: every lane of a vector is a frame.
//!
//! A tile is four vectors of frames, 32 frames with AVX2. It goes through three steps:
//!
//! ```text
//! weights   rows of descriptors ──turn──► a vector per descriptor ──ramp──► per flex
//! sums      vertex by vertex: blends met first are weighed, each row is converted once,
//!           its lanes are broadcast and multiplied by its blend's vectors
//! output    block of sums ──turn──► a run of floats per frame ──► the caller's memory
//! ```
//!
//! A flex that no frame of the tile has active is left out. One that some frames have
//! active has the weight 0 in the others, which changes no bit of their sums for the reasons
//! that [`pose`](crate::pose) gives; vertices for which it could take each row under a mask.
//! Frames in which nothing touches a vertex keep its normal as it is.
//!
//! Blocks are of 64 vertices: enough for whole cache lines in each frame's run, few enough
//! that their sums, before and after turning, stay near the processor.

use std::ops::Range;

use flexion_simd::{Lane, Stream};

use crate::backend::{Isa, Job, Wide};
use crate::blend::THRESHOLD;
use crate::deltas::{Codec, Fixed, Halves, LANES, Lanes, NORMAL, WRINKLE, WrinkledHalves};
use crate::frames::{FrameVertices, FrameWeights, FramesMut};
use crate::layout::{Flex, Layout};
use crate::marks::is_set;
use crate::model::Model;
use crate::pose::unit;
use crate::precision::Encoding;
use crate::ramp::{Ramp, RampMode};
use crate::walk::Walk;

/// Vertices that are summed, turned and written together.
const BLOCK: usize = 64;

/// Vectors that a sum works on at a time.
const PAIR: usize = 2;

/// Vectors of a tile: the frames for which a row is converted once.
const VECTORS: usize = 2 * PAIR;

/// Memory of one thread.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    /// A vector per descriptor, current and delayed.
    current: Vec<f32>,
    delayed: Vec<f32>,
    /// The four weights of each flex.
    flexes: Vec<f32>,
    /// The frames that have each flex active, a bit each.
    live: Vec<u32>,
    /// The weights of each blend, in the order of their use.
    table: Vec<f32>,
    /// The rows of a vertex whose flex is active: floats, place in the table, frames.
    rows: Vec<Lanes>,
    places: Vec<usize>,
    frames: Vec<u32>,
    /// Sums of a block by attribute, and the same turned.
    columns: [Vec<f32>; 4],
    turned: Vec<f32>,
}

/// Frames for one thread.
pub(crate) struct Run<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) model: &'a Model,
    pub(crate) walk: &'a Walk,
    pub(crate) weights: FrameWeights<'a>,
    pub(crate) mode: RampMode,
    pub(crate) out: FramesMut<'a>,
    pub(crate) workspace: &'a mut Workspace,
    /// Where to write around the cache, if at all.
    pub(crate) stream: Option<Stream>,
}

/// Attributes in the order of the columns, and their floats.
const WIDTHS: [usize; 4] = [3, 3, 4, 1];

/// Which attributes are wanted, in the order of [`WIDTHS`].
type Wanted = [bool; 4];

impl Job for Run<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(mut self, isa: I) {
        let tile = VECTORS * I::Lane::LANES;
        let wanted = self.wanted();
        self.workspace.fit(self.layout, self.walk, tile, wanted);
        for first in (0..self.weights.frames).step_by(tile) {
            let frames = first..self.weights.frames.min(first + tile);
            self.load_weights(frames.clone(), tile);
            for number in 0..self.layout.flexes.len() {
                self.weigh::<I>(isa, number);
            }
            let scale = self.model.deltas.scale;
            match (self.model.deltas.encoding, wanted[3]) {
                (Encoding::Half, false) => self.pose(isa, Halves, frames, wanted),
                (Encoding::Half, true) => self.pose(isa, WrinkledHalves { scale }, frames, wanted),
                (Encoding::Fixed, _) => self.pose(isa, Fixed { scale }, frames, wanted),
            }
        }
    }
}

impl Workspace {
    fn fit(&mut self, layout: &Layout, walk: &Walk, tile: usize, wanted: Wanted) {
        self.current.resize(layout.descriptors * tile, 0.0);
        self.delayed.resize(layout.descriptors * tile, 0.0);
        self.flexes.resize(layout.flexes.len() * 4 * tile, 0.0);
        self.live.resize(layout.flexes.len(), 0);
        self.table.resize(walk.uses.len() * tile, 0.0);
        let longest = walk.longest;
        self.rows.resize(longest, [0.0; LANES]);
        self.places.resize(longest, 0);
        self.frames.resize(longest, 0);
        for ((columns, width), wanted) in self.columns.iter_mut().zip(WIDTHS).zip(wanted) {
            columns.resize(if wanted { BLOCK * width * tile } else { 0 }, 0.0);
        }
        self.turned.resize(BLOCK * 4 * tile, 0.0);
    }
}

impl Run<'_> {
    fn wanted(&self) -> Wanted {
        [
            self.out.positions.is_some(),
            self.out.normals.is_some(),
            self.out.tangents.is_some() && self.layout.has_tangents(),
            self.out.wrinkles.is_some(),
        ]
    }

    /// A vector per descriptor. Frames past the last repeat it.
    #[inline(always)]
    fn load_weights(&mut self, frames: Range<usize>, tile: usize) {
        let descriptors = self.layout.descriptors;
        for lane in 0..tile {
            let frame = (frames.start + lane).min(frames.end - 1);
            let row = self.weights.frame(frame, descriptors);
            for descriptor in 0..descriptors {
                self.workspace.current[descriptor * tile + lane] = row.current[descriptor];
                self.workspace.delayed[descriptor * tile + lane] = row.delayed[descriptor];
            }
        }
    }

    /// Ramps the weights of a flex; 0 in frames that do not have it active.
    #[inline(always)]
    fn weigh<I: Isa>(&mut self, isa: I, number: usize) {
        let lanes = I::Lane::LANES;
        let zero = I::Lane::splat(isa.lane(), 0.0);
        let mut live = 0;
        for vector in 0..VECTORS {
            let ramped = self.ramped(isa, &self.layout.flexes[number], vector);
            let active = activity::<I>(isa, &ramped);
            let is_active = zero.lt(active);
            for (weight, ramped) in ramped.into_iter().enumerate() {
                let at = ((number * 4 + weight) * VECTORS + vector) * lanes;
                I::Lane::select(is_active, ramped, zero).store(&mut self.workspace.flexes[at..]);
            }
            let mut floats = [0.0; 16];
            active.store(&mut floats);
            for (lane, &float) in floats[..lanes].iter().enumerate() {
                live |= u32::from(float > 0.0) << (vector * lanes + lane);
            }
        }
        self.workspace.live[number] = live;
    }

    /// The four weights of a flex, for the frames of a vector.
    #[inline(always)]
    fn ramped<I: Isa>(&self, isa: I, flex: &Flex, vector: usize) -> [I::Lane; 4] {
        let (lanes, token) = (I::Lane::LANES, isa.lane());
        let at = |descriptor: usize| (descriptor * VECTORS + vector) * lanes;
        let own = at(flex.descriptor);
        let current = I::Lane::load(token, &self.workspace.current[own..]);
        let delayed = I::Lane::load(token, &self.workspace.delayed[own..]);
        let w1 = ramp::<I>(isa, &flex.ramp, self.mode, current);
        let w2 = ramp::<I>(isa, &flex.ramp, self.mode, delayed);
        let Some(partner) = flex.partner else {
            return [w1, w2, w1, w2];
        };
        let other = at(partner);
        let current = I::Lane::load(token, &self.workspace.current[other..]);
        let delayed = I::Lane::load(token, &self.workspace.delayed[other..]);
        let w3 = ramp::<I>(isa, &flex.ramp, self.mode, current);
        let w4 = ramp::<I>(isa, &flex.ramp, self.mode, delayed);
        [w1, w2, w3, w4]
    }

    /// Sums and writes all vertices of a tile.
    #[inline(always)]
    fn pose<I: Isa, C: Codec>(&mut self, isa: I, codec: C, frames: Range<usize>, wanted: Wanted) {
        let flexed_only = self.out.vertices == FrameVertices::Flexed;
        let flexed = &self.layout.flexed;
        let count = if flexed_only {
            flexed.len()
        } else {
            self.layout.base.positions.len()
        };
        let mut next_rank = 0;
        for start in (0..count).step_by(BLOCK) {
            let places = start..count.min(start + BLOCK);
            if !flexed_only
                && flexed
                    .get(next_rank)
                    .is_none_or(|&v| v as usize >= places.end)
            {
                self.copy_base(frames.clone(), places);
                continue;
            }
            for place in places.clone() {
                let at_rank = flexed_only || flexed.get(next_rank) == Some(&(place as u32));
                let rank = at_rank.then_some(next_rank);
                let vertex = if flexed_only {
                    flexed[place] as usize
                } else {
                    place
                };
                next_rank += usize::from(at_rank);
                let workspace = &mut *self.workspace;
                let vertex = TileVertex {
                    layout: self.layout,
                    model: self.model,
                    walk: self.walk,
                    vertex,
                    column: place - start,
                    wanted,
                    pairs: frames.len().div_ceil(PAIR * I::Lane::LANES),
                };
                match rank {
                    Some(rank) => vertex.sum(isa, codec, workspace, rank),
                    None => vertex.rest(isa, workspace),
                }
            }
            self.write(isa, frames.clone(), places, wanted);
        }
    }

    /// Vertices that no flex lists.
    #[inline(always)]
    fn copy_base(&mut self, frames: Range<usize>, places: Range<usize>) {
        let (base, stride, stream) = (&self.layout.base, self.out.stride, self.stream.as_ref());
        for frame in frames {
            let out = frame * stride + places.start..frame * stride + places.end;
            if let Some(positions) = &mut self.out.positions {
                let from = base.positions[places.clone()].as_flattened();
                put(positions[out.clone()].as_flattened_mut(), from, stream);
            }
            if let Some(normals) = &mut self.out.normals {
                let from = base.normals[places.clone()].as_flattened();
                put(normals[out.clone()].as_flattened_mut(), from, stream);
            }
            if let Some(tangents) = self.out.tangents.as_mut().filter(|all| !all.is_empty()) {
                let from = base.tangents[places.clone()].as_flattened();
                put(tangents[out.clone()].as_flattened_mut(), from, stream);
            }
            if let Some(wrinkles) = &mut self.out.wrinkles {
                wrinkles[out].fill(0.0);
            }
        }
    }

    /// Turns the sums of a block and hands each frame its run.
    #[inline(always)]
    fn write<I: Isa>(
        &mut self,
        isa: I,
        frames: Range<usize>,
        places: Range<usize>,
        wanted: Wanted,
    ) {
        let tile = VECTORS * I::Lane::LANES;
        let attributes: [Option<&mut [f32]>; 4] = [
            self.out
                .positions
                .as_mut()
                .map(|all| all.as_flattened_mut()),
            self.out.normals.as_mut().map(|all| all.as_flattened_mut()),
            self.out.tangents.as_mut().map(|all| all.as_flattened_mut()),
            self.out.wrinkles.as_deref_mut(),
        ];
        let workspace = &mut *self.workspace;
        for (attribute, out) in attributes.into_iter().enumerate() {
            let (Some(out), true) = (out, wanted[attribute]) else {
                continue;
            };
            let width = WIDTHS[attribute];
            let floats = places.len() * width;
            // Columns past the block's are stale; there are enough for whole vectors.
            let columns = floats.next_multiple_of(LANES) * tile;
            let columns = &workspace.columns[attribute][..columns];
            isa.turn(columns, tile, &mut workspace.turned, BLOCK * width);
            let runs = workspace.turned.chunks_exact(BLOCK * width);
            for (frame, run) in frames.clone().zip(runs) {
                let at = (frame * self.out.stride + places.start) * width;
                put(
                    &mut out[at..at + floats],
                    &run[..floats],
                    self.stream.as_ref(),
                );
            }
        }
    }
}

fn put(to: &mut [f32], from: &[f32], stream: Option<&Stream>) {
    match stream {
        Some(stream) => stream.copy(to, from),
        None => to.copy_from_slice(from),
    }
}

/// [`Ramp::weight`] for a vector of weights: the same tests, the last that holds first.
#[inline(always)]
fn ramp<I: Isa>(isa: I, ramp: &Ramp, mode: RampMode, w: I::Lane) -> I::Lane {
    if mode == RampMode::Overdrive && ramp.has_default_start() {
        return w;
    }
    let token = isa.lane();
    let [t0, t1, t2, t3] = ramp.targets;
    let [t0, t1, t2, t3] = [
        I::Lane::splat(token, t0),
        I::Lane::splat(token, t1),
        I::Lane::splat(token, t2),
        I::Lane::splat(token, t3),
    ];
    let zero = I::Lane::splat(token, 0.0);
    let flat = I::Lane::splat(token, 1.0);
    let falling = I::Lane::select(t2.lt(w), (t3 - w) / (t3 - t2), flat);
    let rising = I::Lane::select(w.lt(t1), (w - t0) / (t1 - t0), falling);
    let before_end = I::Lane::select(t3.le(w), zero, rising);
    I::Lane::select(w.le(t0), zero, before_end)
}

/// 0 where all four weights are near 0, else 1.
#[inline(always)]
fn activity<I: Isa>(isa: I, weights: &[I::Lane; 4]) -> I::Lane {
    let token = isa.lane();
    let (low, high) = (
        I::Lane::splat(token, -THRESHOLD),
        I::Lane::splat(token, THRESHOLD),
    );
    let one = I::Lane::splat(token, 1.0);
    let mut activity = I::Lane::splat(token, 0.0);
    for &weight in weights {
        let below = I::Lane::select(weight.lt(high), activity, one);
        activity = I::Lane::select(low.lt(weight), below, one);
    }
    activity
}

/// A vertex and its place in the block.
struct TileVertex<'a> {
    layout: &'a Layout,
    model: &'a Model,
    walk: &'a Walk,
    vertex: usize,
    column: usize,
    wanted: Wanted,
    /// Pairs of vectors that have frames in them.
    pairs: usize,
}

impl TileVertex<'_> {
    /// A vertex that no flex lists, the same in all frames.
    #[inline(always)]
    fn rest<I: Isa>(&self, isa: I, workspace: &mut Workspace) {
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
    fn sum<I: Isa, C: Codec>(&self, isa: I, codec: C, workspace: &mut Workspace, rank: usize) {
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
    ) -> (usize, u32) {
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
fn masks<I: Isa>(isa: I, pair: usize, frames: u32) -> [<I::Lane as Lane>::Mask; PAIR] {
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
    touched: u32,
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

/// The rows of a vertex that some frame needs.
struct Rows<'a> {
    rows: &'a [Lanes],
    places: &'a [usize],
    frames: &'a [u32],
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
            self.sum_masked::<I, FIRST, N>(isa, pair, start)
        } else {
            self.sum_all::<I, FIRST, N>(isa, pair, start)
        }
    }

    /// All rows in all frames: where a frame does not need a row, its weight is 0.
    #[inline(always)]
    fn sum_all<I: Isa, const FIRST: usize, const N: usize>(
        &self,
        isa: I,
        pair: usize,
        start: [f32; N],
    ) -> [[I::Lane; PAIR]; N] {
        let token = isa.lane();
        let mut sums = splat::<I, N>(isa, start);
        for (row, &place) in self.rows.iter().zip(self.places) {
            let [first, second] = self.weights(isa, place, pair);
            for (sums, &delta) in sums.iter_mut().zip(&row[FIRST..FIRST + N]) {
                let delta = I::Lane::splat(token, delta);
                sums[0] = sums[0] + delta * first;
                sums[1] = sums[1] + delta * second;
            }
        }
        sums
    }

    /// Each row only in the frames that need it.
    #[inline(always)]
    fn sum_masked<I: Isa, const FIRST: usize, const N: usize>(
        &self,
        isa: I,
        pair: usize,
        start: [f32; N],
    ) -> [[I::Lane; PAIR]; N] {
        let token = isa.lane();
        let mut sums = splat::<I, N>(isa, start);
        for ((row, &place), &frames) in self.rows.iter().zip(self.places).zip(self.frames) {
            let [first, second] = self.weights(isa, place, pair);
            let masks = masks(isa, pair, frames);
            for (sums, &delta) in sums.iter_mut().zip(&row[FIRST..FIRST + N]) {
                let delta = I::Lane::splat(token, delta);
                sums[0] = I::Lane::select(masks[0], sums[0] + delta * first, sums[0]);
                sums[1] = I::Lane::select(masks[1], sums[1] + delta * second, sums[1]);
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
