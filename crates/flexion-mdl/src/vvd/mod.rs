//! `.vvd`: vertices and tangents.
//!
//! [`Vvd::read`] takes the bytes of a file and returns its vertices in the order in which the
//! `.mdl` counts them; [`Vvd::write`] makes the bytes of a file again. A file without fixups has
//! that order already, so its vertices are borrowed: reading costs the checks on the header,
//! however many vertices there are.
//!
//! # Fixups
//!
//! A model with several levels of detail stores its vertices sorted by the coarsest level that
//! needs them, so that an engine short of memory can read only the start of the file. The fixups
//! say how the order of the `.mdl` comes back: level `r` consists of the ranges whose `lod` is at
//! least `r`, one after another. With seven vertices `a` to `g` on disk and the table
//!
//! | `lod` | `sourceVertexID` | `numVertexes` | gives |
//! |---|---|---|---|
//! | 1 | 0 | 2 | `a b` |
//! | 0 | 4 | 2 | `e f` |
//! | 1 | 2 | 2 | `c d` |
//! | 0 | 6 | 1 | `g` |
//!
//! level 0 is `a b e f c d g` and level 1 is `a b c d`. Tangents go the same way.
//!
//! # Limits
//!
//! Vertices are always those of level 0, which every level of the `.vtx` can index: level `l`
//! uses the first [`lod_vertex_counts[l]`](crate::mdl::Mesh::lod_vertex_counts) of each mesh.
//! Weights past `bone_count` are whatever the compiler left there.

mod check;
mod read;
mod write;

use std::borrow::Cow;

use zerocopy::byteorder::little_endian::F32;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

pub(crate) use read::visit;

/// The version of `vertexFileHeader_t` that is read and written.
pub const VERSION: i32 = 4;

/// Levels of detail that a file can have (`MAX_NUM_LODS`).
pub const MAX_LODS: usize = 8;

/// A whole `.vvd`, its fixups applied for root level of detail 0.
///
/// ```
/// use flexion_mdl::Vvd;
/// use flexion_mdl::vvd::Vertex;
///
/// let vvd = Vvd {
///     checksum: 7,
///     lod_vertex_counts: vec![2],
///     vertices: vec![Vertex::default(); 2].into(),
///     tangents: vec![].into(),
/// };
/// let bytes = vvd.write()?;
/// assert_eq!(bytes.len(), 64 + 2 * 48);
/// assert_eq!(Vvd::read(&bytes)?, vvd);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Vvd<'a> {
    /// `checksum`, equal in the `.mdl`.
    pub checksum: u32,
    /// `numLODVertexes`, the first `numLODs` of them: vertices of each level of detail. The first
    /// is the number of all vertices, none is greater.
    pub lod_vertex_counts: Vec<u32>,
    /// The vertices in the order of the `.mdl`: borrowed, or gathered where the file has fixups.
    pub vertices: Cow<'a, [Vertex]>,
    /// The tangents, as many as vertices, or none where the file has none. The fourth number is
    /// the sign of the bitangent.
    pub tangents: Cow<'a, [[F32; 4]]>,
}

/// `mstudiovertex_t`: a vertex with its bone weights.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub struct Vertex {
    /// `m_BoneWeights.weight`: of which the first `bone_count` count and sum to 1.
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

impl Vertex {
    /// The bones that move the vertex and their weights: the first `bone_count` of them, three at
    /// the most, as they stand in the file.
    ///
    /// ```
    /// use flexion_mdl::vvd::Vertex;
    ///
    /// let vertex = Vertex {
    ///     weights: [0.75, 0.25, 9.0].map(Into::into),
    ///     bones: [4, 2, 7],
    ///     bone_count: 2,
    ///     ..Vertex::default()
    /// };
    /// assert_eq!(vertex.influences().collect::<Vec<_>>(), [(4, 0.75), (2, 0.25)]);
    /// ```
    pub fn influences(&self) -> impl Iterator<Item = (u8, f32)> + use<> {
        let weights = self.weights.map(F32::get);
        let all = self.bones.into_iter().zip(weights);
        all.take(self.bone_count.into())
    }
}

/// `vertexFileFixup_t`: a range of the stored vertices and the coarsest level that needs it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Fixup {
    /// `lod`: the range belongs to this level of detail and all finer ones.
    pub lod: i32,
    /// `sourceVertexID`: the first vertex, in the order on disk.
    pub first: i32,
    /// `numVertexes`.
    pub count: i32,
}
