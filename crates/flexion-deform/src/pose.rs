//! One pose: all active flexes on one contiguous range of vertices.
//!
//! In go the weights of all blends and the range's part of the output; out come its
//! finished vertices. A chunk needs nothing of any other chunk, which makes it the unit of
//! threads, and the whole model is the one-chunk case.
//!
//! Sums have the lanes of a row and start from the vertex at rest, so a row is one
//! conversion, one multiplication and one addition of eight lanes. There are two ways to
//! walk them, with one result, for a vertex meets its rows in file order on both:
//!
//! | | walks | good when |
//! |---|---|---|
//! | scatter | the rows of each active flex, adding to the sums of their vertices | few flexes are active |
//! | gather | all rows of each touched vertex, the sum in a register | most are |
//!
//! A gather also meets rows of flexes that are not active. It gives them the weight 0: a
//! finite delta times 0 is 0 of either sign, and adding that changes no sum but -0. A sum
//! is -0 only where it starts as -0, since a sum rounds to -0 only from two of them. So
//! the rare vertices that start so, or have a delta that is not finite, look at each row.

use std::ops::Range;

use flexion_simd::Lane;

use crate::backend::{Isa, Job, Wide};
use crate::deltas::{BLEND, Codec, Deltas, Fixed, Halves, LANES, Lanes, WRINKLE, WrinkledHalves};
use crate::layout::{Layout, MARKS};
use crate::precision::Encoding;
use crate::shape::ShapeMut;
use crate::target::{Target, Vertex, Wants};
use crate::walk::Walk;

/// What all chunks of a pose share.
#[derive(Clone, Copy)]
pub(crate) struct Pose<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) deltas: &'a Deltas,
    /// A bit per rank: a weight of 0 does not do for "not active".
    pub(crate) awkward: &'a [u64],
    /// The active flexes in file order.
    pub(crate) active: &'a [u32],
    /// Whether each flex is active.
    pub(crate) is_active: &'a [bool],
    /// The weight of each blend; 0 where the flex is not active, if there is a `walk`.
    pub(crate) weights: &'a [f32],
    /// A bit per rank: an active flex lists it.
    pub(crate) touched: &'a [u64],
    /// What the output's pose touched and this one does not, if it holds a pose.
    pub(crate) previous: Option<&'a [u64]>,
    /// The rows by vertex, if they are to be gathered.
    pub(crate) walk: Option<&'a Walk>,
}

/// A range of ranks, the vertices from the first of them up to the next chunk's, and their
/// part of every buffer.
pub(crate) struct Chunk<'a, T> {
    /// Starts at a multiple of [`MARKS`].
    pub(crate) ranks: Range<usize>,
    pub(crate) vertices: Range<usize>,
    pub(crate) out: T,
    /// By rank. Tangents have sums of their own, in the lanes of the normal delta.
    pub(crate) sums: &'a mut [Lanes],
    pub(crate) tangent_sums: &'a mut [Lanes],
}

/// The job of posing a chunk.
pub(crate) struct PoseChunk<'a, T>(pub(crate) Pose<'a>, pub(crate) Chunk<'a, T>);

impl<T: Target> Job for PoseChunk<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let Self(pose, mut chunk) = self;
        let wants = chunk.out.wants();
        chunk.reset(&pose);
        let scale = pose.deltas.scale;
        match (pose.deltas.encoding, wants.wrinkles) {
            (Encoding::Half, false) => chunk.sum(isa, &pose, Halves, wants),
            (Encoding::Half, true) => chunk.sum(isa, &pose, WrinkledHalves { scale }, wants),
            (Encoding::Fixed, _) => chunk.sum(isa, &pose, Fixed { scale }, wants),
        }
        chunk.finish(isa, &pose, wants);
    }
}

