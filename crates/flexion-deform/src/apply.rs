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
//! nothing.

use std::sync::Arc;

use crate::blend::FlexWeights;
use crate::chunk::{Chunk, MARKS};
use crate::error::{Buffer, Error};
use crate::ramp::RampMode;
use crate::record::BaseVertices;
use crate::shape::{Shape, ShapeMut};
use crate::store::{LANES, Lanes, Store};

#[cfg(test)]
mod tests;

/// A chunk of at most this many vertices is not worth splitting between threads.
const SPLIT_ABOVE: usize = 1024;

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
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    base: Arc<BaseVertices>,
    descriptors: usize,
    store: Store,
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
}

/// Memory that a pose needs on the way; its content means nothing between calls.
///
/// Starts empty and grows to the largest deformer it has served: some 32 bytes a vertex and
/// 24 an active flex.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    active: Vec<ActiveFlex>,
    sums: Vec<Lanes>,
    touched: Vec<u64>,
}

/// A flex that the pose does not skip.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ActiveFlex {
    pub(crate) flex: usize,
    pub(crate) weights: FlexWeights,
}

impl Deformer {
    pub(crate) fn new(base: BaseVertices, descriptors: usize, store: Store) -> Self {
        Self {
            inner: Arc::new(Inner {
                base: Arc::new(base),
                descriptors,
                store,
            }),
        }
    }

    /// How many vertices the model has.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.inner.base.positions.len()
    }

    /// How many weights a pose takes.
    #[must_use]
    pub fn descriptors(&self) -> usize {
        self.inner.descriptors
    }

    /// How many flexes take part.
    #[must_use]
    pub fn flexes(&self) -> usize {
        self.inner.store.flexes().len()
    }

    /// How many delta rows they have, ignored ones left out.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.inner.store.row_count()
    }

    /// The same model in [`Precision::Engine`](crate::Precision::Engine): what the builder
    /// would have made with it. The vertices at rest are shared, the deltas are copied.
    #[must_use]
    pub fn quantised(&self) -> Deformer {
        Deformer {
            inner: Arc::new(Inner {
                base: Arc::clone(&self.inner.base),
                descriptors: self.inner.descriptors,
                store: self.inner.store.quantised(),
            }),
        }
    }

    /// The undeformed vertices.
    #[must_use]
    pub fn base(&self) -> &BaseVertices {
        &self.inner.base
    }

    /// A shape at rest, with buffers of the right sizes.
    #[must_use]
    pub fn shape(&self) -> Shape {
        let base = self.base().clone();
        Shape {
            wrinkles: vec![0.0; base.positions.len()],
            positions: base.positions,
            normals: base.normals,
            tangents: base.tangents,
            scratch: Scratch::default(),
        }
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
        let (chunk, active) = self.prepare(weights, mode, out, scratch)?;
        chunk.pose(&self.inner.base, &self.inner.store, active);
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
        self.check_weights(weights)?;
        shape.positions.resize(self.vertices(), [0.0; 3]);
        shape.normals.resize(self.vertices(), [0.0; 3]);
        shape.tangents.resize(self.base().tangents.len(), [0.0; 4]);
        shape.wrinkles.resize(self.vertices(), 0.0);
        let (out, scratch) = shape.split();
        self.apply_with(weights, mode, out, scratch)
    }

    /// As [`apply_with`](Self::apply_with), on the threads of the rayon pool it is called
    /// in: chunks of vertices are posed side by side.
    ///
    /// The bits are those of one thread. It pays for models of several thousand vertices
    /// with many active flexes; where there are many models or poses, spread those
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
        let (chunk, active) = self.prepare(weights, mode, out, scratch)?;
        self.pose_split(chunk, active, SPLIT_ABOVE);
        Ok(())
    }

    /// Halves the chunk until no part has more than `largest` vertices ([`MARKS`] at least).
    fn pose_split(&self, chunk: Chunk<'_>, active: &[ActiveFlex], largest: usize) {
        if chunk.len() <= largest {
            return chunk.pose(&self.inner.base, &self.inner.store, active);
        }
        let (first, second) = chunk.halves();
        rayon::join(
            || self.pose_split(first, active, largest),
            || self.pose_split(second, active, largest),
        );
    }

    /// Checks every length, lists the active flexes and makes one chunk of the model.
    fn prepare<'a>(
        &self,
        weights: Weights<'_>,
        mode: RampMode,
        out: ShapeMut<'a>,
        scratch: &'a mut Scratch,
    ) -> Result<(Chunk<'a>, &'a [ActiveFlex]), Error> {
        self.check_weights(weights)?;
        self.check_buffers(&out)?;
        let flexes = self.inner.store.flexes().iter().enumerate();
        scratch.active.clear();
        // All of them once, so that a later pose with more active flexes does not allocate.
        scratch.active.reserve(self.flexes());
        scratch.active.extend(flexes.filter_map(|(flex, of)| {
            let weights = FlexWeights::of(of, weights, mode)?;
            Some(ActiveFlex { flex, weights })
        }));
        scratch.sums.resize(self.vertices(), [0.0; LANES]);
        scratch.touched.resize(self.vertices().div_ceil(MARKS), 0);
        let chunk = Chunk {
            start: 0,
            out,
            sums: &mut scratch.sums,
            touched: &mut scratch.touched,
        };
        Ok((chunk, &scratch.active))
    }

    fn check_weights(&self, weights: Weights<'_>) -> Result<(), Error> {
        let descriptors = self.descriptors();
        Error::check(Buffer::CurrentWeights, descriptors, weights.current.len())?;
        Error::check(Buffer::DelayedWeights, descriptors, weights.delayed.len())
    }

    fn check_buffers(&self, out: &ShapeMut<'_>) -> Result<(), Error> {
        let vertices = self.vertices();
        Error::check(Buffer::Positions, vertices, out.positions.len())?;
        Error::check(Buffer::Normals, vertices, out.normals.len())?;
        if let Some(tangents) = &out.tangents {
            Error::check(Buffer::Tangents, self.base().tangents.len(), tangents.len())?;
        }
        if let Some(wrinkles) = &out.wrinkles {
            Error::check(Buffer::Wrinkles, vertices, wrinkles.len())?;
        }
        Ok(())
    }
}
