//! What makes bones move: bone controllers, procedural rules, the skeleton in columns, bone
//! transforms of the compiler, and bones that drive sliders.

use super::Placed;
use super::out::{Output, Spot};
use crate::error::{WriteError, WriteErrorKind};
use crate::mdl::{
    AimAt, AxisInterp, BoneController, BoneFlexDriver, Jiggle, LinearBones, Procedural, QuatInterp,
    SourceBoneTransform,
};
use crate::raw::Record;
use crate::raw::bones as raw;
use crate::raw::mdl::{Bone as RawBone, StudioHdr, StudioHdr2};

pub(super) fn controllers<'n>(
    out: &mut Output<'n>,
    header: Spot<StudioHdr>,
    controllers: &'n [BoneController],
) -> Placed {
    let fields = ["numbonecontrollers", "bonecontrollerindex"];
    out.table(header, fields, controllers, |_, _, controller| {
        Ok(raw::BoneController {
            bone: controller.bone,
            r#type: controller.motion,
            start: controller.start,
            end: controller.end,
            rest: controller.rest,
            inputfield: controller.input,
            ..raw::BoneController::ZERO
        })
    })
}

/// The rule of the bone at `bone`: `proctype` and `procindex`.
pub(super) fn procedural<'n>(
    out: &mut Output<'n>,
    bone: Spot<RawBone>,
    rule: Option<&'n Procedural>,
) -> Placed {
    let Some(rule) = rule else {
        return Ok((0, 0));
    };
    let start = match rule {
        Procedural::AxisInterp(rule) => one(out, &axis_interp(rule)),
        Procedural::QuatInterp(rule) => quat_interp(out, rule)?,
        Procedural::AimAtBone(rule) | Procedural::AimAtAttachment(rule) => one(out, &aim_at(rule)),
        Procedural::Jiggle(rule) => one(out, &jiggle(rule)),
        Procedural::Nothing(0) => {
            let expected = "another type for a rule without structure";
            return Err(bone.value("proctype", 0, expected));
        }
        Procedural::Nothing(kind) => return Ok((*kind, 0)),
    };
    Ok((rule.kind(), bone.offset("procindex", start)?))
}

/// A record in no table; gives its start.
fn one<R: Record>(out: &mut Output<'_>, record: &R) -> u64 {
    let at = out.reserve_one::<R>();
    out.put(at, record);
    at.start
}

fn axis_interp(rule: &AxisInterp) -> raw::AxisInterpBone {
    raw::AxisInterpBone {
        control: rule.control,
        axis: rule.axis,
        pos: rule.positions,
        quat: rule.rotations,
    }
}

fn quat_interp<'n>(out: &mut Output<'n>, rule: &'n QuatInterp) -> Result<u64, WriteError> {
    let at = out.reserve_one::<raw::QuatInterpBone>();
    let fields = ["numtriggers", "triggerindex"];
    let (numtriggers, triggerindex) = out.table(at, fields, &rule.triggers, |_, _, trigger| {
        Ok(raw::QuatInterpInfo {
            inv_tolerance: trigger.inverse_tolerance,
            trigger: trigger.trigger,
            pos: trigger.position,
            quat: trigger.rotation,
        })
    })?;
    let record = raw::QuatInterpBone {
        control: rule.control,
        numtriggers,
        triggerindex,
    };
    out.put(at, &record);
    Ok(at.start)
}

fn aim_at(rule: &AimAt) -> raw::AimAtBone {
    raw::AimAtBone {
        parent: rule.parent,
        aim: rule.aim,
        aimvector: rule.aim_vector,
        upvector: rule.up_vector,
        basepos: rule.base,
    }
}

