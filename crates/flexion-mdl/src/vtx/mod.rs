//! `.dx90.vtx`: strips and indices.
//!
//! [`Vtx::read`] takes the bytes of a file and returns, for each body part, model, level of detail
//! and mesh of the `.mdl`, the triangles; [`Vtx::write`] makes the bytes of a file from them. What
//! a graphics card once needed (strip groups, bone states, vertex caches) is resolved on reading,
//! because here triangles only have to say which vertices of the mesh they join.
//!
//! # From an index to a vertex
//!
//! A mesh has strip groups; each has its own vertices and indices into them, and strips that are
//! ranges of the indices. With the group's vertices (`origMeshVertID`) `40 17 99 23`
//!
//! | strip | indices | triangles of the group | triangles of the mesh |
//! |---|---|---|---|
//! | list | `0 1 2  0 2 3` | `0 1 2`, `0 2 3` | `40 17 99`, `40 99 23` |
//! | strip | `0 1 2 3` | `0 1 2`, `2 1 3` | `40 17 99`, `99 17 23` |
//!
//! Every second triangle of a strip swaps its first two vertices, so that all turn the same way.
//! Triangles of a strip that use a vertex twice only join two strips and are dropped; in a list
//! they are kept, as somebody put them there.
//!
//! # Two layouts
//!
//! Some games of model version 49 (Alien Swarm and later) have eight bytes more in each strip
//! group and strip. Nothing in the file says so. The shorter layout is taken when the whole file
//! makes sense in it, else the longer; when neither does, the error is the shorter one's.
//!
//! # Limits
//!
//! Bone states and material replacements are neither kept nor written: a game that skins on the
//! graphics card wants the former, everything that takes bones from the `.vvd` does not.

mod read;
mod strip;
mod write;

pub(crate) use read::visit;

/// The version of `FileHeader_t` that is read and written.
pub const VERSION: i32 = 7;

/// A whole `.vtx`: for each body part, model, level of detail and mesh its triangles.
///
/// ```
/// use flexion_mdl::Vtx;
/// use flexion_mdl::vtx::{VtxBodyPart, VtxLod, VtxMesh, VtxModel};
///
/// let mesh = VtxMesh { flags: 0, triangles: vec![[0, 1, 2], [0, 2, 3]] };
/// let lod = VtxLod { switch_point: 0.0, meshes: vec![mesh] };
/// let part = VtxBodyPart { models: vec![VtxModel { lods: vec![lod] }] };
/// let vtx = Vtx { checksum: 7, body_parts: vec![part] };
/// let bytes = vtx.write()?;
/// assert_eq!(Vtx::read(&bytes)?, vtx);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Vtx {
    /// `checkSum`, equal in the `.mdl`.
    pub checksum: u32,
    /// One for each body part of the `.mdl`, in its order.
    pub body_parts: Vec<VtxBodyPart>,
}

/// `BodyPartHeader_t`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VtxBodyPart {
    /// One for each model of the body part.
    pub models: Vec<VtxModel>,
}

/// `ModelHeader_t`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VtxModel {
    /// The levels of detail, the finest first; the shadow's own level, where there is one, last.
    pub lods: Vec<VtxLod>,
}

/// `ModelLODHeader_t`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VtxLod {
    /// `switchPoint`: how far away the level begins to show; -1 marks the shadow's own level.
    pub switch_point: f32,
    /// One for each mesh of the model.
    pub meshes: Vec<VtxMesh>,
}

/// `MeshHeader_t` with the triangles of all its strips.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VtxMesh {
    /// `flags`: 1 teeth, 2 eyes; other bits are garbage in real files.
    pub flags: u8,
    /// Triangles as vertices of the mesh (`origMeshVertID`), clockwise seen from outside.
    pub triangles: Vec<[u16; 3]>,
}

/// Which of the two sizes strip groups and strips have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum StripLayout {
    /// `StripGroupHeader_t` of 25 bytes, `StripHeader_t` of 27.
    #[default]
    Short,
    /// The same with `numTopologyIndices` and `topologyOffset` behind: 33 and 35 bytes.
    Topology,
}

/// How the indices of a strip make triangles (`StripHeader_t.flags`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Primitive {
    /// `STRIP_IS_TRILIST`: three indices each.
    #[default]
    List,
    /// `STRIP_IS_TRISTRIP`: every index makes a triangle with the two before it.
    Strip,
}

/// What [`Vtx::write_with`] can do in more than one way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WriteOptions {
    /// The layout, [`StripLayout::Short`] by default.
    pub layout: StripLayout,
    /// The kind of strips, [`Primitive::List`] by default.
    pub primitive: Primitive,
}
