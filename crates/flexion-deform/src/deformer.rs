//! One pose: find the active flexes, then run the kernel over the vertices.
//!
//! All calls do the same work in the same order and differ in who owns the memory:
//!
//! | call | output | scratch | threads |
//! |---|---|---|---|
//! | [`Deformer::apply`] | the caller's | made for the call | one |
//! | [`Deformer::apply_with`] | the caller's | the caller's | one |
//! | [`Deformer::apply_to`] | a [`Shape`] | the shape's | one |
//! | [`Deformer::apply_parallel`] | the caller's | the caller's | rayon's |
//!
//! With scratch that has seen the deformer before, the calls on one thread allocate
//! nothing. The deformer itself orders its rows by vertex once, when a pose first moves half
//! of them.

use std::sync::Arc;

use flexion_simd::Backend;

use crate::backend;
use crate::deltas::Deltas;
use crate::error::{Buffer, Error};
use crate::layout::Layout;
use crate::model::Model;
use crate::pose::{Chunk, Pose, PoseChunk};
use crate::ramp::RampMode;
use crate::record::BaseVertices;
use crate::scratch::Scratch;
use crate::shape::{InterleavedMut, Shape, ShapeMut};
use crate::target::Target;

#[cfg(test)]
mod tests;

/// A chunk with fewer flexed vertices is not worth splitting between threads.
const SPLIT_ABOVE: usize = 1024;

/// Of eight rows, as many must be active for a gather to be the faster way.
///
/// With all rows active a pose took 2.6, 2.2 and 3.2 ns a row by scatter and 1.5, 1.1 and 2.0
/// by gather (faces of 31000, 150000 and 31000 rows, AVX2). Less what both ways share, a
/// gathered row costs about half of a scattered one, and a gather meets all of them.
const GATHER_FROM: usize = 4;

/// The flexes of one model, ready to pose it.
///
/// Immutable and shared: a clone costs a reference count, and any number of threads may
/// pose at once, each with its own output and [`Scratch`].
///
/// ```
/// use flexion_deform::*;
///
/// let base = BaseVertices {
///     positions: vec![[0.0; 3]],
///     normals: vec![[0.0, 0.0, 1.0]],
///     tangents: Vec::new(),
/// };
/// let mut builder = DeformerBuilder::new(base, 1, Encoding::Fixed, 0.25, Precision::File);
/// let record = FlexRecord { vertex_count: 1, ..FlexRecord::default() };
/// let row = DeltaRow { speed: 255, delta: [8, 0, 0], wrinkle: -4, ..DeltaRow::default() };
/// builder.flex(record, [row]);
/// let deformer = builder.build();
///
/// let mut shape = deformer.shape();
/// for weight in [1.0, 0.5] {
///     deformer.apply_to(Weights::still(&[weight]), RampMode::Saturate, &mut shape)?;
///     assert_eq!(shape.positions, [[2.0 * weight, 0.0, 0.0]]);
///     assert_eq!(shape.wrinkles, [-weight]);
/// }
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Deformer {
    pub(crate) layout: Arc<Layout>,
    pub(crate) model: Arc<Model>,
    backend: Backend,
}

/// Descriptor weights of a pose, one per descriptor of the file in both slices.
#[derive(Debug, Clone, Copy)]
pub struct Weights<'a> {
    /// What the rules (and eyelids) gave.
    pub current: &'a [f32],
    /// The same after the delay; rows with a speed below 255 follow it in part.
    pub delayed: &'a [f32],
}

impl<'a> Weights<'a> {
    /// A pose held long enough for the delay to have caught up.
    #[must_use]
    pub fn still(weights: &'a [f32]) -> Self {
        Self {
            current: weights,
            delayed: weights,
        }
    }

    fn check(self, descriptors: usize) -> Result<(), Error> {
        Error::check(Buffer::CurrentWeights, descriptors, self.current.len())?;
        Error::check(Buffer::DelayedWeights, descriptors, self.delayed.len())
    }
}

impl Deformer {
    pub(crate) fn new(layout: Layout, deltas: Deltas) -> Self {
        Self {
            model: Arc::new(Model::new(&layout, deltas)),
            layout: Arc::new(layout),
            backend: Backend::best(),
        }
    }

    /// The same model on other instructions, with the same results in every bit. Costs two
    /// reference counts.
    #[must_use]
    pub fn with_backend(&self, backend: Backend) -> Deformer {
        Deformer {
            backend,
            ..self.clone()
        }
    }

