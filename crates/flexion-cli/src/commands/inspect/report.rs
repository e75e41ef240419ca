//! The facts that `inspect` shows; the fields are the keys of its JSON.

use flexion::mdl::Mdl;
use flexion::mdl::mdl::{self, Lid, VertAnims};
use flexion::{ControllerGroup, ControllerId, Model, RemapType, Sides};
use serde::Serialize;

use super::bones::{self, BoneControllerReport, BoneReport, DriverReport, LinearReport};

#[derive(Serialize)]
pub(super) struct Report {
    pub(super) name: String,
    pub(super) version: i32,
    pub(super) checksum: String,
    /// What deltas are on disk.
    pub(super) deltas: &'static str,
    pub(super) fixed_point_scale: f32,
    pub(super) controllers: Vec<ControllerReport>,
    pub(super) groups: Vec<GroupReport>,
    pub(super) descriptors: Vec<String>,
    pub(super) rules: Vec<RuleReport>,
    pub(super) models: Vec<ModelReport>,
    pub(super) bones: Vec<BoneReport>,
    pub(super) bone_controllers: Vec<BoneControllerReport>,
    pub(super) bone_flex_drivers: Vec<DriverReport>,
    /// None where the file has no bones in columns.
    pub(super) linear_bones: Option<LinearReport>,
    pub(super) warnings: Vec<String>,
}

#[derive(Serialize)]
pub(super) struct ControllerReport {
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) min: f32,
    pub(super) max: f32,
}

/// A group of sliders; sliders are numbers into `controllers`.
#[derive(Serialize)]
pub(super) struct GroupReport {
    pub(super) name: String,
    pub(super) remap: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) slider: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) left: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) right: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) multi: Option<usize>,
}

#[derive(Serialize)]
pub(super) struct RuleReport {
    pub(super) target: i32,
    pub(super) ops: usize,
    pub(super) text: String,
}

#[derive(Serialize)]
pub(super) struct ModelReport {
    pub(super) body_part: String,
    pub(super) name: String,
    pub(super) vertices: i32,
    pub(super) meshes: Vec<MeshReport>,
    pub(super) eyeballs: Vec<EyeballReport>,
}

#[derive(Serialize)]
pub(super) struct MeshReport {
    pub(super) material: Option<String>,
    pub(super) vertices: i32,
    pub(super) triangles: usize,
    pub(super) flexes: Vec<FlexReport>,
}

#[derive(Serialize)]
pub(super) struct FlexReport {
    pub(super) descriptor: String,
    pub(super) partner: Option<String>,
    /// `plain`, or `wrinkle` where rows have a wrinkle delta.
    pub(super) kind: &'static str,
    pub(super) vertices: usize,
    pub(super) ramp: [f32; 4],
}

#[derive(Serialize)]
pub(super) struct EyeballReport {
    pub(super) name: String,
    pub(super) bone: String,
    pub(super) origin: [f32; 3],
    pub(super) radius: f32,
    /// Whether the eyeball computes its lids.
    pub(super) facs: bool,
    pub(super) upper_lid: LidReport,
    pub(super) lower_lid: LidReport,
}

/// A lid: which weights move it, how far, and where its height goes.
#[derive(Serialize)]
pub(super) struct LidReport {
    pub(super) lowerer: (String, f32),
    pub(super) neutral: (String, f32),
    pub(super) raiser: (String, f32),
    pub(super) writes: String,
}

impl Report {
    pub(super) fn new(model: &Model, mdl: &Mdl<'_>) -> Report {
        Report {
            name: model.name().to_owned(),
            version: model.version(),
            checksum: format!("{:08x}", model.checksum()),
            deltas: if mdl.flexes_converted() {
                "fixed point"
            } else {
                "half floats"
            },
            fixed_point_scale: mdl.fixed_point_scale(),
            controllers: model.controllers().iter().map(controller).collect(),
            groups: model.groups().iter().map(group).collect(),
            descriptors: model.descriptors().to_vec(),
            rules: rules(model),
            models: models(model, mdl),
            bones: bones::bones(mdl),
            bone_controllers: bones::controllers(mdl),
            bone_flex_drivers: bones::drivers(mdl),
            linear_bones: bones::linear(mdl),
            warnings: model.warnings().iter().map(ToString::to_string).collect(),
        }
    }
}

