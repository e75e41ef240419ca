//! Words in pictures, in DejaVu Sans Condensed.

use std::sync::OnceLock;

use ab_glyph::{Font, FontRef, Glyph, ScaleFont, point};

use crate::image::{Background, Channels, Image};

/// What stands for the rest of a label that is too long.
const REST: char = '…';

/// Writes one line into the box at `left`, `top`, in the middle of it and cut to its width; nothing
/// where not even the dots have room.
///
/// `height` is that of the box, in pixels; letters are as large as fit.
pub(crate) fn write(
    image: &mut Image,
    text: &str,
    [left, top]: [u32; 2],
    [width, height]: [u32; 2],
    colour: [u8; 3],
) {
    let Some(font) = font() else {
        return;
    };
    let font = font.as_scaled(height as f32);
    let (mut glyphs, wide) = line(&font, text, width as f32);
    let start = left as f32 + (0.5 * (width as f32 - wide)).max(0.0);
    let base = top as f32 + 0.5 * (height as f32 - font.height()) + font.ascent();
    for glyph in &mut glyphs {
        glyph.position = point((start + glyph.position.x).round(), base.round());
    }
    for glyph in glyphs {
        let Some(outline) = font.outline_glyph(glyph) else {
            continue;
        };
        let bounds = outline.px_bounds();
        outline.draw(|x, y, cover| {
            let (x, y) = (bounds.min.x + x as f32, bounds.min.y + y as f32);
            if x >= 0.0 && y >= 0.0 {
                blend(image, x as u32, y as u32, colour, cover);
            }
        });
    }
}

/// A colour of letters that reads on a background.
pub(crate) fn ink(background: Background) -> [u8; 3] {
    match background {
        // Nobody knows what it will be laid over.
        Background::Transparent => [128; 3],
        Background::Colour([r, g, b]) => {
            let light = 299 * u32::from(r) + 587 * u32::from(g) + 114 * u32::from(b);
            if light > 128_000 { [24; 3] } else { [228; 3] }
        }
    }
}

/// The font; it is part of the program, and a test writes with it.
fn font() -> Option<&'static FontRef<'static>> {
    static FONT: OnceLock<Option<FontRef<'static>>> = OnceLock::new();
    let parse = || FontRef::try_from_slice(dejavu::sans_condensed::regular()).ok();
    FONT.get_or_init(parse).as_ref()
}

/// The glyphs of a line from 0 on, and how wide it is; what does not fit gives way to dots.
fn line<F: Font>(font: &impl ScaleFont<F>, text: &str, width: f32) -> (Vec<Glyph>, f32) {
    let dots = font.h_advance(font.glyph_id(REST));
    let mut glyphs: Vec<Glyph> = Vec::new();
    let mut right = 0.0;
    // Where the dots would go: after the last glyph that leaves them room.
    let mut cut = (0, 0.0);
    for letter in text.chars() {
        let letter = if letter.is_control() { ' ' } else { letter };
        let id = font.glyph_id(letter);
        let kern = glyphs.last().map_or(0.0, |last| font.kern(last.id, id));
        let end = right + kern + font.h_advance(id);
        if end > width {
            let (count, right) = cut;
            glyphs.truncate(count);
            if right + dots > width {
                return (glyphs, right);
            }
            let id = font.glyph_id(REST);
            glyphs.push(id.with_scale_and_position(font.scale(), point(right, 0.0)));
            return (glyphs, right + dots);
        }
        glyphs.push(id.with_scale_and_position(font.scale(), point(right + kern, 0.0)));
        right = end;
        if right + dots <= width {
            cut = (glyphs.len(), right);
        }
    }
    (glyphs, right)
}

/// Lays a colour over a pixel, as much of it as `cover` says.
fn blend(image: &mut Image, x: u32, y: u32, colour: [u8; 3], cover: f32) {
    if x >= image.width || y >= image.height {
        return;
    }
    let count = image.channels.count();
    let at = (y as usize * image.width as usize + x as usize) * count;
    let pixel = &mut image.pixels[at..at + count];
    let below = match image.channels {
        Channels::Rgb => 1.0,
        Channels::Rgba => f32::from(pixel[3]) / 255.0,
    };
    let above = cover.clamp(0.0, 1.0);
    let whole = above + below * (1.0 - above);
    // Less than a byte can tell stays as clear as it was.
    if whole < 0.5 / 255.0 {
        return;
    }
    for (part, ink) in pixel.iter_mut().zip(colour) {
        let mixed = f32::from(ink) * above + f32::from(*part) * below * (1.0 - above);
        *part = (mixed / whole).round() as u8;
    }
    if let Channels::Rgba = image.channels {
        pixel[3] = (whole * 255.0).round() as u8;
    }
}
