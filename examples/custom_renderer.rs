//! Draws a face with a renderer of one's own: here one that paints with letters, on the terminal.
//!
//! ```console
//! $ cargo run --release -p flexion-examples --example custom_renderer
//! $ cargo run --release -p flexion-examples --example custom_renderer -- path/to/face.mdl
//! ```
//!
//! A `Renderer` is lent the posed vertices, the triangles, the camera and what each surface is made of; a program
//! with a graphics card would copy them there. Who wants vertices alone needs none of this: `Face::deform` has them.

use std::process::ExitCode;

use flexion::render::{Background, Image, Renderer, Scene, Size};
use flexion::{Error, Model, Portrait, PortraitOptions};
use glam::Vec3;

/// From dark to light.
const LETTERS: &[u8] = b" .:-=+*#%@";

fn main() -> ExitCode {
    let model = match std::env::args_os().nth(1) {
        Some(path) => Model::open(path),
        None => sample(),
    };
    match model.and_then(|model| show(&model)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("custom_renderer: {error}");
            ExitCode::FAILURE
        }
    }
}

fn sample() -> Result<Model, Error> {
    let [(_, mdl), (_, vvd), (_, vtx)] = flexion_sample::face().files();
    Model::from_bytes(&mdl, Some(&vvd), Some(&vtx))
}

fn show(model: &Model) -> Result<(), Error> {
    let portrait = Portrait::new(model, PortraitOptions::new(Size::new(96, 96)?))?;
    let mut face = model.face();
    if face.set("smile", 1.0).is_err() {
        eprintln!("custom_renderer: this face has no slider smile, so it is shown at rest");
    }
    let image = portrait.draw(&mut face, &mut Dots)?;
    // Letters are twice as high as wide.
    for row in image.pixels.chunks(3 * image.width as usize).step_by(2) {
        let letter = |pixel: &[u8]| LETTERS[usize::from(pixel[0]) * LETTERS.len() / 256] as char;
        let line: String = row.chunks(3).map(letter).collect();
        println!("{}", line.trim_end());
    }
    Ok(())
}

/// A dot for each vertex and for the middle of each triangle, the nearest on top, lighter where it faces the viewer.
struct Dots;

impl Renderer for Dots {
    fn draw(&mut self, scene: &Scene<'_>, size: Size) -> Image {
        let mut image = Image::filled(size.width(), size.height(), Background::Colour([0; 3]));
        let mut depths = vec![f32::INFINITY; (size.width() * size.height()) as usize];
        let camera = &scene.camera;
        let scale = camera.distance / camera.reach;
        let mut dot = |at: Vec3, normal: Vec3| {
            let seen = camera.seen(at);
            let light = -camera.turned(normal).normalize_or_zero().z;
            let place = |part: f32, side: u32| (0.5 + 0.5 * part * scale / seen.z) * side as f32;
            let (x, y) = (place(seen.x, size.width()), place(-seen.y, size.height()));
            let inside = |part: f32, side: u32| part >= 0.0 && part < side as f32;
            if light <= 0.0 || !inside(x, size.width()) || !inside(y, size.height()) {
                return;
            }
            let pixel = y as usize * size.width() as usize + x as usize;
            if seen.z < depths[pixel] {
                depths[pixel] = seen.z;
                image.pixels[3 * pixel..3 * pixel + 3].fill((light * 255.0) as u8);
            }
        };
        for surface in &scene.surfaces {
            let vertex = |at: u32| {
                let at = at as usize;
                (
                    Vec3::from(surface.positions[at]),
                    Vec3::from(surface.normals[at]),
                )
            };
            for corners in surface.geometry.triangles() {
                let corners = corners.map(vertex);
                corners.iter().for_each(|&(at, normal)| dot(at, normal));
                let sum = |part: fn(&(Vec3, Vec3)) -> Vec3| corners.iter().map(part).sum::<Vec3>();
                dot(sum(|corner| corner.0) / 3.0, sum(|corner| corner.1));
            }
        }
        image
    }
}
