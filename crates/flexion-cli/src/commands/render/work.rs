//! The work itself: frames are played one after another and drawn side by side.
//!
//! A batch of frames is played, drawn by all threads and written; then comes the next. So memory
//! stays the same however many frames there are.

use std::io::{BufReader, IsTerminal};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use flexion::render::{
    Animation, AnimationFormat, AnimationFrame, Fingerprint, Image, Renderer, Software, png_text,
};
use flexion::{Face, PlayedFrame, Portrait, TrackPlayer};
use indicatif::ProgressBar;
use rayon::ThreadPool;

use super::destination::Folder;
use crate::args::RenderArgs;
use crate::failure::Failure;
use crate::setting::{FrameRange, Shard};
use crate::{interrupt, output, progress};

/// Frames of a batch for each thread: the last of a batch leaves the others idle.
const BATCH: usize = 16;
/// Keyword of the text in which a PNG says what it shows.
const KEYWORD: &str = "Flexion";

/// Which frames of a track are made.
#[derive(Debug)]
pub(super) struct Frames {
    first: u64,
    last: u64,
    shard: Shard,
}

impl Frames {
    pub(super) fn new(
        count: u64,
        range: Option<FrameRange>,
        shard: Option<Shard>,
    ) -> Result<Frames, Failure> {
        let (first, last) = match range {
            Some(range) => (range.first, range.last.unwrap_or(count - 1)),
            None => (0, count - 1),
        };
        if first > last || last >= count {
            return Err(Failure::Usage(format!(
                "--frames: the poses make {count} frames, 0 to {}",
                count - 1
            )));
        }
        let whole = Shard { index: 1, count: 1 };
        Ok(Frames {
            first,
            last,
            shard: shard.unwrap_or(whole),
        })
    }

    pub(super) fn first(&self) -> u64 {
        self.first
    }

    pub(super) fn last(&self) -> u64 {
        self.last
    }

    /// How many frames there are to make.
    pub(super) fn len(&self) -> u64 {
        let before = |end: u64| (end + self.shard.count - self.shard.index) / self.shard.count;
        before(self.last + 1) - before(self.first)
    }

    fn has(&self, frame: u64) -> bool {
        (self.first..=self.last).contains(&frame)
            && frame % self.shard.count == self.shard.index - 1
    }
}

/// What has been made of a job.
pub(super) struct Made {
    /// One hash for what all frames show, in their order.
    pub(super) shows: Fingerprint,
}

/// Everything that the frames of a job share.
pub(super) struct Studio<'a> {
    pub(super) args: &'a RenderArgs,
    pub(super) portrait: &'a Portrait,
    pub(super) frames: &'a Frames,
}

/// What a thread draws with.
struct Desk {
    face: Face,
    renderer: Software,
}

