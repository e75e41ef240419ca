//! The bones of a face: what they drive, what jiggles, and the vertices that follow them.
//!
//! ```text
//! pose_bone ─► SkeletonPose ─┬─► drivers ─► sliders ─► rules
//!                            ├─► eyes and lids
//!                            └─► palette ─► skin: flexed vertices where the bones stand
//! ```

use flexion_bones::{Local, Palette, SkeletonPose};
use flexion_deform::Shape;
use glam::{Affine3A, Quat, Vec3};

use super::Face;
use crate::error::Error;
use crate::model::Model;
use crate::track::unit;

/// The bones of a face, once any has been posed.
#[derive(Clone, Debug)]
pub(super) struct PosedBones {
    pose: SkeletonPose,
    palette: Palette,
    skinned: Vec<Shape>,
}

impl PosedBones {
    /// Bone to world, one per bone in file order.
    pub(super) fn world(&self) -> &[Affine3A] {
        self.pose.world()
    }

    /// Where an attachment stands.
    pub(super) fn attachment(&self, number: Option<usize>, model: &Model) -> Option<Affine3A> {
        let attachment = &model.skeleton().attachments()[number?];
        Some(self.world()[attachment.bone] * attachment.local)
    }
}

impl Face {
    /// Puts a bone somewhere in its parent's space: a position in model units, and a rotation or,
    /// for none, the one it has.
    ///
    /// From the first bone on the model's bone flex drivers (`mstudioboneflexdriver_t`) overwrite
    /// their sliders before the rules run, as in the engine; eyes and lids are where their bones
    /// are, and procedural bones follow. Until then bones do nothing.
    ///
    /// ```
    /// # fn main() -> Result<(), flexion::Error> {
    /// # let [(_, mdl), (_, vvd), (_, vtx)] = flexion_sample::face().files();
    /// # let model = flexion::Model::from_bytes(&mdl, Some(&vvd), Some(&vtx))?;
    /// let mut face = model.face();
    /// let jaw = &model.skeleton().bones()[model.bone("jaw")?];
    /// face.pose_bone("jaw", jaw.position - glam::Vec3::X * 0.75, None)?; // all the way down
    /// assert!(face.get("jaw_bone")? > 0.99);
    /// let shapes = face.skin()?; // flexed, then moved by the bones
    /// # assert!(!shapes.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::UnknownBone`], or [`Error::BonePose`] for a number that is not finite or a
    /// rotation of no length.
    pub fn pose_bone(
        &mut self,
        name: &str,
        position: Vec3,
        rotation: Option<Quat>,
    ) -> Result<(), Error> {
        let bone = self.model.bone(name)?;
        let wrong = |problem| Error::BonePose {
            name: name.to_owned(),
            problem,
        };
        if !position.is_finite() {
            return Err(wrong("its position is not finite"));
        }
        let rotation = match rotation.map(unit) {
            Some(None) => {
                let problem = "its rotation has no length, or one that is not finite";
                return Err(wrong(problem));
            }
            rotation => rotation.flatten(),
        };
        self.pose_bones(|pose| {
            let local = pose.local_mut(bone);
            local.position = position;
            local.rotation = rotation.unwrap_or(local.rotation);
        });
        Ok(())
    }

    /// Poses many bones in one pass: `change` gets them as they are, at first in the bind pose.
    ///
    /// Positions and rotations are taken as they come: rotations of unit length, all finite.
    pub fn pose_bones(&mut self, change: impl FnOnce(&mut SkeletonPose)) {
        let skeleton = self.model.skeleton();
        let bones = self.bones.get_or_insert_with(|| fresh(&self.model));
        change(&mut bones.pose);
        skeleton.place(&mut bones.pose);
        self.drive();
    }

    /// Lets `seconds` pass for bones that jiggle; a gap of more than half a second begins anew.
    ///
    /// Pose bones, then let the time of the frame pass, then [`Face::skin`].
    pub fn swing(&mut self, seconds: f32) {
        let bones = self.bones.get_or_insert_with(|| fresh(&self.model));
        self.model.skeleton().step(&mut bones.pose, seconds);
    }

