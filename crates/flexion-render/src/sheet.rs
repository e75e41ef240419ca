//! Contact sheets: pictures of one size in rows, each with a label under it.

use crate::error::Error;
use crate::image::{Background, Image};
use crate::label;
use crate::scene::Size;

/// A contact sheet that is being filled.
///
/// ```
/// use flexion_render::{Background, Image, Sheet, Size};
///
/// # fn main() -> Result<(), flexion_render::Error> {
/// let tile = Size::new(96, 96)?;
/// let white = Background::Colour([255; 3]);
/// let mut sheet = Sheet::new(3, None, tile, white)?;
/// sheet.place(0, &Image::filled(96, 96, white), "neutral");
/// let image = sheet.into_image();
/// assert_eq!(image.width, 2 * 96);
/// assert!(image.pixels.iter().any(|&part| part < 64), "the label is dark");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Sheet {
    image: Image,
    columns: usize,
    rows: usize,
    tile: Size,
    ink: [u8; 3],
}

impl Sheet {
    /// An empty sheet for `tiles` pictures in `columns` columns; as many columns as make it about
    /// square unless given.
    ///
    /// # Errors
    ///
    /// [`Error::Size`] when the sheet is too large.
    pub fn new(
        tiles: usize,
        columns: Option<usize>,
        tile: Size,
        background: Background,
    ) -> Result<Sheet, Error> {
        let tiles = tiles.max(1);
        let square = (tiles as f64).sqrt().ceil() as usize;
        let columns = columns.unwrap_or(square).clamp(1, tiles);
        let rows = tiles.div_ceil(columns);
        let side = |count: usize, one: u32| {
            let count = u32::try_from(count).unwrap_or(u32::MAX);
            count.saturating_mul(one)
        };
        let height = tile.height() + label_height(tile);
        let size = Size::new(side(columns, tile.width()), side(rows, height))?;
        Ok(Sheet {
            image: Image::blank(size, background),
            columns,
            rows,
            tile,
            ink: label::ink(background),
        })
    }

    /// Puts a picture of the tiles' size and the sheet's background in its place, row by row from
    /// 0, with a label. A number past the last place is left out.
    ///
    /// # Panics
    ///
    /// When one of picture and sheet has an alpha channel and the other has not.
    pub fn place(&mut self, number: usize, picture: &Image, text: &str) {
        if number / self.columns >= self.rows {
            return;
        }
        let (width, height) = (self.tile.width(), self.tile.height());
        let label = label_height(self.tile);
        let left = (number % self.columns) as u32 * width;
        let top = (number / self.columns) as u32 * (height + label);
        self.image.paste(picture, left, top);
        let gap = label / 5;
        let margin = width / 32;
        label::write(
            &mut self.image,
            text,
            [left + margin, top + height],
            [width - 2 * margin, label - gap],
            self.ink,
        );
    }

    /// The sheet as a picture.
    pub fn into_image(self) -> Image {
        self.image
    }
}

/// Room for a label under a picture, in pixels.
fn label_height(tile: Size) -> u32 {
    (tile.width() / 11).clamp(12, 40)
}
