//! One face: sliders and bones in, weights and vertices out.

mod bones;

use flexion_deform::{Deformer, Precision, RampMode, Scratch, Shape, ShapeMut, Weights};
use flexion_rules::{Dialect, Evaluator};
use glam::{Affine3A, Vec3};

use crate::controller::ControllerId;
use crate::error::Error;
use crate::eye::{EyeFrame, Gaze, GazeRig, GazeSliders, eye_frame, set_lids};
use crate::model::Model;
use crate::submodel::Submodel;

/// The value that sliders have when nobody holds them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rest {
    /// 0 held to each slider's range: what released sliders decay to in a game.
    #[default]
    Zero,
    /// The lower end of each range.
    Min,
}

/// How a [`Face`] is evaluated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FaceOptions {
    /// Which generation of engines the rules follow.
    pub dialect: Dialect,
    /// The file's own halves, or what engines make of them at load.
    pub precision: Precision,
    /// What weights above 1 and below 0 do.
    pub ramp_mode: RampMode,
    /// Where sliders rest.
    pub rest: Rest,
    /// Whether values outside a slider's range reach the rules as they are.
    pub raw: bool,
    /// Whether eyeballs move the lids.
    pub eyelids: bool,
}

impl Default for FaceOptions {
    fn default() -> Self {
        FaceOptions {
            dialect: Dialect::default(),
            precision: Precision::default(),
            ramp_mode: RampMode::default(),
            rest: Rest::default(),
            raw: false,
            eyelids: true,
        }
    }
}

/// A face of a [`Model`] with its own sliders and buffers; one per thread.
///
/// Sliders are set in their own units (`min..max`) or normalized (0..1), by name or by number;
/// [`Face::weights`] runs the rules and [`Face::deform`] moves the vertices. Nothing is allocated
/// from the second pose on, but for what all faces of a model share, once: the order of its deltas
/// by vertex, when a pose first moves half of them.
///
/// ```
/// # fn main() -> Result<(), flexion::Error> {
/// # let [(_, mdl), (_, vvd), (_, vtx)] = flexion_sample::face().files();
/// # let model = flexion::Model::from_bytes(&mdl, Some(&vvd), Some(&vtx))?;
/// let mut face = model.face();
/// face.set_stereo("smile", 1.0, 0.25)?;        // the character's left and right
/// face.set_normalized("eyes_updown", 0.5)?;    // the middle of -30..30 degrees
/// assert_eq!(face.get("eyes_updown")?, 0.0);
/// assert!(face.set("smlie", 1.0).unwrap_err().to_string().contains("did you mean"));
/// let weights = face.weights();
/// assert_eq!(weights.len(), model.descriptors().len());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Face {
    model: Model,
    options: FaceOptions,
    sliders: Vec<f32>,
    target: Option<Vec3>,
    evaluator: Evaluator,
    held: Option<Vec<f32>>,
    delayed: Option<Vec<f32>>,
    current_lids: Vec<f32>,
    delayed_lids: Vec<f32>,
    scratch: Scratch,
    shapes: Vec<Shape>,
    bones: Option<Box<bones::PosedBones>>,
}

impl Face {
    pub(crate) fn new(model: Model, options: FaceOptions) -> Face {
        let evaluator = Evaluator::new(model.program(options.dialect));
        let mut face = Face {
            sliders: vec![0.0; model.controllers().len()],
            target: None,
            evaluator,
            held: None,
            delayed: None,
            current_lids: Vec::new(),
            delayed_lids: Vec::new(),
            scratch: Scratch::default(),
            shapes: Vec::new(),
            bones: None,
            model,
            options,
        };
        face.reset();
        face
    }

    /// The model that this is a face of.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// How this face is evaluated.
    pub fn options(&self) -> FaceOptions {
        self.options
    }

    /// Puts all sliders at rest and all bones in the bind pose, and forgets the target, held
    /// weights and the delay.
    pub fn reset(&mut self) {
        self.model.rest_into(self.options.rest, &mut self.sliders);
        self.target = None;
        self.held = None;
        self.delayed = None;
        self.bones = None;
    }

