//! Many poses: blocks of them, one instruction at a time.

use std::cell::Cell;
use std::ops::Range;

use flexion_simd::{Backend, Job, Lane};
use rayon::prelude::*;

use super::block::{self, LINE, Line};
use super::level;
use super::planes::{Planes, PlanesMut};
use super::transpose::{self, At};
use crate::code::{Code, Program};

/// Poses of a block: [`BatchEvaluator::BLOCK`].
const BLOCK: usize = block::LINES * LINE;

/// Up to this many poses level code is faster than block code.
const FEW: usize = 2 * LINE;

/// Poses a thread takes at a time.
const PART: usize = 4 * BLOCK;

/// Floats from one plane to the next.
const STRIDE: usize = block::STRIDE * LINE;

/// Runs a [`Program`] on many poses at once.
///
/// Poses come and go in one of three layouts:
///
/// | layout | call | a float of slot `s`, pose `p` |
/// |---|---|---|
/// | rows (pose-major), as people have them | [`rows`](Self::rows) | `p * slots + s` |
/// | planes (slot-major) | [`planes`](Self::planes) | `s * stride + p` |
/// | in place, a block at a time | [`sliders_mut`](Self::sliders_mut), [`run`](Self::run), [`weights`](Self::weights) | `[p]` of slot `s` |
///
/// All give the bits of [`Evaluator::eval`](crate::Evaluator::eval), whatever the backend, the number of poses
/// and the number of threads. Owns its scratch memory; make one per thread and keep it: no call on one thread
/// allocates, but for the first with few poses.
///
/// ```
/// use flexion_rules::{BatchEvaluator, ControllerRange, Dialect, Op, Program, Rig, Rule};
/// use flexion_simd::Backend;
///
/// // descriptor 0 = controller 0 * controller 1
/// let ops = [Op::with_index(2, 0), Op::with_index(2, 1), Op::with_index(6, 0)];
/// let rig = Rig {
///     controllers: &[ControllerRange { min: 0.0, max: 1.0 }; 2],
///     descriptors: 1,
///     rules: &[Rule { target: 0, ops: &ops }],
/// };
/// let program = Program::compile(&rig, Dialect::Shipped);
/// let mut batch = BatchEvaluator::new(&program, Backend::best());
///
/// let mut weights = [0.0; 3];
/// batch.rows(&[0.5, 0.5, 1.0, 0.25, 0.0, 1.0], &mut weights);
/// assert_eq!(weights, [0.25, 0.25, 0.0]);
///
/// batch.sliders_mut(0)[..2].copy_from_slice(&[0.5, 0.75]);
/// batch.sliders_mut(1)[..2].copy_from_slice(&[1.0, 2.0]);
/// batch.run(2);
/// assert_eq!(batch.weights(0)[..2], [0.5, 1.5]);
/// ```
#[derive(Debug)]
pub struct BatchEvaluator {
    program: Program,
    backend: Backend,
    /// Planes of a block, from the first cache line on.
    memory: Vec<f32>,
    /// For level code; empty until there are few poses.
    frame: Vec<Line>,
    column: Vec<f32>,
}

impl BatchEvaluator {
    /// The most poses that [`run`](Self::run) takes; planes of a block are as long.
    pub const BLOCK: usize = BLOCK;

    /// An evaluator with its own scratch memory: 1 KiB for each plane, which are as many as the rig has
    /// controllers, descriptors and values on the way.
    pub fn new(program: &Program, backend: Backend) -> BatchEvaluator {
        let size = program.code.block.planes * STRIDE;
        BatchEvaluator {
            program: program.clone(),
            backend,
            memory: vec![0.0; size + LINE],
            frame: Vec::new(),
            column: Vec::new(),
        }
    }

    /// The program that is run.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// What it is run with.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// Evaluates rows of sliders to rows of weights.
    ///
    /// # Panics
    ///
    /// If the slices do not hold the same number of poses.
    pub fn rows(&mut self, sliders: &[f32], weights: &mut [f32]) {
        let (inputs, outputs) = (self.program.controllers(), self.program.descriptors());
        let poses = self.count_rows(sliders, weights);
        for start in (0..poses).step_by(BLOCK) {
            let count = BLOCK.min(poses - start);
            let rows = Rows {
                sliders: &sliders[start * inputs..][..count * inputs],
                weights: &mut weights[start * outputs..][..count * outputs],
                count,
            };
            match count <= FEW {
                true => self.dispatch(Work::FewRows(rows)),
                false => self.dispatch(Work::Rows(rows)),
            }
        }
    }

