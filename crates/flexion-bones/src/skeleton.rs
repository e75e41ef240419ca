//! The skeleton as records, and where its bones stand.

use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};

use crate::error::Error;
use crate::procedural::{Jiggle, Procedure};

/// A bone (`mstudiobone_t`).
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// `sznameindex`.
    pub name: String,
    /// `parent`, which comes before the bone; none for a root.
    pub parent: Option<usize>,
    /// `pos` in the parent's space, in model units.
    pub position: Vec3,
    /// `quat` in the parent's space.
    pub rotation: Quat,
    /// `poseToBone`: from the model's bind pose into the bone's space.
    pub pose_to_bone: Affine3A,
    /// `flags`, of which the pass looks at [`ALWAYS_PROCEDURAL`].
    pub flags: u32,
    /// `proctype` and what `procindex` leads to.
    pub procedure: Option<Procedure>,
}

/// `BONE_ALWAYS_PROCEDURAL`: a bone without it stands as it is posed, whatever procedure it has.
pub const ALWAYS_PROCEDURAL: u32 = 0x4;

impl Default for Bone {
    fn default() -> Bone {
        Bone {
            name: String::new(),
            parent: None,
            position: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            pose_to_bone: Affine3A::IDENTITY,
            flags: 0,
            procedure: None,
        }
    }
}

/// A named place on a bone (`mstudioattachment_t`).
#[derive(Clone, Debug, PartialEq)]
pub struct Attachment {
    /// `localbone`.
    pub bone: usize,
    /// `local`: its frame in the bone's space.
    pub local: Affine3A,
}

/// Bones, parents first; immutable and shared by all poses.
///
/// ```
/// use flexion_bones::{Bone, Skeleton};
/// use glam::Vec3;
///
/// let root = Bone { name: "neck".into(), ..Bone::default() };
/// let head = Bone { parent: Some(0), position: Vec3::Z * 4.0, ..root.clone() };
/// let skeleton = Skeleton::new(vec![root, Bone { name: "head".into(), ..head }], Vec::new())?;
/// let mut pose = skeleton.pose();
/// pose.local_mut(0).position = Vec3::X;
/// skeleton.place(&mut pose);
/// assert_eq!(pose.world()[1].translation, glam::vec3a(1.0, 0.0, 4.0));
/// # Ok::<(), flexion_bones::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    bones: Vec<Bone>,
    attachments: Vec<Attachment>,
    jiggles: usize,
}

/// Where a bone stands in its parent's space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Local {
    /// In model units.
    pub position: Vec3,
    /// Of unit length.
    pub rotation: Quat,
}

impl Local {
    fn transform(self) -> Affine3A {
        Affine3A::from_rotation_translation(self.rotation, self.position)
    }
}

/// Where all bones of a skeleton stand; made by [`Skeleton::pose`], one for each figure.
#[derive(Clone, Debug, PartialEq)]
pub struct SkeletonPose {
    root: Affine3A,
    locals: Vec<Local>,
    world: Vec<Affine3A>,
    jiggles: Vec<crate::procedural::JiggleState>,
}

impl SkeletonPose {
    /// Where the root bones' space stands in the world; identity at first.
    pub fn root_mut(&mut self) -> &mut Affine3A {
        &mut self.root
    }

    /// Where a bone stands in its parent's space.
    ///
    /// # Panics
    ///
    /// When there is no such bone.
    pub fn local_mut(&mut self, bone: usize) -> &mut Local {
        &mut self.locals[bone]
    }

    /// All bones in their parents' spaces, before procedures.
    pub fn locals(&self) -> &[Local] {
        &self.locals
    }

    /// Bone to world, as [`Skeleton::place`] or [`Skeleton::step`] left them.
    pub fn world(&self) -> &[Affine3A] {
        &self.world
    }

    /// Forgets how bones jiggle: the next step begins at rest.
    pub fn reset(&mut self) {
        self.jiggles.fill(Default::default());
    }
}

