//! Many poses: rows or planes of sliders in, weights and vertices out in chunks.
//!
//! A [`Batch`] takes poses as they come, a chunk at a time, lets rules, eyelids and deltas work on the whole chunk
//! on all threads, and hands it to the caller before it takes the next. So a million frames need the memory of one
//! chunk, however they are made and wherever they go.
//!
//! ```text
//! iterator of rows ─┐                                          ┌─► weights
//! planar buffer ────┴─► chunk: sliders ─► rules ─► eyelids ─► deltas ─► vertices ─► callback
//! ```

use flexion_deform::{FrameScratch, FrameVertices, FrameWeights, FramesMut};
use flexion_rules::{BatchEvaluator, Planes};
use glam::Vec3;
use rayon::prelude::*;

use crate::error::Error;
use crate::eye::{GazeSliders, eye_frame, set_lids};
use crate::face::FaceOptions;
use crate::frames::{Buffers, Frames};
use crate::model::Model;
use crate::submodel::Submodel;

/// Bytes of vertices in a chunk, unless [`BatchOptions::frames`] says otherwise.
const CHUNK: usize = 32 << 20;

/// Frames of a chunk without vertices.
const WEIGHTS_ONLY: usize = 4096;

/// Which vertex values a batch makes. Weights are always made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outputs {
    /// Positions, in model units.
    pub positions: bool,
    /// Unit normals.
    pub normals: bool,
    /// Tangents and the sign of the binormal.
    pub tangents: bool,
    /// Wrinkle values.
    pub wrinkles: bool,
}

impl Outputs {
    /// No vertices at all.
    pub const WEIGHTS: Outputs = Outputs {
        positions: false,
        normals: false,
        tangents: false,
        wrinkles: false,
    };
    /// Positions and normals.
    pub const MESH: Outputs = Outputs {
        positions: true,
        normals: true,
        ..Outputs::WEIGHTS
    };
    /// Everything.
    pub const ALL: Outputs = Outputs {
        tangents: true,
        wrinkles: true,
        ..Outputs::MESH
    };

    fn any(self) -> bool {
        self != Outputs::WEIGHTS
    }
}

/// How a [`Batch`] is evaluated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BatchOptions {
    /// As for a [`Face`](crate::Face). [`FaceOptions::rest`] means nothing here: a pose has all sliders.
    pub face: FaceOptions,
    /// What is made of each pose.
    pub outputs: Outputs,
    /// Frames of a chunk; 0: as many as fit in some 32 MiB, and 4096 without vertices.
    pub frames: usize,
    /// Where the eyes look, in model space; `None`: ahead. Gaze sliders add to it.
    pub target: Option<Vec3>,
}

impl Default for BatchOptions {
    fn default() -> Self {
        BatchOptions {
            face: FaceOptions::default(),
            outputs: Outputs::MESH,
            frames: 0,
            target: None,
        }
    }
}

/// Evaluates many poses of a [`Model`], on the threads of the rayon pool it is called in.
///
/// Each frame has the bits of a still [`Face`](crate::Face) with its sliders (delayed weights are the current
/// ones), whatever the chunk, the number of threads and the backend. Keep it: its buffers are used again.
///
/// ```
/// # fn main() -> Result<(), flexion::Error> {
/// # let [(_, mdl), (_, vvd), (_, vtx)] = flexion_sample::face().files();
/// # let model = flexion::Model::from_bytes(&mdl, Some(&vvd), Some(&vtx))?;
/// let jaw = model.controller("jaw_drop")?;
/// let poses = (0..100).map(|frame| {
///     let mut sliders = model.face().sliders().to_vec();
///     sliders[jaw.index()] = frame as f32 / 99.0;
///     sliders
/// });
///
/// let mut heights = Vec::new(); // of the face, on average
/// model.batch().run(poses, |frames| {
///     for frame in 0..frames.len() {
///         let positions = frames.positions(0, frame);
///         let sum: f32 = positions.iter().map(|position| position[2]).sum();
///         heights.push(sum / positions.len() as f32);
///     }
///     Ok::<(), flexion::Error>(())
/// })?;
/// assert_eq!(heights.len(), 100);
/// assert!(heights[99] < heights[0]); // the jaw goes down
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Batch {
    model: Model,
    options: BatchOptions,
    rules: BatchEvaluator,
    buffers: Buffers,
    /// Weights with the lids of one submodel.
    lids: Vec<f32>,
    scratch: FrameScratch,
}

