//! What tells one scene from another, without drawing it.

use std::fmt;

use glam::Vec3;

use crate::image::Background;
use crate::light::Material;
use crate::paint::{Eye, Paint};
use crate::scene::{Geometry, Scene, Size, Surface};
use crate::texture::Texture;

/// Changes whenever the same scene would give other pixels.
const RENDERER: u32 = 1;

/// A hash of all that a picture is made of: equal fingerprints, equal pixels.
///
/// Printed as 64 hexadecimal digits.
///
/// ```
/// use flexion_render::{Background, Camera, Facing, Scene, Size, View};
/// use glam::Vec3;
///
/// # fn main() -> Result<(), flexion_render::Error> {
/// let facing = Facing::new(Vec3::NEG_Y, Vec3::Z);
/// let mut scene = Scene {
///     camera: Camera::framing([Vec3::ZERO].into_iter(), facing, View::Front, 1.0, 1.0),
///     background: Background::Transparent,
///     surfaces: Vec::new(),
/// };
/// let empty = scene.fingerprint(Size::new(64, 64)?, 2);
/// assert_eq!(empty, scene.fingerprint(Size::new(64, 64)?, 2));
/// scene.background = Background::Colour([0, 0, 0]);
/// assert_ne!(empty, scene.fingerprint(Size::new(64, 64)?, 2));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint(blake3::Hash);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({})", self.0)
    }
}

impl Fingerprint {
    /// One for several, in their order.
    pub fn of_all(parts: impl IntoIterator<Item = Fingerprint>) -> Fingerprint {
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            hasher.update(part.0.as_bytes());
        }
        Fingerprint(hasher.finalize())
    }
}

impl Scene<'_> {
    /// The fingerprint of the picture that [`Software`](crate::Software) with `antialias` makes.
    pub fn fingerprint(&self, size: Size, antialias: u32) -> Fingerprint {
        let mut out = Sink(blake3::Hasher::new());
        out.number(RENDERER);
        out.number(antialias);
        out.number(size.width());
        out.number(size.height());
        let camera = &self.camera;
        for part in [camera.place, camera.right, camera.up, camera.ahead] {
            out.vector(part);
        }
        out.floats(&[camera.reach, camera.distance]);
        match self.background {
            Background::Transparent => out.bytes(b"transparent"),
            Background::Colour(colour) => out.bytes(&colour),
        }
        for surface in &self.surfaces {
            out.surface(surface);
        }
        Fingerprint(out.0.finalize())
    }
}

/// Every list goes in with its length, so that no two scenes make the same bytes.
struct Sink(blake3::Hasher);

impl Sink {
    fn number(&mut self, number: u32) {
        self.0.update(&number.to_le_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    fn floats(&mut self, floats: &[f32]) {
        /// Turned into bytes a block at a time: the hash is fast with long inputs only.
        const BLOCK: usize = 1024;
        self.0.update(&(floats.len() as u64).to_le_bytes());
        let mut bytes = [0; 4 * BLOCK];
        for block in floats.chunks(BLOCK) {
            for (to, float) in bytes.chunks_exact_mut(4).zip(block) {
                to.copy_from_slice(&float.to_le_bytes());
            }
            self.0.update(&bytes[..4 * block.len()]);
        }
    }

    fn vector(&mut self, vector: Vec3) {
        self.floats(&vector.to_array());
    }

    fn surface(&mut self, surface: &Surface<'_>) {
        let Geometry {
            vertices,
            triangles,
        } = surface.geometry;
        for list in [vertices, triangles.as_flattened()] {
            let bytes: Vec<u8> = list.iter().flat_map(|at| at.to_le_bytes()).collect();
            self.bytes(&bytes);
        }
        // Surfaces share their arrays; each counts for the vertices that it shows.
        let at = |list: &[[f32; 3]]| -> Vec<[f32; 3]> {
            vertices
                .iter()
                .map(|&vertex| list[vertex as usize])
                .collect()
        };
        self.floats(at(surface.positions).as_flattened());
        self.floats(at(surface.normals).as_flattened());
        let uv = |&vertex: &u32| {
            surface
                .uvs
                .get(vertex as usize)
                .copied()
                .unwrap_or_default()
        };
        let uvs: Vec<[f32; 2]> = vertices.iter().map(uv).collect();
        self.floats(uvs.as_flattened());
        self.paint(&surface.paint);
    }

    fn paint(&mut self, paint: &Paint<'_>) {
        match *paint {
            Paint::Plain(material) => {
                self.number(0);
                self.material(material);
            }
            Paint::Textured { texture, gloss } => {
                self.number(1);
                self.texture(texture);
                self.floats(&[gloss]);
            }
            Paint::Eye(eye) => {
                self.number(2);
                self.eye(&eye);
            }
            Paint::Heat { values } => {
                self.number(3);
                self.floats(values);
            }
            Paint::Normals => self.number(4),
            Paint::Wire(material) => {
                self.number(5);
                self.material(material);
            }
        }
    }

    fn material(&mut self, material: Material) {
        self.vector(material.colour);
        self.floats(&[material.gloss]);
    }

    fn eye(&mut self, eye: &Eye<'_>) {
        for part in [eye.origin, eye.forward, eye.up, eye.right, eye.colour] {
            self.vector(part);
        }
        self.floats(&[eye.radius, eye.iris]);
        match eye.white {
            Some(texture) => self.texture(texture),
            None => self.bytes(&[]),
        }
    }

    fn texture(&mut self, texture: &Texture) {
        self.bytes(texture.pixels().as_flattened());
        self.number(texture.width() as u32);
    }
}
