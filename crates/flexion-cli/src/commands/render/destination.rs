//! Where pictures go, as the output's name and `--format` say.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use flexion::render::AnimationFormat;

use super::work::Frames;
use crate::args::{PictureFormat, RenderArgs};
use crate::failure::Failure;

/// Frames of a folder that no pattern names.
const PATTERN: &str = "frame_%05d.png";
/// Most digits of a pattern.
const MOST_DIGITS: usize = 12;

/// Where pictures go.
#[derive(Debug)]
pub(super) enum Destination {
    /// A file for each frame.
    Folder(Folder),
    /// One picture.
    Picture(PathBuf),
    /// All frames in one file.
    Animation(PathBuf, AnimationFormat),
}

impl Destination {
    pub(super) fn new(args: &RenderArgs, frames: &Frames) -> Result<Destination, Failure> {
        let wrong = |problem: &str| {
            let output = args.output.display();
            Err(Failure::Usage(format!("--output {output}: {problem}")))
        };
        let ending = args.output.extension().and_then(OsStr::to_str);
        let ending = ending.unwrap_or_default().to_ascii_lowercase();
        let format = args.format.or(match ending.as_str() {
            "apng" => Some(PictureFormat::Apng),
            "gif" => Some(PictureFormat::Gif),
            "png" => Some(PictureFormat::Png),
            _ => None,
        });
        let is_stdout = args.output == Path::new("-");
        let path = args.output.clone();
        match format {
            Some(PictureFormat::Apng | PictureFormat::Gif) if args.shard.is_some() => {
                wrong("--shard makes a part of the frames, which is no animation: name a folder")
            }
            Some(PictureFormat::Apng) => Ok(Destination::Animation(path, AnimationFormat::Apng)),
            Some(PictureFormat::Gif) => Ok(Destination::Animation(path, AnimationFormat::Gif)),
            _ if Folder::is_pattern(&path) => Ok(Destination::Folder(Folder::new(&path)?)),
            None if is_stdout => wrong("say --format png, apng or gif for standard output"),
            None => Ok(Destination::Folder(Folder::new(&path.join(PATTERN))?)),
            Some(PictureFormat::Png) if ending != "png" && !is_stdout => {
                Ok(Destination::Folder(Folder::new(&path.join(PATTERN))?))
            }
            Some(PictureFormat::Png) if frames.len() == 1 => Ok(Destination::Picture(path)),
            Some(PictureFormat::Png) => wrong(&format!(
                "it holds one picture and there are {} frames: name a folder, a pattern such as \
                 {PATTERN}, or an animation (.apng, .gif)",
                frames.len()
            )),
        }
    }
}

/// Numbered files of a folder.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    before: String,
    digits: usize,
    after: String,
}

impl Folder {
    /// Whether the last part of a path has a place for a number: `%d` or `%05d`.
    fn is_pattern(path: &Path) -> bool {
        let name = path.file_name().and_then(OsStr::to_str);
        name.is_some_and(|name| name.contains('%'))
    }

    fn new(path: &Path) -> Result<Folder, Failure> {
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        let wrong = || {
            Failure::Usage(format!(
                "--output {}: a pattern has one place for the frame's number, such as %05d, and \
                 ends with .png",
                path.display()
            ))
        };
        let (before, rest) = name.split_once('%').ok_or_else(wrong)?;
        let (digits, after) = rest.split_once('d').ok_or_else(wrong)?;
        let digits = match digits.strip_prefix('0').unwrap_or(digits) {
            "" => 1,
            digits => digits.parse().map_err(|_| wrong())?,
        };
        let is_png = after.to_ascii_lowercase().ends_with(".png");
        if !is_png || after.contains('%') || digits > MOST_DIGITS {
            return Err(wrong());
        }
        let folder = path.parent().filter(|path| !path.as_os_str().is_empty());
        Ok(Folder {
            path: folder.unwrap_or(Path::new(".")).to_owned(),
            before: before.to_owned(),
            digits,
            after: after.to_owned(),
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The pattern, without the folder.
    pub(super) fn pattern(&self) -> String {
        format!("{}%0{}d{}", self.before, self.digits, self.after)
    }

    /// The file of a frame.
    pub(super) fn file(&self, frame: u64) -> PathBuf {
        let digits = self.digits;
        self.path
            .join(format!("{}{frame:0digits$}{}", self.before, self.after))
    }

    /// Whether a file is, or would be, one of a frame.
    pub(super) fn holds(&self, file: &Path) -> bool {
        let name = file.file_name().and_then(OsStr::to_str).unwrap_or_default();
        let number = name
            .strip_prefix(&self.before)
            .and_then(|rest| rest.strip_suffix(&self.after))
            .and_then(|number| number.parse().ok());
        let same = |frame: u64| {
            let [ours, theirs] = [&self.file(frame), file].map(|path| path.canonicalize());
            ours.is_ok_and(|ours| theirs.is_ok_and(|theirs| ours == theirs))
        };
        number.is_some_and(same)
    }
}