impl<T: Target> Chunk<'_, T> {
    /// Puts at rest what this pose does not touch.
    fn reset(&mut self, pose: &Pose<'_>) {
        let base = &pose.layout.base;
        let Some(previous) = pose.previous else {
            return self.out.reset(base, self.vertices.clone());
        };
        for rank in Ranks::new(&self.ranks, previous) {
            let vertex = pose.layout.flexed[rank] as usize;
            let place = vertex - self.vertices.start;
            self.out.put(place, &Vertex::at_rest(base, vertex));
        }
    }

    #[inline(always)]
    fn sum<I: Isa, C: Codec>(&mut self, isa: I, pose: &Pose<'_>, codec: C, wants: Wants) {
        match (pose.walk, wants.tangents && pose.layout.has_tangents()) {
            (None, false) => self.scatter::<I, C, false>(isa, pose, codec),
            (None, true) => self.scatter::<I, C, true>(isa, pose, codec),
            (Some(walk), false) => self.gather::<I, C, false>(isa, pose, walk, codec),
            (Some(walk), true) => self.gather::<I, C, true>(isa, pose, walk, codec),
        }
    }

    #[inline(always)]
    fn scatter<I: Isa, C: Codec, const TANGENTS: bool>(
        &mut self,
        isa: I,
        pose: &Pose<'_>,
        codec: C,
    ) {
        let (layout, start) = (pose.layout, self.ranks.start);
        for rank in Ranks::new(&self.ranks, pose.touched) {
            self.sums[rank - start] = layout.rest[rank];
            if TANGENTS {
                self.tangent_sums[rank - start] = layout.rest_tangents[rank];
            }
        }
        let (sums, tangent_sums) = (&mut *self.sums, &mut *self.tangent_sums);
        for &flex in pose.active {
            let flex = &layout.flexes[flex as usize];
            let range = layout.rows_within(flex, &self.ranks);
            let weights = &pose.weights[flex.blends.clone()];
            let ranks = &layout.ranks[range.clone()];
            for (row, &rank) in pose.deltas.by_flex[range].iter().zip(ranks) {
                let weight = I::Wide::splat(isa.wide(), weights[usize::from(row[BLEND])]);
                let moved = codec.floats::<I::Wide>(isa.wide(), row).times(weight);
                let place = rank as usize - start;
                add::<I>(isa, &mut sums[place], moved);
                if TANGENTS {
                    add::<I>(isa, &mut tangent_sums[place], moved);
                }
            }
        }
    }

    #[inline(always)]
    fn gather<I: Isa, C: Codec, const TANGENTS: bool>(
        &mut self,
        isa: I,
        pose: &Pose<'_>,
        walk: &Walk,
        codec: C,
    ) {
        let (layout, start, token) = (pose.layout, self.ranks.start, isa.wide());
        let weights = pose.weights;
        for rank in Ranks::new(&self.ranks, pose.touched) {
            let awkward = is_marked(pose.awkward, rank);
            let mut sum = I::Wide::load(token, &layout.rest[rank]);
            let tangent = if TANGENTS {
                layout.rest_tangents[rank]
            } else {
                [0.0; LANES]
            };
            let mut tangent = I::Wide::load(token, &tangent);
            let rows = walk.rows_of(rank);
            let blends = &walk.blends[rows.clone()];
            for (row, &blend) in walk.rows[rows].iter().zip(blends) {
                if awkward && !pose.is_active[layout.flex_of(blend as usize)] {
                    continue;
                }
                let weight = I::Wide::splat(token, weights[blend as usize]);
                let moved = codec.floats::<I::Wide>(token, row).times(weight);
                sum = sum.plus(moved);
                if TANGENTS {
                    tangent = tangent.plus(moved);
                }
            }
            sum.store(&mut self.sums[rank - start]);
            if TANGENTS {
                tangent.store(&mut self.tangent_sums[rank - start]);
            }
        }
    }

    /// Writes the vertices that have sums, with unit normals and tangents: eight vertices
    /// at a time, since roots and divisions are what it costs.
    #[inline(always)]
    fn finish<I: Isa>(&mut self, isa: I, pose: &Pose<'_>, wants: Wants) {
        let (mut group, mut count) = ([0; LANES], 0);
        let ranks = self.ranks.clone();
        for rank in Ranks::new(&ranks, pose.touched) {
            group[count] = rank;
            count += 1;
            if count == LANES {
                self.finish_group(isa, pose, wants, &group);
                count = 0;
            }
        }
        self.finish_group(isa, pose, wants, &group[..count]);
    }

    #[inline(always)]
    fn finish_group<I: Isa>(&mut self, isa: I, pose: &Pose<'_>, wants: Wants, group: &[usize]) {
        let tangents = wants.tangents && pose.layout.has_tangents();
        let start = self.ranks.start;
        let (mut lengths, mut tangent_lengths) = ([1.0; LANES], [1.0; LANES]);
        if wants.normals {
            measure::<I>(isa, group, &self.sums[..], start, &mut lengths);
        }
        if tangents {
            measure::<I>(
                isa,
                group,
                &self.tangent_sums[..],
                start,
                &mut tangent_lengths,
            );
        }
        for (at, &rank) in group.iter().enumerate() {
            let sums = &self.sums[rank - start];
            let vertex = pose.layout.flexed[rank] as usize;
            let mut tangent = [0.0; 4];
            if tangents {
                let [x, y, z] = divide(&self.tangent_sums[rank - start], tangent_lengths[at]);
                tangent = [x, y, z, pose.layout.base.tangents[vertex][3]];
            }
            let vertex = Vertex {
                position: [sums[0], sums[1], sums[2]],
                normal: divide(sums, lengths[at]),
                tangent,
                wrinkle: sums[WRINKLE],
            };
            let place = pose.layout.flexed[rank] as usize - self.vertices.start;
            self.out.put(place, &vertex);
        }
    }
}

