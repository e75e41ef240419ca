//! The renderer on scenes whose pictures can be worked out, and portraits of faces.

mod portrait;
mod sheet;

use flexion::render::{
    Background, Camera, Channels, Facing, Geometry, Image, Material, Paint, Renderer, Scene, Size,
    Software, Surface, Texture, View,
};
use glam::Vec3;

const SIDE: u32 = 64;

/// A square around the origin, facing -Y, as two triangles clockwise seen from there.
struct Card {
    positions: [[f32; 3]; 4],
    normals: [[f32; 3]; 4],
    uvs: [[f32; 2]; 4],
    geometry: Geometry,
}

impl Card {
    /// `half` wide to each side, `y` away from the middle.
    fn new(half: f32, y: f32) -> Card {
        Card {
            positions: [
                [-half, y, half],
                [half, y, half],
                [half, y, -half],
                [-half, y, -half],
            ],
            normals: [[0.0, -1.0, 0.0]; 4],
            uvs: [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
            geometry: Geometry::new(&[[0, 1, 2], [0, 2, 3]]),
        }
    }

    /// The same seen from behind.
    fn turned(half: f32, y: f32) -> Card {
        Card {
            geometry: Geometry::new(&[[0, 2, 1], [0, 3, 2]]),
            ..Card::new(half, y)
        }
    }

    fn surface<'a>(&'a self, paint: Paint<'a>) -> Surface<'a> {
        Surface {
            geometry: &self.geometry,
            positions: &self.positions,
            normals: &self.normals,
            uvs: &self.uvs,
            paint,
        }
    }
}

fn plain(colour: [f32; 3]) -> Paint<'static> {
    Paint::Plain(Material {
        colour: colour.into(),
        gloss: 0.0,
    })
}

const RED: [f32; 3] = [0.9, 0.0, 0.0];
const GREEN: [f32; 3] = [0.0, 0.9, 0.0];

/// A camera at -Y that shows 2 units around the origin.
fn camera() -> Camera {
    let corners = [Vec3::new(-1.0, 0.0, -1.0), Vec3::new(1.0, 0.0, 1.0)];
    let facing = Facing::new(Vec3::NEG_Y, Vec3::Z);
    Camera::framing(corners.into_iter(), facing, View::Front, 1.0, 1.0)
}

fn draw(surfaces: Vec<Surface<'_>>, background: Background, antialias: u32) -> Image {
    let scene = Scene {
        camera: camera(),
        background,
        surfaces,
    };
    let size = Size::new(SIDE, SIDE).expect("a small picture");
    Software::new(antialias).draw(&scene, size)
}

fn pixel(image: &Image, x: u32, y: u32) -> &[u8] {
    let count = image.channels.count();
    &image.pixels[(y * image.width + x) as usize * count..][..count]
}

/// Which of red and green a pixel mostly is, and how bright.
fn hue(image: &Image, x: u32, y: u32) -> (char, u8) {
    let pixel = pixel(image, x, y);
    if pixel[0] > pixel[1] {
        ('r', pixel[0])
    } else {
        ('g', pixel[1])
    }
}

#[test]
fn the_nearer_surface_is_seen_whatever_the_order() {
    let (near, far) = (Card::new(0.5, -0.5), Card::new(1.0, 0.5));
    let surfaces = [near.surface(plain(RED)), far.surface(plain(GREEN))];
    let one = draw(surfaces.to_vec(), Background::Transparent, 2);
    let other = draw(
        surfaces.into_iter().rev().collect(),
        Background::Transparent,
        2,
    );
    assert_eq!(one, other);
    assert_eq!(hue(&one, SIDE / 2, SIDE / 2).0, 'r');
    assert_eq!(hue(&one, SIDE / 2, SIDE / 5).0, 'g');
}

#[test]
fn surfaces_that_cross_are_seen_in_part() {
    // One card leans through the other: its upper half is nearer.
    let mut leaning = Card::new(0.8, 0.0);
    for place in &mut leaning.positions {
        place[1] = -0.5 * place[2];
    }
    let upright = Card::new(0.8, 0.0);
    let surfaces = vec![leaning.surface(plain(RED)), upright.surface(plain(GREEN))];
    let image = draw(surfaces, Background::Transparent, 2);
    assert_eq!(hue(&image, SIDE / 2, SIDE / 3).0, 'r');
    assert_eq!(hue(&image, SIDE / 2, 2 * SIDE / 3).0, 'g');
}

