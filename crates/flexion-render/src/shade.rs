//! What a point of a triangle looks like: where a ray meets it, what lies between its corners,
//! and how that is painted and lit.

use glam::{Vec2, Vec3};

use crate::camera::Camera;
use crate::light::{Material, lit};
use crate::paint::{Paint, heat};
use crate::scene::Surface;
use crate::visible::Seen;

/// How much of the light reaches the backs of surfaces.
const INSIDE: f32 = 0.22;
/// Half width of drawn edges, in pixels.
const LINE: f32 = 0.6;

/// A surface with its vertices in the camera's space.
pub(crate) struct Placed<'a> {
    pub(crate) surface: &'a Surface<'a>,
    pub(crate) places: Vec<Vec3>,
}

impl<'a> Placed<'a> {
    pub(crate) fn new(surface: &'a Surface<'a>, camera: &Camera) -> Placed<'a> {
        let vertices = surface.geometry.vertices().iter();
        Placed {
            surface,
            places: vertices
                .map(|&at| camera.seen(surface.positions[at as usize].into()))
                .collect(),
        }
    }

    /// Light from a triangle of this surface along a ray of the camera.
    ///
    /// `pixel` is how far apart the rays of neighbouring pixels are at distance 1.
    pub(crate) fn light(
        &self,
        camera: &Camera,
        seen: Seen,
        back: bool,
        ray: Vec3,
        pixel: f32,
    ) -> Vec3 {
        let local = self.surface.geometry.triangles[seen.triangle as usize];
        let places = local.map(|at| self.places[at as usize]);
        let point = Point {
            surface: self.surface,
            corners: local.map(|at| self.surface.geometry.vertices[at as usize] as usize),
            parts: parts(places, ray),
        };
        let side = if back { -1.0 } else { 1.0 };
        let unit = || camera.turned(point.normal()).normalize_or_zero() * side;
        let plain = |material| lit(material, unit());
        let light = match self.surface.paint {
            Paint::Plain(material) => plain(material),
            Paint::Textured { texture, gloss } => plain(Material {
                colour: texture.at(point.uv()),
                gloss,
            }),
            Paint::Eye(eye) => {
                let (material, normal) = eye.at(point.position(), point.uv());
                lit(material, camera.turned(normal) * side)
            }
            Paint::Heat { values } => plain(Material {
                colour: heat(point.value(values)),
                gloss: 0.0,
            }),
            Paint::Normals => {
                let normal = unit();
                let shown = Vec3::new(normal.x, normal.y, -normal.z) * 0.5 + 0.5;
                shown * shown
            }
            Paint::Wire(material) => {
                let line = edge(places, point.parts, pixel);
                (plain(material) * 0.3).lerp(Vec3::ONE, line * 0.8)
            }
        };
        if back { light * INSIDE } else { light }
    }
}

/// A place inside a triangle, or a little beside it.
struct Point<'a> {
    surface: &'a Surface<'a>,
    /// The corners' numbers among all vertices.
    corners: [usize; 3],
    /// How much of each corner there is.
    parts: Vec3,
}

impl Point<'_> {
    fn between(&self, values: &[[f32; 3]]) -> Vec3 {
        let [a, b, c] = self.corners.map(|at| Vec3::from(values[at]));
        a * self.parts.x + b * self.parts.y + c * self.parts.z
    }

    fn position(&self) -> Vec3 {
        self.between(self.surface.positions)
    }

    fn normal(&self) -> Vec3 {
        self.between(self.surface.normals)
    }

    fn uv(&self) -> Vec2 {
        let uv = |at: usize| self.surface.uvs.get(at).copied().unwrap_or_default();
        let [a, b, c] = self.corners.map(|at| Vec2::from(uv(at)));
        a * self.parts.x + b * self.parts.y + c * self.parts.z
    }

    fn value(&self, values: &[f32]) -> f32 {
        let value = |at: usize| values.get(at).copied().unwrap_or_default();
        let [a, b, c] = self.corners.map(value);
        a * self.parts.x + b * self.parts.y + c * self.parts.z
    }
}

/// How much of each corner there is where a ray from the origin meets a triangle's plane.
///
/// Möller and Trumbore's way; held to the triangle, so that a ray that just misses it, as those of
/// its edge's pixels do, sees the edge.
fn parts([a, b, c]: [Vec3; 3], ray: Vec3) -> Vec3 {
    let (ab, ac) = (b - a, c - a);
    let across = ray.cross(ac);
    let scale = 1.0 / ab.dot(across);
    let second = -a.dot(across) * scale;
    let third = ray.dot(ab.cross(a)) * scale;
    if !(second.is_finite() && third.is_finite()) {
        return Vec3::splat(1.0 / 3.0);
    }
    let (second, third) = (second.clamp(0.0, 1.0), third.clamp(0.0, 1.0));
    let over = (second + third).max(1.0);
    let (second, third) = (second / over, third / over);
    Vec3::new(1.0 - second - third, second, third)
}

/// How much of a pixel an edge of the triangle covers, 0 to 1.
fn edge(places: [Vec3; 3], parts: Vec3, pixel: f32) -> f32 {
    let [a, b, c] = places;
    let double_area = (b - a).cross(c - a).length();
    // The height above each edge, foreshortened by how the triangle is turned.
    let middle = (a + b + c) / 3.0;
    let facing = (b - a)
        .cross(c - a)
        .normalize_or_zero()
        .dot(middle.normalize_or_zero());
    let heights = Vec3::new(
        double_area / (c - b).length(),
        double_area / (a - c).length(),
        double_area / (b - a).length(),
    );
    let size = pixel * middle.z / facing.abs().max(0.2);
    let nearest = (parts * heights).min_element() / size;
    (LINE + 0.5 - nearest).clamp(0.0, 1.0)
}
