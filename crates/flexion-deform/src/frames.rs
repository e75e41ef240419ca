//! Many poses at once: rows of weights in, frames of vertices out.
//!
//! Weights come as people have them, a row of descriptors for each frame; vertices go
//! straight to the caller's memory, a run of vertices for each frame. In between, a tile of
//! frames shares every step (see [`tile`](crate::tile)), so a delta is read and converted
//! once for all of them.
//!
//! Threads get runs of 32 frames. A frame depends on no other, hence any number of
//! threads gives the same bits, and each frame's are those of
//! [`Deformer::apply`](crate::Deformer::apply) with its weights.

use flexion_simd::Stream;

use crate::backend;
use crate::deformer::{Deformer, Weights};
use crate::error::{Buffer, Error};
use crate::ramp::RampMode;
use crate::tile::{Run, Workspace};

/// Output beyond this many bytes goes around the cache.
///
/// Whoever reads a small output next finds it in the cache; a large one would only drive
/// out the rest and be read back line by line before it is overwritten.
const STREAM_ABOVE: usize = 4 << 20;

/// Frames that stay on one thread: a tile of AVX2, half a tile of AVX-512, which costs little
/// more than half. Whole tiles would leave a second thread without work below 128 frames.
const TOGETHER: usize = 32;

/// Descriptor weights of many poses, frame by frame.
#[derive(Debug, Clone, Copy)]
pub struct FrameWeights<'a> {
    /// How many poses there are.
    pub frames: usize,
    /// As [`Weights::current`], one row after another.
    pub current: &'a [f32],
    /// As [`Weights::delayed`], likewise.
    pub delayed: &'a [f32],
}

impl<'a> FrameWeights<'a> {
    /// Poses each held long enough for the delay to have caught up.
    #[must_use]
    pub fn still(frames: usize, weights: &'a [f32]) -> Self {
        Self {
            frames,
            current: weights,
            delayed: weights,
        }
    }

    fn split_at(self, frame: usize, descriptors: usize) -> (Self, Self) {
        let (current, current_after) = self.current.split_at(frame * descriptors);
        let (delayed, delayed_after) = self.delayed.split_at(frame * descriptors);
        let first = Self {
            frames: frame,
            current,
            delayed,
        };
        let second = Self {
            frames: self.frames - frame,
            current: current_after,
            delayed: delayed_after,
        };
        (first, second)
    }

    pub(crate) fn frame(&self, frame: usize, descriptors: usize) -> Weights<'a> {
        Weights {
            current: &self.current[frame * descriptors..][..descriptors],
            delayed: &self.delayed[frame * descriptors..][..descriptors],
        }
    }
}

/// Which vertices a frame has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum FrameVertices {
    /// All of the model.
    #[default]
    All,
    /// Those that some flex lists, in the order of [`Deformer::flexed`]: all that can move,
    /// which is a small part of most models.
    Flexed,
}

/// The caller's memory for many frames.
///
/// Every attribute that is wanted has [`stride`](Self::stride) items for each frame, of
/// which the first ones are written, one for each of the frame's vertices. What is behind
/// them up to the next frame stays.
#[derive(Debug, Default)]
pub struct FramesMut<'a> {
    /// As [`Shape::positions`](crate::Shape::positions).
    pub positions: Option<&'a mut [[f32; 3]]>,
    /// As [`Shape::normals`](crate::Shape::normals).
    pub normals: Option<&'a mut [[f32; 3]]>,
    /// As [`Shape::tangents`](crate::Shape::tangents); empty if the base has none.
    pub tangents: Option<&'a mut [[f32; 4]]>,
    /// As [`Shape::wrinkles`](crate::Shape::wrinkles).
    pub wrinkles: Option<&'a mut [f32]>,
    /// Items from a frame to the next, at least as many as a frame has vertices.
    pub stride: usize,
    /// Which vertices a frame has.
    pub vertices: FrameVertices,
}

impl FramesMut<'_> {
    fn split_at(self, frame: usize) -> (Self, Self) {
        let at = frame * self.stride;
        let (positions, positions_after) = split(self.positions, at);
        let (normals, normals_after) = split(self.normals, at);
        let (tangents, tangents_after) = split(self.tangents, at);
        let (wrinkles, wrinkles_after) = split(self.wrinkles, at);
        let first = Self {
            positions,
            normals,
            tangents,
            wrinkles,
            ..self
        };
        let second = Self {
            positions: positions_after,
            normals: normals_after,
            tangents: tangents_after,
            wrinkles: wrinkles_after,
            ..self
        };
        (first, second)
    }

    fn bytes(&self) -> usize {
        let sizes = [
            self.positions.as_ref().map(|all| size_of_val(&**all)),
            self.normals.as_ref().map(|all| size_of_val(&**all)),
            self.tangents.as_ref().map(|all| size_of_val(&**all)),
            self.wrinkles.as_ref().map(|all| size_of_val(&**all)),
        ];
        sizes.into_iter().flatten().sum()
    }
}

fn split<T>(items: Option<&mut [T]>, at: usize) -> (Option<&mut [T]>, Option<&mut [T]>) {
    items.map(|items| items.split_at_mut(at)).unzip()
}

/// Memory that [`Deformer::apply_frames`] needs on the way, whatever the number of frames;
/// its content means nothing between calls.
///
/// Starts empty and grows to the largest deformer it has served. With AVX2 a thread takes some
/// 128 bytes for every speed and side of a flex, 256 for every descriptor, 512 for every flex,
/// and 120 KiB; with AVX-512, whose tiles have twice the frames, twice that.
#[derive(Debug, Default)]
pub struct FrameScratch {
    workspaces: Vec<Workspace>,
}