    /// Evaluates planes of sliders to planes of weights.
    ///
    /// # Panics
    ///
    /// If a plane is missing or shorter than `poses`.
    pub fn planes(&mut self, poses: usize, sliders: Planes<'_>, weights: PlanesMut<'_>) {
        let (inputs, outputs) = (self.program.controllers(), self.program.descriptors());
        let sliders = sliders.check("sliders", inputs, poses);
        let mut weights = weights.check("weights", outputs, poses);
        for start in (0..poses).step_by(BLOCK) {
            let count = BLOCK.min(poses - start);
            self.block_of(sliders, start, count);
            for slot in 0..outputs {
                let plane = self.plane(inputs + slot, count);
                weights.plane(slot, start, count).copy_from_slice(plane);
            }
        }
    }

    /// As [`rows`](Self::rows), on the threads of the rayon pool it is called in.
    ///
    /// # Panics
    ///
    /// As [`rows`](Self::rows).
    pub fn rows_parallel(&self, sliders: &[f32], weights: &mut [f32]) {
        let (inputs, outputs) = (self.program.controllers(), self.program.descriptors());
        let poses = self.count_rows(sliders, weights);
        if poses <= PART || inputs == 0 || outputs == 0 {
            return self.clone().rows(sliders, weights);
        }
        sliders
            .par_chunks(PART * inputs)
            .zip(weights.par_chunks_mut(PART * outputs))
            .for_each_init(
                || self.clone(),
                |batch, (sliders, weights)| batch.rows(sliders, weights),
            );
    }

    /// As [`planes`](Self::planes), on the threads of the rayon pool it is called in.
    ///
    /// # Panics
    ///
    /// As [`planes`](Self::planes).
    pub fn planes_parallel(&self, poses: usize, sliders: Planes<'_>, weights: PlanesMut<'_>) {
        let (inputs, outputs) = (self.program.controllers(), self.program.descriptors());
        let sliders = sliders.check("sliders", inputs, poses);
        let weights = weights.check("weights", outputs, poses);
        let parts = weights.parts(outputs, poses, PART);
        parts.into_par_iter().enumerate().for_each_init(
            || self.clone(),
            |batch, (part, mut weights)| batch.part(sliders, part * PART, &mut weights),
        );
    }

    /// One thread's part of all planes.
    fn part(&mut self, sliders: Planes<'_>, first: usize, weights: &mut [&mut [f32]]) {
        let poses = weights.first().map_or(0, |plane| plane.len());
        let inputs = self.program.controllers();
        for start in (0..poses).step_by(BLOCK) {
            let count = BLOCK.min(poses - start);
            self.block_of(sliders, first + start, count);
            for (slot, plane) in weights.iter_mut().enumerate() {
                plane[start..][..count].copy_from_slice(self.plane(inputs + slot, count));
            }
        }
    }

    /// Runs the block on these poses of the planes.
    fn block_of(&mut self, sliders: Planes<'_>, start: usize, count: usize) {
        for slot in 0..self.program.controllers() {
            self.sliders_mut(slot)[..count].copy_from_slice(sliders.plane(slot, start, count));
        }
        self.run(count);
    }

    /// The sliders of one controller for the next [`run`](Self::run), a float for each pose of the block.
    ///
    /// # Panics
    ///
    /// If there is no such controller.
    pub fn sliders_mut(&mut self, controller: usize) -> &mut [f32] {
        assert!(
            controller < self.program.controllers(),
            "no such controller"
        );
        let start = self.start() + controller * STRIDE;
        &mut self.memory[start..][..BLOCK]
    }

    /// The weights that the last [`run`](Self::run) gave one descriptor, a float for each pose of the block.
    ///
    /// # Panics
    ///
    /// If there is no such descriptor.
    pub fn weights(&self, descriptor: usize) -> &[f32] {
        assert!(
            descriptor < self.program.descriptors(),
            "no such descriptor"
        );
        self.plane(self.program.controllers() + descriptor, BLOCK)
    }

    /// Evaluates the first `poses` poses of the block in place.
    ///
    /// Sliders keep their values; weights of other poses of the block may be anything.
    ///
    /// # Panics
    ///
    /// If `poses` is more than [`BLOCK`](Self::BLOCK).
    pub fn run(&mut self, poses: usize) {
        assert!(poses <= BLOCK, "a block has {BLOCK} poses");
        self.dispatch(Work::InPlace(poses));
    }

