//! How surfaces take the light: a key, a fill and a rim, which move with the camera.
//!
//! Normals are in the camera's space: right, up and into the picture. Colours are linear light,
//! 0 to 1, until [`encode`] makes bytes of them.

use glam::Vec3;

/// From the upper left, in front.
const KEY: Vec3 = Vec3::new(-0.497, 0.563, -0.660);
/// From the right, lower and weaker.
const FILL: Vec3 = Vec3::new(0.792, 0.208, -0.574);
/// From behind and above, for the edge of cheek and hair.
const RIM: Vec3 = Vec3::new(0.548, 0.487, 0.680);
/// Half-way between the key and the viewer.
const SHINE: Vec3 = Vec3::new(-0.273, 0.309, -0.911);

const WARM: Vec3 = Vec3::new(1.0, 0.96, 0.90);
const COOL: Vec3 = Vec3::new(0.80, 0.88, 1.0);

/// What a surface is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Linear red, green and blue, 0 to 1.
    pub colour: Vec3,
    /// Strength of the highlight, 0 to 1.
    pub gloss: f32,
}

/// Light that comes back from a surface with a unit normal.
#[inline(always)]
pub(crate) fn lit(material: Material, normal: Vec3) -> Vec3 {
    // A little round the edge, so that soft things stay soft.
    let key = ((normal.dot(KEY) + 0.16) * (1.0 / 1.16)).max(0.0);
    let fill = normal.dot(FILL).max(0.0);
    let rim = normal.dot(RIM).max(0.0);
    let sky = 0.5 + 0.5 * normal.y;
    let shine = normal.dot(SHINE).max(0.0);
    // The 32nd power in five squares.
    let shine = [(); 5].iter().fold(shine, |power, ()| power * power);
    let edge = 1.0 + normal.z.min(0.0);
    let diffuse = WARM * (key * 0.82) + COOL * (fill * 0.22 + 0.07 + 0.12 * sky);
    material.colour * diffuse
        + Vec3::splat(shine * material.gloss * 0.5)
        + COOL * (rim * 0.22 + edge * edge * edge * 0.06) * (0.35 + 0.65 * material.colour)
}

/// Bytes on the screen, with a gamma of 2.
#[inline(always)]
pub(crate) fn encode(light: Vec3) -> [u8; 3] {
    // NaN of a damaged normal becomes black: the cast makes 0 of it.
    let byte = |part: f32| (part.clamp(0.0, 1.0).sqrt() * 255.0 + 0.5) as u8;
    [byte(light.x), byte(light.y), byte(light.z)]
}

/// Linear light of bytes on the screen.
pub(crate) fn decode([r, g, b]: [u8; 3]) -> Vec3 {
    let part = |byte: u8| {
        let value = f32::from(byte) * (1.0 / 255.0);
        value * value
    };
    Vec3::new(part(r), part(g), part(b))
}
