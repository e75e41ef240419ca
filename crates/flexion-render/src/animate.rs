//! Pictures one after another in one file.

use std::io::Write;
use std::str::FromStr;

use crate::error::Error;
use crate::image::{Background, Channels, Image};
use crate::scene::Size;

/// How an animated file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnimationFormat {
    /// Animated PNG: all colours.
    Apng,
    /// GIF: 256 colours a frame, times in hundredths of a second.
    Gif,
}

/// Frames a second, as a fraction of integers that both formats can hold.
///
/// ```
/// use flexion_render::FrameRate;
///
/// let rate: FrameRate = "29.97".parse()?;
/// assert_eq!(rate.get(), 29.97);
/// assert!("0".parse::<FrameRate>().is_err());
/// # Ok::<(), flexion_render::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameRate(f64);

impl FrameRate {
    /// Frames a second, from 0.1 to 1000.
    ///
    /// # Errors
    ///
    /// [`Error::FrameRate`] outside that.
    pub fn new(fps: f64) -> Result<FrameRate, Error> {
        if (0.1..=1000.0).contains(&fps) {
            Ok(FrameRate(fps))
        } else {
            Err(Error::FrameRate { fps })
        }
    }

    /// Frames a second.
    pub fn get(self) -> f64 {
        self.0
    }

    /// How long a frame lasts, in seconds, as numerator and denominator.
    fn fraction(self) -> (u16, u16) {
        let fits = |scale: &f64| self.0 * scale <= f64::from(u16::MAX);
        let whole = |scale: &f64| (self.0 * scale).fract() == 0.0;
        let scales = [1.0, 10.0, 100.0, 1000.0];
        let exact = scales.into_iter().find(|scale| fits(scale) && whole(scale));
        let finest = scales.into_iter().rfind(|scale| fits(scale));
        let scale = exact.or(finest).unwrap_or(1.0);
        (scale as u16, (self.0 * scale).round() as u16)
    }

    /// Hundredths of a second that frame `number` lasts, so that the frames before it end on time.
    fn hundredths(self, number: u64) -> u16 {
        let end = |number: u64| (100.0 * number as f64 / self.0).round();
        ((end(number + 1) - end(number)) as u16).max(1)
    }
}

impl FromStr for FrameRate {
    type Err = Error;

    fn from_str(text: &str) -> Result<FrameRate, Error> {
        FrameRate::new(text.trim().parse().unwrap_or(f64::NAN))
    }
}

/// A picture made ready for an animated file; the costly part, which threads can share.
pub struct AnimationFrame(Prepared);

enum Prepared {
    Png(Vec<u8>),
    Gif(Box<gif::Frame<'static>>),
}

impl AnimationFrame {
    /// Gets a picture ready for a file of a format.
    pub fn new(format: AnimationFormat, image: Image) -> AnimationFrame {
        /// Of 1 to 30; the higher the faster. At 10 gradients of skin show no bands yet.
        const SPEED: i32 = 10;
        AnimationFrame(match format {
            AnimationFormat::Apng => Prepared::Png(image.pixels),
            AnimationFormat::Gif => {
                let (width, height) = (image.width as u16, image.height as u16);
                let mut pixels = image.pixels;
                Prepared::Gif(Box::new(match image.channels {
                    Channels::Rgb => gif::Frame::from_rgb_speed(width, height, &pixels, SPEED),
                    Channels::Rgba => {
                        gif::Frame::from_rgba_speed(width, height, &mut pixels, SPEED)
                    }
                }))
            }
        })
    }
}

/// An animated file that is being written, frame by frame; it repeats for ever.
pub struct Animation<W: Write> {
    writer: Writer<W>,
    rate: FrameRate,
    written: u64,
}

enum Writer<W: Write> {
    Apng(png::Writer<W>),
    Gif(gif::Encoder<W>),
}

impl<W: Write> Animation<W> {
    /// Starts a file of `frames` pictures of one size over `background`.
    ///
    /// # Errors
    ///
    /// [`Error::Encode`] when `out` cannot be written or `frames` is 0, [`Error::Gif`] likewise.
    pub fn new(
        format: AnimationFormat,
        out: W,
        size: Size,
        background: Background,
        frames: u32,
        rate: FrameRate,
    ) -> Result<Animation<W>, Error> {
        let writer = match format {
            AnimationFormat::Apng => {
                let blank = Image::blank(size, background);
                let mut encoder = blank.encoder(out);
                let (numerator, denominator) = rate.fraction();
                encoder.set_animated(frames, 0)?;
                encoder.set_frame_delay(numerator, denominator)?;
                Writer::Apng(encoder.write_header()?)
            }
            AnimationFormat::Gif => {
                let (width, height) = (size.width() as u16, size.height() as u16);
                let mut encoder = gif::Encoder::new(out, width, height, &[])?;
                encoder.set_repeat(gif::Repeat::Infinite)?;
                Writer::Gif(encoder)
            }
        };
        Ok(Animation {
            writer,
            rate,
            written: 0,
        })
    }

    /// Writes the next frame, which must have been made for this format and size.
    ///
    /// # Errors
    ///
    /// [`Error::Encode`] or [`Error::Gif`] when the file cannot be written or the frame does not
    /// fit it.
    pub fn push(&mut self, frame: AnimationFrame) -> Result<(), Error> {
        match (&mut self.writer, frame.0) {
            (Writer::Apng(writer), Prepared::Png(pixels)) => writer.write_image_data(&pixels)?,
            (Writer::Gif(encoder), Prepared::Gif(mut frame)) => {
                frame.delay = self.rate.hundredths(self.written);
                frame.dispose = gif::DisposalMethod::Background;
                encoder.write_frame(&frame)?;
            }
            _ => return Err(Error::OtherFormat),
        }
        self.written += 1;
        Ok(())
    }

    /// Ends the file.
    ///
    /// # Errors
    ///
    /// As [`Animation::push`], or when frames are missing.
    pub fn finish(self) -> Result<(), Error> {
        match self.writer {
            Writer::Apng(writer) => writer.finish()?,
            Writer::Gif(encoder) => {
                encoder.into_inner()?.flush()?;
            }
        }
        Ok(())
    }
}
