//! An opened model: immutable, shared by all its faces.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use flexion_bones::Skeleton;
use flexion_mdl::{Mdl, Vtx, Vvd};
use flexion_rules::{Dialect, Program};
use flexion_simd::Backend;

use crate::batch::{Batch, BatchOptions};
use crate::controller::{Controller, ControllerGroup, ControllerId, Sides, groups};
use crate::error::Error;
use crate::eye::GazeRig;
use crate::face::{Face, FaceOptions, Rest};
use crate::names;
use crate::open;
use crate::rule::{Rules, StoredRules};
use crate::skeleton::{Body, attachment_frame, bind_pose, body};
use crate::submodel::{Submodel, submodels};
use crate::warning::{self, Warning};

/// A model: what its files say, checked and compiled.
///
/// Cheap to clone and safe to share between threads; all that changes is in its [`Face`]s.
///
/// ```
/// # fn main() -> Result<(), flexion::Error> {
/// let sample = flexion_sample::face();
/// let [(_, mdl), (_, vvd), (_, vtx)] = sample.files();
/// let model = flexion::Model::from_bytes(&mdl, Some(&vvd), Some(&vtx))?;
/// println!("{}: {} sliders", model.name(), model.controllers().len());
///
/// let mut face = model.face();
/// face.set("jaw_drop", 1.0)?;
/// let shapes = face.deform()?;
/// assert_eq!(shapes[0].positions.len(), model.submodels()[0].vertex_count());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    inner: Arc<Inner>,
    backend: Backend,
}

#[derive(Debug)]
struct Inner {
    name: String,
    version: i32,
    checksum: u32,
    controllers: Vec<Controller>,
    groups: Vec<ControllerGroup>,
    descriptors: Vec<String>,
    rules: StoredRules,
    programs: [OnceLock<Program>; 2],
    submodels: Vec<Submodel>,
    gaze: GazeRig,
    body: Body,
    gaze_sliders: [Option<ControllerId>; 2],
    has_vertices: bool,
    has_triangles: bool,
    warnings: Vec<Warning>,
}

impl Model {
    /// Opens a `.mdl` and the `.vvd` and `.vtx` beside it.
    ///
    /// Companions are found without regard to case (`Male_06.dx90.vtx` for `male_06.mdl`); of
    /// several `.vtx` files `.dx90.vtx` is preferred. A model without its `.vvd` has rules but no
    /// vertices; without its `.vtx` it has vertices but no triangles.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] when a file cannot be read, [`Error::File`] when one is damaged, is of another
    /// version, or does not belong to the others (checksums differ); [`Error::Backend`] when
    /// `FLEXION_BACKEND` names one that cannot be had.
    pub fn open(path: impl AsRef<Path>) -> Result<Model, Error> {
        let files = open::read(path.as_ref())?;
        Model::build(&files)
    }

    /// Opens a `.mdl` alone: rules and weights, no vertices. Nothing beside it is looked at.
    ///
    /// # Errors
    ///
    /// As [`Model::open`].
    pub fn open_rules(path: impl AsRef<Path>) -> Result<Model, Error> {
        let files = open::read_alone(path.as_ref())?;
        Model::build(&files)
    }

    /// The same as [`Model::open`] from bytes in memory.
    ///
    /// # Errors
    ///
    /// [`Error::File`], as [`Model::open`]; its path is the bare kind of the file.
    pub fn from_bytes(mdl: &[u8], vvd: Option<&[u8]>, vtx: Option<&[u8]>) -> Result<Model, Error> {
        Model::build(&open::Files::in_memory(mdl, vvd, vtx))
    }

