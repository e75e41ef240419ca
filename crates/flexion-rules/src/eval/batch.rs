//! Many poses: blocks of them, one instruction at a time.

use flexion_simd::{Backend, Stream, prefetch};
use rayon::prelude::*;

use super::block::{LINE, Line};
use super::level;
use super::planes::{Planes, PlanesMut};
use super::run::{Block, Rows, Run, Work};
use crate::code::Program;

/// Lines of a plane at most.
const LINES: usize = 16;

/// Bytes of all planes that still stay in the second-level cache.
const CACHED: usize = 384 << 10;

/// Up to this many poses level code is faster than block code.
const FEW: usize = 2 * LINE;

/// Poses a thread takes at a time at most, so that the last threads do not wait long for each other.
const PART: usize = 16 * LINES * LINE;

/// Weights that do not stay in the cache are written around it: from 4 MiB on.
const STREAM_FROM: usize = 1 << 20;

/// Runs a [`Program`] on many poses at once.
///
/// Poses come and go in one of three layouts:
///
/// | layout | call | a float of slot `s`, pose `p` |
/// |---|---|---|
/// | rows (pose-major), as people have them | [`rows`](Self::rows) | `p * slots + s` |
/// | planes (slot-major) | [`planes`](Self::planes) | `s * stride + p` |
/// | in place, a [`block`](Self::block) at a time | [`sliders_mut`](Self::sliders_mut), [`run`](Self::run), [`weights`](Self::weights) | `[p]` of slot `s` |
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
    /// Lines of a plane.
    lines: usize,
    /// Planes of a block, from the first cache line on.
    memory: Vec<f32>,
    /// Rows of one line of poses, on their way to be streamed.
    rows: Vec<f32>,
    /// For level code; empty until there are few poses.
    frame: Vec<Line>,
    column: Vec<f32>,
}