impl Skeleton {
    /// Checks the records.
    ///
    /// # Errors
    ///
    /// [`Error::Parent`], [`Error::Bone`] or [`Error::Attachment`] when a record leads nowhere.
    pub fn new(bones: Vec<Bone>, attachments: Vec<Attachment>) -> Result<Skeleton, Error> {
        let count = bones.len();
        let known = |what: &'static str, record: usize, bone: usize| {
            if bone < count {
                return Ok(());
            }
            Err(Error::Bone {
                what,
                record,
                bone,
                count,
            })
        };
        for (number, bone) in bones.iter().enumerate() {
            if let Some(parent) = bone.parent.filter(|&parent| parent >= number) {
                return Err(Error::Parent {
                    bone: number,
                    parent,
                });
            }
            for named in bone.procedure.iter().flat_map(Procedure::bones) {
                known("the procedure of bone", number, named)?;
            }
            let aimed = bone.procedure.as_ref().and_then(Procedure::attachment);
            if let Some(attachment) = aimed.filter(|&aimed| aimed >= attachments.len()) {
                return Err(Error::Attachment {
                    bone: number,
                    attachment,
                    count: attachments.len(),
                });
            }
        }
        for (number, attachment) in attachments.iter().enumerate() {
            known("attachment", number, attachment.bone)?;
        }
        let is_jiggle = |bone: &&Bone| matches!(bone.procedure, Some(Procedure::Jiggle(_)));
        Ok(Skeleton {
            jiggles: bones.iter().filter(is_jiggle).count(),
            bones,
            attachments,
        })
    }

    /// The bones in file order.
    pub fn bones(&self) -> &[Bone] {
        &self.bones
    }

    /// The attachments in file order.
    pub fn attachments(&self) -> &[Attachment] {
        &self.attachments
    }

    /// The number of the first bone of a name, without regard to ASCII case.
    pub fn bone(&self, name: &str) -> Option<usize> {
        let mut bones = self.bones.iter();
        bones.position(|bone| bone.name.eq_ignore_ascii_case(name))
    }

    /// The bind pose, placed.
    pub fn pose(&self) -> SkeletonPose {
        let local = |bone: &Bone| Local {
            position: bone.position,
            rotation: bone.rotation,
        };
        let mut pose = SkeletonPose {
            root: Affine3A::IDENTITY,
            locals: self.bones.iter().map(local).collect(),
            world: vec![Affine3A::IDENTITY; self.bones.len()],
            jiggles: vec![Default::default(); self.jiggles],
        };
        self.place(&mut pose);
        pose
    }

    /// Places all bones in one forward pass, procedures included; no time passes, so what jiggles
    /// stands where it goes.
    ///
    /// # Panics
    ///
    /// When the pose is of a skeleton with another number of bones.
    pub fn place(&self, pose: &mut SkeletonPose) {
        self.run(pose, |_, _, goal| goal);
    }

    /// The same, and `seconds` pass for what jiggles.
    ///
    /// # Panics
    ///
    /// As [`Skeleton::place`].
    pub fn step(&self, pose: &mut SkeletonPose, seconds: f32) {
        let mut states = std::mem::take(&mut pose.jiggles);
        self.run(pose, |number, jiggle, goal| {
            states[number].step(jiggle, goal, seconds)
        });
        pose.jiggles = states;
    }

    fn run(
        &self,
        pose: &mut SkeletonPose,
        mut swing: impl FnMut(usize, &Jiggle, Affine3A) -> Affine3A,
    ) {
        assert_eq!(
            pose.world.len(),
            self.bones.len(),
            "a pose of this skeleton"
        );
        let mut jiggles = 0;
        for (number, bone) in self.bones.iter().enumerate() {
            let parent = bone.parent.map_or(pose.root, |parent| pose.world[parent]);
            let ordinary = parent * pose.locals[number].transform();
            let placed = Placed {
                skeleton: self,
                pose,
                done: number,
            };
            let always = bone.flags & ALWAYS_PROCEDURAL != 0;
            let world = match &bone.procedure {
                Some(Procedure::Jiggle(jiggle)) => {
                    jiggles += 1;
                    always.then(|| swing(jiggles - 1, jiggle, ordinary))
                }
                Some(procedure) if always => procedure.place(&placed, parent),
                _ => None,
            };
            pose.world[number] = world.filter(|world| world.is_finite()).unwrap_or(ordinary);
        }
    }

    /// How far the bind pose is from what the vertices were bound to: the largest element of
    /// `world * poseToBone - 1`.
    pub fn bind_residual(&self) -> f32 {
        let pose = SkeletonPose {
            jiggles: Vec::new(),
            ..self.pose()
        };
        let mut world: Vec<Affine3A> = Vec::with_capacity(self.bones.len());
        let mut largest = 0.0_f32;
        for (bone, local) in self.bones.iter().zip(&pose.locals) {
            let parent = bone
                .parent
                .map_or(Affine3A::IDENTITY, |parent| world[parent]);
            let placed = parent * local.transform();
            let product = placed * bone.pose_to_bone;
            let columns = product.matrix3 - Mat3A::IDENTITY;
            let parts = [
                columns.x_axis,
                columns.y_axis,
                columns.z_axis,
                product.translation,
            ];
            for part in parts {
                largest = largest.max(part.abs().max_element());
            }
            world.push(placed);
        }
        largest
    }
}

/// What procedures see: the bones that stand already, and how the others are posed.
pub(crate) struct Placed<'a> {
    skeleton: &'a Skeleton,
    pose: &'a SkeletonPose,
    /// How many bones stand already.
    done: usize,
}

impl Placed<'_> {
    /// Where a bone stands; one whose turn has not come, as its pose has it.
    pub(crate) fn world(&self, bone: usize) -> Affine3A {
        if bone < self.done {
            return self.pose.world[bone];
        }
        let local = self.pose.locals[bone].transform();
        match self.skeleton.bones[bone].parent {
            Some(parent) => self.world(parent) * local,
            None => self.pose.root * local,
        }
    }

    /// The axes of a bone in its parent's space; in the world for a root.
    pub(crate) fn turn(&self, bone: usize) -> Mat3A {
        match self.skeleton.bones[bone].parent {
            Some(parent) if bone < self.done => {
                self.pose.world[parent].matrix3.transpose() * self.pose.world[bone].matrix3
            }
            Some(_) => Mat3A::from_quat(self.pose.locals[bone].rotation),
            None => self.world(bone).matrix3,
        }
    }

    /// Whether a bone has no parent.
    pub(crate) fn is_root(&self, bone: usize) -> bool {
        self.skeleton.bones[bone].parent.is_none()
    }

    /// The place of an attachment.
    pub(crate) fn attachment(&self, number: usize) -> Vec3A {
        let attachment = &self.skeleton.attachments[number];
        (self.world(attachment.bone) * attachment.local).translation
    }
}