    fn dispatch(&mut self, work: Work<'_>) {
        let code = &*self.program.code;
        if let Work::FewRows(_) = work
            && self.frame.is_empty()
        {
            self.frame = level::frame(code);
        }
        let start = self.start();
        let (planes, _) = self.memory[start..].as_chunks_mut();
        self.backend.run(Run {
            work,
            code,
            planes,
            frame: &mut self.frame,
            column: &mut self.column,
        });
    }

    fn plane(&self, slot: usize, count: usize) -> &[f32] {
        &self.memory[self.start() + slot * STRIDE..][..count]
    }

    /// The first float on a cache line, so that no vector lies on two.
    fn start(&self) -> usize {
        // The offset may be unknown; then vectors only cost more.
        match self.memory.as_ptr().align_offset(64) {
            offset @ ..LINE => offset,
            _ => 0,
        }
    }

    fn count_rows(&self, sliders: &[f32], weights: &[f32]) -> usize {
        let (inputs, outputs) = (self.program.controllers(), self.program.descriptors());
        let poses = match (
            sliders.len().checked_div(inputs),
            weights.len().checked_div(outputs),
        ) {
            (Some(poses), _) | (None, Some(poses)) => poses,
            (None, None) => 0,
        };
        assert!(
            sliders.len() == poses * inputs && weights.len() == poses * outputs,
            "{} sliders and {} weights are not rows of {inputs} and {outputs} of the same number of poses",
            sliders.len(),
            weights.len()
        );
        poses
    }
}

/// A clone has scratch memory of its own.
impl Clone for BatchEvaluator {
    fn clone(&self) -> BatchEvaluator {
        BatchEvaluator::new(&self.program, self.backend)
    }
}

/// What a call does with its block.
enum Work<'a> {
    /// Sliders are in the planes, weights stay there.
    InPlace(usize),
    Rows(Rows<'a>),
    /// As few as level code is for.
    FewRows(Rows<'a>),
}

/// Rows of `count` poses.
struct Rows<'a> {
    sliders: &'a [f32],
    weights: &'a mut [f32],
    count: usize,
}

/// All that the loops need, for the backend to run.
struct Run<'a> {
    work: Work<'a>,
    code: &'a Code,
    planes: &'a mut [Line],
    frame: &'a mut [Line],
    column: &'a mut Vec<f32>,
}

impl Job for Run<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self, t: L::Token) {
        let Run {
            work,
            code,
            planes,
            frame,
            column,
        } = self;
        match work {
            Work::InPlace(poses) => {
                block::run::<L>(t, code, cells(planes), poses.div_ceil(LINE), column);
            }
            Work::Rows(rows) => rows.block::<L>(t, code, planes, column),
            Work::FewRows(rows) if rows.count <= 8 && L::LANES <= 8 => {
                rows.few::<L, 8>(t, code, frame, column);
            }
            Work::FewRows(rows) => rows.few::<L, LINE>(t, code, frame, column),
        }
    }
}

impl Rows<'_> {
    #[inline(always)]
    fn block<L: Lane>(self, t: L::Token, code: &Code, planes: &mut [Line], column: &mut Vec<f32>) {
        let (inputs, outputs) = code.layout.slots();
        let at = |index| At {
            index,
            stride: block::STRIDE,
        };
        for (index, poses) in self.lines() {
            let rows = &self.sliders[poses.start * inputs..poses.end * inputs];
            transpose::load_rows::<L>(t, rows, inputs, planes, at(index));
        }
        let lines = self.count.div_ceil(LINE);
        block::run::<L>(t, code, cells(planes), lines, column);
        let weights = &planes[inputs * block::STRIDE..];
        for (index, poses) in self.lines() {
            let rows = &mut self.weights[poses.start * outputs..poses.end * outputs];
            transpose::store_rows::<L>(t, weights, at(index), outputs, rows);
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
        let at = At {
            index: 0,
            stride: 1,
        };
        for (_, poses) in self.lines() {
            let rows = &self.sliders[poses.start * inputs..poses.end * inputs];
            transpose::load_rows::<L>(t, rows, inputs, frame, at);
            level::run::<L, LINE, USED>(t, code, frame, column);
            let rows = &mut self.weights[poses.start * outputs..poses.end * outputs];
            transpose::store_rows::<L>(t, &frame[inputs..], at, outputs, rows);
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

fn cells(planes: &mut [Line]) -> &[Cell<Line>] {
    Cell::from_mut(planes).as_slice_of_cells()
}
