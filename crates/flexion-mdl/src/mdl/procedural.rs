//! Rules by which bones move themselves.

use glam::{Quat, Vec3};

/// What computes a bone (`proctype`, and the structure that `procindex` leads to).
///
/// Indices stand as in the file: those that lead nowhere have a warning of their own.
#[derive(Clone, Debug, PartialEq)]
pub enum Procedural {
    /// `STUDIO_PROC_AXISINTERP`, 1.
    AxisInterp(Box<AxisInterp>),
    /// `STUDIO_PROC_QUATINTERP`, 2.
    QuatInterp(QuatInterp),
    /// `STUDIO_PROC_AIMATBONE`, 3: [`AimAt::aim`] is a bone.
    AimAtBone(Box<AimAt>),
    /// `STUDIO_PROC_AIMATATTACH`, 4: [`AimAt::aim`] is an attachment.
    AimAtAttachment(Box<AimAt>),
    /// `STUDIO_PROC_JIGGLE`, 5.
    Jiggle(Box<Jiggle>),
    /// A `proctype` without a structure: one that no engine knows, or one whose `procindex` is 0.
    /// The bone keeps its ordinary pose.
    Nothing(i32),
}

impl Procedural {
    /// `proctype`.
    pub fn kind(&self) -> i32 {
        match self {
            Procedural::AxisInterp(_) => 1,
            Procedural::QuatInterp(_) => 2,
            Procedural::AimAtBone(_) => 3,
            Procedural::AimAtAttachment(_) => 4,
            Procedural::Jiggle(_) => 5,
            Procedural::Nothing(kind) => *kind,
        }
    }
}

/// Three of six places, blended by the direction of an axis (`mstudioaxisinterpbone_t`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AxisInterp {
    /// `control`: the bone whose axis is looked at.
    pub control: i32,
    /// `axis`: 0 to 2 for X to Z.
    pub axis: i32,
    /// `pos` for X+, X-, Y+, Y-, Z+, Z-, in model units.
    pub positions: [Vec3; 6],
    /// `quat` for the same.
    pub rotations: [Quat; 6],
}

/// Places blended by how near a rotation is to that of each (`mstudioquatinterpbone_t`).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QuatInterp {
    /// `control`: the bone whose rotation in its parent's space is looked at.
    pub control: i32,
    /// `mstudioquatinterpinfo_t`; engines hold 32.
    pub triggers: Vec<Trigger>,
}

/// A rotation and the place that belongs to it (`mstudioquatinterpinfo_t`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Trigger {
    /// `inv_tolerance`: one by the angle from which on the trigger has no part, in radians.
    pub inverse_tolerance: f32,
    /// `trigger`: the rotation of the control.
    pub trigger: Quat,
    /// `pos`: the bone's position then, in model units.
    pub position: Vec3,
    /// `quat`: the bone's rotation then.
    pub rotation: Quat,
}

/// A bone that looks at something (`mstudioaimatbone_t`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AimAt {
    /// `parent`: the bone that it stands on.
    pub parent: i32,
    /// `aim`: the bone or attachment that it looks at.
    pub aim: i32,
    /// `aimvector`: the direction of its own that is turned there.
    pub aim_vector: Vec3,
    /// `upvector`: the direction of its own that stays up.
    pub up_vector: Vec3,
    /// `basepos`: where it stands, in the parent's space and model units.
    pub base: Vec3,
}

/// A bone on springs (`mstudiojigglebone_t`).
///
/// Stiffness is acceleration per unit of distance, damping acceleration per unit of speed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Jiggle {
    /// `flags`: masks, the constants here.
    pub flags: u32,
    /// `length`: how far the tip is from the origin, along the bone, in units.
    pub length: f32,
    /// `tipMass`: pull of gravity on the tip.
    pub tip_mass: f32,
    /// `yawStiffness`.
    pub yaw_stiffness: f32,
    /// `yawDamping`.
    pub yaw_damping: f32,
    /// `pitchStiffness`.
    pub pitch_stiffness: f32,
    /// `pitchDamping`.
    pub pitch_damping: f32,
    /// `alongStiffness`.
    pub along_stiffness: f32,
    /// `alongDamping`.
    pub along_damping: f32,
    /// `angleLimit`: largest deflection of the tip, in radians.
    pub angle_limit: f32,
    /// `minYaw`: in radians.
    pub min_yaw: f32,
    /// `maxYaw`: in radians.
    pub max_yaw: f32,
    /// `yawFriction`: engines do not use it.
    pub yaw_friction: f32,
    /// `yawBounce`: engines do not use it.
    pub yaw_bounce: f32,
    /// `minPitch`: in radians.
    pub min_pitch: f32,
    /// `maxPitch`: in radians.
    pub max_pitch: f32,
    /// `pitchFriction`: engines do not use it.
    pub pitch_friction: f32,
    /// `pitchBounce`: engines do not use it.
    pub pitch_bounce: f32,
    /// `baseMass`: pull of gravity on the base.
    pub base_mass: f32,
    /// `baseStiffness`.
    pub base_stiffness: f32,
    /// `baseDamping`.
    pub base_damping: f32,
    /// `baseMinLeft`: limit of the base, in units.
    pub base_min_left: f32,
    /// `baseMaxLeft`: limit of the base, in units.
    pub base_max_left: f32,
    /// `baseLeftFriction`.
    pub base_left_friction: f32,
    /// `baseMinUp`: limit of the base, in units.
    pub base_min_up: f32,
    /// `baseMaxUp`: limit of the base, in units.
    pub base_max_up: f32,
    /// `baseUpFriction`.
    pub base_up_friction: f32,
    /// `baseMinForward`: limit of the base, in units.
    pub base_min_forward: f32,
    /// `baseMaxForward`: limit of the base, in units.
    pub base_max_forward: f32,
    /// `baseForwardFriction`.
    pub base_forward_friction: f32,
    /// `boingImpactSpeed`: change of speed that counts as an impact, in units a second.
    pub boing_impact_speed: f32,
    /// `boingImpactAngle`: cosine of the turn that counts as an impact.
    pub boing_impact_angle: f32,
    /// `boingDampingRate`: a second.
    pub boing_damping_rate: f32,
    /// `boingFrequency`: radians a second.
    pub boing_frequency: f32,
    /// `boingAmplitude`: share by which the bone stretches.
    pub boing_amplitude: f32,
}

impl Jiggle {
    /// `JIGGLE_IS_FLEXIBLE`.
    pub const FLEXIBLE: u32 = 0x1;
    /// `JIGGLE_IS_RIGID`.
    pub const RIGID: u32 = 0x2;
    /// `JIGGLE_HAS_YAW_CONSTRAINT`.
    pub const YAW_CONSTRAINT: u32 = 0x4;
    /// `JIGGLE_HAS_PITCH_CONSTRAINT`.
    pub const PITCH_CONSTRAINT: u32 = 0x8;
    /// `JIGGLE_HAS_ANGLE_CONSTRAINT`.
    pub const ANGLE_CONSTRAINT: u32 = 0x10;
    /// `JIGGLE_HAS_LENGTH_CONSTRAINT`.
    pub const LENGTH_CONSTRAINT: u32 = 0x20;
    /// `JIGGLE_HAS_BASE_SPRING`.
    pub const BASE_SPRING: u32 = 0x40;
    /// `JIGGLE_IS_BOING`.
    pub const BOING: u32 = 0x80;
}
