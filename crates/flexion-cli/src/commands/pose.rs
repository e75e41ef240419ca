//! `flexion pose`: one pose of a model as a mesh or as a table.

use std::ffi::OsStr;

use clap::ValueEnum;
use flexion::{ControllerId, Face, Model};

use crate::args::{Format, PoseArgs};
use crate::failure::Failure;
use crate::mesh_file;
use crate::output;
use crate::poses::PoseFile;
use crate::setting::{BoneSetting, Setting, SettingValue};

pub(crate) fn run(args: &PoseArgs) -> Result<(), Failure> {
    let format = format(args)?;
    let mut inputs = vec![args.model.as_path()];
    inputs.extend(args.poses.as_deref());
    output::must_differ(&args.output, &inputs)?;
    let model = Model::open(&args.model)?;
    check_companions(args, &model, format)?;
    let mut face = model.face_with(args.face.options());
    if let (Some(path), Some(row)) = (&args.poses, args.row) {
        PoseFile::open(path, &model, args.face.sliders.table_options())?.pose(row, &mut face)?;
    }
    for setting in &args.set {
        apply(setting, &mut face)?;
    }
    pose_bones(&args.bone, &mut face)?;
    face.look_at(args.face.look);
    let shapes = if args.skin {
        face.skin()?
    } else {
        face.deform()?
    };
    mesh_file::check_finite(&args.model, &model, shapes)?;
    output::write(&args.output, |out| match format {
        Format::Obj => mesh_file::write_obj(out, &model, shapes, args.all_models),
        Format::Tsv => mesh_file::write_tsv(out, &model, shapes),
    })
}

/// The format that was asked for, or that the ending of the output says.
fn format(args: &PoseArgs) -> Result<Format, Failure> {
    let ending = args.output.extension().and_then(OsStr::to_str);
    let by_ending = ending.and_then(|ending| Format::from_str(ending, true).ok());
    args.format.or(by_ending).ok_or_else(|| {
        Failure::Usage(format!(
            "--output {}: the ending chooses the format, .obj or .tsv; or say --format",
            args.output.display()
        ))
    })
}

/// Refuses a model that lacks what the output is made of.
fn check_companions(args: &PoseArgs, model: &Model, format: Format) -> Result<(), Failure> {
    let missing = if !model.has_vertices() {
        ".vvd file beside the model, so it has no vertices to pose"
    } else if format == Format::Obj && !model.has_triangles() {
        ".vtx file beside the model, so it has no triangles for an OBJ (a .tsv needs none)"
    } else {
        return Ok(());
    };
    let problem = format!("{}: there is no {missing}", args.model.display());
    Err(Failure::Data(problem))
}

/// Puts one `--set` on the face; what it names or says wrong is wrong usage.
pub(crate) fn apply(setting: &Setting, face: &mut Face) -> Result<(), Failure> {
    for (id, value) in sliders(setting, face.model())? {
        let done = face.set_id(id, value);
        done.map_err(|error| Failure::flag("--set", &error))?;
    }
    Ok(())
}

/// Puts bones where `--bone` says; what it names or says wrong is wrong usage.
pub(crate) fn pose_bones(bones: &[BoneSetting], face: &mut Face) -> Result<(), Failure> {
    for bone in bones {
        let done = face.pose_bone(&bone.name, bone.position, bone.rotation);
        done.map_err(|error| Failure::flag("--bone", &error))?;
    }
    Ok(())
}

/// The sliders that one `--set` addresses and their values.
pub(crate) fn sliders(
    setting: &Setting,
    model: &Model,
) -> Result<Vec<(ControllerId, f32)>, Failure> {
    let name = &setting.name;
    let found = match setting.value {
        SettingValue::One(value) => model
            .controllers_named(name)
            .map(|ids| ids.into_iter().map(|id| (id, value)).collect()),
        SettingValue::Sides { left, right } => model
            .sides(name)
            .map(|[left_id, right_id]| vec![(left_id, left), (right_id, right)]),
    };
    found.map_err(|error| Failure::flag("--set", &error))
}
