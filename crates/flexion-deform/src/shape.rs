//! Where a pose goes: buffers of ours or of the caller.

use crate::apply::Scratch;

/// A pose in buffers of its own, to be reused from pose to pose.
///
/// [`Deformer::shape`](crate::Deformer::shape) makes one at rest. It carries the
/// [`Scratch`] that the next pose needs, so that posing it again allocates nothing.
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
}

impl Shape {
    /// The four buffers, lent.
    pub fn as_mut(&mut self) -> ShapeMut<'_> {
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