    fn build(files: &open::Files<'_>) -> Result<Model, Error> {
        let backend = Backend::from_env()?;
        let mdl = files.mdl.parse(Mdl::read)?;
        let vvd = files.vvd.as_ref();
        let vvd = vvd
            .map(|file| file.parse(|bytes| Vvd::read_for(bytes, &mdl)))
            .transpose()?;
        let vtx = files.vtx.as_ref();
        let vtx = vtx
            .map(|file| file.parse(|bytes| Vtx::read_for(bytes, &mdl)))
            .transpose()?;

        let bones = bind_pose(&mdl);
        let submodels = submodels(&mdl, vvd.as_ref(), vtx.as_ref(), &bones);
        let eyes = mdl
            .attachments
            .iter()
            .find(|attachment| attachment.name.matches("eyes"));
        let gaze = GazeRig {
            frame: eyes.and_then(|eyes| attachment_frame(eyes, &bones)),
            max_deflection: mdl
                .extension
                .map_or(0.0, |extension| extension.max_eye_deflection),
        };
        let controllers: Vec<Controller> = mdl
            .controllers
            .iter()
            .map(|controller| Controller {
                name: controller.name.to_str().into_owned(),
                kind: controller.kind.to_str().into_owned(),
                min: controller.min,
                max: controller.max,
            })
            .collect();
        let gaze_sliders = ["eyes_updown", "eyes_rightleft"].map(|name| {
            let found = controllers
                .iter()
                .position(|c| c.name.eq_ignore_ascii_case(name));
            found.map(ControllerId)
        });
        let rules = StoredRules::new(&controllers, mdl.descriptors.len(), &mdl.rules);
        let warnings = warning::collect(&mdl, &rules);
        let inner = Inner {
            name: mdl.name.to_str().into_owned(),
            version: mdl.version,
            checksum: mdl.checksum,
            groups: groups(&mdl, &controllers),
            rules,
            controllers,
            descriptors: mdl
                .descriptors
                .iter()
                .map(|descriptor| descriptor.name.to_str().into_owned())
                .collect(),
            programs: Default::default(),
            submodels,
            gaze,
            body: body(&mdl),
            gaze_sliders,
            has_vertices: vvd.is_some(),
            has_triangles: vtx.is_some(),
            warnings,
        };
        Ok(Model {
            inner: Arc::new(inner),
            backend,
        })
    }

    /// The same model, its faces and batches run with the given instructions. Results do not depend on it.
    ///
    /// A model is opened with the backend that the variable `FLEXION_BACKEND` names, or with the widest that the
    /// processor has.
    pub fn with_backend(&self, backend: Backend) -> Model {
        Model {
            inner: Arc::clone(&self.inner),
            backend,
        }
    }

    /// The instructions that faces and batches run with.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// The name inside the file, such as `humans/group03/male_06.mdl`.
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// The version of `studiohdr_t`, 44 to 49.
    pub fn version(&self) -> i32 {
        self.inner.version
    }

    /// The checksum that all files of the model share.
    pub fn checksum(&self) -> u32 {
        self.inner.checksum
    }

    /// The sliders in file order.
    pub fn controllers(&self) -> &[Controller] {
        &self.inner.controllers
    }

    /// The numbers of all sliders, in order.
    pub fn controller_ids(&self) -> impl ExactSizeIterator<Item = ControllerId> + use<> {
        (0..self.inner.controllers.len()).map(ControllerId)
    }

    /// The number of the first slider that `name` addresses ([`Model::controllers_named`]).
    ///
    /// # Errors
    ///
    /// [`Error::UnknownController`] with the nearest names.
    pub fn controller(&self, name: &str) -> Result<ControllerId, Error> {
        self.controllers_named(name).map(|ids| ids[0])
    }

    /// All sliders that `name` addresses, at least one.
    ///
    /// `name` may be a slider's, of which there may be several; `name#2` is the second of them
    /// alone. Where no slider has it, it may be a group's ([`Model::groups`]) and stands for both
    /// its sides.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownController`] with the nearest names.
    pub fn controllers_named(&self, name: &str) -> Result<Vec<ControllerId>, Error> {
        let names = self.inner.controllers.iter().map(|c| c.name.as_str());
        let found = names::find(names.clone(), name);
        if found.is_empty() {
            if let Some(group) = self.group(name) {
                return Ok(match group.sliders {
                    Sides::Mono(slider) => vec![slider],
                    Sides::Stereo { left, right } => vec![left, right],
                });
            }
            let groups = self.inner.groups.iter().map(|group| group.name.as_str());
            return Err(Error::UnknownController {
                name: name.to_owned(),
                nearest: names::nearest(names.chain(groups), name),
            });
        }
        Ok(found.into_iter().map(ControllerId).collect())
    }

    /// The sliders grouped for people; each slider is in at least one group.
    pub fn groups(&self) -> &[ControllerGroup] {
        &self.inner.groups
    }

    /// The group called `name`, without regard to ASCII case.
    pub fn group(&self, name: &str) -> Option<&ControllerGroup> {
        let mut groups = self.inner.groups.iter();
        groups.find(|group| group.name.eq_ignore_ascii_case(name))
    }

