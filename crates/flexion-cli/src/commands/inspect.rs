//! `flexion inspect`: what a face is made of, for people or as JSON.

mod bones;
mod report;
mod text;

use std::fs;

use flexion::Model;
use flexion::mdl::Mdl;

use crate::args::InspectArgs;
use crate::failure::Failure;
use crate::output;
use report::Report;

pub(crate) fn run(args: &InspectArgs) -> Result<(), Failure> {
    let model = Model::open(&args.model)?;
    let bytes = fs::read(&args.model).map_err(Failure::io(&args.model))?;
    let mdl = Mdl::read(&bytes).map_err(|source| flexion::Error::File {
        path: args.model.clone(),
        source,
    })?;
    let report = Report::new(&model, &mdl);
    output::to_stdout(|out| {
        if args.json {
            serde_json::to_writer_pretty(&mut *out, &report).map_err(std::io::Error::from)?;
            writeln!(out)?;
            Ok(())
        } else {
            text::write(out, &report)
        }
    })
}