#[test]
fn backs_are_dark_and_only_seen_where_no_front_is() {
    let (back, front) = (Card::turned(1.0, -0.5), Card::new(0.5, 0.5));
    let surfaces = vec![back.surface(plain(RED)), front.surface(plain(GREEN))];
    let image = draw(surfaces, Background::Transparent, 2);
    let (middle, aside) = (
        hue(&image, SIDE / 2, SIDE / 2),
        hue(&image, SIDE / 2, SIDE / 5),
    );
    assert_eq!(middle.0, 'g', "the front behind the back");
    assert_eq!(aside.0, 'r', "the back where nothing else is");
    assert!(aside.1 < middle.1, "{aside:?} is darker than {middle:?}");
}

#[test]
fn edges_cover_a_part_of_their_pixels() {
    let mut card = Card::new(0.7, 0.0);
    for place in &mut card.positions {
        // Turned in the picture, so that edges cross pixels.
        let [x, y, z] = *place;
        *place = [0.9 * x - 0.4 * z, y, 0.4 * x + 0.9 * z];
    }
    for antialias in 1..=4 {
        let surface = vec![card.surface(plain(RED))];
        let image = draw(surface, Background::Transparent, antialias);
        assert_eq!(image.channels, Channels::Rgba);
        let mut alphas: Vec<u8> = image.pixels.chunks(4).map(|pixel| pixel[3]).collect();
        assert_eq!(alphas[0], 0, "nothing in the corner");
        assert_eq!(alphas[(SIDE * SIDE / 2 + SIDE / 2) as usize], 255);
        alphas.sort_unstable();
        alphas.dedup();
        let steps = (antialias * antialias) as usize;
        assert!(alphas.len() <= steps + 1, "{antialias}: {alphas:?}");
        assert_eq!(alphas.len() > 2, antialias > 1, "{antialias}: {alphas:?}");
    }
}

#[test]
fn a_background_shines_through_what_is_not_covered() {
    let card = Card::new(0.5, 0.0);
    let blue = Background::Colour([0, 0, 200]);
    let image = draw(vec![card.surface(plain(RED))], blue, 2);
    assert_eq!(image.channels, Channels::Rgb);
    assert_eq!(pixel(&image, 0, 0), [0, 0, 200]);
    assert!(pixel(&image, SIDE / 2, SIDE / 2)[2] < 60);
}

#[test]
fn textures_lie_right_on_a_surface_that_recedes() {
    // A picture of four stripes across; the card lies down, its upper edge three times as far.
    let stripes: Vec<u8> = (0..64)
        .flat_map(|row| [if row % 32 < 16 { 255 } else { 0 }; 3])
        .collect();
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, 1, 64);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(&stripes).expect("pixels");
    writer.finish().expect("an end");
    let texture = Texture::from_png(std::io::Cursor::new(&file)).expect("a texture");
    let mut card = Card::new(1.0, 0.0);
    let distance = camera().distance;
    for place in &mut card.positions[..2] {
        *place = [3.0 * place[0], 2.0 * distance, 3.0 * place[2]];
    }
    let paint = Paint::Textured {
        texture: &texture,
        gloss: 0.0,
    };
    let image = draw(vec![card.surface(paint)], Background::Transparent, 1);
    // On the screen the card is a square of 2 by 2 around the middle. At part s from its lower
    // edge the texture is at t, with 1/depth linear in s: t = s / (3 - 2 s) from the near edge.
    let shown = camera().reach;
    let mut checked = 0;
    for y in 0..SIDE {
        let height = (1.0 - 2.0 * (y as f32 + 0.5) / SIDE as f32) * shown;
        let part = 0.5 * (height + 1.0);
        if !(0.02..0.98).contains(&part) {
            continue;
        }
        let along = part / (3.0 - 2.0 * part);
        let v = 1.0 - along;
        let stripe = (v * 4.0).fract();
        // Between stripes the picture is smooth.
        if (0.12..0.88).contains(&stripe) {
            let bright = pixel(&image, SIDE / 2, y)[1] > 40;
            assert_eq!(
                bright,
                ((v * 4.0) as u32).is_multiple_of(2),
                "row {y}, v {v}"
            );
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked} rows");
}