    /// All sliders in their own units, in file order.
    pub fn sliders(&self) -> &[f32] {
        &self.sliders
    }

    /// Sets every slider that `name` addresses, in the slider's own units.
    ///
    /// The value is held to the range unless [`FaceOptions::raw`] is set; inside it all its bits
    /// survive.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownController`], or [`Error::NotANumber`] for NaN outside raw mode.
    pub fn set(&mut self, name: &str, value: f32) -> Result<(), Error> {
        for id in self.model.controllers_named(name)? {
            self.set_id(id, value)?;
        }
        Ok(())
    }

    /// Sets every slider that `name` addresses to a fraction of its range, clamped to 0..1 unless
    /// [`FaceOptions::raw`] is set.
    ///
    /// # Errors
    ///
    /// As [`Face::set`].
    pub fn set_normalized(&mut self, name: &str, fraction: f32) -> Result<(), Error> {
        for id in self.model.controllers_named(name)? {
            let controller = &self.model.controllers()[id.0];
            let value = fraction * (controller.max - controller.min) + controller.min;
            self.set_id(id, value)?;
        }
        Ok(())
    }

    /// Sets one slider by its number, in its own units; as [`Face::set`].
    ///
    /// # Errors
    ///
    /// [`Error::ControllerIndex`] for the number of another model, [`Error::NotANumber`] for NaN
    /// outside raw mode.
    pub fn set_id(&mut self, id: ControllerId, value: f32) -> Result<(), Error> {
        let controllers = self.model.controllers();
        let Some(controller) = controllers.get(id.0) else {
            return Err(Error::ControllerIndex {
                index: id.0,
                count: controllers.len(),
            });
        };
        if value.is_nan() && !self.options.raw {
            return Err(Error::NotANumber {
                name: controller.name.clone(),
                value,
            });
        }
        self.sliders[id.0] = if self.options.raw {
            value
        } else {
            controller.clamp(value)
        };
        Ok(())
    }

    /// Sets the two sides of a group ([`Model::groups`]), the character's own left and right.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownController`] when no group has that name, [`Error::NotStereo`] when it has
    /// no sides.
    pub fn set_stereo(&mut self, group: &str, left: f32, right: f32) -> Result<(), Error> {
        let [left_id, right_id] = self.model.sides(group)?;
        self.set_id(left_id, left)?;
        self.set_id(right_id, right)
    }

    /// Sets the multi slider of an n-way or eyelid group, which selects among its shapes.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownController`] when no group has that name, [`Error::NoMulti`] when it has
    /// no multi slider.
    pub fn set_multi(&mut self, group: &str, value: f32) -> Result<(), Error> {
        let found = self.model.group(group);
        let Some(multi) = found.and_then(|found| found.multi) else {
            self.model.controller(group)?;
            return Err(Error::NoMulti {
                name: group.to_owned(),
            });
        };
        self.set_id(multi, value)
    }

    /// Sets all sliders at once from a row in file order; as [`Face::set`].
    ///
    /// # Errors
    ///
    /// [`Error::ControllerIndex`] when the row is longer than the model's controllers, and as
    /// [`Face::set_id`]. Sliders past the end of a shorter row stay as they are.
    pub fn set_all(&mut self, row: &[f32]) -> Result<(), Error> {
        for (index, &value) in row.iter().enumerate() {
            self.set_id(ControllerId(index), value)?;
        }
        Ok(())
    }

    /// The value of the first slider that `name` addresses, in its own units.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownController`].
    pub fn get(&self, name: &str) -> Result<f32, Error> {
        let ids = self.model.controllers_named(name)?;
        Ok(self.sliders[ids[0].0])
    }

    /// Makes the eyes look at a point in model space, or ahead for `None`; the gaze sliders add to
    /// it.
    pub fn look_at(&mut self, target: Option<Vec3>) {
        self.target = target;
    }

