//! What makes bones move: bone controllers, procedural rules, the skeleton in columns, bone
//! transforms of the compiler, and bones that drive sliders.

use std::borrow::Cow;

use super::super::check::Scan;
use super::{Link, link_in, place, table};
use crate::bytes::At;
use crate::error::{Error, Place};
use crate::mdl::{
    AimAt, AxisInterp, Bone, BoneController, BoneFlexDriver, BoneFlexDriverControl, Jiggle,
    LinearBones, Procedural, QuatInterp, SourceBoneTransform, Trigger,
};
use crate::raw::Record;
use crate::raw::bones as raw;
use crate::raw::mdl::{Bone as RawBone, StudioHdr2};

/// The header's second part, where the file has one.
type Second = Option<At<StudioHdr2>>;

pub(super) fn controllers(scan: &Scan<'_, '_>) -> Result<Vec<BoneController>, Error> {
    let Scan { reader, header, .. } = scan;
    table!(
        reader,
        header,
        numbonecontrollers,
        bonecontrollerindex,
        |at: At<raw::BoneController>| {
            scan.check_bone_controller(&at);
            Ok(BoneController {
                bone: at.raw.bone,
                motion: at.raw.r#type,
                start: at.raw.start,
                end: at.raw.end,
                rest: at.raw.rest,
                input: at.raw.inputfield,
            })
        }
    )
}

/// The rule of a bone. Its structure has the bone's number in places, because it has none itself.
pub(super) fn procedural(
    scan: &Scan<'_, '_>,
    bone: &At<RawBone>,
) -> Result<Option<Procedural>, Error> {
    scan.check_procedural(bone);
    if bone.raw.procindex == 0 && bone.raw.proctype != 0 {
        return Ok(Some(Procedural::Nothing(bone.raw.proctype)));
    }
    Ok(Some(match bone.raw.proctype {
        0 => return Ok(None),
        1 => Procedural::AxisInterp(Box::new(axis_interp(scan, bone)?)),
        2 => Procedural::QuatInterp(quat_interp(scan, bone)?),
        3 => Procedural::AimAtBone(Box::new(aim_at(scan, bone, scan.bones())?)),
        4 => {
            let attachments = scan.header.raw.numlocalattachments;
            Procedural::AimAtAttachment(Box::new(aim_at(scan, bone, attachments)?))
        }
        5 => Procedural::Jiggle(Box::new(jiggle(structure::<_, Jiggle>(scan, bone)?.raw))),
        other => Procedural::Nothing(other),
    }))
}

/// The structure that `procindex` leads to; it is claimed as often as a bone leads to it, because
/// each bone keeps its own.
fn structure<R: Record, T>(scan: &Scan<'_, '_>, bone: &At<RawBone>) -> Result<At<R>, Error> {
    let reader = scan.reader;
    let link = link_in!(reader, bone, procindex);
    reader.claim(R::SIZE.max(size_of::<T>()) as u64, link.place)?;
    reader.record(reader.target(link)?, bone.index)
}

fn axis_interp(scan: &Scan<'_, '_>, bone: &At<RawBone>) -> Result<AxisInterp, Error> {
    let at: At<raw::AxisInterpBone> = structure::<_, AxisInterp>(scan, bone)?;
    let reader = scan.reader;
    scan.check_index(place!(reader, at, control), at.raw.control, scan.bones());
    scan.check_index(place!(reader, at, axis), at.raw.axis, 3);
    Ok(AxisInterp {
        control: at.raw.control,
        axis: at.raw.axis,
        positions: at.raw.pos,
        rotations: at.raw.quat,
    })
}

fn quat_interp(scan: &Scan<'_, '_>, bone: &At<RawBone>) -> Result<QuatInterp, Error> {
    let at: At<raw::QuatInterpBone> = structure::<_, QuatInterp>(scan, bone)?;
    let reader = scan.reader;
    scan.check_quat_interp(&at);
    let triggers = table!(reader, at, numtriggers, triggerindex, |at: At<
        raw::QuatInterpInfo,
    >| {
        Ok(Trigger {
            inverse_tolerance: at.raw.inv_tolerance,
            trigger: at.raw.trigger,
            position: at.raw.pos,
            rotation: at.raw.quat,
        })
    })?;
    Ok(QuatInterp {
        control: at.raw.control,
        triggers,
    })
}

/// A rule that aims at one of `targets` bones or attachments.
fn aim_at(scan: &Scan<'_, '_>, bone: &At<RawBone>, targets: i32) -> Result<AimAt, Error> {
    let at: At<raw::AimAtBone> = structure::<_, AimAt>(scan, bone)?;
    let reader = scan.reader;
    scan.check_index(place!(reader, at, parent), at.raw.parent, scan.bones());
    scan.check_index(place!(reader, at, aim), at.raw.aim, targets);
    Ok(AimAt {
        parent: at.raw.parent,
        aim: at.raw.aim,
        aim_vector: at.raw.aimvector,
        up_vector: at.raw.upvector,
        base: at.raw.basepos,
    })
}

