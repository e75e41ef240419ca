//! The frames of a chunk: what a batch hands to its caller, and the buffers behind it.

use flexion_deform::FramesMut;

use crate::batch::Outputs;
use crate::model::Model;
use crate::submodel::Submodel;

/// Some frames of a [`Batch`](crate::Batch), one after another.
///
/// Frames are numbered from 0 within the chunk; [`first`](Self::first) says which pose the first of them is.
#[derive(Debug)]
pub struct Frames<'a> {
    first: usize,
    len: usize,
    controllers: usize,
    descriptors: usize,
    buffers: &'a Buffers,
}

impl<'a> Frames<'a> {
    /// How many poses came before this chunk.
    pub fn first(&self) -> usize {
        self.first
    }

    /// How many frames there are.
    #[expect(clippy::len_without_is_empty, reason = "there is always one")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The sliders of a frame as the rules saw them, held to their ranges unless raw.
    ///
    /// # Panics
    ///
    /// If there is no such frame; so do all that take one.
    pub fn sliders(&self, frame: usize) -> &'a [f32] {
        row(&self.buffers.sliders, frame, self.len, self.controllers)
    }

    /// The weights of a frame, one per descriptor, before the eyelids.
    pub fn weights(&self, frame: usize) -> &'a [f32] {
        row(&self.buffers.weights, frame, self.len, self.descriptors)
    }

    /// All weights, frame by frame.
    pub fn all_weights(&self) -> &'a [f32] {
        &self.buffers.weights
    }

    /// The positions of a submodel's vertices, in model units; empty if they were not wanted.
    ///
    /// # Panics
    ///
    /// If there is no such submodel or frame; so do the others.
    pub fn positions(&self, submodel: usize, frame: usize) -> &'a [[f32; 3]] {
        self.vertices(submodel, frame, &self.buffers.vertices[submodel].positions)
    }

    /// Their unit normals.
    pub fn normals(&self, submodel: usize, frame: usize) -> &'a [[f32; 3]] {
        self.vertices(submodel, frame, &self.buffers.vertices[submodel].normals)
    }

    /// Their tangents; empty also if the submodel has none.
    pub fn tangents(&self, submodel: usize, frame: usize) -> &'a [[f32; 4]] {
        self.vertices(submodel, frame, &self.buffers.vertices[submodel].tangents)
    }

    /// Their wrinkle values.
    pub fn wrinkles(&self, submodel: usize, frame: usize) -> &'a [f32] {
        self.vertices(submodel, frame, &self.buffers.vertices[submodel].wrinkles)
    }

    /// The positions of all frames: `positions[frame * vertex_count + vertex]`.
    pub fn all_positions(&self, submodel: usize) -> &'a [[f32; 3]] {
        &self.buffers.vertices[submodel].positions
    }

    /// The normals of all frames.
    pub fn all_normals(&self, submodel: usize) -> &'a [[f32; 3]] {
        &self.buffers.vertices[submodel].normals
    }

    fn vertices<T>(&self, submodel: usize, frame: usize, all: &'a [T]) -> &'a [T] {
        match all.is_empty() {
            true => {
                assert!(frame < self.len, "frame {frame} of {}", self.len);
                all
            }
            false => row(all, frame, self.len, self.buffers.vertices[submodel].count),
        }
    }
}

fn row<T>(all: &[T], frame: usize, frames: usize, length: usize) -> &[T] {
    assert!(frame < frames, "frame {frame} of {frames}");
    &all[frame * length..][..length]
}

/// What a batch fills, chunk after chunk.
#[derive(Debug)]
pub(crate) struct Buffers {
    controllers: usize,
    descriptors: usize,
    pub(crate) sliders: Vec<f32>,
    pub(crate) weights: Vec<f32>,
    /// One for each submodel.
    pub(crate) vertices: Vec<VertexBuffers>,
}

/// All frames of one submodel.
#[derive(Debug, Default)]
pub(crate) struct VertexBuffers {
    count: usize,
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    tangents: Vec<[f32; 4]>,
    wrinkles: Vec<f32>,
}

impl Buffers {
    pub(crate) fn new(model: &Model) -> Buffers {
        let mut vertices = Vec::new();
        vertices.resize_with(model.submodels().len(), VertexBuffers::default);
        Buffers {
            controllers: model.controllers().len(),
            descriptors: model.descriptors().len(),
            sliders: Vec::new(),
            weights: Vec::new(),
            vertices,
        }
    }

    /// The first `len` frames, as those from pose `first` on.
    pub(crate) fn frames(&self, first: usize, len: usize) -> Frames<'_> {
        Frames {
            first,
            len,
            controllers: self.controllers,
            descriptors: self.descriptors,
            buffers: self,
        }
    }

    /// Bytes of the vertices of one frame.
    pub(crate) fn frame_bytes(model: &Model, outputs: Outputs) -> usize {
        let vertices = model.submodels().iter().map(Submodel::vertex_count);
        let sizes = [
            (outputs.positions, 12),
            (outputs.normals, 12),
            (outputs.tangents, 16),
            (outputs.wrinkles, 4),
        ];
        let wanted = sizes.iter().filter(|(wanted, _)| *wanted);
        vertices.sum::<usize>() * wanted.map(|(_, bytes)| bytes).sum::<usize>()
    }
}

impl VertexBuffers {
    pub(crate) fn resize(&mut self, submodel: &Submodel, outputs: Outputs, frames: usize) {
        self.count = submodel.vertex_count();
        let length = |wanted: bool| {
            if wanted {
                frames * submodel.vertex_count()
            } else {
                0
            }
        };
        let has_tangents = submodel.has_tangents();
        self.positions.resize(length(outputs.positions), [0.0; 3]);
        self.normals.resize(length(outputs.normals), [0.0; 3]);
        self.tangents
            .resize(length(outputs.tangents && has_tangents), [0.0; 4]);
        self.wrinkles.resize(length(outputs.wrinkles), 0.0);
    }

    pub(crate) fn as_mut(&mut self, outputs: Outputs) -> FramesMut<'_> {
        FramesMut {
            positions: outputs.positions.then_some(&mut *self.positions),
            normals: outputs.normals.then_some(&mut *self.normals),
            tangents: outputs.tangents.then_some(&mut *self.tangents),
            wrinkles: outputs.wrinkles.then_some(&mut *self.wrinkles),
            ..FramesMut::default()
        }
    }
}
