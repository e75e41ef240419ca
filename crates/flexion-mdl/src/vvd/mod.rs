//! `.vvd`: vertices and tangents.

use std::borrow::Cow;

use zerocopy::byteorder::little_endian::F32;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// A whole `.vvd`, its fixups applied for root level of detail 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Vvd<'a> {
    /// `checksum`, equal in the `.mdl`.
    pub checksum: u32,
    /// `numLODVertexes`, the first `numLODs` of them: vertices of each level of detail.
    pub lod_vertex_counts: Vec<u32>,
    /// The vertices in the order of the `.mdl`: borrowed, or gathered where the file has fixups.
    pub vertices: Cow<'a, [Vertex]>,
    /// The tangents, as many as vertices, or none where the file has none.
    pub tangents: Cow<'a, [[F32; 4]]>,
}

/// `mstudiovertex_t`: a vertex with its bone weights.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub struct Vertex {
    /// `m_BoneWeights.weight`: of which the first `bone_count` count.
    pub weights: [F32; 3],
    /// `m_BoneWeights.bone`.
    pub bones: [u8; 3],
    /// `m_BoneWeights.numbones`.
    pub bone_count: u8,
    /// `m_vecPosition`, in model units.
    pub position: [F32; 3],
    /// `m_vecNormal`.
    pub normal: [F32; 3],
    /// `m_vecTexCoord`; v runs down.
    pub uv: [F32; 2],
}
