//! Pictures on surfaces.

use std::io::{BufRead, Seek};

use glam::{Vec2, Vec3};

use crate::error::Error;
use crate::light::decode;

/// A picture that repeats over a surface; its transparency is not used.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    width: usize,
    height: usize,
    /// Rows from top to bottom.
    pixels: Vec<[u8; 3]>,
}

impl Texture {
    /// Reads a PNG of any kind.
    ///
    /// # Errors
    ///
    /// [`Error::Texture`] when it is not a PNG, or a damaged or huge one (over 64 MiB).
    pub fn from_png(file: impl BufRead + Seek) -> Result<Texture, Error> {
        let mut decoder = png::Decoder::new(file);
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info()?;
        let size = reader
            .output_buffer_size()
            .ok_or(png::DecodingError::LimitsExceeded)?;
        let mut bytes = vec![0; size];
        let info = reader.next_frame(&mut bytes)?;
        let samples = info.color_type.samples();
        let pixel = |pixel: &[u8]| match *pixel {
            [grey] | [grey, _] => [grey; 3],
            [r, g, b, ..] => [r, g, b],
            [] => [0; 3],
        };
        Ok(Texture {
            width: info.width as usize,
            height: info.height as usize,
            pixels: bytes[..info.buffer_size()]
                .chunks(samples)
                .map(pixel)
                .collect(),
        })
    }

    /// In pixels.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Rows from top to bottom.
    pub(crate) fn pixels(&self) -> &[[u8; 3]] {
        &self.pixels
    }

    /// Linear colour at a texture coordinate, between the four pixels around it; v runs down.
    pub(crate) fn at(&self, uv: Vec2) -> Vec3 {
        let place = |part: f32, size: usize| {
            let wrapped = part - part.floor();
            let wrapped = if wrapped.is_finite() { wrapped } else { 0.0 };
            let at = wrapped * size as f32 - 0.5;
            let low = at.floor();
            let first = if low < 0.0 {
                size - 1
            } else {
                low as usize % size
            };
            (first, (first + 1) % size, at - low)
        };
        let (left, right, x) = place(uv.x, self.width);
        let (top, bottom, y) = place(uv.y, self.height);
        let pixel = |x: usize, y: usize| decode(self.pixels[y * self.width + x]);
        let upper = pixel(left, top).lerp(pixel(right, top), x);
        let lower = pixel(left, bottom).lerp(pixel(right, bottom), x);
        upper.lerp(lower, y)
    }
}
