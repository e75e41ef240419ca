//! Bones with all that a file says of them, bone controllers, attachments and source transforms.

use glam::{Quat, Vec3};

use super::procedural::Procedural;
use crate::name::Name;

/// Masks of [`Bone::flags`] (`BONE_*`).
pub mod bone_flags {
    /// `BONE_PHYSICALLY_SIMULATED`.
    pub const PHYSICALLY_SIMULATED: u32 = 0x1;
    /// `BONE_PHYSICS_PROCEDURAL`.
    pub const PHYSICS_PROCEDURAL: u32 = 0x2;
    /// `BONE_ALWAYS_PROCEDURAL`: the bone's rule is computed, whatever else moves the bone.
    pub const ALWAYS_PROCEDURAL: u32 = 0x4;
    /// `BONE_SCREEN_ALIGN_SPHERE`.
    pub const SCREEN_ALIGN_SPHERE: u32 = 0x8;
    /// `BONE_SCREEN_ALIGN_CYLINDER`.
    pub const SCREEN_ALIGN_CYLINDER: u32 = 0x10;
    /// `BONE_USED_BY_HITBOX`.
    pub const USED_BY_HITBOX: u32 = 0x100;
    /// `BONE_USED_BY_ATTACHMENT`.
    pub const USED_BY_ATTACHMENT: u32 = 0x200;
    /// `BONE_USED_BY_VERTEX_LOD0`; that of level of detail `n` is `n` bits further, up to
    /// `0x20000` for level 7.
    pub const USED_BY_VERTEX_LOD0: u32 = 0x400;
    /// `BONE_USED_BY_BONE_MERGE`.
    pub const USED_BY_BONE_MERGE: u32 = 0x4_0000;
    /// `BONE_FIXED_ALIGNMENT`: rotations are kept in the hemisphere of
    /// [`Bone::alignment`](super::Bone::alignment).
    pub const FIXED_ALIGNMENT: u32 = 0x10_0000;
    /// `BONE_HAS_SAVEFRAME_POS`.
    pub const HAS_SAVEFRAME_POS: u32 = 0x20_0000;
    /// `BONE_HAS_SAVEFRAME_ROT`.
    pub const HAS_SAVEFRAME_ROT: u32 = 0x40_0000;

    /// The names of single flags, by their bit.
    const NAMES: [(u32, &str); 19] = [
        (PHYSICALLY_SIMULATED, "PHYSICALLY_SIMULATED"),
        (PHYSICS_PROCEDURAL, "PHYSICS_PROCEDURAL"),
        (ALWAYS_PROCEDURAL, "ALWAYS_PROCEDURAL"),
        (SCREEN_ALIGN_SPHERE, "SCREEN_ALIGN_SPHERE"),
        (SCREEN_ALIGN_CYLINDER, "SCREEN_ALIGN_CYLINDER"),
        (USED_BY_HITBOX, "USED_BY_HITBOX"),
        (USED_BY_ATTACHMENT, "USED_BY_ATTACHMENT"),
        (USED_BY_VERTEX_LOD0, "USED_BY_VERTEX_LOD0"),
        (USED_BY_VERTEX_LOD0 << 1, "USED_BY_VERTEX_LOD1"),
        (USED_BY_VERTEX_LOD0 << 2, "USED_BY_VERTEX_LOD2"),
        (USED_BY_VERTEX_LOD0 << 3, "USED_BY_VERTEX_LOD3"),
        (USED_BY_VERTEX_LOD0 << 4, "USED_BY_VERTEX_LOD4"),
        (USED_BY_VERTEX_LOD0 << 5, "USED_BY_VERTEX_LOD5"),
        (USED_BY_VERTEX_LOD0 << 6, "USED_BY_VERTEX_LOD6"),
        (USED_BY_VERTEX_LOD0 << 7, "USED_BY_VERTEX_LOD7"),
        (USED_BY_BONE_MERGE, "USED_BY_BONE_MERGE"),
        (FIXED_ALIGNMENT, "FIXED_ALIGNMENT"),
        (HAS_SAVEFRAME_POS, "HAS_SAVEFRAME_POS"),
        (HAS_SAVEFRAME_ROT, "HAS_SAVEFRAME_ROT"),
    ];

    /// The SDK's names of the flags that are set, without `BONE_`; bits without a name are left
    /// out.
    ///
    /// ```
    /// use flexion_mdl::mdl::bone_flags;
    ///
    /// let names: Vec<_> = bone_flags::names(0x604).collect();
    /// assert_eq!(names, ["ALWAYS_PROCEDURAL", "USED_BY_ATTACHMENT", "USED_BY_VERTEX_LOD0"]);
    /// ```
    pub fn names(flags: u32) -> impl Iterator<Item = &'static str> {
        let set = move |&(mask, _): &(u32, _)| flags & mask != 0;
        NAMES.into_iter().filter(set).map(|(_, name)| name)
    }
}

