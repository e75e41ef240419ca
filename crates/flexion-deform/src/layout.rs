//! Which flex and which vertex a row belongs to: all of a model but its deltas.
//!
//! Flexes, ramps, descriptors and vertices at rest are the same in both precisions, so two
//! deformers of one model share a layout. A model's pose is a sum over rows, and the layout
//! lets a kernel walk them both ways:
//!
//! - by flex: the rows of a flex lie side by side, sorted by vertex;
//! - by vertex: the rows of a vertex lie side by side, in file order ([`crate::walk`], made
//!   when first wanted).
//!
//! The deltas are then there twice, in both orders, so that either walk reads them in one
//! sweep. Reading by vertex through numbers of rows instead, which spares 16 bytes a row,
//! was tried: with rows enough to leave the second-level cache a gather took 3.6 ns a row
//! instead of 1.
//!
//! Most vertices of a model belong to no flex, so vertices that do are numbered on their
//! own: such a number is a *rank*, ascending with the vertex. Sums and marks are by rank,
//! which keeps them dense.
//!
//! ```text
//! vertex   0  1  2  3  4  5          by flex       by vertex
//! flex A      ×     ×                A at rank 0   rank 0: A, B
//! flex B      ×        ×             A at rank 1   rank 1: A
//! rank        0     1  2             B at rank 0   rank 2: B
//!                                    B at rank 2
//! ```
//!
//! A *blend* is a speed and a side. Rows of a flex that agree in both have one weight, so
//! each flex lists its blends once and a row names one of them. Blends are sorted, those of
//! one speed side by side: between them only the last step of the weight differs.
//!
//! **What real files have.** Faces of 670 to 3400 flexed vertices (of 900 to 12000), 6000 to
//! 150000 rows, 8 to 50 of them a vertex. Blends are between 6 and 65 in 100 rows: few where
//! a rig has one speed, many where speed varies along a stroke.

use std::ops::Range;

use crate::deltas::{LANES, Lanes, NORMAL};
use crate::marks::MARKS;
use crate::ramp::Ramp;
use crate::record::BaseVertices;

/// A flex that a pose may have to apply.
#[derive(Debug, Clone)]
pub(crate) struct Flex {
    pub(crate) descriptor: usize,
    pub(crate) partner: Option<usize>,
    pub(crate) ramp: Ramp,
    /// Its rows, those of later flexes behind them.
    pub(crate) rows: Range<usize>,
    /// Its blends in [`Layout::speeds`].
    pub(crate) blends: Range<usize>,
    /// Its words in [`Layout::marks`].
    pub(crate) marks: Range<usize>,
}

/// Some of the ranks that a flex touches.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    pub(crate) word: u32,
    pub(crate) bits: u64,
}

/// The model without its deltas.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) base: BaseVertices,
    pub(crate) descriptors: usize,
    /// In file order.
    pub(crate) flexes: Vec<Flex>,
    /// Of each blend, the share of the current weights.
    pub(crate) speeds: Vec<f32>,
    /// Of each blend, the share of the partner.
    pub(crate) sides: Vec<f32>,
    pub(crate) marks: Vec<Mark>,
    /// The rank of each row.
    pub(crate) ranks: Vec<u32>,
    /// The vertex of each rank.
    pub(crate) flexed: Vec<u32>,
    /// What each rank sums up from, in the lanes of a row.
    pub(crate) rest: Vec<Lanes>,
    /// The tangent in the lanes of a normal delta, if there are tangents.
    pub(crate) rest_tangents: Vec<Lanes>,
}

impl Layout {
    /// Brings flexes, blends and vertices together. `vertices` has the vertex of each row.
    pub(crate) fn new(
        base: BaseVertices,
        descriptors: usize,
        mut flexes: Vec<Flex>,
        [speeds, sides]: [Vec<f32>; 2],
        vertices: Vec<u32>,
    ) -> Self {
        let (flexed, ranks) = number(base.positions.len(), vertices);
        let mut marks = Vec::new();
        for flex in &mut flexes {
            let start = marks.len();
            mark(&ranks[flex.rows.clone()], &mut marks);
            flex.marks = start..marks.len();
        }
        marks.shrink_to_fit();
        let rest = flexed.iter().map(|&vertex| rest(&base, vertex as usize));
        let tangents = flexed.iter().filter(|_| !base.tangents.is_empty());
        Self {
            rest: rest.collect(),
            rest_tangents: tangents
                .map(|&vertex| in_normal_lanes(base.tangents[vertex as usize]))
                .collect(),
            base,
            descriptors,
            flexes,
            speeds,
            sides,
            marks,
            ranks,
            flexed,
        }
    }

    /// The rows of `flex` whose ranks lie in `range`.
    pub(crate) fn rows_within(&self, flex: &Flex, range: &Range<usize>) -> Range<usize> {
        if range.len() == self.flexed.len() {
            return flex.rows.clone();
        }
        let ranks = &self.ranks[flex.rows.clone()];
        let at = |rank: usize| ranks.partition_point(|&other| (other as usize) < rank);
        flex.rows.start + at(range.start)..flex.rows.start + at(range.end)
    }

    /// Which flex a blend belongs to.
    pub(crate) fn flex_of(&self, blend: usize) -> usize {
        self.flexes.partition_point(|flex| flex.blends.end <= blend)
    }

    pub(crate) fn has_tangents(&self) -> bool {
        !self.base.tangents.is_empty()
    }
}

/// The vertices that have rows, ascending, and the rank of each row.
fn number(vertices: usize, mut rows: Vec<u32>) -> (Vec<u32>, Vec<u32>) {
    let mut rank_of = vec![u32::MAX; vertices];
    for &vertex in &rows {
        rank_of[vertex as usize] = 0;
    }
    let mut flexed = Vec::new();
    for (vertex, rank) in rank_of.iter_mut().enumerate() {
        if *rank == 0 {
            *rank = flexed.len() as u32;
            flexed.push(vertex as u32);
        }
    }
    for row in &mut rows {
        *row = rank_of[*row as usize];
    }
    flexed.shrink_to_fit();
    (flexed, rows)
}

/// Appends the marks of ascending ranks.
fn mark(ranks: &[u32], marks: &mut Vec<Mark>) {
    for of_word in ranks.chunk_by(|a, b| a / MARKS as u32 == b / MARKS as u32) {
        marks.push(Mark {
            word: of_word[0] / MARKS as u32,
            bits: of_word
                .iter()
                .fold(0, |bits, rank| bits | 1 << (rank % MARKS as u32)),
        });
    }
}

fn rest(base: &BaseVertices, vertex: usize) -> Lanes {
    let [x, y, z] = base.positions[vertex];
    let [nx, ny, nz] = base.normals[vertex];
    [x, y, z, nx, ny, nz, 0.0, 0.0]
}

fn in_normal_lanes([x, y, z, _]: [f32; 4]) -> Lanes {
    let mut lanes = [0.0; LANES];
    lanes[NORMAL..NORMAL + 3].copy_from_slice(&[x, y, z]);
    lanes
}
