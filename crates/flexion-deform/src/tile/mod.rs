//! A tile of frames: every lane of a vector is a frame.
//!
//! A tile is four vectors of frames: 32 frames with AVX2, 64 with AVX-512. It goes through
//! three steps, each a file here:
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

mod sum;
mod weigh;
mod write;

use std::ops::Range;

use flexion_simd::{Lane, Stream};

use crate::backend::{Isa, Job};
use crate::deltas::{Codec, Fixed, Halves, LANES, Lanes, WrinkledHalves};
use crate::frames::{FrameVertices, FrameWeights, FramesMut};
use crate::layout::Layout;
use crate::model::Model;
use crate::precision::Encoding;
use crate::ramp::RampMode;
use crate::walk::Walk;

use sum::TileVertex;

/// Vertices that are summed, turned and written together.
const BLOCK: usize = 64;

/// Vectors that a sum works on at a time.
const PAIR: usize = 2;

/// Vectors of a tile: the frames for which a row is converted once.
const VECTORS: usize = 2 * PAIR;

/// Frames of a tile, a bit each.
type FrameSet = u64;

/// Memory of one thread.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    /// A vector per descriptor, current and delayed.
    current: Vec<f32>,
    delayed: Vec<f32>,
    /// The four weights of each flex.
    flexes: Vec<f32>,
    /// The frames that have each flex active.
    live: Vec<FrameSet>,
    /// The weights of each blend, in the order of their use.
    table: Vec<f32>,
    /// The rows of a vertex whose flex is active: floats, place in the table, frames.
    rows: Vec<Lanes>,
    places: Vec<usize>,
    frames: Vec<FrameSet>,
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
        const { assert!(VECTORS * I::Lane::LANES <= FrameSet::BITS as usize) };
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
}