/// A bone (`mstudiobone_t`).
///
/// ```
/// use flexion_mdl::mdl::Bone;
///
/// let root = Bone { name: "root".into(), ..Bone::default() };
/// assert_eq!((root.parent, root.controllers), (-1, [-1; 6]));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Bone<'a> {
    /// `sznameindex`.
    pub name: Name<'a>,
    /// `parent`; -1 for a root. Always before the bone itself.
    pub parent: i32,
    /// `bonecontroller`: the controller of each axis (X Y Z, then turns about them); -1 for none.
    pub controllers: [i32; 6],
    /// `pos` in the parent's space, in model units.
    pub position: Vec3,
    /// `quat` in the parent's space.
    pub rotation: Quat,
    /// `rot`: the same as Euler angles, in radians.
    pub euler: Vec3,
    /// `posscale`: units of one step of an animation's compressed positions, by axis.
    pub position_scale: Vec3,
    /// `rotscale`: radians of one step of an animation's compressed angles, by axis.
    pub rotation_scale: Vec3,
    /// `poseToBone`: three rows of four, from the model's bind pose into the bone's space.
    pub pose_to_bone: [[f32; 4]; 3],
    /// `qAlignment`: the hemisphere of rotations with [`bone_flags::FIXED_ALIGNMENT`].
    pub alignment: Quat,
    /// `flags`: masks of [`bone_flags`].
    pub flags: u32,
    /// `proctype` and what `procindex` leads to; none for an ordinary bone.
    pub procedural: Option<Procedural>,
    /// `physicsbone`: an index into the bones of the collision model, which is not read.
    pub physics_bone: i32,
    /// `surfacepropidx`, such as `flesh`; empty where the file has none.
    pub surface_property: Name<'a>,
    /// `contents`.
    pub contents: i32,
}

/// Three rows of four that change nothing.
const IDENTITY: [[f32; 4]; 3] = [
    [1.0, 0.0, 0.0, 0.0],
    [0.0, 1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 0.0],
];

impl Default for Bone<'_> {
    /// A nameless root at the origin that nothing moves.
    fn default() -> Self {
        Bone {
            name: Name::default(),
            parent: -1,
            controllers: [-1; 6],
            position: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            euler: Vec3::ZERO,
            position_scale: Vec3::ZERO,
            rotation_scale: Vec3::ZERO,
            pose_to_bone: IDENTITY,
            alignment: Quat::IDENTITY,
            flags: 0,
            procedural: None,
            physics_bone: 0,
            surface_property: "default".into(),
            contents: 0,
        }
    }
}

/// What a game turns or shifts a bone with (`mstudiobonecontroller_t`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BoneController {
    /// `bone`; -1 for none.
    pub bone: i32,
    /// `type`: one of the `X` to `ZR` constants here, perhaps with [`BoneController::WRAPS`].
    pub motion: i32,
    /// `start`: what an input of 0 gives, in units or degrees.
    pub start: f32,
    /// `end`: what an input of 1 gives.
    pub end: f32,
    /// `rest`: the input at rest, in 255ths.
    pub rest: i32,
    /// `inputfield`: 0 to 3 for the game's controllers, 4 for the mouth.
    pub input: i32,
}

impl BoneController {
    /// `STUDIO_X`: shifts along X.
    pub const X: i32 = 0x1;
    /// `STUDIO_Y`: shifts along Y.
    pub const Y: i32 = 0x2;
    /// `STUDIO_Z`: shifts along Z.
    pub const Z: i32 = 0x4;
    /// `STUDIO_XR`: turns about X.
    pub const XR: i32 = 0x8;
    /// `STUDIO_YR`: turns about Y.
    pub const YR: i32 = 0x10;
    /// `STUDIO_ZR`: turns about Z.
    pub const ZR: i32 = 0x20;
    /// `STUDIO_RLOOP`: the input goes round.
    pub const WRAPS: i32 = 0x4_0000;
    /// `STUDIO_TYPES`: the bits of [`BoneController::motion`] that say what moves.
    pub const MOTION_MASK: i32 = 0x3_ffff;
}

/// A named place on a bone (`mstudioattachment_t`).
#[derive(Clone, Debug, PartialEq)]
pub struct Attachment<'a> {
    /// `sznameindex`, such as `eyes`.
    pub name: Name<'a>,
    /// `flags`.
    pub flags: u32,
    /// `localbone`.
    pub bone: i32,
    /// `local`: three rows of four; the columns are forward, left, up and the place.
    pub local: [[f32; 4]; 3],
}

/// How the compiler changed a bone (`mstudiosrcbonetransform_t`): an animation's bone of that
/// name becomes `before * bone * after`.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceBoneTransform<'a> {
    /// `sznameindex`: the name of the bone.
    pub name: Name<'a>,
    /// `pretransform`: three rows of four.
    pub before: [[f32; 4]; 3],
    /// `posttransform`: three rows of four.
    pub after: [[f32; 4]; 3],
}

/// A bone that moves sliders (`mstudioboneflexdriver_t`).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoneFlexDriver {
    /// `m_nBoneIndex`.
    pub bone: i32,
    /// `mstudioboneflexdrivercontrol_t`: what it moves.
    pub controls: Vec<BoneFlexDriverControl>,
}

/// A slider that a bone moves (`mstudioboneflexdrivercontrol_t`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BoneFlexDriverControl {
    /// `m_nBoneComponent`: 0 to 2 for X to Z of the bone's position.
    pub component: i32,
    /// `m_nFlexControllerIndex`.
    pub controller: i32,
    /// `m_flMin`: the position that is the slider's 0, in units.
    pub min: f32,
    /// `m_flMax`: the position that is the slider's 1, in units.
    pub max: f32,
}