impl BatchEvaluator {
    /// An evaluator with its own scratch memory: a plane of up to 1 KiB for each controller, descriptor and value
    /// on the way. The more planes a rig needs, the shorter they are, so that they stay in the cache.
    pub fn new(program: &Program, backend: Backend) -> BatchEvaluator {
        let planes = program.code.block.planes;
        let mut lines = LINES;
        while lines > 2 && planes * stride(lines) * size_of::<Line>() > CACHED {
            lines /= 2;
        }
        BatchEvaluator {
            program: program.clone(),
            backend,
            lines,
            memory: vec![0.0; planes * stride(lines) * LINE + LINE],
            rows: vec![0.0; LINE * program.descriptors()],
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

    /// The most poses that [`run`](Self::run) takes, 32 to 256; planes of the block are as long.
    pub fn block(&self) -> usize {
        self.lines * LINE
    }

    /// Evaluates rows of sliders to rows of weights.
    ///
    /// # Panics
    ///
    /// If the slices do not hold the same number of poses.
    pub fn rows(&mut self, sliders: &[f32], weights: &mut [f32]) {
        let poses = self.count_rows(sliders, weights);
        let stream = streamed(weights.len());
        self.rows_of(poses, sliders, weights, stream.as_ref());
    }

    fn rows_of(
        &mut self,
        poses: usize,
        sliders: &[f32],
        weights: &mut [f32],
        stream: Option<&Stream>,
    ) {
        let (inputs, outputs) = self.program.code.layout.slots();
        for start in (0..poses).step_by(self.block()) {
            let count = self.block().min(poses - start);
            let rows = Rows {
                sliders: &sliders[start * inputs..][..count * inputs],
                weights: &mut weights[start * outputs..][..count * outputs],
                count,
                stream,
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
        let (inputs, outputs) = self.program.code.layout.slots();
        let sliders = sliders.check("sliders", inputs, poses);
        let mut weights = weights.check("weights", outputs, poses);
        let stream = streamed(poses * outputs);
        for start in (0..poses).step_by(self.block()) {
            let count = self.block().min(poses - start);
            let ahead = self.ahead(poses - start - count, stream.as_ref());
            self.block_of(sliders, start, count, ahead);
            for slot in 0..outputs {
                let plane = self.weight_plane(slot, count);
                copy(weights.plane(slot, start, count), plane, stream.as_ref());
            }
        }
    }

    /// As [`rows`](Self::rows), on the threads of the rayon pool it is called in.
    ///
    /// # Panics
    ///
    /// As [`rows`](Self::rows).
    pub fn rows_parallel(&self, sliders: &[f32], weights: &mut [f32]) {
        let (inputs, outputs) = self.program.code.layout.slots();
        let poses = self.count_rows(sliders, weights);
        let part = self.part(poses);
        if poses <= part || inputs == 0 || outputs == 0 {
            return self.clone().rows(sliders, weights);
        }
        let total = weights.len();
        sliders
            .par_chunks(part * inputs)
            .zip(weights.par_chunks_mut(part * outputs))
            .for_each_init(
                || (self.clone(), streamed(total)),
                |(batch, stream), (sliders, weights)| {
                    let poses = sliders.len() / inputs;
                    batch.rows_of(poses, sliders, weights, stream.as_ref());
                },
            );
    }

    /// As [`planes`](Self::planes), on the threads of the rayon pool it is called in.
    ///
    /// # Panics
    ///
    /// As [`planes`](Self::planes).
    pub fn planes_parallel(&self, poses: usize, sliders: Planes<'_>, weights: PlanesMut<'_>) {
        let (inputs, outputs) = self.program.code.layout.slots();
        let sliders = sliders.check("sliders", inputs, poses);
        let weights = weights.check("weights", outputs, poses);
        let part = self.part(poses);
        let parts = weights.parts(outputs, poses, part);
        parts.into_par_iter().enumerate().for_each_init(
            || (self.clone(), streamed(poses * outputs)),
            |(batch, stream), (number, mut weights)| {
                batch.planes_of(sliders, number * part, &mut weights, stream.as_ref());
            },
        );
    }

    /// Poses of a thread's part: whole blocks, as many for each thread.
    fn part(&self, poses: usize) -> usize {
        let each = poses.div_ceil(rayon::current_num_threads().max(1));
        each.next_multiple_of(self.block())
            .clamp(self.block(), PART)
    }

    /// One thread's part of all planes.
    fn planes_of(
        &mut self,
        sliders: Planes<'_>,
        first: usize,
        weights: &mut [&mut [f32]],
        stream: Option<&Stream>,
    ) {
        let poses = weights.first().map_or(0, |plane| plane.len());
        for start in (0..poses).step_by(self.block()) {
            let count = self.block().min(poses - start);
            let ahead = self.ahead(poses - start - count, stream);
            self.block_of(sliders, first + start, count, ahead);
            for (slot, plane) in weights.iter_mut().enumerate() {
                let from = self.weight_plane(slot, count);
                copy(&mut plane[start..][..count], from, stream);
            }
        }
    }

    /// How many of the poses left to ask for: the next block's if there are so many that no cache has them.
    fn ahead(&self, left: usize, stream: Option<&Stream>) -> usize {
        stream.map_or(0, |_| left.min(self.block()))
    }

    /// Runs the block on these poses of the planes; `ahead` of the next poses are asked for meanwhile.
    fn block_of(&mut self, sliders: Planes<'_>, start: usize, count: usize, ahead: usize) {
        for slot in 0..self.program.controllers() {
            prefetch(sliders.plane(slot, start + count, ahead));
        }
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
        let (start, length) = (self.offset(controller), self.block());
        &mut self.memory[start..][..length]
    }

    /// The weights that the last [`run`](Self::run) gave one descriptor, a float for each pose of the block.
    ///
    /// To be read before the sliders of the next run are set: a weight that is a slider as it is lies in its plane.
    ///
    /// # Panics
    ///
    /// If there is no such descriptor.
    pub fn weights(&self, descriptor: usize) -> &[f32] {
        assert!(
            descriptor < self.program.descriptors(),
            "no such descriptor"
        );
        self.weight_plane(descriptor, self.block())
    }

    /// Evaluates the first `poses` poses of the block in place.
    ///
    /// Sliders keep their values; weights of other poses of the block may be anything.
    ///
    /// # Panics
    ///
    /// If `poses` is more than a [`block`](Self::block).
    pub fn run(&mut self, poses: usize) {
        assert!(
            poses <= self.block(),
            "{poses} poses where a block has {}",
            self.block()
        );
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
            block: Block {
                planes,
                stride: stride(self.lines),
            },
            row: &mut self.rows,
            frame: &mut self.frame,
            column: &mut self.column,
        });
    }

    fn weight_plane(&self, descriptor: usize, count: usize) -> &[f32] {
        let plane = self.program.code.block.weights[descriptor] as usize;
        &self.memory[self.offset(plane)..][..count]
    }

    fn offset(&self, slot: usize) -> usize {
        self.start() + slot * stride(self.lines) * LINE
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
        let (inputs, outputs) = self.program.code.layout.slots();
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

/// Lines from one plane to the next: one more than a plane has, since planes a power of two apart compete for the
/// same places of the cache.
fn stride(lines: usize) -> usize {
    lines + 1
}

/// A stream if the weights are many.
fn streamed(weights: usize) -> Option<Stream> {
    (weights >= STREAM_FROM).then(Stream::new)
}

fn copy(to: &mut [f32], from: &[f32], stream: Option<&Stream>) {
    match stream {
        Some(stream) => stream.copy(to, from),
        None => to.copy_from_slice(from),
    }
}
