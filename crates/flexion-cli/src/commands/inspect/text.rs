//! The report of `inspect` for people.

use std::io::Write;

use super::bones::{BoneReport, DriverReport, LinearReport, RuleReport};
use super::report::{EyeballReport, GroupReport, LidReport, MeshReport, ModelReport, Report};
use crate::failure::Failure;

type Done = Result<(), Failure>;

pub(super) fn write(out: &mut dyn Write, report: &Report) -> Done {
    writeln!(
        out,
        "{} (version {}, checksum {})",
        report.name, report.version, report.checksum
    )?;
    writeln!(
        out,
        "deltas in {}, fixed point step {}",
        report.deltas, report.fixed_point_scale
    )?;
    controllers(out, report)?;
    groups(out, report)?;
    rules(out, report)?;
    for model in &report.models {
        model_section(out, model)?;
    }
    bones(out, report)?;
    warnings(out, report)
}

fn heading(out: &mut dyn Write, count: usize, what: &str) -> Done {
    Ok(writeln!(out, "\n{count} {what}")?)
}

fn controllers(out: &mut dyn Write, report: &Report) -> Done {
    heading(out, report.controllers.len(), "controllers")?;
    for (index, controller) in report.controllers.iter().enumerate() {
        let (min, max) = (controller.min, controller.max);
        let range = format!("{min}..{max}");
        writeln!(
            out,
            "  {index:3}  {:28} {range:12} {}",
            controller.name, controller.kind
        )?;
    }
    Ok(())
}

fn groups(out: &mut dyn Write, report: &Report) -> Done {
    heading(out, report.groups.len(), "controller groups")?;
    for group in &report.groups {
        let sliders = sliders(group, report);
        writeln!(out, "  {:28} {:9} {sliders}", group.name, group.remap)?;
    }
    Ok(())
}

fn sliders(group: &GroupReport, report: &Report) -> String {
    let name = |index: usize| report.controllers.get(index).map_or("", |c| &c.name);
    let parts = [
        ("", group.slider),
        ("left ", group.left),
        ("right ", group.right),
        ("multi ", group.multi),
    ];
    let named = parts.into_iter().filter_map(|(role, index)| {
        let index = index?;
        Some(format!("{role}{}", name(index)))
    });
    named.collect::<Vec<_>>().join(", ")
}

fn rules(out: &mut dyn Write, report: &Report) -> Done {
    heading(out, report.descriptors.len(), "descriptors")?;
    for (index, name) in report.descriptors.iter().enumerate() {
        writeln!(out, "  {index:3}  {name}")?;
    }
    heading(out, report.rules.len(), "rules")?;
    for rule in &report.rules {
        writeln!(out, "  {}", rule.text.trim_end())?;
    }
    Ok(())
}

fn model_section(out: &mut dyn Write, model: &ModelReport) -> Done {
    writeln!(
        out,
        "\nbody part {:?} model {:?}: {} vertices",
        model.body_part, model.name, model.vertices
    )?;
    for mesh in &model.meshes {
        mesh_section(out, mesh)?;
    }
    for eyeball in &model.eyeballs {
        eyeball_section(out, eyeball)?;
    }
    Ok(())
}

fn mesh_section(out: &mut dyn Write, mesh: &MeshReport) -> Done {
    writeln!(
        out,
        "  mesh {}: {} vertices, {} triangles, {} flexes",
        mesh.material.as_deref().unwrap_or("(no material)"),
        mesh.vertices,
        mesh.triangles,
        mesh.flexes.len()
    )?;
    for flex in &mesh.flexes {
        let name = match &flex.partner {
            Some(partner) => format!("{} + {partner}", flex.descriptor),
            None => flex.descriptor.clone(),
        };
        let [a, b, c, d] = flex.ramp;
        writeln!(
            out,
            "    {name:36} {:8} {:5} vertices  ramp {a} {b} {c} {d}",
            flex.kind, flex.vertices
        )?;
    }
    Ok(())
}

