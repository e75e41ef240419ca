//! The skeleton of a file as records: what leads somewhere of it.
//!
//! Indices that lead nowhere have warnings of their own where the file is read; here such a parent
//! counts as none, such a procedure leaves its bone as it is posed, such a driver drives nothing.

use std::array;

use flexion_bones::{AimAt, AxisInterp, Bone, FlexDriver, Jiggle, Procedure, QuatInterp, Skeleton};
use flexion_bones::{Attachment, Trigger};
use flexion_mdl::Mdl;
use flexion_mdl::mdl::{self, Procedural};
use glam::{Affine3A, Mat3, Vec3};

/// A model's bones and what they move besides vertices.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) skeleton: Skeleton,
    /// All controls of all drivers, in file order.
    pub(crate) drivers: Vec<FlexDriver>,
    /// Which attachment of the skeleton is `eyes`.
    pub(crate) eyes: Option<usize>,
}

/// Bone-to-world transforms of the bind pose, one per bone in file order.
///
/// `world[i] = world[parent] * (quat, pos)`, roots standing where they say.
pub(crate) fn bind_pose(mdl: &Mdl<'_>) -> Vec<Affine3A> {
    let mut world: Vec<Affine3A> = Vec::with_capacity(mdl.bones.len());
    for bone in &mdl.bones {
        let local = Affine3A::from_rotation_translation(bone.rotation, bone.position);
        let parent = within(bone.parent, world.len());
        world.push(parent.map_or(local, |parent| world[parent] * local));
    }
    world
}

/// The frame of an attachment in the world: columns forward, left, up and the place.
pub(crate) fn attachment_frame(
    attachment: &mdl::Attachment<'_>,
    world: &[Affine3A],
) -> Option<Affine3A> {
    let bone = within(attachment.bone, world.len())?;
    Some(world[bone] * affine(&attachment.local))
}

/// The records of a file whose `controllers` sliders may be driven.
pub(crate) fn body(mdl: &Mdl<'_>) -> Body {
    let count = mdl.bones.len();
    // Where each attachment of the file is among those that stand on a bone.
    let mut places = Vec::with_capacity(mdl.attachments.len());
    let mut attachments = Vec::new();
    for attachment in &mdl.attachments {
        let bone = within(attachment.bone, count);
        places.push(bone.map(|_| attachments.len()));
        attachments.extend(bone.map(|bone| Attachment {
            bone,
            local: affine(&attachment.local),
        }));
    }
    let bones = mdl.bones.iter().enumerate().map(|(number, bone)| Bone {
        name: bone.name.to_str().into_owned(),
        parent: within(bone.parent, number),
        position: bone.position,
        rotation: bone.rotation,
        pose_to_bone: affine(&bone.pose_to_bone),
        flags: bone.flags,
        procedure: (bone.procedural.as_ref()).and_then(|rule| procedure(rule, count, &places)),
    });
    let mut placed = mdl.attachments.iter().zip(&places);
    let eyes = placed.find(|(attachment, _)| attachment.name.matches("eyes"));
    let skeleton = Skeleton::new(bones.collect(), attachments);
    Body {
        eyes: eyes.and_then(|(_, &place)| place),
        drivers: drivers(mdl),
        skeleton: skeleton.expect("indices that lead nowhere are left out"),
    }
}

fn procedure(rule: &Procedural, bones: usize, attachments: &[Option<usize>]) -> Option<Procedure> {
    let aim_at = |aim: &mdl::AimAt, target: usize| {
        Some(AimAt {
            parent: within(aim.parent, bones)?,
            aim: target,
            aim_vector: aim.aim_vector,
            up_vector: aim.up_vector,
            base: aim.base,
        })
    };
    match rule {
        Procedural::AxisInterp(axis) => Some(Procedure::AxisInterp(AxisInterp {
            control: within(axis.control, bones)?,
            axis: within(axis.axis, 3)?,
            positions: axis.positions,
            rotations: axis.rotations,
        })),
        Procedural::QuatInterp(quat) => Some(Procedure::QuatInterp(QuatInterp {
            control: within(quat.control, bones)?,
            triggers: quat.triggers.iter().map(trigger).collect(),
        })),
        Procedural::AimAtBone(aim) => {
            aim_at(aim, within(aim.aim, bones)?).map(Procedure::AimAtBone)
        }
        Procedural::AimAtAttachment(aim) => {
            let place = attachments[within(aim.aim, attachments.len())?]?;
            aim_at(aim, place).map(Procedure::AimAtAttachment)
        }
        Procedural::Jiggle(springs) => Some(Procedure::Jiggle(Box::new(jiggle(springs)))),
        Procedural::Nothing(_) => None,
    }
}

fn trigger(trigger: &mdl::Trigger) -> Trigger {
    Trigger {
        inv_tolerance: trigger.inverse_tolerance,
        trigger: trigger.trigger,
        position: trigger.position,
        rotation: trigger.rotation,
    }
}

/// The same springs; the base's limits per axis: left, up, forward.
fn jiggle(springs: &mdl::Jiggle) -> Jiggle {
    let axes = |left, up, forward| Vec3::new(left, up, forward);
    Jiggle {
        flags: springs.flags,
        length: springs.length,
        tip_mass: springs.tip_mass,
        yaw_stiffness: springs.yaw_stiffness,
        yaw_damping: springs.yaw_damping,
        pitch_stiffness: springs.pitch_stiffness,
        pitch_damping: springs.pitch_damping,
        along_stiffness: springs.along_stiffness,
        along_damping: springs.along_damping,
        angle_limit: springs.angle_limit,
        min_yaw: springs.min_yaw,
        max_yaw: springs.max_yaw,
        min_pitch: springs.min_pitch,
        max_pitch: springs.max_pitch,
        base_mass: springs.base_mass,
        base_stiffness: springs.base_stiffness,
        base_damping: springs.base_damping,
        base_min: axes(
            springs.base_min_left,
            springs.base_min_up,
            springs.base_min_forward,
        ),
        base_max: axes(
            springs.base_max_left,
            springs.base_max_up,
            springs.base_max_forward,
        ),
        base_friction: axes(
            springs.base_left_friction,
            springs.base_up_friction,
            springs.base_forward_friction,
        ),
        boing_impact_speed: springs.boing_impact_speed,
        boing_impact_angle: springs.boing_impact_angle,
        boing_damping_rate: springs.boing_damping_rate,
        boing_frequency: springs.boing_frequency,
        boing_amplitude: springs.boing_amplitude,
    }
}

fn drivers(mdl: &Mdl<'_>) -> Vec<FlexDriver> {
    let controls = mdl.bone_flex_drivers.iter().flat_map(|driver| {
        let control = |control: &mdl::BoneFlexDriverControl| {
            Some(FlexDriver {
                bone: within(driver.bone, mdl.bones.len())?,
                component: within(control.component, 3)?,
                controller: within(control.controller, mdl.controllers.len())?,
                min: control.min,
                max: control.max,
            })
        };
        driver
            .controls
            .iter()
            .filter_map(control)
            .collect::<Vec<_>>()
    });
    controls.collect()
}

/// An index of a file as one of `count` things.
fn within(index: i32, count: usize) -> Option<usize> {
    usize::try_from(index).ok().filter(|&index| index < count)
}

/// Three rows of four as a transform.
fn affine(rows: &[[f32; 4]; 3]) -> Affine3A {
    let [x, y, z, place] = array::from_fn(|c| Vec3::new(rows[0][c], rows[1][c], rows[2][c]));
    Affine3A::from_mat3_translation(Mat3::from_cols(x, y, z), place)
}
