//! `flexion sample`: the sample face as files.

use std::path::{Path, PathBuf};

use crate::args::SampleArgs;
use crate::failure::Failure;
use crate::output;

/// The table of expressions beside the sample's model.
const POSES: &str = "poses.csv";
/// The track of some talk beside it.
const TALK: &str = "talk.csv";

pub(crate) fn run(args: &SampleArgs) -> Result<(), Failure> {
    let written = write(&args.folder)?;
    output::to_stdout(|out| {
        for path in written {
            writeln!(out, "{}", path.display())?;
        }
        Ok(())
    })
}

/// Writes the sample's files into a folder and returns their paths.
pub(crate) fn write(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    output::make_folder(folder)?;
    let mut files: Vec<(&str, Vec<u8>)> = flexion_sample::face().files().into();
    files.push((POSES, flexion_sample::poses_csv().into_bytes()));
    files.push((TALK, flexion_sample::talk_csv().into()));
    let mut written = Vec::new();
    for (name, bytes) in files {
        let path = folder.join(name);
        output::write(&path, |out| Ok(out.write_all(&bytes)?))?;
        written.push(path);
    }
    Ok(written)
}
