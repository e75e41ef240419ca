//! The head as one list of vertices and triangles, before it is cut into the meshes of a file.
//!
//! Vertices know what they belong to ([`Part`]) and, around the eyes, where on a lid they are, so
//! that shapes can move them. Two vertices at one place that differ only in texture coordinates
//! share a `weld`, the number of the first of them, and so one normal.

use glam::{Vec2, Vec3};

/// The materials, in the order of the meshes of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Material {
    Face,
    Lips,
    Mouth,
    Teeth,
    Tongue,
    Brow,
    Lash,
    Hair,
    LeftEye,
    RightEye,
}

impl Material {
    pub(crate) const ALL: [Material; 10] = [
        Material::Face,
        Material::Lips,
        Material::Mouth,
        Material::Teeth,
        Material::Tongue,
        Material::Brow,
        Material::Lash,
        Material::Hair,
        Material::LeftEye,
        Material::RightEye,
    ];

    /// Name of the texture.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Material::Face => "face",
            Material::Lips => "lips",
            Material::Mouth => "mouth",
            Material::Teeth => "teeth",
            Material::Tongue => "tongue",
            Material::Brow => "brow",
            Material::Lash => "lash",
            Material::Hair => "hair",
            Material::LeftEye => "eyeball_l",
            Material::RightEye => "eyeball_r",
        }
    }
}

/// What a vertex hangs on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Part {
    /// Skin, lips, brows and the walls of the mouth: moved by where it is.
    Soft,
    /// A lip or the wall of the mouth behind it: soft, and known to be above (`true`) or below the
    /// line between the lips, where vertices of both lie in one place.
    Lip(bool),
    /// Skin and lashes of a lid, moved by the lids as well.
    Lid(LidPoint),
    /// Lower teeth: moved with the jaw only.
    Jaw,
    /// Moved with the jaw, and by itself.
    Tongue,
    /// Upper teeth, eyeballs, hair, ears: stays.
    Fixed,
}

/// Where on a lid a vertex is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LidPoint {
    /// Whether it belongs to the upper lid.
    pub(crate) upper: bool,
    /// 1 at the margin, 0 where the lid ends.
    pub(crate) nearness: f32,
    /// The point of this lid's margin above or below it.
    pub(crate) margin: Vec3,
    /// The point of the other lid's margin that meets it.
    pub(crate) opposite: Vec3,
}

/// A vertex in the neutral pose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vertex {
    pub(crate) position: Vec3,
    pub(crate) uv: Vec2,
    pub(crate) part: Part,
    /// Number of the vertex whose normal this one shares; its own for most.
    pub(crate) weld: u32,
}

/// Vertices and triangles, clockwise seen from outside.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mesh {
    pub(crate) vertices: Vec<Vertex>,
    pub(crate) triangles: Vec<(Material, [u32; 3])>,
}

impl Mesh {
    /// Adds a vertex and returns its number.
    pub(crate) fn vertex(&mut self, position: Vec3, uv: Vec2, part: Part) -> u32 {
        let number = self.vertices.len() as u32;
        self.vertices.push(Vertex {
            position,
            uv,
            part,
            weld: number,
        });
        number
    }

    /// Adds the two triangles of a quad whose corners are clockwise seen from outside, cut along
    /// the shorter diagonal; corners that coincide give one triangle or none.
    pub(crate) fn quad(&mut self, material: Material, [a, b, c, d]: [u32; 4]) {
        let at = |vertex: u32| self.vertices[vertex as usize].position;
        let halves = if at(a).distance_squared(at(c)) <= at(b).distance_squared(at(d)) {
            [[a, b, c], [a, c, d]]
        } else {
            [[a, b, d], [b, c, d]]
        };
        for triangle in halves {
            self.triangle(material, triangle);
        }
    }

    /// Adds a triangle unless two of its corners are one vertex.
    pub(crate) fn triangle(&mut self, material: Material, corners: [u32; 3]) {
        let [a, b, c] = corners.map(|vertex| self.vertices[vertex as usize].weld);
        if a != b && b != c && c != a {
            self.triangles.push((material, corners));
        }
    }

    /// Joins rows of equal length into quads; `rows` go down, each row goes to the right as seen
    /// from outside.
    pub(crate) fn stitch(&mut self, material: Material, rows: &[Vec<u32>]) {
        for pair in rows.windows(2) {
            for column in 1..pair[0].len() {
                let (left, right) = (column - 1, column);
                let corners = [pair[0][left], pair[0][right], pair[1][right], pair[1][left]];
                self.quad(material, corners);
            }
        }
    }

    /// Positions in the neutral pose.
    pub(crate) fn positions(&self) -> Vec<Vec3> {
        self.vertices.iter().map(|vertex| vertex.position).collect()
    }

    /// Smooth unit normals for `positions`: the sum of the triangles' normals, by their angle at
    /// the vertex.
    pub(crate) fn normals(&self, positions: &[Vec3]) -> Vec<Vec3> {
        let mut sums = vec![Vec3::ZERO; positions.len()];
        for (_, corners) in &self.triangles {
            let at = corners.map(|vertex| positions[vertex as usize]);
            let face = (at[2] - at[0]).cross(at[1] - at[0]).normalize_or_zero();
            for corner in 0..3 {
                let here = at[corner];
                let one = (at[(corner + 1) % 3] - here).normalize_or_zero();
                let other = (at[(corner + 2) % 3] - here).normalize_or_zero();
                let angle = libm::acosf(one.dot(other).clamp(-1.0, 1.0));
                let vertex = self.vertices[corners[corner] as usize].weld;
                sums[vertex as usize] += face * angle;
            }
        }
        let normal = |vertex: &Vertex| sums[vertex.weld as usize].normalize_or(Vec3::NEG_Y);
        self.vertices.iter().map(normal).collect()
    }

    /// Tangents along growing u, perpendicular to `normals`, and the sign of the bitangent.
    pub(crate) fn tangents(&self, normals: &[Vec3]) -> Vec<(Vec3, f32)> {
        let mut along = vec![[Vec3::ZERO; 2]; self.vertices.len()];
        for (_, corners) in &self.triangles {
            let [a, b, c] = corners.map(|vertex| self.vertices[vertex as usize]);
            let (p, q) = (b.position - a.position, c.position - a.position);
            let (s, t) = (b.uv - a.uv, c.uv - a.uv);
            let area = s.perp_dot(t);
            if area == 0.0 {
                continue;
            }
            let u = (p * t.y - q * s.y) / area;
            let v = (q * s.x - p * t.x) / area;
            for &vertex in corners {
                along[vertex as usize][0] += u;
                along[vertex as usize][1] += v;
            }
        }
        let tangent = |(&[u, v], &normal): (&[Vec3; 2], &Vec3)| {
            let flat = (u - normal * normal.dot(u)).normalize_or(normal.any_orthonormal_vector());
            let sign = if normal.cross(flat).dot(v) < 0.0 {
                -1.0
            } else {
                1.0
            };
            (flat, sign)
        };
        along.iter().zip(normals).map(tangent).collect()
    }
}
