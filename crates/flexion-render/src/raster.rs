//! The renderer that needs no graphics card.
//!
//! First it finds which triangle each sample shows, with several samples a pixel; then it shades
//! each pixel, once for all its samples that show the same surface at about the same depth. So
//! edges are smooth, and the costly part is done once a pixel, however many samples and hidden
//! triangles there are.
//!
//! Surfaces are one-sided, as in a game. Where no front is seen the backs are drawn dark, so that
//! an open mouth or a cut neck shows an inside and not the background, and what a modeller hid
//! by turning it away stays hidden.

use glam::Vec3;

use crate::image::{Channels, Image};
use crate::light::encode;
use crate::scene::{Renderer, Scene, Size};
use crate::shade::Placed;
use crate::visible::{Projection, Seen, Visible};

/// Samples a pixel along each axis, unless asked otherwise.
const ANTIALIAS: u32 = 2;
/// Most samples a pixel along each axis.
const MOST: u32 = 4;
/// Samples of one surface whose depths differ by more than this part are shaded apart.
const SAME_DEPTH: f32 = 0.004;

/// Draws on the processor; one per thread, since it keeps its buffers between pictures.
#[derive(Clone, Debug)]
pub struct Software {
    antialias: usize,
    visible: Visible,
}

impl Default for Software {
    fn default() -> Software {
        Software::new(ANTIALIAS)
    }
}

impl Software {
    /// A renderer with `antialias` by `antialias` samples a pixel, 1 to 4; others are held to
    /// that.
    pub fn new(antialias: u32) -> Software {
        Software {
            antialias: antialias.clamp(1, MOST) as usize,
            visible: Visible::default(),
        }
    }
}

impl Renderer for Software {
    fn draw(&mut self, scene: &Scene<'_>, size: Size) -> Image {
        let step = self.antialias;
        let (width, height) = (size.width() as usize * step, size.height() as usize * step);
        self.visible.clear(width, height);
        let projection = Projection::new(&scene.camera, width, height);
        let surfaces: Vec<Placed<'_>> = scene
            .surfaces
            .iter()
            .map(|surface| Placed::new(surface, &scene.camera))
            .collect();
        let mut backs = Vec::new();
        for (number, placed) in (0..).zip(&surfaces) {
            let triangles = &placed.surface.geometry.triangles;
            self.visible
                .fronts(&projection, number, &placed.places, triangles, &mut backs);
        }
        self.visible.backs(backs);
        let pixels = Pixels {
            visible: &self.visible,
            step,
            scene,
            surfaces: &surfaces,
            spread: 2.0 * scene.camera.reach / (scene.camera.distance * size.height() as f32),
            middle: [0.5 * size.width() as f32, 0.5 * size.height() as f32],
        };
        pixels.image(size)
    }
}

/// Turns samples into pixels.
struct Pixels<'a> {
    visible: &'a Visible,
    /// Samples a pixel along each axis.
    step: usize,
    scene: &'a Scene<'a>,
    surfaces: &'a [Placed<'a>],
    /// How far apart the rays of neighbouring pixels are at distance 1.
    spread: f32,
    /// Of the picture, in pixels.
    middle: [f32; 2],
}

/// Samples of a pixel that are shaded as one.
#[derive(Clone, Copy)]
struct Group {
    seen: Seen,
    depth: f32,
    count: u32,
    /// Sum of the samples' places inside the pixel, in samples.
    place: [usize; 2],
}

