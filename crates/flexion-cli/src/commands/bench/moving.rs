//! The stages by themselves, for those who want no more than what can move: rules, then deltas, without eyelids.
//!
//! Most of a model's vertices never move, and writing them is most of the time of a whole frame. This is what is
//! left without them.

use std::hint::black_box;

use flexion::deform::{Deformer, FrameScratch, FrameVertices, FrameWeights, FramesMut};
use flexion::rules::BatchEvaluator;
use flexion::{Backend, Dialect, Error, RampMode};

use super::subject::Subject;

/// Rows of sliders to the vertices that some flex lists.
pub(super) struct Moving<'a> {
    sliders: &'a [f32],
    frames: usize,
    rules: BatchEvaluator,
    weights: Vec<f32>,
    /// One for each submodel.
    pub(super) parts: Vec<Part>,
    scratch: FrameScratch,
}

/// What moves of a submodel, in the order of [`Deformer::flexed`], frame by frame.
pub(super) struct Part {
    pub(super) deformer: Deformer,
    pub(super) positions: Vec<[f32; 3]>,
    pub(super) normals: Vec<[f32; 3]>,
}

impl<'a> Moving<'a> {
    pub(super) fn new(subject: &'a Subject, backend: Backend) -> Moving<'a> {
        let frames = subject.frames();
        let rig = &subject.reference.rig;
        let parts = subject.deformers().map(|deformer| {
            let vertices = vec![[0.0; 3]; frames * deformer.flexed().len()];
            Part {
                deformer: deformer.with_backend(backend),
                positions: vertices.clone(),
                normals: vertices,
            }
        });
        Moving {
            sliders: &subject.rows[..frames * rig.controllers.len()],
            frames,
            rules: BatchEvaluator::new(subject.model.program(Dialect::Shipped), backend),
            weights: vec![0.0; frames * rig.descriptors],
            parts: parts.collect(),
            scratch: FrameScratch::default(),
        }
    }

    /// Vertices of a frame.
    pub(super) fn vertices(&self) -> usize {
        let parts = self.parts.iter();
        parts.map(|part| part.deformer.flexed().len()).sum()
    }

    pub(super) fn run(&mut self) -> Result<(), Error> {
        self.rules.rows(black_box(self.sliders), &mut self.weights);
        for part in &mut self.parts {
            let out = FramesMut {
                stride: part.deformer.flexed().len(),
                positions: Some(&mut part.positions),
                normals: Some(&mut part.normals),
                vertices: FrameVertices::Flexed,
                ..FramesMut::default()
            };
            let weights = FrameWeights::still(self.frames, &self.weights);
            let mode = RampMode::default();
            part.deformer
                .apply_frames(weights, mode, out, &mut self.scratch)?;
            black_box((&part.positions, &part.normals));
        }
        Ok(())
    }
}