impl Deformer {
    /// Poses many frames into the caller's memory.
    ///
    /// Each has the bits that [`apply`](Self::apply) gives its weights. Nothing is allocated
    /// once the scratch has grown.
    ///
    /// ```
    /// use flexion_deform::*;
    ///
    /// let base = BaseVertices { positions: vec![[0.0; 3]; 2], ..BaseVertices::default() };
    /// let mut builder = DeformerBuilder::new(base, 1, Encoding::Fixed, 0.5, Precision::File);
    /// let record = FlexRecord { vertex_count: 2, ..FlexRecord::default() };
    /// builder.flex(record, [DeltaRow { vertex: 1, delta: [2, 0, 0], ..DeltaRow::default() }]);
    /// let deformer = builder.build();
    ///
    /// let weights = FrameWeights::still(3, &[0.0, 0.5, 1.0]);
    /// let mut positions = [[f32::NAN; 3]; 6];
    /// let out = FramesMut { positions: Some(&mut positions), stride: 2, ..FramesMut::default() };
    /// deformer.apply_frames(weights, RampMode::Saturate, out, &mut FrameScratch::default())?;
    /// assert_eq!(positions.map(|[x, ..]| x), [0.0, 0.0, 0.0, 0.5, 0.0, 1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// Weights that are not [`descriptors`](Self::descriptors) for each frame, a stride below
    /// the number of a frame's vertices, or an attribute that does not have a stride for each
    /// frame. Nothing is written then.
    pub fn apply_frames(
        &self,
        weights: FrameWeights<'_>,
        mode: RampMode,
        out: FramesMut<'_>,
        scratch: &mut FrameScratch,
    ) -> Result<(), Error> {
        self.check_frames(&weights, &out)?;
        let stream = out.bytes() > STREAM_ABOVE;
        let workspaces = scratch.for_threads(1);
        self.run_frames(weights, mode, out, workspaces, stream);
        Ok(())
    }

    /// As [`apply_frames`](Self::apply_frames), on the threads of the rayon pool it is called
    /// in, with the bits of one thread.
    ///
    /// # Errors
    /// Those of [`apply_frames`](Self::apply_frames).
    pub fn apply_frames_parallel(
        &self,
        weights: FrameWeights<'_>,
        mode: RampMode,
        out: FramesMut<'_>,
        scratch: &mut FrameScratch,
    ) -> Result<(), Error> {
        self.check_frames(&weights, &out)?;
        let stream = out.bytes() > STREAM_ABOVE;
        let parts = weights.frames.div_ceil(TOGETHER);
        let workspaces = scratch.for_threads(rayon::current_num_threads().clamp(1, parts.max(1)));
        self.run_frames(weights, mode, out, workspaces, stream);
        Ok(())
    }

    /// Splits the frames evenly between the workspaces.
    fn run_frames(
        &self,
        weights: FrameWeights<'_>,
        mode: RampMode,
        out: FramesMut<'_>,
        workspaces: &mut [Workspace],
        stream: bool,
    ) {
        if let [workspace] = workspaces {
            let run = Run {
                layout: &self.layout,
                model: &self.model,
                walk: self.model.deltas.walk(&self.layout),
                weights,
                mode,
                out,
                workspace,
                stream: stream.then(Stream::new),
            };
            return backend::run(self.backend(), run);
        }
        let half = workspaces.len() / 2;
        let tiles = weights.frames.div_ceil(TOGETHER);
        let middle = (tiles * half / workspaces.len() * TOGETHER).min(weights.frames);
        let (first, second) = weights.split_at(middle, self.descriptors());
        let (out, out_after) = out.split_at(middle);
        let (workspaces, workspaces_after) = workspaces.split_at_mut(half);
        rayon::join(
            || self.run_frames(first, mode, out, workspaces, stream),
            || self.run_frames(second, mode, out_after, workspaces_after, stream),
        );
    }

    fn check_frames(&self, weights: &FrameWeights<'_>, out: &FramesMut<'_>) -> Result<(), Error> {
        let expected = weights.frames.saturating_mul(self.descriptors());
        Error::check(Buffer::CurrentWeights, expected, weights.current.len())?;
        Error::check(Buffer::DelayedWeights, expected, weights.delayed.len())?;
        let vertices = match out.vertices {
            FrameVertices::All => self.vertices(),
            FrameVertices::Flexed => self.flexed().len(),
        };
        if out.stride < vertices {
            return Err(Error {
                buffer: Buffer::Stride,
                expected: vertices,
                found: out.stride,
            });
        }
        let expected = weights.frames.saturating_mul(out.stride);
        let tangents = if self.base().tangents.is_empty() {
            0
        } else {
            expected
        };
        let attributes = [
            (
                Buffer::Positions,
                expected,
                out.positions.as_ref().map(|all| all.len()),
            ),
            (
                Buffer::Normals,
                expected,
                out.normals.as_ref().map(|all| all.len()),
            ),
            (
                Buffer::Tangents,
                tangents,
                out.tangents.as_ref().map(|all| all.len()),
            ),
            (
                Buffer::Wrinkles,
                expected,
                out.wrinkles.as_ref().map(|all| all.len()),
            ),
        ];
        for (buffer, expected, found) in attributes {
            Error::check(buffer, expected, found.unwrap_or(expected))?;
        }
        Ok(())
    }
}

impl FrameScratch {
    fn for_threads(&mut self, count: usize) -> &mut [Workspace] {
        if self.workspaces.len() < count {
            self.workspaces.resize_with(count, Workspace::default);
        }
        &mut self.workspaces[..count]
    }
}
