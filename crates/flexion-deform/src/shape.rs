//! Where a pose goes: buffers of ours or of the caller.

use std::sync::{Arc, Weak};

use crate::error::{Buffer, Error};
use crate::layout::Layout;
use crate::scratch::Scratch;

/// A pose in buffers of its own, to be reused from pose to pose.
///
/// [`Deformer::shape`](crate::Deformer::shape) makes one at rest. It carries the
/// [`Scratch`] that the next pose needs, so that posing it again allocates nothing, and it
/// remembers what it shows, so that
/// [`Deformer::apply_next`](crate::Deformer::apply_next) can leave alone what does not move.
#[derive(Debug, Clone, Default)]
pub struct Shape {
    /// Model units, unskinned, one per vertex.
    pub positions: Vec<[f32; 3]>,
    /// One per vertex; of unit length where a flex touched it, else the base's own.
    pub normals: Vec<[f32; 3]>,
    /// One per vertex, or none if the base has none; w is the base's.
    pub tangents: Vec<[f32; 4]>,
    /// Sum of the wrinkle deltas, one per vertex: negative compresses, positive stretches.
    pub wrinkles: Vec<f32>,
    pub(crate) scratch: Scratch,
    /// Whose pose the buffers hold. Both precisions of a model share a layout, its vertices
    /// and its ranks, so either may go on from the other's pose.
    shows: Weak<Layout>,
}

impl Shape {
    pub(crate) fn at_rest(layout: &Arc<Layout>) -> Self {
        let base = layout.base.clone();
        Self {
            wrinkles: vec![0.0; base.positions.len()],
            positions: base.positions,
            normals: base.normals,
            tangents: base.tangents,
            scratch: Scratch::default(),
            shows: Weak::new(),
        }
    }

    /// The four buffers, lent. The shape no longer knows what it shows.
    pub fn as_mut(&mut self) -> ShapeMut<'_> {
        self.shows = Weak::new();
        self.split().0
    }

    pub(crate) fn split(&mut self) -> (ShapeMut<'_>, &mut Scratch) {
        let buffers = ShapeMut {
            positions: &mut self.positions,
            normals: &mut self.normals,
            tangents: Some(&mut self.tangents),
            wrinkles: Some(&mut self.wrinkles),
        };
        (buffers, &mut self.scratch)
    }

    /// Gives the buffers the model's sizes; whether they hold a pose of the model already.
    pub(crate) fn fit(&mut self, layout: &Arc<Layout>) -> bool {
        let (vertices, tangents) = (layout.base.positions.len(), layout.base.tangents.len());
        let fits = self.positions.len() == vertices
            && self.normals.len() == vertices
            && self.tangents.len() == tangents
            && self.wrinkles.len() == vertices;
        self.positions.resize(vertices, [0.0; 3]);
        self.normals.resize(vertices, [0.0; 3]);
        self.tangents.resize(tangents, [0.0; 4]);
        self.wrinkles.resize(vertices, 0.0);
        let shows = std::ptr::eq(self.shows.as_ptr(), Arc::as_ptr(layout));
        // The weak reference keeps the address from being given to another layout.
        self.shows = Arc::downgrade(layout);
        fits && shows
    }
}

/// The caller's buffers. All of them are written from end to end, whatever they held.
///
/// ```
/// use flexion_deform::*;
///
/// let base = BaseVertices { positions: vec![[1.0, 2.0, 3.0]; 2], ..BaseVertices::default() };
/// let deformer = DeformerBuilder::new(base, 0, Encoding::Half, 1.0, Precision::File).build();
/// let (mut positions, mut normals) = ([[f32::NAN; 3]; 2], [[f32::NAN; 3]; 2]);
/// let out = ShapeMut {
///     positions: &mut positions,
///     normals: &mut normals,
///     tangents: None,
///     wrinkles: None,
/// };
/// deformer.apply(Weights::still(&[]), RampMode::Saturate, out)?;
/// assert_eq!(positions, [[1.0, 2.0, 3.0]; 2]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug)]
pub struct ShapeMut<'a> {
    /// As [`Shape::positions`].
    pub positions: &'a mut [[f32; 3]],
    /// As [`Shape::normals`].
    pub normals: &'a mut [[f32; 3]],
    /// As [`Shape::tangents`]; `None` spares their work.
    pub tangents: Option<&'a mut [[f32; 4]]>,
    /// As [`Shape::wrinkles`]; `None` spares their work.
    pub wrinkles: Option<&'a mut [f32]>,
}

