//! Draws flexed faces without a graphics card or a display.
//!
//! In: posed surfaces ([`Scene`]), of plain arrays, from whatever made them. Out: an [`Image`],
//! which is the same in every bit on every machine, thread and run.
//!
//! ```text
//! points, facing ─► Camera ─┐
//! triangles ─► Geometry ────┼─► Scene ─► Renderer ─► Image ─► PNG
//! names, textures ─► Paint ─┘
//! ```
//!
//! ```
//! use flexion_render::{
//!     Background, Camera, Facing, Geometry, Material, Paint, Renderer, Scene, Size, Software,
//!     Surface, View,
//! };
//! use glam::Vec3;
//!
//! # fn main() -> Result<(), flexion_render::Error> {
//! let positions = [[-1.0, 0.0, -1.0], [1.0, 0.0, -1.0], [0.0, 0.0, 1.0]];
//! let facing = Facing::new(Vec3::NEG_Y, Vec3::Z);
//! let points = positions.iter().map(|&at| Vec3::from(at));
//! let triangle = Geometry::new(&[[0, 2, 1]]);
//! let scene = Scene {
//!     camera: Camera::framing(points, facing, View::Front, 1.0, 1.0),
//!     background: Background::Transparent,
//!     surfaces: vec![Surface {
//!         geometry: &triangle,
//!         positions: &positions,
//!         normals: &[[0.0, -1.0, 0.0]; 3],
//!         uvs: &[],
//!         paint: Paint::Plain(Material::named("face")),
//!     }],
//! };
//! let image = Software::default().draw(&scene, Size::new(64, 64)?);
//! let middle = image.pixels[4 * (64 * 32 + 32)..][..4].to_vec();
//! assert_eq!(middle[3], 255, "opaque where the triangle is");
//! assert_eq!(image.pixels[3], 0, "transparent in the corner");
//! # Ok(())
//! # }
//! ```

mod animate;
mod camera;
mod error;
mod fingerprint;
mod image;
mod label;
mod light;
mod paint;
mod raster;
mod scene;
mod shade;
mod sheet;
mod texture;
mod visible;

pub use animate::{Animation, AnimationFormat, AnimationFrame, FrameRate};
pub use camera::{Camera, Facing, View};
pub use error::Error;
pub use fingerprint::Fingerprint;
pub use image::{Background, Channels, Image, png_text};
pub use light::Material;
pub use paint::{Eye, Paint};
pub use raster::Software;
pub use scene::{Geometry, Renderer, Scene, Size, Surface};
pub use sheet::Sheet;
pub use texture::Texture;