#[test]
fn damaged_vertices_take_their_triangles_and_nothing_else() {
    let card = Card::new(0.8, 0.0);
    let whole = draw(vec![card.surface(plain(RED))], Background::Transparent, 2);
    for odd in [f32::NAN, f32::INFINITY, -1e30, f32::MAX] {
        let mut damaged = Card::new(0.8, 0.0);
        damaged.positions[3] = [odd, 0.0, odd];
        let image = draw(
            vec![damaged.surface(plain(RED))],
            Background::Transparent,
            2,
        );
        // The upper right triangle is untouched, the lower left one gone.
        assert_eq!(pixel(&image, 42, 20), pixel(&whole, 42, 20), "{odd}");
        assert_eq!(pixel(&image, 20, 42)[3], 0, "{odd}");
        let mut dark = Card::new(0.8, 0.0);
        dark.normals = [[odd; 3]; 4];
        draw(vec![dark.surface(plain(RED))], Background::Transparent, 2);
    }
}

#[test]
fn huge_and_near_triangles_are_clipped_not_drawn_outside() {
    for size in [1e3, 1e6, 1e11] {
        for y in [-100.0, -8.0, 0.0, 1e6] {
            let card = Card::new(size, y);
            draw(vec![card.surface(plain(RED))], Background::Transparent, 3);
        }
        let mut across = Card::new(size, 0.0);
        for place in &mut across.positions[..2] {
            place[1] = -size;
        }
        draw(vec![across.surface(plain(RED))], Background::Transparent, 1);
    }
}

#[test]
fn cameras_of_any_kind_make_a_picture() {
    let odd = [f32::NAN, f32::INFINITY, f32::MAX, -1.0, 0.0, 1e-30];
    let card = Card::new(0.8, 0.0);
    let size = Size::new(8, 8).expect("a size");
    for value in odd {
        for field in 0..4 {
            let mut camera = camera();
            match field {
                0 => camera.distance = value,
                1 => camera.reach = value,
                2 => camera.place = Vec3::splat(value),
                _ => camera.right = Vec3::splat(value),
            }
            let scene = Scene {
                camera,
                background: Background::Transparent,
                surfaces: vec![card.surface(plain(RED))],
            };
            Software::new(1).draw(&scene, size);
        }
        // Points that are nowhere, or as good as, do not lead the camera away.
        let facing = Facing::new(Vec3::NEG_Y, Vec3::Z);
        let points = [Vec3::NEG_ONE, Vec3::ONE, Vec3::new(0.0, value, 0.0)];
        let framed = Camera::framing(points.into_iter(), facing, View::Front, 1.0, 1.0);
        assert!(
            framed.distance < 20.0 && framed.reach > 1.0,
            "{value}: {framed:?}"
        );
    }
}

#[test]
fn fingerprints_tell_scenes_apart_by_what_shows() {
    let print = |card: &Card, paint: Paint<'_>, antialias: u32| {
        let scene = Scene {
            camera: camera(),
            background: Background::Transparent,
            surfaces: vec![card.surface(paint)],
        };
        scene.fingerprint(Size::new(SIDE, SIDE).expect("a size"), antialias)
    };
    let card = Card::new(0.8, 0.0);
    let one = print(&card, plain(RED), 2);
    assert_eq!(one, print(&Card::new(0.8, 0.0), plain(RED), 2));
    assert_ne!(one, print(&card, plain(GREEN), 2));
    assert_ne!(one, print(&card, plain(RED), 3));
    assert_ne!(one, print(&card, Paint::Normals, 2));
    let mut moved = Card::new(0.8, 0.0);
    moved.positions[0][0] += 1e-6;
    assert_ne!(one, print(&moved, plain(RED), 2));
}

#[test]
fn sizes_are_checked() {
    for (width, height) in [(0, 1), (1, 0), (8193, 1), (1, 20_000), (8192, 8192)] {
        let error = Size::new(width, height).expect_err("too large or empty");
        assert!(error.to_string().contains(&format!("{width}x{height}")));
    }
    assert!(Size::new(8192, 2048).is_ok());
}

#[test]
fn damaged_textures_are_errors() {
    let image = Image::filled(8, 8, Background::Colour([1, 2, 3]));
    let png = image.to_png(&[]).expect("a PNG");
    assert!(Texture::from_png(std::io::Cursor::new(&png)).is_ok());
    for cut in 0..png.len() - 12 {
        assert!(
            Texture::from_png(std::io::Cursor::new(&png[..cut])).is_err(),
            "{cut}"
        );
    }
    // A header that claims four thousand million pixels.
    let mut huge = png.clone();
    huge[16..24].copy_from_slice(&[0, 1, 0, 0, 0, 1, 0, 0]);
    assert!(Texture::from_png(std::io::Cursor::new(&huge)).is_err());
}