    /// The point that [`Face::look_at`] was given.
    pub fn target(&self) -> Option<Vec3> {
        self.target
    }

    /// Runs the rules: one weight per descriptor, in file order, before the eyelids.
    pub fn weights(&mut self) -> &[f32] {
        self.drive();
        current(&self.held, &mut self.evaluator, &self.sliders)
    }

    /// Holds the weights of all descriptors, in file order, so that sliders and rules do nothing;
    /// `None` gives them back. The eyelids still follow.
    ///
    /// # Errors
    ///
    /// [`Error::WeightCount`] when there is not one per descriptor.
    pub fn hold_weights(&mut self, weights: Option<&[f32]>) -> Result<(), Error> {
        if let Some(weights) = weights {
            self.check_count(weights)?;
        }
        self.held = weights.map(<[f32]>::to_vec);
        Ok(())
    }

    fn check_count(&self, weights: &[f32]) -> Result<(), Error> {
        let expected = self.model.descriptors().len();
        if weights.len() == expected {
            return Ok(());
        }
        Err(Error::WeightCount {
            expected,
            found: weights.len(),
        })
    }

    /// The weight of one descriptor by name, before the eyelids.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownDescriptor`].
    pub fn weight(&mut self, descriptor: &str) -> Result<f32, Error> {
        let index = self.model.descriptor(descriptor)?;
        Ok(self.weights()[index])
    }

    /// Lets `seconds` pass for the delayed weights, which vertanims of low `speed` follow.
    ///
    /// A face that has never been advanced is still: its delayed weights are the current ones.
    /// From the first call on they start at 0 and follow with `0.8^(seconds / 0.033)`.
    pub fn advance(&mut self, seconds: f32) {
        self.drive();
        let weights = current(&self.held, &mut self.evaluator, &self.sliders);
        match &mut self.delayed {
            Some(delayed) => {
                let keep = 0.8_f32.powf(seconds / 0.033);
                for (delayed, &weight) in delayed.iter_mut().zip(weights) {
                    *delayed = *delayed * keep + weight * (1.0 - keep);
                }
            }
            None => self.delayed = Some(vec![0.0; weights.len()]),
        }
    }

    /// Lets the delayed weights catch up: the face has long held its pose.
    pub fn settle(&mut self) {
        let weights = self.weights().to_vec();
        self.delayed = Some(weights);
    }

    /// The delayed weights, one per descriptor; none when the face has never been advanced and
    /// they are the current ones.
    pub fn delayed_weights(&self) -> Option<&[f32]> {
        self.delayed.as_deref()
    }

    /// Puts the delayed weights where they were, such as those of another face of the model.
    ///
    /// # Errors
    ///
    /// [`Error::WeightCount`] when there is not one per descriptor.
    pub fn set_delayed_weights(&mut self, weights: &[f32]) -> Result<(), Error> {
        self.check_count(weights)?;
        match &mut self.delayed {
            Some(delayed) => copy(delayed, weights),
            None => self.delayed = Some(weights.to_vec()),
        }
        Ok(())
    }

    /// The frame of each eyeball of a submodel, as the bones stand.
    pub fn eye_frames(&self, submodel: &Submodel) -> Vec<EyeFrame> {
        let (gaze, world) = (self.gaze(), self.world());
        let frame = |eye: &crate::submodel::Eye| {
            let (bone, ahead) = eye.stand(world);
            eye_frame(&eye.eyeball, &bone, gaze, ahead)
        };
        submodel.eyes().iter().map(frame).collect()
    }