fn jiggle(jiggle: &Jiggle) -> raw::JiggleBone {
    raw::JiggleBone {
        flags: jiggle.flags,
        length: jiggle.length,
        tipMass: jiggle.tip_mass,
        yawStiffness: jiggle.yaw_stiffness,
        yawDamping: jiggle.yaw_damping,
        pitchStiffness: jiggle.pitch_stiffness,
        pitchDamping: jiggle.pitch_damping,
        alongStiffness: jiggle.along_stiffness,
        alongDamping: jiggle.along_damping,
        angleLimit: jiggle.angle_limit,
        minYaw: jiggle.min_yaw,
        maxYaw: jiggle.max_yaw,
        yawFriction: jiggle.yaw_friction,
        yawBounce: jiggle.yaw_bounce,
        minPitch: jiggle.min_pitch,
        maxPitch: jiggle.max_pitch,
        pitchFriction: jiggle.pitch_friction,
        pitchBounce: jiggle.pitch_bounce,
        baseMass: jiggle.base_mass,
        baseStiffness: jiggle.base_stiffness,
        baseDamping: jiggle.base_damping,
        baseMinLeft: jiggle.base_min_left,
        baseMaxLeft: jiggle.base_max_left,
        baseLeftFriction: jiggle.base_left_friction,
        baseMinUp: jiggle.base_min_up,
        baseMaxUp: jiggle.base_max_up,
        baseUpFriction: jiggle.base_up_friction,
        baseMinForward: jiggle.base_min_forward,
        baseMaxForward: jiggle.base_max_forward,
        baseForwardFriction: jiggle.base_forward_friction,
        boingImpactSpeed: jiggle.boing_impact_speed,
        boingImpactAngle: jiggle.boing_impact_angle,
        boingDampingRate: jiggle.boing_damping_rate,
        boingFrequency: jiggle.boing_frequency,
        boingAmplitude: jiggle.boing_amplitude,
    }
}

/// The skeleton in columns: `linearboneindex`, 0 for none.
pub(super) fn linear(
    out: &mut Output<'_>,
    second: Spot<StudioHdr2>,
    linear: Option<&LinearBones<'_>>,
) -> Result<i32, WriteError> {
    let Some(linear) = linear else {
        return Ok(0);
    };
    let at = out.reserve_one::<raw::LinearBone>();
    let numbones = at.count("numbones", linear.len())?;
    for (field, length) in linear.lengths() {
        if length != linear.len() {
            let expected = "as many entries in each column";
            return Err(at.value(field, at.count(field, length)?, expected));
        }
    }
    macro_rules! column {
        ($field:ident, $values:expr) => {{
            let start = out.array(&$values);
            at.offset(stringify!($field), start)?
        }};
    }
    let record = raw::LinearBone {
        numbones,
        flagsindex: column!(flagsindex, linear.flags),
        parentindex: column!(parentindex, linear.parents),
        posindex: column!(posindex, linear.positions),
        quatindex: column!(quatindex, linear.rotations),
        rotindex: column!(rotindex, linear.eulers),
        posetoboneindex: column!(posetoboneindex, linear.pose_to_bone),
        posscaleindex: column!(posscaleindex, linear.position_scales),
        rotscaleindex: column!(rotscaleindex, linear.rotation_scales),
        qalignmentindex: column!(qalignmentindex, linear.alignments),
        ..raw::LinearBone::ZERO
    };
    out.put(at, &record);
    second.offset("linearboneindex", at.start)
}

/// The transforms; unlike its neighbours', the offset of their table is relative to the file.
pub(super) fn source_transforms<'n>(
    out: &mut Output<'n>,
    second: Spot<StudioHdr2>,
    transforms: &'n [SourceBoneTransform<'_>],
) -> Placed {
    let fields = ["numsrcbonetransform", "srcbonetransformindex"];
    let (count, offset) = out.table(second, fields, transforms, |out, at, transform| {
        Ok(raw::SrcBoneTransform {
            sznameindex: out.name(at, "sznameindex", &transform.name)?,
            pretransform: transform.before,
            posttransform: transform.after,
        })
    })?;
    let start = second.start.saturating_add_signed(offset.into());
    let offset = i32::try_from(start)
        .map_err(|_| second.error(fields[1], WriteErrorKind::TooLarge(start)))?;
    Ok((count, offset))
}

pub(super) fn flex_drivers<'n>(
    out: &mut Output<'n>,
    second: Spot<StudioHdr2>,
    drivers: &'n [BoneFlexDriver],
) -> Placed {
    let fields = ["m_nBoneFlexDriverCount", "m_nBoneFlexDriverIndex"];
    out.table(second, fields, drivers, |out, at, driver| {
        let fields = ["m_nControlCount", "m_nControlIndex"];
        let (count, offset) = out.table(at, fields, &driver.controls, |_, _, control| {
            Ok(raw::BoneFlexDriverControl {
                m_nBoneComponent: control.component,
                m_nFlexControllerIndex: control.controller,
                m_flMin: control.min,
                m_flMax: control.max,
            })
        })?;
        Ok(raw::BoneFlexDriver {
            m_nBoneIndex: driver.bone,
            m_nControlCount: count,
            m_nControlIndex: offset,
            ..raw::BoneFlexDriver::ZERO
        })
    })
}
