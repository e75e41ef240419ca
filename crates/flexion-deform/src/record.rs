//! The plain records a deformer is built from. Units and bits are the file's.

use crate::ramp::Ramp;

/// The undeformed vertices of one model: those of all its meshes, in file order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BaseVertices {
    /// Model units, one per vertex; their number is the model's number of vertices.
    pub positions: Vec<[f32; 3]>,
    /// Unit vectors, one per vertex.
    pub normals: Vec<[f32; 3]>,
    /// Unit vectors and the sign of the binormal, one per vertex; may be empty.
    pub tangents: Vec<[f32; 4]>,
}

/// One `mstudioflex_t` with what it needs of the `mstudiomesh_t` around it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct FlexRecord {
    /// Index of the descriptor whose weight drives the flex.
    pub descriptor: i32,
    /// Index of the descriptor that drives the other half of a stereo pair; 0: no pair.
    pub partner: i32,
    /// How the weights of both descriptors become the flex's own.
    pub ramp: Ramp,
    /// Number of the mesh's first vertex in the model (`vertexoffset`).
    pub first_vertex: u32,
    /// How many vertices the mesh has (`numvertices`); rows at or past it are ignored.
    pub vertex_count: u32,
}

/// One vertanim, bit for bit as in `mstudiovertanim_t` or `mstudiovertanim_wrinkle_t`.
///
/// | offset in the file | size | field | meaning |
/// |---|---|---|---|
/// | 0 | 2 | `vertex` | vertex of the mesh |
/// | 2 | 1 | `speed` | 255 follows the current weights, 0 the delayed ones |
/// | 3 | 1 | `side` | 0 follows the descriptor, 255 its partner |
/// | 4 | 6 | `delta` | x y z, half floats or `i16 * scale` ([`Encoding`](crate::Encoding)) |
/// | 10 | 6 | `normal_delta` | the same for the normal and the tangent |
/// | 16 | 2 | `wrinkle` | `i16 * scale`; only in the longer kind, else 0 |
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct DeltaRow {
    /// Number of the vertex within its mesh.
    pub vertex: u16,
    /// Share of the current weights against the delayed ones, in 255ths.
    pub speed: u8,
    /// Share of the partner against the descriptor, in 255ths.
    pub side: u8,
    /// Raw bits of the position delta.
    pub delta: [u16; 3],
    /// Raw bits of the normal delta.
    pub normal_delta: [u16; 3],
    /// Wrinkle delta in multiples of the fixed-point scale, whatever the encoding.
    pub wrinkle: i16,
}