fn jiggle(raw: raw::JiggleBone) -> Jiggle {
    Jiggle {
        flags: raw.flags,
        length: raw.length,
        tip_mass: raw.tipMass,
        yaw_stiffness: raw.yawStiffness,
        yaw_damping: raw.yawDamping,
        pitch_stiffness: raw.pitchStiffness,
        pitch_damping: raw.pitchDamping,
        along_stiffness: raw.alongStiffness,
        along_damping: raw.alongDamping,
        angle_limit: raw.angleLimit,
        min_yaw: raw.minYaw,
        max_yaw: raw.maxYaw,
        yaw_friction: raw.yawFriction,
        yaw_bounce: raw.yawBounce,
        min_pitch: raw.minPitch,
        max_pitch: raw.maxPitch,
        pitch_friction: raw.pitchFriction,
        pitch_bounce: raw.pitchBounce,
        base_mass: raw.baseMass,
        base_stiffness: raw.baseStiffness,
        base_damping: raw.baseDamping,
        base_min_left: raw.baseMinLeft,
        base_max_left: raw.baseMaxLeft,
        base_left_friction: raw.baseLeftFriction,
        base_min_up: raw.baseMinUp,
        base_max_up: raw.baseMaxUp,
        base_up_friction: raw.baseUpFriction,
        base_min_forward: raw.baseMinForward,
        base_max_forward: raw.baseMaxForward,
        base_forward_friction: raw.baseForwardFriction,
        boing_impact_speed: raw.boingImpactSpeed,
        boing_impact_angle: raw.boingImpactAngle,
        boing_damping_rate: raw.boingDampingRate,
        boing_frequency: raw.boingFrequency,
        boing_amplitude: raw.boingAmplitude,
    }
}

/// The skeleton in columns, borrowed; `bones` are what it is compared with.
pub(super) fn linear<'a>(
    scan: &Scan<'_, 'a>,
    second: &Second,
    bones: &[Bone<'_>],
) -> Result<Option<LinearBones<'a>>, Error> {
    let reader = scan.reader;
    let Some(second) = second.filter(|second| second.raw.linearboneindex != 0) else {
        return Ok(None);
    };
    let start = reader.target(link_in!(reader, second, linearboneindex))?;
    let at: At<raw::LinearBone> = reader.record(start, None)?;
    let counted = place!(reader, at, numbones);
    macro_rules! column {
        ($offset:ident) => {
            Cow::Borrowed(reader.slice(link_in!(reader, at, $offset), at.raw.numbones, counted)?)
        };
    }
    let linear = LinearBones {
        flags: column!(flagsindex),
        parents: column!(parentindex),
        positions: column!(posindex),
        rotations: column!(quatindex),
        eulers: column!(rotindex),
        pose_to_bone: column!(posetoboneindex),
        position_scales: column!(posscaleindex),
        rotation_scales: column!(rotscaleindex),
        alignments: column!(qalignmentindex),
    };
    scan.check_linear_bones(counted, &linear, bones);
    Ok(Some(linear))
}

/// The transforms' table; unlike its neighbours', its offset is relative to the file.
pub(super) fn source_transforms<'a>(
    scan: &Scan<'_, 'a>,
    second: &Second,
) -> Result<Vec<SourceBoneTransform<'a>>, Error> {
    let reader = scan.reader;
    let Some(second) = second else {
        return Ok(Vec::new());
    };
    let link = Link {
        base: 0,
        ..link_in!(reader, second, srcbonetransformindex)
    };
    let counted: Place = place!(reader, second, numsrcbonetransform);
    reader.table(
        link,
        second.raw.numsrcbonetransform,
        counted,
        |at: At<raw::SrcBoneTransform>| {
            Ok(SourceBoneTransform {
                name: reader.name(link_in!(reader, at, sznameindex))?,
                before: at.raw.pretransform,
                after: at.raw.posttransform,
            })
        },
    )
}

pub(super) fn flex_drivers(
    scan: &Scan<'_, '_>,
    second: &Second,
) -> Result<Vec<BoneFlexDriver>, Error> {
    let reader = scan.reader;
    let Some(second) = second else {
        return Ok(Vec::new());
    };
    table!(
        reader,
        second,
        m_nBoneFlexDriverCount,
        m_nBoneFlexDriverIndex,
        |at: At<raw::BoneFlexDriver>| {
            let place = place!(reader, at, m_nBoneIndex);
            scan.check_index(place, at.raw.m_nBoneIndex, scan.bones());
            Ok(BoneFlexDriver {
                bone: at.raw.m_nBoneIndex,
                controls: driver_controls(scan, &at)?,
            })
        }
    )
}

fn driver_controls(
    scan: &Scan<'_, '_>,
    driver: &At<raw::BoneFlexDriver>,
) -> Result<Vec<BoneFlexDriverControl>, Error> {
    let reader = scan.reader;
    table!(
        reader,
        driver,
        m_nControlCount,
        m_nControlIndex,
        |at: At<raw::BoneFlexDriverControl>| {
            let component = place!(reader, at, m_nBoneComponent);
            scan.check_index(component, at.raw.m_nBoneComponent, 3);
            let controller = place!(reader, at, m_nFlexControllerIndex);
            let controllers = scan.header.raw.numflexcontrollers;
            scan.check_index(controller, at.raw.m_nFlexControllerIndex, controllers);
            Ok(BoneFlexDriverControl {
                component: at.raw.m_nBoneComponent,
                controller: at.raw.m_nFlexControllerIndex,
                min: at.raw.m_flMin,
                max: at.raw.m_flMax,
            })
        }
    )
}