impl Studio<'_> {
    /// Makes a file for each frame that is not there yet.
    pub(super) fn files(&self, player: TrackPlayer<'_>, folder: &Folder) -> Result<Made, Failure> {
        let mut kept = 0;
        let mut shows = Vec::new();
        let draw = |desk: &mut Desk, frame: &PlayedFrame| self.file(desk, frame, folder);
        let done = self.batches(player, &draw, |batch| {
            for (fingerprint, was_there) in batch {
                kept += u64::from(was_there);
                shows.push(fingerprint);
            }
            Ok(())
        });
        let count = shows.len() as u64;
        let place = folder.path().display();
        if interrupt::is_asked() && done.is_err() {
            return Err(Failure::Data(format!(
                "interrupted: {count} of {} frames are in {place}; the same command makes the rest",
                self.frames.len()
            )));
        }
        done?;
        // Said where somebody watches; a script has the manifest.
        if std::io::stderr().is_terminal() {
            eprintln!("{count} frames in {place}, of which {kept} were there");
        }
        Ok(Made {
            shows: Fingerprint::of_all(shows),
        })
    }

    /// Makes the file of a frame unless it is there; what it shows and whether it was.
    fn file(
        &self,
        desk: &mut Desk,
        frame: &PlayedFrame,
        folder: &Folder,
    ) -> Result<(Fingerprint, bool), Failure> {
        let path = folder.file(frame.number);
        let antialias = self.args.picture.antialias;
        let Desk { face, renderer } = desk;
        let (fingerprint, image) = self.portrait.scene(face, |scene, size| {
            let fingerprint = scene.fingerprint(size, antialias);
            let is_there = !self.args.overwrite && shown_by(&path) == Some(fingerprint.to_string());
            let image = (!is_there).then(|| renderer.draw(scene, size));
            (fingerprint, image)
        })?;
        let Some(image) = image else {
            return Ok((fingerprint, true));
        };
        let png = png(&image, &[(KEYWORD, &fingerprint.to_string())])?;
        output::write(&path, |out| Ok(out.write_all(&png)?))?;
        Ok((fingerprint, false))
    }

    /// Makes the only frame.
    pub(super) fn picture(&self, player: TrackPlayer<'_>, path: &Path) -> Result<(), Failure> {
        self.batches(
            player,
            &|desk, _| Ok(self.portrait.draw(&mut desk.face, &mut desk.renderer)?),
            |images| {
                for image in images {
                    let png = png(&image, &[])?;
                    output::write(path, |out| Ok(out.write_all(&png)?))?;
                }
                Ok(())
            },
        )
    }

    /// Makes one file of all frames.
    pub(super) fn animation(
        &self,
        player: TrackPlayer<'_>,
        path: &Path,
        format: AnimationFormat,
    ) -> Result<(), Failure> {
        let count = u32::try_from(self.frames.len()).map_err(|_| {
            Failure::Data("an animation has at most 4,294,967,295 frames".to_owned())
        })?;
        let (size, background) = (self.args.size, self.args.picture.background);
        output::write(path, |out| {
            let mut animation = Animation::new(format, out, size, background, count, self.args.fps)
                .map_err(animated)?;
            let draw = |desk: &mut Desk, _: &PlayedFrame| {
                let image = self.portrait.draw(&mut desk.face, &mut desk.renderer)?;
                Ok(AnimationFrame::new(format, image))
            };
            self.batches(player, &draw, |frames| {
                frames
                    .into_iter()
                    .try_for_each(|frame| animation.push(frame).map_err(animated))
            })?;
            animation.finish().map_err(animated)
        })
    }

    /// Plays the frames, draws each with `draw` on any thread, and hands them on in their order,
    /// as many as are done when something fails or somebody asks to stop.
    fn batches<T: Send>(
        &self,
        mut player: TrackPlayer<'_>,
        draw: &(dyn Fn(&mut Desk, &PlayedFrame) -> Result<T, Failure> + Sync),
        mut hand_on: impl FnMut(Vec<T>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let pool = pool(self.args.threads)?;
        let mut desks: Vec<Desk> = (0..pool.current_num_threads())
            .map(|_| self.desk())
            .collect();
        let bar = progress::bar(self.frames.len(), "frames");
        let mut left = self.frames.len();
        while left > 0 {
            let size = (BATCH * desks.len()).min(usize::try_from(left).unwrap_or(usize::MAX));
            let mut batch = Vec::with_capacity(size);
            for frame in player.by_ref() {
                let frame = frame?;
                if self.frames.has(frame.number) {
                    batch.push(frame);
                }
                if batch.len() == size {
                    break;
                }
            }
            left -= batch.len() as u64;
            let (drawn, failure) = self.draw_batch(&pool, &mut desks, &batch, draw, &bar);
            let whole = drawn.len() == batch.len();
            hand_on(drawn)?;
            match failure {
                Some(failure) => return Err(failure),
                None if whole => {}
                None => return Err(Failure::Data("interrupted".to_owned())),
            }
        }
        bar.finish_and_clear();
        Ok(())
    }

    fn desk(&self) -> Desk {
        let mut face = self.portrait.model().face_with(self.args.face.options());
        face.look_at(self.args.face.look);
        Desk {
            face,
            renderer: self.args.picture.renderer(),
        }
    }

    /// Draws a batch on all threads: what is done, in order, and the first failure.
    fn draw_batch<T: Send>(
        &self,
        pool: &ThreadPool,
        desks: &mut [Desk],
        batch: &[PlayedFrame],
        draw: &(dyn Fn(&mut Desk, &PlayedFrame) -> Result<T, Failure> + Sync),
        bar: &ProgressBar,
    ) -> (Vec<T>, Option<Failure>) {
        let next = AtomicUsize::new(0);
        let results = Mutex::new(Vec::with_capacity(batch.len()));
        pool.scope(|scope| {
            for desk in desks {
                let (next, results) = (&next, &results);
                scope.spawn(move |_| {
                    while !interrupt::is_asked() {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some(frame) = batch.get(number) else {
                            break;
                        };
                        let done = self.pose(desk, frame).and_then(|()| draw(desk, frame));
                        bar.inc(1);
                        let is_failure = done.is_err();
                        if let Ok(mut results) = results.lock() {
                            results.push((number, done));
                        }
                        if is_failure {
                            next.fetch_max(batch.len(), Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        let mut results = results.into_inner().unwrap_or_default();
        results.sort_by_key(|(number, _)| *number);
        let mut drawn = Vec::with_capacity(results.len());
        let mut failure = None;
        for (_, done) in results {
            match done {
                Ok(done) => drawn.push(done),
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        (drawn, failure)
    }

    fn pose(&self, desk: &mut Desk, frame: &PlayedFrame) -> Result<(), Failure> {
        if self.args.no_delay {
            desk.face.set_all(&frame.sliders)?;
            desk.face.set_bones(frame.bones.as_ref());
        } else {
            frame.pose(&mut desk.face)?;
        }
        Ok(())
    }
}

/// The fingerprint that a PNG carries, if it is one of ours.
fn shown_by(path: &Path) -> Option<String> {
    let file = std::fs::File::open(path).ok()?;
    png_text(BufReader::new(file), KEYWORD)
}

fn png(image: &Image, texts: &[(&str, &str)]) -> Result<Vec<u8>, Failure> {
    let png = image.to_png(texts);
    png.map_err(|error| Failure::Data(error.to_string()))
}

/// A failed write stays one, so that the file's name is put to it.
fn animated(error: flexion::render::Error) -> Failure {
    match error.into_io() {
        Ok(error) => Failure::Write(error),
        Err(error) => Failure::Data(error.to_string()),
    }
}

fn pool(threads: Option<u32>) -> Result<ThreadPool, Failure> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0) as usize)
        .build()
        .map_err(|error| Failure::Data(format!("the threads cannot be started: {error}")))
}