    /// Where a bone stands in its parent's space.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownBone`].
    pub fn bone(&self, name: &str) -> Result<Local, Error> {
        let number = self.model.bone(name)?;
        let bone = &self.model.skeleton().bones()[number];
        let bind = Local {
            position: bone.position,
            rotation: bone.rotation,
        };
        let posed = self.bones.as_deref();
        Ok(posed.map_or(bind, |bones| bones.pose.locals()[number]))
    }

    /// As [`Face::deform`], and the vertices moved to where their bones stand, on all threads.
    ///
    /// Normals and tangents are turned and not normalised again, as in the engine.
    ///
    /// # Errors
    ///
    /// As [`Face::deform`].
    pub fn skin(&mut self) -> Result<&[Shape], Error> {
        self.deform()?;
        let bones = self.bones.get_or_insert_with(|| fresh(&self.model));
        bones.palette.update(self.model.skeleton(), &bones.pose);
        if bones.skinned.is_empty() {
            bones.skinned = self.shapes.clone();
        }
        let shapes = self.shapes.iter().zip(&mut bones.skinned);
        for ((shape, skinned), submodel) in shapes.zip(self.model.submodels()) {
            let out = skinned.as_mut();
            out.positions.copy_from_slice(&shape.positions);
            out.normals.copy_from_slice(&shape.normals);
            let tangents = out.tangents.unwrap_or_default();
            tangents.copy_from_slice(&shape.tangents);
            if let Some(wrinkles) = out.wrinkles {
                wrinkles.copy_from_slice(&shape.wrinkles);
            }
            let bindings = submodel.bindings();
            bones
                .palette
                .skin(bindings, out.positions, out.normals, tangents)?;
        }
        Ok(&bones.skinned)
    }

    /// Where the bones stand; none until one is posed.
    pub fn bones(&self) -> Option<&SkeletonPose> {
        self.bones.as_deref().map(|bones| &bones.pose)
    }

    /// Puts the bones where those of another face of the model are, jiggle and all; for none, as
    /// if none had been posed.
    ///
    /// # Panics
    ///
    /// When the pose is of a skeleton with another number of bones.
    pub fn set_bones(&mut self, pose: Option<&SkeletonPose>) {
        match (pose, &mut self.bones) {
            (Some(pose), bones) => {
                let count = self.model.skeleton().bones().len();
                assert_eq!(pose.world().len(), count, "a pose of this skeleton");
                let bones = bones.get_or_insert_with(|| fresh(&self.model));
                bones.pose.clone_from(pose);
                self.drive();
            }
            (None, bones) => *bones = None,
        }
    }

    /// How a bone has moved what is bound to it since the bind pose.
    #[cfg(feature = "render")]
    pub(crate) fn motion(&self, bone: usize) -> Affine3A {
        let world = self.world().and_then(|world| world.get(bone));
        let bind = self.model.skeleton().bones().get(bone);
        let both = world.zip(bind);
        both.map_or(Affine3A::IDENTITY, |(world, bone)| {
            *world * bone.pose_to_bone
        })
    }

    /// The shapes as they are shown: skinned once a bone has been posed.
    ///
    /// # Errors
    ///
    /// As [`Face::deform`].
    #[cfg(feature = "render")]
    pub(crate) fn shown(&mut self) -> Result<&[Shape], Error> {
        match self.bones {
            Some(_) => self.skin(),
            None => self.deform(),
        }
    }

    /// Lets bones overwrite the sliders that they drive.
    pub(super) fn drive(&mut self) {
        let Some(bones) = self.bones.as_deref() else {
            return;
        };
        for driver in &self.model.body().drivers {
            let controller = &self.model.controllers()[driver.controller];
            let fraction = driver.value(bones.pose.locals()[driver.bone]);
            self.sliders[driver.controller] =
                fraction * (controller.max - controller.min) + controller.min;
        }
    }
}

/// All bones in the bind pose.
fn fresh(model: &Model) -> Box<PosedBones> {
    Box::new(PosedBones {
        pose: model.skeleton().pose(),
        palette: Palette::default(),
        skinned: Vec::new(),
    })
}
