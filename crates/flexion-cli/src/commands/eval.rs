//! `flexion eval`: a table of poses in, a table of weights out, a row at a time.

use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

use flexion::Model;

use crate::args::EvalArgs;
use crate::commands::sheet;
use crate::failure::Failure;
use crate::number::Exact;
use crate::output;
use crate::poses::PoseFile;

pub(crate) fn run(args: &EvalArgs) -> Result<(), Failure> {
    if let Some(output) = &args.output {
        output::must_differ(output, &[&args.model, &args.poses])?;
    }
    let model = Model::open_rules(&args.model)?;
    let mut table = PoseFile::open(&args.poses, &model, args.sliders.table_options())?;
    let mut face = model.face_with(args.sliders.face_options(&args.dialect));
    let target = args.output.as_deref().unwrap_or(Path::new("-"));
    output::write(target, |out| {
        write_header(out, &model)?;
        let mut line = String::new();
        while table.next_pose(&mut face)?.is_some() {
            line.clear();
            for (at, &weight) in face.weights().iter().enumerate() {
                let comma = if at == 0 { "" } else { "," };
                // Writing to a string cannot fail.
                let _ = write!(line, "{comma}{}", Exact(weight));
            }
            writeln!(out, "{line}")?;
        }
        Ok(())
    })
}

/// The descriptors' names; the second of a name is `name#2`, as in the poses.
fn write_header(out: &mut dyn Write, model: &Model) -> Result<(), Failure> {
    let numbered = sheet::numbered(model.descriptors().iter().map(String::as_str));
    let mut header = csv::WriterBuilder::new().from_writer(out);
    header.write_record(numbered).map_err(csv_failure)?;
    header.flush()?;
    Ok(())
}

fn csv_failure(error: csv::Error) -> Failure {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => Failure::Write(error),
        kind => Failure::Data(format!("{kind:?}")),
    }
}
