//! The structures of a `.mdl` that make bones move: bone controllers, procedural rules, the
//! skeleton in columns, bone transforms of the compiler, and bones that drive sliders.
//!
//! Offsets are relative to the record that holds them, but for `srcbonetransformindex`.

#![allow(
    non_snake_case,
    reason = "members keep the SDK's names, so that they can be searched for"
)]

use glam::{Quat, Vec3};

use super::record;

record! {
    /// What a game turns or shifts a bone with.
    "mstudiobonecontroller_t" [56] BoneController {
        0 bone: i32,
        4 r#type: i32,
        8 start: f32,
        12 end: f32,
        16 rest: i32,
        20 inputfield: i32,
        24 unused: [i32; 8],
    }
}

record! {
    /// A rule that blends three of six places by the direction of an axis.
    "mstudioaxisinterpbone_t" [176] AxisInterpBone {
        0 control: i32,
        4 axis: i32,
        8 pos: [Vec3; 6],
        80 quat: [Quat; 6],
    }
}

record! {
    /// A rule that blends places by how near a rotation is to each of some triggers.
    "mstudioquatinterpbone_t" [12] QuatInterpBone {
        0 control: i32,
        4 numtriggers: i32,
        8 triggerindex: i32,
    }
}

record! {
    /// A trigger.
    "mstudioquatinterpinfo_t" [48] QuatInterpInfo {
        0 inv_tolerance: f32,
        4 trigger: Quat,
        20 pos: Vec3,
        32 quat: Quat,
    }
}

record! {
    /// A rule that turns a bone towards another or towards an attachment.
    "mstudioaimatbone_t" [44] AimAtBone {
        0 parent: i32,
        4 aim: i32,
        8 aimvector: Vec3,
        20 upvector: Vec3,
        32 basepos: Vec3,
    }
}

record! {
    /// A rule of springs.
    "mstudiojigglebone_t" [140] JiggleBone {
        0 flags: u32,
        4 length: f32,
        8 tipMass: f32,
        12 yawStiffness: f32,
        16 yawDamping: f32,
        20 pitchStiffness: f32,
        24 pitchDamping: f32,
        28 alongStiffness: f32,
        32 alongDamping: f32,
        36 angleLimit: f32,
        40 minYaw: f32,
        44 maxYaw: f32,
        48 yawFriction: f32,
        52 yawBounce: f32,
        56 minPitch: f32,
        60 maxPitch: f32,
        64 pitchFriction: f32,
        68 pitchBounce: f32,
        72 baseMass: f32,
        76 baseStiffness: f32,
        80 baseDamping: f32,
        84 baseMinLeft: f32,
        88 baseMaxLeft: f32,
        92 baseLeftFriction: f32,
        96 baseMinUp: f32,
        100 baseMaxUp: f32,
        104 baseUpFriction: f32,
        108 baseMinForward: f32,
        112 baseMaxForward: f32,
        116 baseForwardFriction: f32,
        120 boingImpactSpeed: f32,
        124 boingImpactAngle: f32,
        128 boingDampingRate: f32,
        132 boingFrequency: f32,
        136 boingAmplitude: f32,
    }
}

record! {
    /// The skeleton in columns: an array for each member of a bone.
    "mstudiolinearbone_t" [64] LinearBone {
        0 numbones: i32,
        4 flagsindex: i32,
        8 parentindex: i32,
        12 posindex: i32,
        16 quatindex: i32,
        20 rotindex: i32,
        24 posetoboneindex: i32,
        28 posscaleindex: i32,
        32 rotscaleindex: i32,
        36 qalignmentindex: i32,
        40 unused: [i32; 6],
    }
}

record! {
    /// How the compiler changed a bone.
    "mstudiosrcbonetransform_t" [100] SrcBoneTransform {
        0 sznameindex: i32,
        4 pretransform: [[f32; 4]; 3],
        52 posttransform: [[f32; 4]; 3],
    }
}

record! {
    /// A bone that moves sliders.
    "mstudioboneflexdriver_t" [24] BoneFlexDriver {
        0 m_nBoneIndex: i32,
        4 m_nControlCount: i32,
        8 m_nControlIndex: i32,
        12 unused: [i32; 3],
    }
}

record! {
    /// A slider that a bone moves.
    "mstudioboneflexdrivercontrol_t" [16] BoneFlexDriverControl {
        0 m_nBoneComponent: i32,
        4 m_nFlexControllerIndex: i32,
        8 m_flMin: f32,
        12 m_flMax: f32,
    }
}