impl Batch {
    pub(crate) fn new(model: Model, options: BatchOptions) -> Batch {
        let program = model.program(options.face.dialect);
        Batch {
            rules: BatchEvaluator::new(program, model.backend()),
            buffers: Buffers::new(&model),
            lids: Vec::new(),
            scratch: FrameScratch::default(),
            model,
            options,
        }
    }

    /// The model whose poses these are.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// How they are evaluated.
    pub fn options(&self) -> BatchOptions {
        self.options
    }

    /// Evaluates rows of sliders, each in file order and in the sliders' own units, and hands the frames to `each`
    /// a chunk at a time. Values are held to their range unless [`FaceOptions::raw`] is set.
    ///
    /// Returns how many poses there were.
    ///
    /// # Errors
    ///
    /// [`Error::PoseLength`] for a row that is not one value per slider, [`Error::PoseNotANumber`] for NaN outside
    /// raw mode, [`Error::NoVertices`] when vertices are wanted of a model that was read without its `.vvd`; and
    /// whatever `each` returns. Chunks before the error have been handed out.
    pub fn run<R, E>(
        &mut self,
        poses: impl IntoIterator<Item = R>,
        mut each: impl FnMut(&Frames<'_>) -> Result<(), E>,
    ) -> Result<usize, E>
    where
        R: AsRef<[f32]>,
        E: From<Error>,
    {
        let most = self.chunk()?;
        let mut poses = poses.into_iter();
        let mut first = 0;
        loop {
            let mut frames = 0;
            self.buffers.sliders.clear();
            for pose in poses.by_ref().take(most) {
                self.push(first + frames, pose.as_ref())?;
                frames += 1;
            }
            if frames == 0 {
                return Ok(first);
            }
            self.evaluate(frames)?;
            each(&self.buffers.frames(first, frames))?;
            first += frames;
        }
    }

    /// As [`run`](Self::run), of planes of sliders: one for each slider, `poses` long.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run); [`Error::PlaneLength`] for planes that are not all there.
    pub fn run_planes<E: From<Error>>(
        &mut self,
        poses: usize,
        sliders: Planes<'_>,
        each: impl FnMut(&Frames<'_>) -> Result<(), E>,
    ) -> Result<usize, E> {
        let count = self.model.controllers().len();
        let needed = match count {
            0 => Some(0),
            _ => (count - 1)
                .checked_mul(sliders.stride)
                .and_then(|last| last.checked_add(poses)),
        };
        let fits = needed.is_some_and(|needed| needed <= sliders.values.len());
        if !fits || count > 1 && sliders.stride < poses {
            return Err(E::from(Error::PlaneLength {
                planes: count,
                poses,
                stride: sliders.stride,
                found: sliders.values.len(),
            }));
        }
        let mut row = vec![0.0; count];
        let mut at = 0;
        let rows = std::iter::from_fn(|| {
            let pose = at;
            at += 1;
            (pose < poses).then(|| {
                for (slot, value) in row.iter_mut().enumerate() {
                    *value = sliders.values[slot * sliders.stride + pose];
                }
                row.clone()
            })
        });
        self.run(rows, each)
    }

    /// Frames of a chunk.
    fn chunk(&self) -> Result<usize, Error> {
        let outputs = self.options.outputs;
        if !outputs.any() {
            return Ok(match self.options.frames {
                0 => WEIGHTS_ONLY,
                frames => frames,
            });
        }
        if !self.model.has_vertices() {
            return Err(Error::NoVertices);
        }
        let bytes = Buffers::frame_bytes(&self.model, outputs);
        Ok(match self.options.frames {
            0 => (CHUNK / bytes.max(1)).clamp(16, WEIGHTS_ONLY),
            frames => frames,
        })
    }

    /// Appends a pose to the chunk.
    fn push(&mut self, pose: usize, row: &[f32]) -> Result<(), Error> {
        let controllers = self.model.controllers();
        if row.len() != controllers.len() {
            return Err(Error::PoseLength {
                pose,
                expected: controllers.len(),
                found: row.len(),
            });
        }
        if self.options.face.raw {
            self.buffers.sliders.extend_from_slice(row);
            return Ok(());
        }
        if let Some(index) = row.iter().position(|value| value.is_nan()) {
            return Err(Error::PoseNotANumber {
                pose,
                name: controllers[index].name.clone(),
            });
        }
        let held = row
            .iter()
            .zip(controllers)
            .map(|(&value, c)| c.clamp(value));
        self.buffers.sliders.extend(held);
        Ok(())
    }

    fn evaluate(&mut self, frames: usize) -> Result<(), Error> {
        let descriptors = self.model.descriptors().len();
        self.buffers.weights.resize(frames * descriptors, 0.0);
        self.rules
            .rows_parallel(&self.buffers.sliders, &mut self.buffers.weights);
        if !self.options.outputs.any() {
            return Ok(());
        }
        let model = self.model.clone();
        for (index, submodel) in model.submodels().iter().enumerate() {
            self.deform(index, submodel, frames)?;
        }
        Ok(())
    }

    fn deform(&mut self, index: usize, submodel: &Submodel, frames: usize) -> Result<(), Error> {
        let lidded = self.options.face.eyelids && !submodel.eyes().is_empty();
        if lidded {
            self.close_lids(submodel);
        }
        let weights = match lidded {
            true => &self.lids,
            false => &self.buffers.weights,
        };
        let deformer = submodel
            .deformer(self.options.face.precision)
            .with_backend(self.model.backend());
        let vertices = &mut self.buffers.vertices[index];
        vertices.resize(submodel, self.options.outputs, frames);
        let out = FramesMut {
            stride: submodel.vertex_count(),
            vertices: FrameVertices::All,
            ..vertices.as_mut(self.options.outputs)
        };
        deformer.apply_frames_parallel(
            FrameWeights::still(frames, weights),
            self.options.face.ramp_mode,
            out,
            &mut self.scratch,
        )?;
        Ok(())
    }

    /// Writes the lids of a submodel's eyeballs, on a copy of the weights of each frame.
    fn close_lids(&mut self, submodel: &Submodel) {
        let controllers = self.model.controllers().len();
        let descriptors = self.model.descriptors().len();
        self.lids.clone_from(&self.buffers.weights);
        if descriptors == 0 {
            return;
        }
        let [up_down, right_left] = self.model.gaze_sliders();
        let (model, target, sliders) = (&self.model, self.options.target, &self.buffers.sliders);
        let frames = self.lids.par_chunks_mut(descriptors).with_min_len(64);
        frames.enumerate().for_each(|(frame, weights)| {
            let value = |id: Option<crate::ControllerId>| {
                id.map_or(0.0, |id| sliders[frame * controllers + id.index()])
            };
            let gaze = model.gaze_rig().gaze(
                target,
                GazeSliders {
                    up_down: value(up_down),
                    right_left: value(right_left),
                },
            );
            for eye in submodel.eyes() {
                let frame = eye_frame(&eye.eyeball, &eye.bone, gaze, eye.ahead);
                set_lids(&eye.eyeball, &eye.bone, &frame, weights);
            }
        });
    }
}
