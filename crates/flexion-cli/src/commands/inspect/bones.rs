//! What `inspect` shows of the skeleton and of what moves it.

use flexion::mdl::Mdl;
use flexion::mdl::mdl::{
    AimAt, Bone, BoneController, BoneFlexDriverControl, LinearDifference, Procedural, bone_flags,
};
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct BoneReport {
    pub(super) name: String,
    /// Number of the parent; none for a root.
    pub(super) parent: Option<i32>,
    /// The parent's name.
    pub(super) parent_name: Option<String>,
    pub(super) flags: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) procedural: Option<RuleReport>,
}

/// A procedural rule: which kind, and the bones and attachments that it looks at.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(super) enum RuleReport {
    AxisInterp { control: String, axis: i32 },
    QuatInterp { control: String, triggers: usize },
    AimAtBone { parent: String, aim: String },
    AimAtAttachment { parent: String, aim: String },
    Jiggle { flags: String, length: f32 },
    Nothing { proctype: i32 },
}

#[derive(Serialize)]
pub(super) struct BoneControllerReport {
    pub(super) bone: String,
    pub(super) motion: String,
    pub(super) wraps: bool,
    pub(super) start: f32,
    pub(super) end: f32,
    pub(super) rest: i32,
    pub(super) input: i32,
}

/// A slider that a bone moves.
#[derive(Serialize)]
pub(super) struct DriverReport {
    pub(super) bone: String,
    pub(super) component: String,
    pub(super) controller: String,
    pub(super) min: f32,
    pub(super) max: f32,
}

/// The bones in columns, and where they are not the bones.
#[derive(Serialize)]
pub(super) struct LinearReport {
    pub(super) bones: usize,
    pub(super) differences: Vec<DifferenceReport>,
}

#[derive(Serialize)]
pub(super) struct DifferenceReport {
    pub(super) bone: String,
    pub(super) field: String,
    pub(super) in_bone: String,
    pub(super) in_columns: String,
}

pub(super) fn bones(mdl: &Mdl<'_>) -> Vec<BoneReport> {
    let report = |bone: &Bone<'_>| BoneReport {
        name: bone.name.to_string(),
        parent: (bone.parent != -1).then_some(bone.parent),
        parent_name: (bone.parent != -1).then(|| bone_name(mdl, bone.parent)),
        flags: bone_flags::names(bone.flags).collect(),
        procedural: bone.procedural.as_ref().map(|rule| procedural(mdl, rule)),
    };
    mdl.bones.iter().map(report).collect()
}

fn procedural(mdl: &Mdl<'_>, rule: &Procedural) -> RuleReport {
    let parent = |aim: &AimAt| bone_name(mdl, aim.parent);
    match rule {
        Procedural::AxisInterp(rule) => RuleReport::AxisInterp {
            control: bone_name(mdl, rule.control),
            axis: rule.axis,
        },
        Procedural::QuatInterp(rule) => RuleReport::QuatInterp {
            control: bone_name(mdl, rule.control),
            triggers: rule.triggers.len(),
        },
        Procedural::AimAtBone(rule) => RuleReport::AimAtBone {
            parent: parent(rule),
            aim: bone_name(mdl, rule.aim),
        },
        Procedural::AimAtAttachment(rule) => {
            let attachments = mdl.attachments.iter().map(|attachment| &attachment.name);
            RuleReport::AimAtAttachment {
                parent: parent(rule),
                aim: name(attachments, rule.aim),
            }
        }
        Procedural::Jiggle(rule) => RuleReport::Jiggle {
            flags: format!("{:#x}", rule.flags),
            length: rule.length,
        },
        Procedural::Nothing(kind) => RuleReport::Nothing { proctype: *kind },
    }
}

pub(super) fn controllers(mdl: &Mdl<'_>) -> Vec<BoneControllerReport> {
    let report = |controller: &BoneController| BoneControllerReport {
        bone: bone_name(mdl, controller.bone),
        motion: motion(controller.motion),
        wraps: controller.motion & BoneController::WRAPS != 0,
        start: controller.start,
        end: controller.end,
        rest: controller.rest,
        input: controller.input,
    };
    mdl.bone_controllers.iter().map(report).collect()
}

fn motion(motion: i32) -> String {
    match motion & BoneController::MOTION_MASK {
        BoneController::X => "x".to_owned(),
        BoneController::Y => "y".to_owned(),
        BoneController::Z => "z".to_owned(),
        BoneController::XR => "turn about x".to_owned(),
        BoneController::YR => "turn about y".to_owned(),
        BoneController::ZR => "turn about z".to_owned(),
        other => format!("unknown ({other:#x})"),
    }
}

pub(super) fn drivers(mdl: &Mdl<'_>) -> Vec<DriverReport> {
    let drivers = mdl.bone_flex_drivers.iter();
    let report = |bone: i32, control: &BoneFlexDriverControl| DriverReport {
        bone: bone_name(mdl, bone),
        component: match control.component {
            0 => "x".to_owned(),
            1 => "y".to_owned(),
            2 => "z".to_owned(),
            other => format!("#{other}"),
        },
        controller: name(
            mdl.controllers.iter().map(|controller| &controller.name),
            control.controller,
        ),
        min: control.min,
        max: control.max,
    };
    let rows = drivers.flat_map(|driver| {
        let controls = driver.controls.iter();
        controls.map(|control| report(driver.bone, control))
    });
    rows.collect()
}

pub(super) fn linear(mdl: &Mdl<'_>) -> Option<LinearReport> {
    let report = |found: LinearDifference| DifferenceReport {
        bone: mdl.bones[found.bone].name.to_string(),
        field: found.field.to_string(),
        in_bone: found.in_bone.to_string(),
        in_columns: found.in_columns.to_string(),
    };
    mdl.linear_bones.as_ref().map(|linear| LinearReport {
        bones: linear.len(),
        differences: mdl.linear_differences().map(report).collect(),
    })
}

/// A bone's name, or its number where there is none.
pub(super) fn bone_name(mdl: &Mdl<'_>, index: i32) -> String {
    name(mdl.bones.iter().map(|bone| &bone.name), index)
}

fn name<T: ToString>(mut names: impl Iterator<Item = T>, index: i32) -> String {
    let found = usize::try_from(index).ok().and_then(|at| names.nth(at));
    found.map_or_else(|| format!("#{index}"), |name| name.to_string())
}