fn rules(model: &Model) -> Vec<RuleReport> {
    let rules = model.rules();
    (0..rules.len())
        .map(|rule| RuleReport {
            target: rules.target(rule),
            ops: rules.op_count(rule),
            text: rules.text(rule).trim_end().to_owned(),
        })
        .collect()
}

fn controller(controller: &flexion::Controller) -> ControllerReport {
    ControllerReport {
        name: controller.name.clone(),
        kind: controller.kind.clone(),
        min: controller.min,
        max: controller.max,
    }
}

fn group(group: &ControllerGroup) -> GroupReport {
    let (slider, left, right) = match group.sliders {
        Sides::Mono(slider) => (Some(slider.index()), None, None),
        Sides::Stereo { left, right } => (None, Some(left.index()), Some(right.index())),
    };
    GroupReport {
        name: group.name.clone(),
        remap: match group.remap {
            RemapType::Passthru => "passthru".to_owned(),
            RemapType::TwoWay => "two-way".to_owned(),
            RemapType::NWay => "n-way".to_owned(),
            RemapType::Eyelid => "eyelid".to_owned(),
            RemapType::Unknown(number) => format!("unknown ({number})"),
        },
        slider,
        left,
        right,
        multi: group.multi.map(ControllerId::index),
    }
}

fn models(model: &Model, mdl: &Mdl<'_>) -> Vec<ModelReport> {
    let parts = mdl.body_parts.iter();
    let raw = parts.flat_map(|part| part.models.iter().map(move |model| (part, model)));
    raw.zip(model.submodels())
        .map(|((part, raw), submodel)| ModelReport {
            body_part: part.name.to_string(),
            name: raw.name.to_string(),
            vertices: raw.vertex_count,
            meshes: raw
                .meshes
                .iter()
                .zip(submodel.meshes())
                .map(|(mesh, read)| MeshReport {
                    material: mdl.material(mesh).map(ToString::to_string),
                    vertices: mesh.vertex_count,
                    triangles: read.triangles.len(),
                    flexes: mesh.flexes.iter().map(|raw| flex(mdl, raw)).collect(),
                })
                .collect(),
            eyeballs: raw.eyeballs.iter().map(|raw| eyeball(mdl, raw)).collect(),
        })
        .collect()
}

fn flex(mdl: &Mdl<'_>, flex: &mdl::Flex<'_>) -> FlexReport {
    FlexReport {
        descriptor: descriptor(mdl, flex.descriptor),
        partner: (flex.partner != 0).then(|| descriptor(mdl, flex.partner)),
        kind: match flex.vert_anims {
            VertAnims::Plain(_) => "plain",
            VertAnims::Wrinkle(_) => "wrinkle",
        },
        vertices: flex.vert_anims.len(),
        ramp: flex.targets,
    }
}

fn eyeball(mdl: &Mdl<'_>, eyeball: &mdl::Eyeball<'_>) -> EyeballReport {
    EyeballReport {
        name: eyeball.name.to_string(),
        bone: bones::bone_name(mdl, eyeball.bone),
        origin: eyeball.origin.to_array(),
        radius: eyeball.radius,
        facs: !eyeball.non_facs,
        upper_lid: lid(mdl, &eyeball.upper),
        lower_lid: lid(mdl, &eyeball.lower),
    }
}

fn lid(mdl: &Mdl<'_>, lid: &Lid) -> LidReport {
    let part = |at: usize| (descriptor(mdl, lid.descriptors[at]), lid.targets[at]);
    LidReport {
        lowerer: part(0),
        neutral: part(1),
        raiser: part(2),
        writes: descriptor(mdl, lid.lid_descriptor),
    }
}

/// A descriptor's name, or its number where there is none.
fn descriptor(mdl: &Mdl<'_>, index: i32) -> String {
    let found = usize::try_from(index)
        .ok()
        .and_then(|at| mdl.descriptors.get(at));
    found.map_or_else(
        || format!("#{index}"),
        |descriptor| descriptor.name.to_string(),
    )
}