    /// The instructions it runs on: the processor's best, unless
    /// [`with_backend`](Self::with_backend) said otherwise.
    #[must_use]
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// How many vertices the model has.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.layout.base.positions.len()
    }

    /// How many weights a pose takes.
    #[must_use]
    pub fn descriptors(&self) -> usize {
        self.layout.descriptors
    }

    /// How many flexes take part.
    #[must_use]
    pub fn flexes(&self) -> usize {
        self.layout.flexes.len()
    }

    /// How many delta rows they have, ignored ones left out.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.layout.ranks.len()
    }

    /// The same model in [`Precision::Engine`](crate::Precision::Engine): what the builder
    /// would have made with it. All is shared but the deltas.
    #[must_use]
    pub fn quantised(&self) -> Deformer {
        let deltas = self.model.deltas.quantised();
        Deformer {
            model: Arc::new(Model::new(&self.layout, deltas)),
            ..self.clone()
        }
    }

    /// The undeformed vertices.
    #[must_use]
    pub fn base(&self) -> &BaseVertices {
        &self.layout.base
    }

    /// The vertices that some flex lists, ascending: no pose moves any other.
    #[must_use]
    pub fn flexed(&self) -> &[u32] {
        &self.layout.flexed
    }

    /// A shape at rest, with buffers of the right sizes.
    #[must_use]
    pub fn shape(&self) -> Shape {
        Shape::at_rest(&self.layout)
    }

    /// Poses the model into the caller's buffers.
    ///
    /// # Errors
    /// A slice of weights that is not [`descriptors`](Self::descriptors) long, or a buffer
    /// that is not [`vertices`](Self::vertices) long (tangents: as many as the base has).
    pub fn apply(
        &self,
        weights: Weights<'_>,
        mode: RampMode,
        out: ShapeMut<'_>,
    ) -> Result<(), Error> {
        self.apply_with(weights, mode, out, &mut Scratch::default())
    }

    /// As [`apply`](Self::apply), with scratch to reuse: allocates nothing once the
    /// scratch has grown.
    ///
    /// # Errors
    /// Those of [`apply`](Self::apply).
    pub fn apply_with(
        &self,
        weights: Weights<'_>,
        mode: RampMode,
        out: ShapeMut<'_>,
        scratch: &mut Scratch,
    ) -> Result<(), Error> {
        weights.check(self.descriptors())?;
        out.check(&self.layout)?;
        self.pose(weights, mode, out, scratch, false);
        Ok(())
    }

    /// As [`apply_with`](Self::apply_with), into a vertex buffer with a stride.
    ///
    /// # Errors
    /// A slice of weights that is not [`descriptors`](Self::descriptors) long, a stride that
    /// is too short for an attribute, or a buffer that does not have a stride of floats for
    /// each of [`vertices`](Self::vertices).
    pub fn apply_interleaved(
        &self,
        weights: Weights<'_>,
        mode: RampMode,
        mut out: InterleavedMut<'_>,
        scratch: &mut Scratch,
    ) -> Result<(), Error> {
        weights.check(self.descriptors())?;
        out.check(&self.layout)?;
        if !self.layout.has_tangents() {
            out.tangent = None;
        }
        self.pose(weights, mode, out, scratch, false);
        Ok(())
    }

    /// Poses the model into `shape`, whose buffers take the model's sizes if they have
    /// others.
    ///
    /// # Errors
    /// A slice of weights that is not [`descriptors`](Self::descriptors) long.
    pub fn apply_to(
        &self,
        weights: Weights<'_>,
        mode: RampMode,
        shape: &mut Shape,
    ) -> Result<(), Error> {
        weights.check(self.descriptors())?;
        shape.fit(&self.layout);
        let (out, scratch) = shape.split();
        self.pose(weights, mode, out, scratch, false);
        Ok(())
    }

    /// As [`apply_to`](Self::apply_to), but writes only what moves: vertices that this pose
    /// touches, and those that the pose before it did.
    ///
    /// The pose before is the shape's last by `apply_to` or `apply_next`, of this deformer or
    /// another that shares its model ([`quantised`](Self::quantised),
    /// [`with_backend`](Self::with_backend), clones). Where the shape holds no such pose (it
    /// is new, was lent by [`Shape::as_mut`], has buffers of other lengths or served another
    /// model last) everything is written. What was written straight into the shape's fields
    /// since stays at vertices that neither pose touches; `apply_to` overwrites it.
    ///
    /// ```
    /// # use flexion_deform::*;
    /// # let base = BaseVertices { positions: vec![[0.0; 3]; 2], ..BaseVertices::default() };
    /// # let mut builder = DeformerBuilder::new(base, 1, Encoding::Fixed, 1.0, Precision::File);
    /// # let record = FlexRecord { vertex_count: 2, ..FlexRecord::default() };
    /// # builder.flex(record, [DeltaRow { delta: [1, 0, 0], ..DeltaRow::default() }]);
    /// # let deformer = builder.build();
    /// let mut shape = deformer.shape();
    /// for weight in [1.0, 0.5, 0.0] {
    ///     deformer.apply_next(Weights::still(&[weight]), RampMode::Saturate, &mut shape)?;
    ///     assert_eq!(shape.positions, [[weight, 0.0, 0.0], [0.0; 3]]);
    /// }
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`apply_to`](Self::apply_to).
    pub fn apply_next(
        &self,
        weights: Weights<'_>,
        mode: RampMode,
        shape: &mut Shape,
    ) -> Result<(), Error> {
        weights.check(self.descriptors())?;
        let known = shape.fit(&self.layout);
        let (out, scratch) = shape.split();
        self.pose(weights, mode, out, scratch, known);
        Ok(())
    }

    /// As [`apply_with`](Self::apply_with), on the threads of the rayon pool it is called
    /// in: chunks of vertices are posed side by side.
    ///
    /// The bits are those of one thread. It pays for models of several thousand flexed
    /// vertices with many active flexes; where there are many models or poses, spread those
    /// instead.
    ///
    /// # Errors
    /// Those of [`apply`](Self::apply).
    pub fn apply_parallel(
        &self,
        weights: Weights<'_>,
        mode: RampMode,
        out: ShapeMut<'_>,
        scratch: &mut Scratch,
    ) -> Result<(), Error> {
        weights.check(self.descriptors())?;
        out.check(&self.layout)?;
        let (pose, chunk) = self.prepare(weights, mode, out, scratch, false);
        self.pose_split(pose, chunk, SPLIT_ABOVE);
        Ok(())
    }

    fn pose(
        &self,
        weights: Weights<'_>,
        mode: RampMode,
        out: impl Target,
        scratch: &mut Scratch,
        known: bool,
    ) {
        let (pose, chunk) = self.prepare(weights, mode, out, scratch, known);
        backend::run(self.backend, PoseChunk(pose, chunk));
    }

    /// Halves the chunk until no part has more than `largest` ranks (a word of marks at least).
    fn pose_split(&self, pose: Pose<'_>, chunk: Chunk<'_, ShapeMut<'_>>, largest: usize) {
        if chunk.ranks.len() <= largest {
            return backend::run(self.backend, PoseChunk(pose, chunk));
        }
        let (first, second) = chunk.halves(&self.layout);
        rayon::join(
            || self.pose_split(pose, first, largest),
            || self.pose_split(pose, second, largest),
        );
    }

    /// Finds the active flexes with their weights and what they touch, and makes one chunk
    /// of the model. `known`: the output holds the pose that the scratch served last.
    fn prepare<'a, T: Target>(
        &'a self,
        weights: Weights<'_>,
        mode: RampMode,
        out: T,
        scratch: &'a mut Scratch,
        known: bool,
    ) -> (Pose<'a>, Chunk<'a, T>) {
        let layout = &*self.layout;
        let ranks = layout.flexed.len();
        scratch.begin(layout, out.wants().tangents);
        let rows = scratch.activate(self, weights, mode);
        let gather = rows * 8 >= layout.ranks.len() * GATHER_FROM;
        if gather {
            scratch.still(layout);
        }
        if known {
            scratch.leave_touched();
        }
        let pose = Pose {
            layout,
            model: &self.model,
            active: &scratch.active,
            is_active: &scratch.is_active,
            weights: &scratch.weights,
            touched: &scratch.touched,
            previous: known.then_some(&*scratch.previous),
            walk: gather.then(|| self.model.deltas.walk(layout)),
        };
        let chunk = Chunk {
            ranks: 0..ranks,
            vertices: 0..self.vertices(),
            out,
            sums: &mut scratch.sums,
            tangent_sums: &mut scratch.tangent_sums,
        };
        (pose, chunk)
    }
}
