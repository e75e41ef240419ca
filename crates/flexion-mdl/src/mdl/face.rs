//! The face: targets, sliders, rules, eyeballs.

use glam::Vec3;

use crate::name::Name;

/// A target that meshes can be deformed into (`mstudioflexdesc_t`).
#[derive(Clone, Debug, PartialEq)]
pub struct Descriptor<'a> {
    /// `szFACSindex`, such as `AU1R`.
    pub name: Name<'a>,
}

/// A slider (`mstudioflexcontroller_t`).
#[derive(Clone, Debug, PartialEq)]
pub struct Controller<'a> {
    /// `sztypeindex`: the group that the slider belongs to, such as `phoneme`.
    pub kind: Name<'a>,
    /// `sznameindex`; not always unique.
    pub name: Name<'a>,
    /// `min`, in the slider's own units.
    pub min: f32,
    /// `max`, in the slider's own units.
    pub max: f32,
}

/// One rule: the ops that compute one target's weight (`mstudioflexrule_t`).
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// `flex`: the descriptor that is written; out of range in some files (the rule is skipped).
    pub target: i32,
    /// The ops in order; none when `numops` is zero or negative.
    pub ops: Vec<Op>,
}

/// One step of a rule (`mstudioflexop_t`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    /// `op`: the number of the operation.
    pub code: i32,
    /// `d`: a little-endian float or int, depending on the operation.
    pub operand: [u8; 4],
}

/// How sliders are grouped for people (`mstudioflexcontrollerui_t`).
///
/// | stereo | remap | slots |
/// |---|---|---|
/// | no | passthru, two-way | `[slider, -, -]` |
/// | yes | passthru, two-way | `[left, right, -]` |
/// | no | n-way, eyelid | `[slider, -, multi]` |
/// | yes | n-way, eyelid | `[left, right, multi]` |
#[derive(Clone, Debug, PartialEq)]
pub struct ControllerUi<'a> {
    /// `sznameindex`.
    pub name: Name<'a>,
    /// `szindex0`, `szindex1`, `szindex2`: what they lead to.
    pub slots: [UiSlot; 3],
    /// `remaptype`.
    pub remap: RemapType,
    /// `stereo`: whether slot 0 is the left and slot 1 the right slider.
    pub stereo: bool,
}

/// What a slot of a [`ControllerUi`] leads to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UiSlot {
    /// The slot is 0.
    #[default]
    Unused,
    /// A controller, by its number.
    Controller(u32),
    /// An offset from the structure that is no controller's; kept as it is.
    Nowhere(i32),
}

impl UiSlot {
    /// The number of the controller, where there is one.
    pub fn controller(self) -> Option<usize> {
        match self {
            UiSlot::Controller(index) => usize::try_from(index).ok(),
            UiSlot::Unused | UiSlot::Nowhere(_) => None,
        }
    }
}

/// `FlexControllerRemapType_t`: how a slider's value is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RemapType {
    /// 0: as it is.
    #[default]
    Passthru,
    /// 1: 0 to 1 becomes -1 to 1.
    TwoWay,
    /// 2: a second ("multi") slider selects among several shapes.
    NWay,
    /// 3: as n-way, for the lids.
    Eyelid,
    /// Any other number; treated as passthru.
    Unknown(u8),
}

/// An eyeball (`mstudioeyeball_t`).
#[derive(Clone, Debug, PartialEq)]
pub struct Eyeball<'a> {
    /// `sznameindex`.
    pub name: Name<'a>,
    /// `bone` that `origin`, `up` and `forward` are relative to.
    pub bone: i32,
    /// `org`: the centre, in model units.
    pub origin: Vec3,
    /// `zoffset`: tangent of the yaw built into the eyeball.
    pub z_offset: f32,
    /// `radius`, in model units; may be negative.
    pub radius: f32,
    /// `up`, of unit length.
    pub up: Vec3,
    /// `forward`, of unit length; its sign differs between files.
    pub forward: Vec3,
    /// `texture`: index of the iris material.
    pub texture: i32,
    /// `iris_scale`.
    pub iris_scale: f32,
    /// `upperflexdesc`, `uppertarget`, `upperlidflexdesc`.
    pub upper: Lid,
    /// `lowerflexdesc`, `lowertarget`, `lowerlidflexdesc`.
    pub lower: Lid,
    /// `m_bNonFACS`, as a flag: the lids of such an eyeball are not computed.
    pub non_facs: bool,
}

/// One lid of an [`Eyeball`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lid {
    /// Descriptors whose weights raise and lower the lid: `[lowerer, neutral, raiser]`.
    ///
    /// The SDK's comment has them the other way round; files do not.
    pub descriptors: [i32; 3],
    /// Heights of the lid along the eyeball's up for each of them, in model units.
    pub targets: [f32; 3],
    /// The descriptor whose weight becomes the height of the lid.
    pub lid_descriptor: i32,
}

/// A mouth (`mstudiomouth_t`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mouth {
    /// `bone`.
    pub bone: i32,
    /// `forward`.
    pub forward: Vec3,
    /// `flexdesc`.
    pub descriptor: i32,
}