/// A vertex buffer of the caller's, each vertex with all its attributes side by side.
///
/// An attribute is named by the place of its first float in the vertex; `None` spares its
/// work. Floats that belong to none of them are left as they are, and so are tangents that
/// the base does not have. Attributes must not overlap: what an overlap holds afterwards is
/// not said.
///
/// With `stride: 3` and nothing but a position this is a plain array of positions.
///
/// ```
/// use flexion_deform::*;
///
/// let base = BaseVertices {
///     positions: vec![[1.0, 2.0, 3.0]; 2],
///     normals: vec![[0.0, 0.0, 1.0]; 2],
///     tangents: Vec::new(),
/// };
/// let deformer = DeformerBuilder::new(base, 0, Encoding::Half, 1.0, Precision::File).build();
/// // Position, two texture coordinates, normal.
/// let mut floats = [0.5; 16];
/// let out = InterleavedMut {
///     position: Some(0),
///     normal: Some(5),
///     ..InterleavedMut::new(&mut floats, 8)
/// };
/// let scratch = &mut Scratch::default();
/// deformer.apply_interleaved(Weights::still(&[]), RampMode::Saturate, out, scratch)?;
/// assert_eq!(floats[8..], [1.0, 2.0, 3.0, 0.5, 0.5, 0.0, 0.0, 1.0]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug)]
pub struct InterleavedMut<'a> {
    /// [`stride`](Self::stride) floats for every vertex.
    pub floats: &'a mut [f32],
    /// Floats from a vertex to the next.
    pub stride: usize,
    /// Place of x y z in the vertex.
    pub position: Option<usize>,
    /// Place of the normal's x y z.
    pub normal: Option<usize>,
    /// Place of the tangent's x y z w.
    pub tangent: Option<usize>,
    /// Place of the wrinkle value.
    pub wrinkle: Option<usize>,
}

impl<'a> InterleavedMut<'a> {
    /// A buffer with no attribute named yet.
    #[must_use]
    pub fn new(floats: &'a mut [f32], stride: usize) -> Self {
        Self {
            floats,
            stride,
            position: None,
            normal: None,
            tangent: None,
            wrinkle: None,
        }
    }
}

impl ShapeMut<'_> {
    pub(crate) fn check(&self, layout: &Layout) -> Result<(), Error> {
        let (vertices, tangents) = (layout.base.positions.len(), layout.base.tangents.len());
        Error::check(Buffer::Positions, vertices, self.positions.len())?;
        Error::check(Buffer::Normals, vertices, self.normals.len())?;
        if let Some(all) = &self.tangents {
            Error::check(Buffer::Tangents, tangents, all.len())?;
        }
        if let Some(all) = &self.wrinkles {
            Error::check(Buffer::Wrinkles, vertices, all.len())?;
        }
        Ok(())
    }
}

impl InterleavedMut<'_> {
    pub(crate) fn check(&self, layout: &Layout) -> Result<(), Error> {
        let attributes = [
            (self.position, 3),
            (self.normal, 3),
            (self.tangent, 4),
            (self.wrinkle, 1),
        ];
        for (at, width) in attributes {
            let end = at.map_or(0, |at| at.saturating_add(width));
            if end > self.stride {
                return Err(Error {
                    buffer: Buffer::Stride,
                    expected: end,
                    found: self.stride,
                });
            }
        }
        let expected = layout.base.positions.len().saturating_mul(self.stride);
        Error::check(Buffer::Interleaved, expected, self.floats.len())
    }
}
