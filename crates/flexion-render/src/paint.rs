//! What surfaces look like: by the name of their material, by a texture, as eyes or as a heat map.

use glam::{Vec2, Vec3};

use crate::light::{Material, decode};
use crate::texture::Texture;

/// How a surface is coloured.
#[derive(Clone, Copy, Debug)]
pub enum Paint<'a> {
    /// One material all over.
    Plain(Material),
    /// A picture at the texture coordinates.
    Textured {
        /// The picture.
        texture: &'a Texture,
        /// Strength of the highlight, 0 to 1.
        gloss: f32,
    },
    /// An eyeball.
    Eye(Eye<'a>),
    /// A number per vertex as a colour.
    Heat {
        /// One per vertex; -1 to 1, of which the lower half is only used by numbers with a sign.
        values: &'a [f32],
    },
    /// The normals as colours: right, up and towards the viewer as red, green and blue.
    Normals,
    /// The edges of the triangles.
    Wire(Material),
}

/// An eyeball whose iris is projected along its gaze.
#[derive(Clone, Copy, Debug)]
pub struct Eye<'a> {
    /// The centre, in model units.
    pub origin: Vec3,
    /// Where it looks, of unit length.
    pub forward: Vec3,
    /// Up, of unit length.
    pub up: Vec3,
    /// The character's right, of unit length.
    pub right: Vec3,
    /// Radius of the ball, in model units.
    pub radius: f32,
    /// Radius of the iris, in model units.
    pub iris: f32,
    /// Linear colour of the iris.
    pub colour: Vec3,
    /// The white of the eye, if there is a picture of it.
    pub white: Option<&'a Texture>,
}

/// Part of the iris that the pupil takes.
const PUPIL: f32 = 0.42;

impl Eye<'_> {
    /// What is seen at a point of the eyeball's mesh, with its normal in model space.
    ///
    /// Both follow the ball, not the mesh: eyeball meshes are often a few flat triangles.
    pub(crate) fn at(&self, point: Vec3, uv: Vec2) -> (Material, Vec3) {
        let out = point - self.origin;
        let normal = out.normalize_or(self.forward);
        let (across, along) = (out.dot(self.right), out.dot(self.up));
        let distance = (across * across + along * along).sqrt() / self.iris;
        // The upper lid keeps light from the upper part of the ball, the lower one a little.
        let height = along / self.radius;
        let shade = 1.0 - 0.45 * smooth(0.15, 0.95, height) - 0.2 * smooth(0.3, 0.95, -height);
        let white = self
            .white
            .map_or(Vec3::new(0.76, 0.73, 0.70), |texture| texture.at(uv));
        let colour = if out.dot(self.forward) > 0.0 && distance < 1.1 {
            self.iris_at(distance, across, along)
                .lerp(white, smooth(0.94, 1.06, distance))
        } else {
            white
        };
        let material = Material {
            colour: colour * shade,
            gloss: 0.9,
        };
        (material, normal)
    }

    /// The iris at a distance of its middle, 1 at its rim: a dark pupil, streaks, a dark ring.
    fn iris_at(&self, distance: f32, across: f32, along: f32) -> Vec3 {
        let streaks = 1.0 + 0.16 * (along.atan2(across) * 23.0).sin();
        let ring = 1.0 - 0.7 * smooth(0.72, 1.0, distance);
        let glow = 1.25 - 0.35 * smooth(PUPIL, 0.8, distance);
        let iris = self.colour * (streaks * ring * glow);
        Vec3::splat(0.004).lerp(iris, smooth(PUPIL - 0.06, PUPIL + 0.06, distance))
    }
}

/// 0 up to `from`, 1 from `to` on, smooth between.
fn smooth(from: f32, to: f32, value: f32) -> f32 {
    let t = ((value - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// The colour of a number between -1 and 1: blue below 0, grey at it, yellow to red above.
pub(crate) fn heat(value: f32) -> Vec3 {
    const STOPS: [Vec3; 5] = [
        Vec3::new(0.05, 0.20, 0.85),
        Vec3::new(0.18, 0.50, 0.75),
        Vec3::new(0.42, 0.42, 0.42),
        Vec3::new(0.85, 0.62, 0.08),
        Vec3::new(0.85, 0.05, 0.03),
    ];
    let value = if value.is_nan() { 0.0 } else { value };
    let place = value.clamp(-1.0, 1.0) * 2.0 + 2.0;
    let below = (place as usize).min(3);
    STOPS[below].lerp(STOPS[below + 1], place - below as f32)
}

/// Words in names of materials and what they are made of; the first that occurs counts.
///
/// Colours are as seen on the screen. `eye` is for eyes without an eyeball of their own.
const WORDS: &[(&[&str], [u8; 3], f32)] = &[
    (&["teeth", "tooth", "molar"], [238, 232, 218], 0.30),
    (&["tongue", "gum"], [186, 92, 92], 0.20),
    (&["lips"], [194, 102, 97], 0.22),
    (&["mouth"], [120, 48, 50], 0.10),
    (&["eyeball", "eye", "iris"], [228, 224, 220], 0.60),
    (&["brow", "lash", "beard"], [58, 38, 28], 0.05),
    (&["hair"], [86, 54, 36], 0.14),
    (
        &["head", "face", "skin", "hand", "neck"],
        [222, 172, 142],
        0.10,
    ),
    (&["horn", "bone"], [96, 60, 58], 0.25),
    (&["black"], [36, 36, 40], 0.20),
    (&["white"], [226, 226, 222], 0.10),
    (&["gold", "bell", "metal", "jewel"], [204, 164, 88], 0.50),
    (&["glass", "lens"], [70, 84, 92], 0.90),
];

/// Cloth, for what no word tells: calm colours, of which the name chooses one.
const CLOTH: [[u8; 3]; 8] = [
    [104, 118, 140],
    [134, 112, 98],
    [98, 124, 110],
    [146, 126, 100],
    [116, 104, 130],
    [92, 112, 126],
    [140, 104, 104],
    [112, 116, 96],
];

impl Material {
    /// A material by its name, whose folder and case do not matter.
    ///
    /// ```
    /// use flexion_render::Material;
    ///
    /// let teeth = Material::named("models/UpperTeeth");
    /// assert!(teeth.colour.min_element() > Material::named("hair").colour.max_element());
    /// ```
    pub fn named(name: &str) -> Material {
        let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let name = name.to_lowercase();
        let known = WORDS
            .iter()
            .find(|(words, ..)| words.iter().any(|word| name.contains(word)));
        if let Some(&(_, colour, gloss)) = known {
            return Material {
                colour: decode(colour),
                gloss,
            };
        }
        let number = name
            .bytes()
            .fold(7_u32, |sum, byte| sum.wrapping_mul(31) + u32::from(byte));
        Material {
            colour: decode(CLOTH[number as usize % CLOTH.len()]),
            gloss: 0.06,
        }
    }
}