    /// Moves all vertices: one shape per submodel, in the order of [`Model::submodels`].
    ///
    /// Positions are unskinned, in model units, as in the files; [`Face::skin`] puts them where
    /// the bones stand.
    ///
    /// # Errors
    ///
    /// [`Error::NoVertices`] when the model was read without its `.vvd`.
    pub fn deform(&mut self) -> Result<&[Shape], Error> {
        let model = self.model.clone();
        let mut shapes = std::mem::take(&mut self.shapes);
        if shapes.is_empty() {
            let deformers = model.submodels().iter();
            shapes = deformers
                .map(|submodel| submodel.deformer(self.options.precision).shape())
                .collect();
        }
        let done = model
            .submodels()
            .iter()
            .zip(&mut shapes)
            .try_for_each(|(submodel, shape)| self.deform_shape(submodel, shape));
        self.shapes = shapes;
        done.map(|()| self.shapes.as_slice())
    }

    /// Only what moves since the pose before is written: nobody else can write to the face's shapes.
    fn deform_shape(&mut self, submodel: &Submodel, shape: &mut Shape) -> Result<(), Error> {
        let deformer = self.prepare(submodel)?;
        let mode = self.options.ramp_mode;
        deformer.apply_next(self.lidded(), mode, shape)?;
        Ok(())
    }

    /// Moves the vertices of one submodel of this face's model into the caller's buffers.
    ///
    /// # Errors
    ///
    /// [`Error::NoVertices`], or [`Error::Deform`] when a buffer is not as long as the submodel
    /// has vertices.
    pub fn deform_into(&mut self, submodel: &Submodel, out: ShapeMut<'_>) -> Result<(), Error> {
        let deformer = self.prepare(submodel)?;
        let weights = Weights {
            current: &self.current_lids,
            delayed: &self.delayed_lids,
        };
        deformer.apply_with(weights, self.options.ramp_mode, out, &mut self.scratch)?;
        Ok(())
    }

    /// Runs the rules and writes the submodel's lids; what is left are the deltas.
    fn prepare(&mut self, submodel: &Submodel) -> Result<Deformer, Error> {
        if !self.model.has_vertices() {
            return Err(Error::NoVertices);
        }
        self.drive();
        let gaze = self.gaze();
        let world = self.bones.as_deref().map(bones::PosedBones::world);
        let weights = current(&self.held, &mut self.evaluator, &self.sliders);
        let delayed = self.delayed.as_deref().unwrap_or(weights);
        copy(&mut self.current_lids, weights);
        copy(&mut self.delayed_lids, delayed);
        if self.options.eyelids {
            for eye in submodel.eyes() {
                let (bone, ahead) = eye.stand(world);
                let frame = eye_frame(&eye.eyeball, &bone, gaze, ahead);
                for weights in [&mut self.current_lids, &mut self.delayed_lids] {
                    set_lids(&eye.eyeball, &bone, &frame, weights);
                }
            }
        }
        let deformer = submodel.deformer(self.options.precision);
        Ok(deformer.with_backend(self.model.backend()))
    }

    fn lidded(&self) -> Weights<'_> {
        Weights {
            current: &self.current_lids,
            delayed: &self.delayed_lids,
        }
    }

    fn gaze(&self) -> Gaze {
        let [up_down, right_left] = self.model.gaze_sliders();
        let value = |id: Option<ControllerId>| id.map_or(0.0, |id| self.sliders[id.0]);
        let sliders = GazeSliders {
            up_down: value(up_down),
            right_left: value(right_left),
        };
        let rig = self.model.gaze_rig();
        let frame = self.bones.as_deref().map_or(rig.frame, |bones| {
            bones.attachment(self.model.body().eyes, &self.model)
        });
        GazeRig { frame, ..*rig }.gaze(self.target, sliders)
    }

    /// Where the bones stand, once any has been posed.
    fn world(&self) -> Option<&[Affine3A]> {
        self.bones.as_deref().map(bones::PosedBones::world)
    }
}

fn copy(to: &mut Vec<f32>, from: &[f32]) {
    to.clear();
    to.extend_from_slice(from);
}

/// The weights that are held, or those that the rules make of the sliders.
fn current<'f>(
    held: &'f Option<Vec<f32>>,
    evaluator: &'f mut Evaluator,
    sliders: &[f32],
) -> &'f [f32] {
    match held {
        Some(held) => held,
        None => evaluator.eval(sliders),
    }
}