    /// The two sliders of a group ([`Model::groups`]), the character's own left and right.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownController`] when no group has that name, [`Error::NotStereo`] when it has
    /// no sides.
    pub fn sides(&self, group: &str) -> Result<[ControllerId; 2], Error> {
        match self.group(group).map(|found| found.sliders) {
            Some(Sides::Stereo { left, right }) => Ok([left, right]),
            // A slider's own name is known, but has no sides.
            Some(Sides::Mono(_)) => Err(Error::NotStereo {
                name: group.to_owned(),
            }),
            None => self.controller(group).and(Err(Error::NotStereo {
                name: group.to_owned(),
            })),
        }
    }

    /// Names of the targets in file order; one weight belongs to each.
    pub fn descriptors(&self) -> &[String] {
        &self.inner.descriptors
    }

    /// The number of the first target called `name`, without regard to ASCII case.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownDescriptor`] with the nearest names.
    pub fn descriptor(&self, name: &str) -> Result<usize, Error> {
        let names = self.inner.descriptors.iter().map(String::as_str);
        let found = names::find(names.clone(), name);
        found
            .first()
            .copied()
            .ok_or_else(|| Error::UnknownDescriptor {
                name: name.to_owned(),
                nearest: names::nearest(names, name),
            })
    }

    /// The models of all body parts in file order; one shape belongs to each.
    pub fn submodels(&self) -> &[Submodel] {
        &self.inner.submodels
    }

    /// The bones, attachments and procedural rules, for posing with [`Face::pose_bone`].
    ///
    /// What leads nowhere in the file, and has a warning, is left out.
    pub fn skeleton(&self) -> &Skeleton {
        &self.inner.body.skeleton
    }

    /// The number of the first bone called `name`, without regard to ASCII case.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownBone`] with the nearest names.
    pub fn bone(&self, name: &str) -> Result<usize, Error> {
        let skeleton = self.skeleton();
        skeleton.bone(name).ok_or_else(|| Error::UnknownBone {
            name: name.to_owned(),
            nearest: names::nearest(skeleton.bones().iter().map(|bone| bone.name.as_str()), name),
        })
    }

    /// Whether the model was read with its `.vvd`.
    pub fn has_vertices(&self) -> bool {
        self.inner.has_vertices
    }

    /// Whether the model was read with its `.vtx`.
    pub fn has_triangles(&self) -> bool {
        self.inner.has_triangles
    }

    /// What is odd about the files and engines tolerate.
    pub fn warnings(&self) -> &[Warning] {
        &self.inner.warnings
    }

    /// The rules compiled for a dialect; compiled on first use and kept.
    pub fn program(&self, dialect: Dialect) -> &Program {
        let slot = match dialect {
            Dialect::Shipped => &self.inner.programs[0],
            Dialect::Sdk2025 => &self.inner.programs[1],
        };
        slot.get_or_init(|| {
            self.inner
                .rules
                .with_rig(|rig| Program::compile(rig, dialect))
        })
    }

    /// The rules, for reading.
    pub fn rules(&self) -> Rules<'_> {
        Rules::new(
            &self.inner.rules,
            self.controllers(),
            self.descriptors(),
            |dialect| self.program(dialect),
        )
    }

    /// A face at rest, with the default options.
    pub fn face(&self) -> Face {
        self.face_with(FaceOptions::default())
    }

    /// A face at rest, with options of its own.
    pub fn face_with(&self, options: FaceOptions) -> Face {
        Face::new(self.clone(), options)
    }

    /// Evaluates many poses at once, with the default options.
    pub fn batch(&self) -> Batch {
        self.batch_with(BatchOptions::default())
    }

    /// Evaluates many poses at once, with options of its own.
    pub fn batch_with(&self, options: BatchOptions) -> Batch {
        Batch::new(self.clone(), options)
    }

    /// Writes where all sliders rest into `sliders`, one per controller.
    pub(crate) fn rest_into(&self, rest: Rest, sliders: &mut [f32]) {
        for (slider, controller) in sliders.iter_mut().zip(self.controllers()) {
            *slider = match rest {
                Rest::Zero => controller.clamp(0.0),
                Rest::Min => controller.min,
            };
        }
    }

    /// The skeleton and what it drives.
    pub(crate) fn body(&self) -> &Body {
        &self.inner.body
    }

    pub(crate) fn gaze_rig(&self) -> &GazeRig {
        &self.inner.gaze
    }

    /// The sliders that turn the eyes up and down, and right and left.
    pub(crate) fn gaze_sliders(&self) -> [Option<ControllerId>; 2] {
        self.inner.gaze_sliders
    }
}
