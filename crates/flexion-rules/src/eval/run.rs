//! What the backend runs for a call of the batch evaluator.

use std::cell::Cell;
use std::ops::Range;

use flexion_simd::{Job, Lane, Stream};

use super::block::{self, LINE, Line};
use super::level;
use super::transpose;
use crate::code::Code;

/// What a call does with its block.
pub(super) enum Work<'a> {
    /// Sliders are in the planes, weights stay there.
    InPlace(usize),
    Rows(Rows<'a>),
    /// As few as level code is for.
    FewRows(Rows<'a>),
}

/// Rows of `count` poses.
pub(super) struct Rows<'a> {
    pub sliders: &'a [f32],
    pub weights: &'a mut [f32],
    pub count: usize,
    /// Where the weights go around the cache.
    pub stream: Option<&'a Stream>,
}

/// The planes of a block, each `stride` lines from the one before.
pub(super) struct Block<'a> {
    pub planes: &'a mut [Line],
    pub stride: usize,
}

/// All that the loops need, for the backend to run.
pub(super) struct Run<'a> {
    pub work: Work<'a>,
    pub code: &'a Code,
    pub block: Block<'a>,
    /// Rows of a line of poses, on their way to be streamed.
    pub row: &'a mut [f32],
    pub frame: &'a mut [Line],
    pub column: &'a mut Vec<f32>,
}

impl Job for Run<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self, t: L::Token) {
        let Run {
            work,
            code,
            mut block,
            row,
            frame,
            column,
        } = self;
        match work {
            Work::InPlace(poses) => {
                block.run::<L>(t, code, poses.div_ceil(LINE), column);
            }
            Work::Rows(rows) => rows.block::<L>(t, code, block, row, column),
            Work::FewRows(rows) if rows.count <= 8 && L::LANES <= 8 => {
                rows.few::<L, 8>(t, code, frame, column);
            }
            Work::FewRows(rows) => rows.few::<L, LINE>(t, code, frame, column),
        }
    }
}

impl Rows<'_> {
    #[inline(always)]
    fn block<L: Lane>(
        self,
        t: L::Token,
        code: &Code,
        mut block: Block<'_>,
        row: &mut [f32],
        column: &mut Vec<f32>,
    ) {
        let (inputs, outputs) = code.layout.slots();
        let stride = block.stride;
        for (index, poses) in self.lines() {
            let rows = &self.sliders[poses.start * inputs..poses.end * inputs];
            transpose::load_rows::<L>(t, rows, inputs, block.planes, (index, stride));
        }
        block.run::<L>(t, code, self.count.div_ceil(LINE), column);
        let weights = &code.block.weights;
        for (index, poses) in self.lines() {
            let rows = &mut self.weights[poses.start * outputs..poses.end * outputs];
            match self.stream {
                None => transpose::store_rows::<L>(t, block.planes, weights, (index, stride), rows),
                Some(stream) => {
                    let row = &mut row[..rows.len()];
                    transpose::store_rows::<L>(t, block.planes, weights, (index, stride), row);
                    stream.copy(rows, row);
                }
            }
        }
    }

    #[inline(always)]
    fn few<L: Lane, const USED: usize>(
        self,
        t: L::Token,
        code: &Code,
        frame: &mut [Line],
        column: &mut Vec<f32>,
    ) {
        let (inputs, outputs) = code.layout.slots();
        for (_, poses) in self.lines() {
            let rows = &self.sliders[poses.start * inputs..poses.end * inputs];
            transpose::load_rows::<L>(t, rows, inputs, frame, (0, 1));
            level::run::<L, LINE, USED>(t, code, frame, column);
            let rows = &mut self.weights[poses.start * outputs..poses.end * outputs];
            transpose::store_rows::<L>(t, frame, &code.block.weights, (0, 1), rows);
        }
    }

    /// The lines that the poses fill, the last in part.
    fn lines(&self) -> impl Iterator<Item = (usize, Range<usize>)> + use<> {
        let count = self.count;
        (0..count.div_ceil(LINE)).map(move |index| {
            let start = index * LINE;
            (index, start..count.min(start + LINE))
        })
    }
}

impl Block<'_> {
    #[inline(always)]
    fn run<L: Lane>(&mut self, t: L::Token, code: &Code, lines: usize, column: &mut Vec<f32>) {
        let planes = Cell::from_mut(&mut *self.planes).as_slice_of_cells();
        block::run::<L>(t, code, planes, (lines, self.stride), column);
    }
}