impl<'a> Chunk<'a, ShapeMut<'a>> {
    /// Two chunks of about the same number of ranks; there are more than [`MARKS`].
    pub(crate) fn halves(self, layout: &Layout) -> (Self, Self) {
        let count = (self.ranks.len() / 2).next_multiple_of(MARKS);
        let middle = self.ranks.start + count;
        let vertex = layout.flexed[middle] as usize;
        let (out, out_after) = self.out.split_at(vertex - self.vertices.start);
        let (sums, sums_after) = self.sums.split_at_mut(count);
        let tangents = count.min(self.tangent_sums.len());
        let (tangent_sums, tangent_sums_after) = self.tangent_sums.split_at_mut(tangents);
        let first = Self {
            ranks: self.ranks.start..middle,
            vertices: self.vertices.start..vertex,
            out,
            sums,
            tangent_sums,
        };
        let second = Self {
            ranks: middle..self.ranks.end,
            vertices: vertex..self.vertices.end,
            out: out_after,
            sums: sums_after,
            tangent_sums: tangent_sums_after,
        };
        (first, second)
    }
}

/// The ranks of a range whose marks are set, ascending.
///
/// A loop over it is part of the kernel around it. A closure called for each rank is not: it
/// is compiled for the platform's baseline and calls the kernel's instructions one by one,
/// which made a pose five times as slow.
struct Ranks<'a> {
    marks: &'a [u64],
    word: usize,
    end: usize,
    bits: u64,
}

impl<'a> Ranks<'a> {
    #[inline(always)]
    fn new(range: &Range<usize>, marks: &'a [u64]) -> Self {
        let (word, end) = (range.start / MARKS, range.end.div_ceil(MARKS));
        let bits = if word < end { marks[word] } else { 0 };
        Self {
            marks,
            word,
            end,
            bits,
        }
    }
}

impl Iterator for Ranks<'_> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while self.bits == 0 {
            self.word += 1;
            if self.word >= self.end {
                return None;
            }
            self.bits = self.marks[self.word];
        }
        let bit = self.bits.trailing_zeros() as usize;
        self.bits &= self.bits - 1;
        Some(self.word * MARKS + bit)
    }
}

#[inline(always)]
pub(crate) fn is_marked(marks: &[u64], rank: usize) -> bool {
    marks[rank / MARKS] >> (rank % MARKS) & 1 == 1
}

#[inline(always)]
fn add<I: Isa>(isa: I, sums: &mut Lanes, moved: I::Wide) {
    I::Wide::load(isa.wide(), sums).plus(moved).store(sums);
}

/// What to divide the normal lanes of some sums by: their length, or 1 if they have none
/// (all zeros, or a NaN in it) and stay as they are.
#[inline(always)]
fn measure<I: Isa>(
    isa: I,
    group: &[usize],
    sums: &[Lanes],
    start: usize,
    lengths: &mut [f32; LANES],
) {
    for (length, &rank) in lengths.iter_mut().zip(group) {
        let [_, _, _, x, y, z, ..] = sums[rank - start];
        *length = x * x + y * y + z * z;
    }
    let token = isa.lane();
    let (zero, one) = (I::Lane::splat(token, 0.0), I::Lane::splat(token, 1.0));
    for squares in lengths.chunks_exact_mut(I::Lane::LANES) {
        let length = I::sqrt(I::Lane::load(token, squares));
        I::Lane::select(zero.lt(length), length, one).store(squares);
    }
}

/// The normal lanes over the length. The fourth quotient is for the compiler, which makes
/// one division of four.
#[inline(always)]
fn divide(&[_, _, _, x, y, z, wrinkle, _]: &Lanes, length: f32) -> [f32; 3] {
    let [x, y, z, _] = [x, y, z, wrinkle].map(|lane| lane / length);
    [x, y, z]
}

/// To unit length; a vector without a length (all zeros, or a NaN in it) stays.
#[inline(always)]
pub(crate) fn unit<I: Isa>(isa: I, [x, y, z]: [I::Lane; 3]) -> [I::Lane; 3] {
    let length = I::sqrt(x * x + y * y + z * z);
    let has_length = I::Lane::splat(isa.lane(), 0.0).lt(length);
    [
        I::Lane::select(has_length, x / length, x),
        I::Lane::select(has_length, y / length, y),
        I::Lane::select(has_length, z / length, z),
    ]
}
