//! A small contact sheet of heads: tiles go in, one RGB picture comes out.
//!
//! Every tile is a set of meshes in Source's frame (Z up, facing -Y, triangles clockwise seen
//! from outside). All tiles are drawn with one camera, which looks at the middle of what they
//! hold, so that the same head is equally large in each. A tile is drawn at twice its size with a
//! depth buffer and averaged down; light is a key from the upper left, a weaker fill and a rim.
//!
//! This is what `flexion demo` needs and no more: no labels, no textures, no shadows.

use glam::{Mat3, Vec3};
use retrofire_core::geom::{Tri, Vertex};
use retrofire_core::math::{Color4, mat::perspective, pt2, pt3, rgba, vec3, viewport};
use retrofire_core::render::{Colorbuf, Context, Frag, Framebuf, View, ctx::FaceCull, shader};
use retrofire_core::util::{Buf2, Dims, pixfmt::Rgb888};

/// Pixels drawn per pixel shown, along each axis.
const SUPERSAMPLING: u32 = 2;
/// Distance of the camera in units of the head's half height: a portrait lens.
const DISTANCE: f32 = 6.0;
/// Part of the tile's height that the head fills.
const FILL: f32 = 0.94;

/// One picture of the sheet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tile {
    /// What is drawn.
    pub(crate) meshes: Vec<Mesh>,
    /// How far the head is turned to its left, in degrees.
    pub(crate) yaw: f32,
}

/// Triangles of one colour.
#[derive(Clone, Debug)]
pub(crate) struct Mesh {
    /// Positions of the vertices, in model units.
    pub(crate) positions: Vec<Vec3>,
    /// One unit normal per position.
    pub(crate) normals: Vec<Vec3>,
    /// Three indices a triangle.
    pub(crate) triangles: Vec<[u32; 3]>,
    /// The colour.
    pub(crate) paint: Paint,
}

/// How a mesh is coloured. Colours are sRGB, 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Paint {
    /// One colour; `gloss` is the strength of the highlight.
    Plain { colour: Vec3, gloss: f32 },
    /// White with an iris around the direction of `gaze` seen from `centre`.
    Eye {
        centre: Vec3,
        gaze: Vec3,
        iris: Vec3,
    },
}

impl Paint {
    /// The colours of the sample face, by the name of the material; grey for any other.
    pub(crate) fn of_material(name: &str) -> Self {
        let (colour, gloss) = match name {
            "face" => (Vec3::new(0.87, 0.66, 0.54), 0.10),
            "lips" => (Vec3::new(0.76, 0.40, 0.38), 0.22),
            "brow" | "lash" => (Vec3::new(0.22, 0.14, 0.10), 0.05),
            "hair" => (Vec3::new(0.32, 0.19, 0.12), 0.12),
            "teeth" => (Vec3::new(0.94, 0.92, 0.87), 0.30),
            "mouth" => (Vec3::new(0.33, 0.09, 0.10), 0.05),
            "tongue" => (Vec3::new(0.75, 0.36, 0.36), 0.20),
            _ => (Vec3::splat(0.6), 0.1),
        };
        Paint::Plain { colour, gloss }
    }

    /// Surface colour (linear) and gloss at a point of the model.
    fn at(&self, point: Vec3) -> (Vec3, f32) {
        match *self {
            Paint::Plain { colour, gloss } => (colour * colour, gloss),
            Paint::Eye { centre, gaze, iris } => {
                let off_axis = (point - centre).normalize_or_zero().dot(gaze);
                let angle = off_axis.clamp(-1.0, 1.0).acos();
                let white = Vec3::new(0.90, 0.88, 0.86);
                let rim = iris * 0.35;
                let colour = match angle {
                    a if a < 0.20 => Vec3::splat(0.02),
                    a if a < 0.24 => Vec3::splat(0.02).lerp(iris, (a - 0.20) / 0.04),
                    a if a < 0.45 => iris.lerp(rim, ((a - 0.32) / 0.13).max(0.0)),
                    a if a < 0.49 => rim.lerp(white, (a - 0.45) / 0.04),
                    _ => white,
                };
                (colour * colour, 0.9)
            }
        }
    }
}

/// An RGB picture, rows from top to bottom.
#[derive(Clone, Debug)]
pub(crate) struct Image {
    /// In pixels.
    pub(crate) width: u32,
    /// In pixels.
    pub(crate) height: u32,
    /// Three bytes a pixel.
    pub(crate) pixels: Vec<u8>,
}

impl Image {
    /// The picture as a PNG file.
    pub(crate) fn png(&self) -> Result<Vec<u8>, png::EncodingError> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.write_header()?.write_image_data(&self.pixels)?;
        Ok(bytes)
    }
}

/// Draws `tiles` row by row, `columns` in a row, each `tile_size` pixels square.
pub(crate) fn sheet(tiles: &[Tile], columns: usize, tile_size: u32) -> Image {
    let columns = columns.max(1);
    let rows = tiles.len().div_ceil(columns);
    let stride = 3 * tile_size as usize;
    let mut image = Image {
        width: tile_size * columns as u32,
        height: tile_size * rows as u32,
        pixels: vec![0; stride * columns * rows * tile_size as usize],
    };
    let camera = Camera::of(tiles);
    // The last row may be short: empty tiles show the backdrop.
    let empty = Tile::default();
    for place in 0..rows * columns {
        let tile = tiles.get(place).unwrap_or(&empty);
        let shown = camera.draw(tile, tile_size);
        let top = (place / columns) * tile_size as usize;
        for (y, row) in shown.chunks_exact(stride).enumerate() {
            let start = ((top + y) * columns + place % columns) * stride;
            image.pixels[start..start + stride].copy_from_slice(row);
        }
    }
    image
}

