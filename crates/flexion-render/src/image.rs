//! Pictures: pixels in memory and as PNG.

use std::fmt;
use std::str::FromStr;

use crate::error::Error;
use crate::scene::Size;

/// Behind what is drawn.
///
/// Written as `transparent` or `#rrggbb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Background {
    /// Nothing: the picture has an alpha channel.
    Transparent,
    /// One colour: red, green and blue.
    Colour([u8; 3]),
}

impl Default for Background {
    /// A quiet blue grey.
    fn default() -> Background {
        Background::Colour([54, 58, 66])
    }
}

impl FromStr for Background {
    type Err = Error;

    fn from_str(text: &str) -> Result<Background, Error> {
        if text == "transparent" {
            return Ok(Background::Transparent);
        }
        let digits = text.strip_prefix('#').unwrap_or(text).as_bytes();
        let digit = |at: usize| (digits[at] as char).to_digit(16).map(|digit| digit as u8);
        let byte = |at: usize| Some(digit(at)? << 4 | digit(at + 1)?);
        let colour = (digits.len() == 6)
            .then(|| Some([byte(0)?, byte(2)?, byte(4)?]))
            .flatten();
        colour.map(Background::Colour).ok_or_else(|| Error::Colour {
            text: text.chars().take(60).collect(),
        })
    }
}

impl fmt::Display for Background {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Background::Transparent => f.write_str("transparent"),
            Background::Colour([r, g, b]) => write!(f, "#{r:02x}{g:02x}{b:02x}"),
        }
    }
}

/// How many bytes a pixel has and what they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channels {
    /// Red, green, blue.
    Rgb,
    /// Red, green, blue, alpha; not premultiplied.
    Rgba,
}

impl Channels {
    /// Bytes a pixel.
    pub fn count(self) -> usize {
        match self {
            Channels::Rgb => 3,
            Channels::Rgba => 4,
        }
    }
}

/// A picture in sRGB, rows from top to bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// What a pixel has.
    pub channels: Channels,
    /// `width * height` pixels.
    pub pixels: Vec<u8>,
}

impl Image {
    /// A picture of one colour.
    pub fn filled(width: u32, height: u32, background: Background) -> Image {
        let count = width as usize * height as usize;
        let (channels, pixels) = match background {
            Background::Transparent => (Channels::Rgba, vec![0; 4 * count]),
            Background::Colour(colour) => (Channels::Rgb, colour.repeat(count)),
        };
        Image {
            width,
            height,
            channels,
            pixels,
        }
    }

    /// A picture of nothing but its background.
    pub(crate) fn blank(size: Size, background: Background) -> Image {
        Image::filled(size.width(), size.height(), background)
    }

    /// Copies `part` with its upper left corner to `x`, `y`; what reaches past the edge is cut.
    ///
    /// # Panics
    ///
    /// When the two pictures have other channels.
    pub fn paste(&mut self, part: &Image, x: u32, y: u32) {
        assert_eq!(self.channels, part.channels, "pictures of one kind");
        let count = self.channels.count();
        let (x, y) = (x as usize, y as usize);
        let width = (self.width as usize)
            .saturating_sub(x)
            .min(part.width as usize);
        if width == 0 {
            return;
        }
        let to = self
            .pixels
            .chunks_exact_mut(self.width as usize * count)
            .skip(y);
        let from = part.pixels.chunks_exact(part.width as usize * count);
        for (to, from) in to.zip(from) {
            to[x * count..(x + width) * count].copy_from_slice(&from[..width * count]);
        }
    }

    /// The picture as a PNG file, with `texts` (keyword and Latin-1 text) before the pixels.
    ///
    /// # Errors
    ///
    /// [`Error::Encode`] when a keyword or text has no place in a PNG.
    pub fn to_png(&self, texts: &[(&str, &str)]) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let mut encoder = self.encoder(&mut bytes);
        for &(keyword, text) in texts {
            encoder.add_text_chunk(keyword.to_owned(), text.to_owned())?;
        }
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.pixels)?;
        writer.finish()?;
        Ok(bytes)
    }

    /// A PNG encoder of the picture's size and kind.
    ///
    /// The fast level: an animation is many pictures, and 1 ms a picture beats 20 % of its size.
    pub(crate) fn encoder<'w, W: std::io::Write>(&self, out: W) -> png::Encoder<'w, W> {
        let mut encoder = png::Encoder::new(out, self.width, self.height);
        encoder.set_color(match self.channels {
            Channels::Rgb => png::ColorType::Rgb,
            Channels::Rgba => png::ColorType::Rgba,
        });
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        encoder
    }
}

/// The text that a PNG has for a keyword before its pixels, as [`Image::to_png`] writes it; none
/// when it has none or is no PNG.
///
/// ```
/// use flexion_render::{Background, Image, png_text};
///
/// let image = Image::filled(2, 2, Background::Transparent);
/// let png = image.to_png(&[("Title", "nothing")])?;
/// assert_eq!(png_text(std::io::Cursor::new(&png), "Title").as_deref(), Some("nothing"));
/// assert_eq!(png_text(std::io::Cursor::new(b"GIF89a"), "Title"), None);
/// # Ok::<(), flexion_render::Error>(())
/// ```
pub fn png_text(file: impl std::io::BufRead + std::io::Seek, keyword: &str) -> Option<String> {
    let reader = png::Decoder::new(file).read_info().ok()?;
    let texts = &reader.info().uncompressed_latin1_text;
    let found = texts.iter().find(|chunk| chunk.keyword == keyword)?;
    Some(found.text.clone())
}