impl Pixels<'_> {
    fn image(&self, size: Size) -> Image {
        let mut image = Image::filled(size.width(), size.height(), self.scene.background);
        let (count, channels) = (image.channels.count(), image.channels);
        let rows = image.pixels.chunks_exact_mut(size.width() as usize * count);
        for (y, row) in rows.enumerate() {
            for (x, pixel) in row.chunks_exact_mut(count).enumerate() {
                self.pixel(x, y, channels, pixel);
            }
        }
        image
    }

    /// Lays what is seen in a pixel over the background that it holds.
    fn pixel(&self, x: usize, y: usize, channels: Channels, pixel: &mut [u8]) {
        let (left, top) = (x * self.step, y * self.step);
        if !self.visible.is_uniform(left, top, self.step) {
            self.mixed_pixel(x, y, channels, pixel);
        } else if let Some((seen, depth)) = self.visible.at(left, top) {
            let samples = self.step * self.step;
            let along = self.step * (samples - self.step) / 2;
            let group = Group {
                seen,
                depth,
                count: samples as u32,
                place: [along; 2],
            };
            pixel[..3].copy_from_slice(&encode(self.light(x, y, &group)));
            if channels == Channels::Rgba {
                pixel[3] = 255;
            }
        }
    }

    /// As [`Pixels::pixel`], of a pixel whose samples show several triangles.
    fn mixed_pixel(&self, x: usize, y: usize, channels: Channels, pixel: &mut [u8]) {
        let mut groups = [None::<Group>; (MOST * MOST) as usize];
        let groups = &mut groups[..self.step * self.step];
        for line in 0..self.step {
            for column in 0..self.step {
                let sample = self
                    .visible
                    .at(x * self.step + column, y * self.step + line);
                if let Some((seen, depth)) = sample {
                    gather(groups, seen, depth, [column, line]);
                }
            }
        }
        let (mut sum, mut covered) = ([0_u32; 3], 0);
        for group in groups.iter().map_while(|group| group.as_ref()) {
            let colour = encode(self.light(x, y, group));
            covered += group.count;
            for (sum, part) in sum.iter_mut().zip(colour) {
                *sum += u32::from(part) * group.count;
            }
        }
        if covered > 0 {
            let samples = (self.step * self.step) as u32;
            lay(pixel, sum, covered, samples, channels);
        }
    }

    /// Light from the middle of a group.
    fn light(&self, x: usize, y: usize, group: &Group) -> Vec3 {
        let place = |pixel: usize, samples: usize| {
            let inside = (samples as f32 / group.count as f32 + 0.5) / self.step as f32;
            pixel as f32 + inside
        };
        let [column, line] = group.place;
        let ray = Vec3::new(
            (place(x, column) - self.middle[0]) * self.spread,
            (self.middle[1] - place(y, line)) * self.spread,
            1.0,
        );
        let placed = &self.surfaces[group.seen.surface as usize];
        let back = group.depth < 0.0;
        placed.light(&self.scene.camera, group.seen, back, ray, self.spread)
    }
}

/// Adds a sample to the group that it looks like, or to one of its own.
fn gather(groups: &mut [Option<Group>], seen: Seen, depth: f32, [column, line]: [usize; 2]) {
    for group in groups {
        match group {
            Some(group) => {
                let alike = group.seen.surface == seen.surface
                    && (group.depth - depth).abs() <= SAME_DEPTH * depth.abs();
                if alike {
                    group.count += 1;
                    group.place[0] += column;
                    group.place[1] += line;
                    return;
                }
            }
            None => {
                *group = Some(Group {
                    seen,
                    depth,
                    count: 1,
                    place: [column, line],
                });
                return;
            }
        }
    }
}

/// Lays the sum of `covered` of all samples over the background that `pixel` holds.
fn lay(pixel: &mut [u8], sum: [u32; 3], covered: u32, samples: u32, channels: Channels) {
    let rounded = |sum: u32, over: u32| ((sum + over / 2) / over) as u8;
    match channels {
        Channels::Rgb => {
            let bare = samples - covered;
            for (part, sum) in pixel.iter_mut().zip(sum) {
                *part = rounded(sum + u32::from(*part) * bare, samples);
            }
        }
        Channels::Rgba => {
            for (part, sum) in pixel.iter_mut().zip(sum) {
                *part = rounded(sum, covered);
            }
            pixel[3] = rounded(255 * covered, samples);
        }
    }
}