/// Looks along +Y at the middle of all tiles.
struct Camera {
    middle: Vec3,
    reach: f32,
}

impl Camera {
    fn of(tiles: &[Tile]) -> Self {
        let mut low = Vec3::splat(f32::INFINITY);
        let mut high = Vec3::splat(f32::NEG_INFINITY);
        for mesh in tiles.iter().flat_map(|tile| &tile.meshes) {
            for &position in &mesh.positions {
                low = low.min(position);
                high = high.max(position);
            }
        }
        if low.x > high.x {
            (low, high) = (Vec3::NEG_ONE, Vec3::ONE);
        }
        let size = (high - low) / 2.0;
        Camera {
            middle: (low + high) / 2.0,
            reach: size.z.max(size.x).max(1e-3),
        }
    }

    /// The tile as RGB bytes.
    fn draw(&self, tile: &Tile, tile_size: u32) -> Vec<u8> {
        let drawn = tile_size * SUPERSAMPLING;
        let size = Dims(drawn, drawn);
        let backdrop = |_, y| {
            let shade = 236.0 - 46.0 * y as f32 / drawn as f32;
            [(shade * 0.93) as u8, (shade * 0.97) as u8, shade as u8]
        };
        let mut target = Framebuf {
            color_buf: Colorbuf::<_, Rgb888>::new(Buf2::new_with(size, backdrop)),
            depth_buf: Buf2::new(size),
        };
        for mesh in &tile.meshes {
            self.draw_mesh(mesh, tile.yaw, drawn, &mut target);
        }
        average(target.color_buf.buf.data(), drawn as usize)
    }

    fn draw_mesh(
        &self,
        mesh: &Mesh,
        yaw: f32,
        drawn: u32,
        target: &mut Framebuf<Colorbuf<Buf2<[u8; 3]>, Rgb888>, Buf2<f32>>,
    ) {
        let turn = Mat3::from_rotation_z(yaw.to_radians());
        let away = DISTANCE * self.reach;
        let project = perspective(FILL * DISTANCE, 1.0, 0.1 * away..10.0 * away);
        let vertices: Vec<(Vec3, Vec3)> = mesh
            .positions
            .iter()
            .copied()
            .zip(mesh.normals.iter().copied())
            .collect();
        let triangles: Vec<Tri<usize>> = mesh
            .triangles
            .iter()
            .map(|t| Tri(t.map(|vertex| vertex as usize)))
            .collect();
        let shader = shader::new(
            |(position, normal): (Vec3, Vec3), (): ()| {
                let seen = turn * (position - self.middle);
                let place = pt3::<_, View>(seen.x, seen.z, seen.y + away);
                let normal = turn * normal;
                Vertex {
                    pos: project.apply(&place),
                    attrib: (
                        vec3::<_, ()>(normal.x, normal.y, normal.z),
                        vec3::<_, ()>(position.x, position.y, position.z),
                    ),
                }
            },
            |frag: Frag<(_, _)>, (): ()| {
                let (normal, position): (retrofire_core::math::Vec3, _) = frag.var;
                let position: retrofire_core::math::Vec3 = position;
                let (colour, gloss) = mesh.paint.at(Vec3::from_array(position.0));
                light(
                    colour,
                    gloss,
                    Vec3::from_array(normal.0).normalize_or_zero(),
                )
            },
        );
        let context = Context {
            face_cull: Some(FaceCull::Back),
            ..Context::default()
        };
        let screen = viewport(pt2(0, drawn)..pt2(drawn, 0));
        retrofire_core::render::render(triangles, vertices, &shader, (), screen, target, &context);
    }
}

/// Colour on the screen of a surface with a linear colour; the viewer looks along +Y.
fn light(colour: Vec3, gloss: f32, normal: Vec3) -> Color4 {
    const KEY: Vec3 = Vec3::new(-0.48, -0.68, 0.555);
    const FILL_LIGHT: Vec3 = Vec3::new(0.75, -0.60, 0.28);
    const WARM: Vec3 = Vec3::new(1.0, 0.96, 0.90);
    const COOL: Vec3 = Vec3::new(0.80, 0.88, 1.0);
    // Half-way round the edge, so that soft things stay soft.
    let key = ((normal.dot(KEY) + 0.18) / 1.18).max(0.0);
    let fill = normal.dot(FILL_LIGHT).max(0.0);
    let sky = 0.5 + 0.5 * normal.z;
    let shine = normal.dot((KEY - Vec3::Y).normalize()).max(0.0).powi(28) * gloss;
    let lit = colour * (WARM * key * 0.86 + COOL * (fill * 0.24 + 0.07 + 0.13 * sky)) + shine * 0.5;
    let [r, g, b] = lit
        .map(|part| part.clamp(0.0, 1.0).sqrt() * 255.0)
        .to_array();
    rgba(r as u8, g as u8, b as u8, 255)
}

/// Averages each block of pixels into one.
fn average(pixels: &[[u8; 3]], drawn: usize) -> Vec<u8> {
    let step = SUPERSAMPLING as usize;
    let shown = drawn / step;
    let mut out = Vec::with_capacity(3 * shown * shown);
    for (y, x) in (0..shown * shown).map(|place| (place / shown, place % shown)) {
        let mut sum = [0; 3];
        for part in 0..step * step {
            let pixel = pixels[(y * step + part / step) * drawn + x * step + part % step];
            sum = std::array::from_fn(|channel| sum[channel] + u32::from(pixel[channel]));
        }
        out.extend(sum.map(|sum| (sum / (step * step) as u32) as u8));
    }
    out
}
