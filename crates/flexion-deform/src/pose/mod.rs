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

mod finish;
mod gather;
mod scatter;

use std::ops::Range;

use crate::backend::{Isa, Job};
use crate::deltas::{Codec, Fixed, Halves, Lanes, WrinkledHalves};
use crate::layout::Layout;
use crate::marks::{MARKS, Ranks};
use crate::model::Model;
use crate::precision::Encoding;
use crate::shape::ShapeMut;
use crate::target::{Target, Vertex, Wants};
use crate::walk::Walk;

/// What all chunks of a pose share.
#[derive(Clone, Copy)]
pub(crate) struct Pose<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) model: &'a Model,
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
        let deltas = &pose.model.deltas;
        let scale = deltas.scale;
        match (deltas.encoding, wants.wrinkles) {
            (Encoding::Half, false) => chunk.sum(isa, &pose, Halves, wants),
            (Encoding::Half, true) => chunk.sum(isa, &pose, WrinkledHalves { scale }, wants),
            (Encoding::Fixed, _) => chunk.sum(isa, &pose, Fixed { scale }, wants),
        }
    }
}

impl<T: Target> Chunk<'_, T> {
    #[inline(always)]
    fn sum<I: Isa, C: Codec>(&mut self, isa: I, pose: &Pose<'_>, codec: C, wants: Wants) {
        match (pose.walk, wants.tangents && pose.layout.has_tangents()) {
            (None, false) => self.scatter::<I, C, false>(isa, pose, codec, wants),
            (None, true) => self.scatter::<I, C, true>(isa, pose, codec, wants),
            (Some(walk), false) => self.gather::<I, C, false>(isa, pose, walk, codec, wants),
            (Some(walk), true) => self.gather::<I, C, true>(isa, pose, walk, codec, wants),
        }
    }

    /// Puts at rest what this pose does not touch, or all if the output's pose is not known.
    fn put_untouched(&mut self, pose: &Pose<'_>) {
        let Some(previous) = pose.previous else {
            return self.put_rest(pose, self.vertices.clone());
        };
        for rank in Ranks::new(&self.ranks, previous) {
            let vertex = pose.layout.flexed[rank] as usize;
            let place = vertex - self.vertices.start;
            self.out
                .put(place, &Vertex::at_rest(&pose.layout.base, vertex));
        }
    }

    fn put_rest(&mut self, pose: &Pose<'_>, vertices: Range<usize>) {
        let place = vertices.start - self.vertices.start;
        self.out.reset(&pose.layout.base, vertices, place);
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
