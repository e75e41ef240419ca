//! `flexion pose`: one pose of a model as a mesh or as a table.

use std::ffi::OsStr;

use flexion::{Face, FaceOptions, Model, RampMode};

use crate::args::PoseArgs;
use crate::failure::Failure;
use crate::mesh_file;
use crate::output;
use crate::poses::PoseTable;
use crate::setting::{Setting, SettingValue};

/// What the output holds.
enum Format {
    Obj,
    Tsv,
}

pub(crate) fn run(args: &PoseArgs) -> Result<(), Failure> {
    let format = format(args)?;
    let model = Model::open(&args.model)?;
    if !model.has_vertices() {
        let problem = format!(
            "{}: there is no .vvd file beside the model, so it has no vertices to pose",
            args.model.display()
        );
        return Err(Failure::Data(problem));
    }
    let mut face = model.face_with(options(args));
    if let (Some(path), Some(row)) = (&args.poses, args.row) {
        PoseTable::open(path, &model)?.pose(row, &mut face)?;
    }
    for setting in &args.set {
        apply(setting, &mut face)?;
    }
    face.look_at(args.look);
    let shapes = face.deform()?;
    output::write(&args.output, |out| match format {
        Format::Obj => mesh_file::write_obj(out, &model, shapes, args.all_models),
        Format::Tsv => mesh_file::write_tsv(out, &model, shapes),
    })
}

fn format(args: &PoseArgs) -> Result<Format, Failure> {
    match args.output.extension().and_then(OsStr::to_str) {
        Some(ending) if ending.eq_ignore_ascii_case("obj") => Ok(Format::Obj),
        Some(ending) if ending.eq_ignore_ascii_case("tsv") => Ok(Format::Tsv),
        _ => Err(Failure::Usage(format!(
            "--output {}: the ending chooses the format: .obj or .tsv",
            args.output.display()
        ))),
    }
}

fn options(args: &PoseArgs) -> FaceOptions {
    FaceOptions {
        precision: args.precision,
        ramp_mode: if args.overdrive {
            RampMode::Overdrive
        } else {
            RampMode::Saturate
        },
        eyelids: !args.no_eyelids,
        ..args.sliders.face_options(&args.dialect)
    }
}

/// Puts one `--set` on the face; what it names or says wrong is wrong usage.
fn apply(setting: &Setting, face: &mut Face) -> Result<(), Failure> {
    let name = &setting.name;
    let done = match setting.value {
        SettingValue::One(value) => face.set(name, value),
        SettingValue::Sides { left, right } => face.set_stereo(name, left, right),
    };
    done.map_err(|error| Failure::flag("--set", &error))
}
