//! Pose tables and tracks from files, and what is wrong with them by file and line.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use flexion::{
    BoneTrack, Face, Model, PoseTable, PoseTrack, Rest, RowLabels, TableOptions, TrackError,
};

use crate::failure::Failure;

/// A pose table of a file, read row by row onto faces.
pub(crate) struct PoseFile {
    path: PathBuf,
    table: PoseTable<Box<dyn BufRead>>,
    sliders: Vec<f32>,
}

impl PoseFile {
    /// Opens a table for a model (`-` for standard input) and resolves its header.
    pub(crate) fn open(
        path: &Path,
        model: &Model,
        options: TableOptions,
    ) -> Result<PoseFile, Failure> {
        let table = PoseTable::new(input(path)?, model, options);
        Ok(PoseFile {
            path: path.to_owned(),
            table: table.map_err(wrong(path))?,
            sliders: vec![0.0; model.controllers().len()],
        })
    }

    /// Puts the next row on a face; none at the end of the table.
    pub(crate) fn next_pose(&mut self, face: &mut Face) -> Result<Option<RowLabels>, Failure> {
        let row = self.table.next_row(&mut self.sliders);
        let labels = row.map_err(wrong(&self.path))?;
        if labels.is_some() {
            face.set_all(&self.sliders)?;
        }
        Ok(labels)
    }

    /// Puts the row with number `row`, from 1, on a face.
    pub(crate) fn pose(mut self, row: u64, face: &mut Face) -> Result<(), Failure> {
        for passed in 0..row {
            if self.next_pose(face)?.is_none() {
                let problem = format!("row {row} was asked for and the table has {passed}");
                return Err(wrong(&self.path)(TrackError {
                    line: None,
                    problem,
                }));
            }
        }
        Ok(())
    }
}

/// Reads a track: JSON where the file is called so, else a table.
pub(crate) fn track(
    path: &Path,
    model: &Model,
    rest: Rest,
    fps: f64,
) -> Result<PoseTrack, Failure> {
    let input = input(path)?;
    let is_json = path
        .extension()
        .and_then(OsStr::to_str)
        .is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    let track = if is_json {
        PoseTrack::from_json(input, model, rest)
    } else {
        PoseTrack::from_csv(input, model, rest, fps)
    };
    track.map_err(wrong(path))
}

/// Reads bones over time.
pub(crate) fn bones(path: &Path, model: &Model, fps: f64) -> Result<BoneTrack, Failure> {
    BoneTrack::from_csv(input(path)?, model, fps).map_err(wrong(path))
}

fn input(path: &Path) -> Result<Box<dyn BufRead>, Failure> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(path).map_err(Failure::io(path))?;
    Ok(Box::new(BufReader::new(file)))
}

fn wrong(path: &Path) -> impl FnOnce(TrackError) -> Failure + use<'_> {
    move |error| Failure::Table {
        path: path.to_owned(),
        line: error.line,
        problem: error.problem,
    }
}
