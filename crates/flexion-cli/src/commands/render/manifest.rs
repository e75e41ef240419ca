//! What a folder of frames holds, written when all of them are there.

use std::path::PathBuf;
use std::{fs, io};

use flexion::Model;
use serde::Serialize;

use super::destination::Folder;
use super::work::{Frames, Made};
use crate::args::RenderArgs;
use crate::failure::Failure;
use crate::output;

/// The whole of a job, as JSON.
#[derive(Serialize)]
struct Manifest<'a> {
    flexion: &'static str,
    model: &'a str,
    pattern: String,
    /// The first and the last frame.
    frames: [u64; 2],
    /// How many files of this job there are.
    count: u64,
    fps: f64,
    size: [u32; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    shard: Option<[u64; 2]>,
    /// One hash for what all its frames show, in their order.
    shows: String,
}

/// Takes away the manifest of an earlier run: until this one is done the folder is not whole.
pub(super) fn remove(folder: &Folder, args: &RenderArgs) -> Result<(), Failure> {
    let path = path(folder, args);
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Failure::io(&path)(error)),
        _ => Ok(()),
    }
}

/// Says that all frames of the job are there.
pub(super) fn write(
    folder: &Folder,
    args: &RenderArgs,
    model: &Model,
    frames: &Frames,
    made: &Made,
) -> Result<(), Failure> {
    let manifest = Manifest {
        flexion: env!("CARGO_PKG_VERSION"),
        model: model.name(),
        pattern: folder.pattern(),
        frames: [frames.first(), frames.last()],
        count: frames.len(),
        fps: args.fps.get(),
        size: [args.size.width(), args.size.height()],
        shard: args.shard.map(|shard| [shard.index, shard.count]),
        shows: made.shows.to_string(),
    };
    output::write(&path(folder, args), |out| {
        serde_json::to_writer_pretty(&mut *out, &manifest).map_err(io::Error::from)?;
        Ok(writeln!(out)?)
    })
}

fn path(folder: &Folder, args: &RenderArgs) -> PathBuf {
    folder.path().join(match args.shard {
        Some(shard) => format!("frames.{}-of-{}.json", shard.index, shard.count),
        None => "frames.json".to_owned(),
    })
}