fn eyeball_section(out: &mut dyn Write, eyeball: &EyeballReport) -> Done {
    let [x, y, z] = eyeball.origin;
    let facs = if eyeball.facs {
        ""
    } else {
        ", lids not computed"
    };
    writeln!(
        out,
        "  eyeball {} on {} at {x} {y} {z}, radius {}{facs}",
        eyeball.name, eyeball.bone, eyeball.radius
    )?;
    lid(out, "upper", &eyeball.upper_lid)?;
    lid(out, "lower", &eyeball.lower_lid)
}

fn lid(out: &mut dyn Write, which: &str, lid: &LidReport) -> Done {
    let show = |(name, height): &(String, f32)| format!("{name} {height}");
    Ok(writeln!(
        out,
        "    {which} lid: lowerer {}, neutral {}, raiser {} -> {}",
        show(&lid.lowerer),
        show(&lid.neutral),
        show(&lid.raiser),
        lid.writes
    )?)
}

fn bones(out: &mut dyn Write, report: &Report) -> Done {
    heading(out, report.bones.len(), "bones")?;
    for (index, bone) in report.bones.iter().enumerate() {
        let parent = bone.parent_name.as_deref().unwrap_or("-");
        let flags = bone.flags.join(" ");
        writeln!(out, "  {index:3}  {:28} {parent:28} {flags}", bone.name)?;
    }
    let ruled = |bone: &&BoneReport| bone.procedural.is_some();
    heading(
        out,
        report.bones.iter().filter(ruled).count(),
        "procedural bones",
    )?;
    for bone in &report.bones {
        if let Some(rule) = &bone.procedural {
            writeln!(out, "  {:28} {}", bone.name, rule_line(rule))?;
        }
    }
    bone_controllers(out, report)?;
    drivers(out, &report.bone_flex_drivers)?;
    report
        .linear_bones
        .as_ref()
        .map_or(Ok(()), |linear| differences(out, linear))
}

fn rule_line(rule: &RuleReport) -> String {
    match rule {
        RuleReport::AxisInterp { control, axis } => {
            format!("axis-interp, control {control}, axis {axis}")
        }
        RuleReport::QuatInterp { control, triggers } => {
            format!("quat-interp, control {control}, {triggers} triggers")
        }
        RuleReport::AimAtBone { parent, aim } => format!("aims at bone {aim} from {parent}"),
        RuleReport::AimAtAttachment { parent, aim } => {
            format!("aims at attachment {aim} from {parent}")
        }
        RuleReport::Jiggle { flags, length } => format!("jiggle, flags {flags}, length {length}"),
        RuleReport::Nothing { proctype } => format!("nothing (type {proctype})"),
    }
}

fn bone_controllers(out: &mut dyn Write, report: &Report) -> Done {
    heading(out, report.bone_controllers.len(), "bone controllers")?;
    for controller in &report.bone_controllers {
        let (start, end) = (controller.start, controller.end);
        let wraps = if controller.wraps { ", wraps" } else { "" };
        writeln!(
            out,
            "  {:28} {} {start}..{end}, input {}, rest {}/255{wraps}",
            controller.bone, controller.motion, controller.input, controller.rest
        )?;
    }
    Ok(())
}

fn drivers(out: &mut dyn Write, drivers: &[DriverReport]) -> Done {
    heading(out, drivers.len(), "sliders driven by bones")?;
    for driver in drivers {
        writeln!(
            out,
            "  {:28} {} {}..{} -> {}",
            driver.bone, driver.component, driver.min, driver.max, driver.controller
        )?;
    }
    Ok(())
}

fn differences(out: &mut dyn Write, linear: &LinearReport) -> Done {
    heading(
        out,
        linear.differences.len(),
        "differences of the bones in columns",
    )?;
    for found in &linear.differences {
        writeln!(
            out,
            "  {}.{}: {} in the bone, {} in the columns",
            found.bone, found.field, found.in_bone, found.in_columns
        )?;
    }
    Ok(())
}

fn warnings(out: &mut dyn Write, report: &Report) -> Done {
    heading(out, report.warnings.len(), "warnings")?;
    for warning in &report.warnings {
        writeln!(out, "  {warning}")?;
    }
    Ok(())
}
