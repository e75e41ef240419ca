//! `.vvd` and `.vtx`: files made by hand byte by byte, round trips, the corpus, damaged files.

mod corpus;
mod damaged;
mod fixups;
mod round_trip;
mod strips;
mod vertices;

use flexion_mdl::Mdl;
use flexion_mdl::mdl::{BodyPart, Mesh, Model};
use flexion_mdl::vvd::Vertex;

/// Bytes in the making.
#[derive(Clone, Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    fn i32(mut self, values: &[i32]) -> Self {
        self.0
            .extend(values.iter().flat_map(|value| value.to_le_bytes()));
        self
    }

    fn u16(mut self, values: &[u16]) -> Self {
        self.0
            .extend(values.iter().flat_map(|value| value.to_le_bytes()));
        self
    }

    fn f32(mut self, values: &[f32]) -> Self {
        self.0
            .extend(values.iter().flat_map(|value| value.to_le_bytes()));
        self
    }

    fn u8(mut self, values: &[u8]) -> Self {
        self.0.extend(values);
        self
    }

    /// The 48 bytes of [`vertex`].
    fn vertex(self, number: u16) -> Self {
        let x = f32::from(number);
        self.f32(&[0.75, 0.25, 0.0])
            .u8(&[1, 2, 0, 2])
            .f32(&[x, x + 0.25, -x])
            .f32(&[0.0, 0.0, 1.0])
            .f32(&[x / 8.0, 1.0 - x / 8.0])
    }

    /// Writes over the four bytes at `at`.
    fn set(mut self, at: usize, value: i32) -> Self {
        self.0[at..at + 4].copy_from_slice(&value.to_le_bytes());
        self
    }
}

/// A vertex that can be told apart by its number.
fn vertex(number: u16) -> Vertex {
    let x = f32::from(number);
    Vertex {
        weights: [0.75, 0.25, 0.0].map(Into::into),
        bones: [1, 2, 0],
        bone_count: 2,
        position: [x, x + 0.25, -x].map(Into::into),
        normal: [0.0, 0.0, 1.0].map(Into::into),
        uv: [x / 8.0, 1.0 - x / 8.0].map(Into::into),
    }
}

/// A mesh with these vertices on each level of detail, the finest first.
fn mesh(vertex_offset: i32, levels: &[i32]) -> Mesh<'static> {
    let mut lod_vertex_counts = [levels[levels.len() - 1]; 8];
    lod_vertex_counts[..levels.len()].copy_from_slice(levels);
    Mesh {
        material: 0,
        vertex_count: levels[0],
        vertex_offset,
        material_type: 0,
        material_param: 0,
        id: 0,
        center: Default::default(),
        lod_vertex_counts,
        flexes: vec![],
    }
}

/// A `.mdl` with checksum 7 and one model of these meshes.
fn mdl(meshes: Vec<Mesh<'static>>) -> Mdl<'static> {
    const HEADER: &[u8; 408] = &{
        let mut header = [0; 408];
        header[0] = b'I';
        header[1] = b'D';
        header[2] = b'S';
        header[3] = b'T';
        header[4] = 48;
        header[8] = 7;
        header
    };
    let mut mdl = Mdl::read(HEADER).expect("an empty model");
    let model = Model {
        name: "body".into(),
        kind: 0,
        bounding_radius: 0.0,
        vertex_count: meshes.iter().map(|mesh| mesh.vertex_count).sum(),
        first_vertex: 0,
        first_tangent: 0,
        meshes,
        eyeballs: vec![],
    };
    mdl.body_parts = vec![BodyPart {
        name: "part".into(),
        base: 1,
        models: vec![model],
    }];
    mdl
}
