//! `.mdl`: the header and everything the face needs of what hangs on it.
//!
//! [`Mdl::read`] takes the bytes of a file and returns the whole rig as plain data;
//! [`Mdl::write`] makes the bytes of a file from it. Indices and offsets that engines tolerate
//! wrong stay as they are in the file and are listed in [`Mdl::warnings`], so that a caller sees
//! what the author shipped.

mod check;
mod read;
mod write;

mod face;
mod linear;
mod mesh;
mod procedural;
mod skeleton;

use glam::Vec3;

pub use face::{
    Controller, ControllerUi, Descriptor, Eyeball, Lid, Mouth, Op, RemapType, Rule, UiSlot,
};
pub use linear::{BoneField, BoneValue, LinearBones, LinearDifference};
pub use mesh::{
    BodyPart, Flex, Mesh, Model, SkinTable, Texture, VertAnim, VertAnims, WrinkleVertAnim,
};
pub use procedural::{AimAt, AxisInterp, Jiggle, Procedural, QuatInterp, Trigger};
pub(crate) use read::visit;
pub use skeleton::{
    Attachment, Bone, BoneController, BoneFlexDriver, BoneFlexDriverControl, SourceBoneTransform,
    bone_flags,
};

use crate::error::Warning;
use crate::name::Name;

/// Versions of `studiohdr_t` that are read.
pub const VERSIONS: std::ops::RangeInclusive<i32> = 44..=49;

/// `studiohdr_t.flags`: vertanims are fixed point on disk already.
pub const FLAG_FLEXES_CONVERTED: u32 = 0x4000;
/// `studiohdr_t.flags`: the header has its own fixed point scale.
pub const FLAG_VERT_ANIM_FIXED_POINT_SCALE: u32 = 0x20_0000;
/// `studiohdr_t.flags`: the model has no bones that move.
pub const FLAG_STATIC_PROP: u32 = 0x10;

/// A whole `.mdl`, as far as a face needs it.
///
/// Tables are owned, vertanims and names borrow from the file's bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Mdl<'a> {
    /// `version`, 44 to 49.
    pub version: i32,
    /// `checksum`, equal in the `.vvd` and the `.vtx`.
    pub checksum: u32,
    /// The full name: `studiohdr2_t.sznameindex` where there is one, else `name[64]`.
    pub name: Name<'a>,
    /// `flags`; the ones that matter here are the `FLAG_` constants of this module.
    pub flags: u32,
    /// `eyeposition`, in model units.
    pub eye_position: Vec3,
    /// `illumposition`, in model units.
    pub illumination_position: Vec3,
    /// `hull_min` and `hull_max`, in model units.
    pub hull: [Vec3; 2],
    /// `view_bbmin` and `view_bbmax`, in model units.
    pub view_box: [Vec3; 2],
    /// `mass`, in kilograms.
    pub mass: f32,
    /// `contents`.
    pub contents: i32,
    /// `flVertAnimFixedPointScale` as it stands in the header; see [`Mdl::fixed_point_scale`].
    pub vert_anim_fixed_point_scale: f32,
    /// `studiohdr2_t`, where the file has one.
    pub extension: Option<Extension>,
    /// `mstudiobone_t`.
    pub bones: Vec<Bone<'a>>,
    /// `mstudiobonecontroller_t`.
    pub bone_controllers: Vec<BoneController>,
    /// `mstudiolinearbone_t`: the bones again, in columns; see [`Mdl::linear_differences`].
    pub linear_bones: Option<LinearBones<'a>>,
    /// `mstudiosrcbonetransform_t`.
    pub source_bone_transforms: Vec<SourceBoneTransform<'a>>,
    /// `mstudioboneflexdriver_t`: bones that move sliders.
    pub bone_flex_drivers: Vec<BoneFlexDriver>,
    /// `mstudioattachment_t`.
    pub attachments: Vec<Attachment<'a>>,
    /// `mstudiotexture_t`: names of materials, without their folder.
    pub textures: Vec<Texture<'a>>,
    /// `cdtexture`: folders that materials are looked for in.
    pub texture_folders: Vec<Name<'a>>,
    /// `skinref` table: which texture a mesh shows in each skin family.
    pub skins: SkinTable,
    /// `mstudiobodyparts_t`, each with its models, their meshes and flexes.
    pub body_parts: Vec<BodyPart<'a>>,
    /// `mstudioflexdesc_t`: the targets.
    pub descriptors: Vec<Descriptor<'a>>,
    /// `mstudioflexcontroller_t`: the sliders.
    pub controllers: Vec<Controller<'a>>,
    /// `mstudioflexcontrollerui_t`: how sliders are grouped for people; none below version 47.
    pub controller_uis: Vec<ControllerUi<'a>>,
    /// `mstudioflexrule_t` and their ops.
    pub rules: Vec<Rule>,
    /// `mstudiomouth_t`.
    pub mouths: Vec<Mouth>,
    /// Oddities that engines tolerate; not written.
    pub warnings: Vec<Warning>,
}

/// `studiohdr2_t`, as far as a face needs it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Extension {
    /// `illumpositionattachmentindex`, one-based; 0 for none.
    pub illumination_attachment: i32,
    /// `flMaxEyeDeflection`: cosine of the largest angle of the eyes; 0 for the default.
    pub max_eye_deflection: f32,
}

impl Default for Mdl<'_> {
    /// A model of version 48 with nothing in it.
    fn default() -> Self {
        Mdl {
            version: 48,
            checksum: 0,
            name: Name::default(),
            flags: 0,
            eye_position: Vec3::ZERO,
            illumination_position: Vec3::ZERO,
            hull: [Vec3::ZERO; 2],
            view_box: [Vec3::ZERO; 2],
            mass: 0.0,
            contents: 0,
            vert_anim_fixed_point_scale: 0.0,
            extension: None,
            bones: Vec::new(),
            bone_controllers: Vec::new(),
            linear_bones: None,
            source_bone_transforms: Vec::new(),
            bone_flex_drivers: Vec::new(),
            attachments: Vec::new(),
            textures: Vec::new(),
            texture_folders: Vec::new(),
            skins: SkinTable::default(),
            body_parts: Vec::new(),
            descriptors: Vec::new(),
            controllers: Vec::new(),
            controller_uis: Vec::new(),
            rules: Vec::new(),
            mouths: Vec::new(),
            warnings: Vec::new(),
        }
    }
}

impl Mdl<'_> {
    /// Units of one step of a fixed point delta: the header's own scale where
    /// [`FLAG_VERT_ANIM_FIXED_POINT_SCALE`] is set, else 1/4096.
    ///
    /// Wrinkle deltas are fixed point in every file. (`studiohdr_t::VertAnimFixedPointScale`)
    pub fn fixed_point_scale(&self) -> f32 {
        if self.flags & FLAG_VERT_ANIM_FIXED_POINT_SCALE != 0 {
            self.vert_anim_fixed_point_scale
        } else {
            1.0 / 4096.0
        }
    }

    /// Whether vertanims hold fixed point numbers instead of halves
    /// ([`FLAG_FLEXES_CONVERTED`]).
    pub fn flexes_converted(&self) -> bool {
        self.flags & FLAG_FLEXES_CONVERTED != 0
    }

    /// Name of the material that a mesh shows in skin family 0, without its folder.
    ///
    /// `None` when the skin table or the texture list does not reach that far.
    pub fn material(&self, mesh: &Mesh<'_>) -> Option<&Name<'_>> {
        let texture = self
            .skins
            .texture(0, usize::try_from(mesh.material).ok()?)?;
        self.textures.get(texture).map(|texture| &texture.name)
    }
}
