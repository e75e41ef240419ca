//! `.dx90.vtx`: strips and indices.

/// A whole `.vtx`: for each body part, model, level of detail and mesh its triangles' strips.
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
    /// The levels of detail, the finest first.
    pub lods: Vec<VtxLod>,
}

/// `ModelLODHeader_t`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VtxLod {
    /// `switchPoint`; -1 marks the shadow's own level.
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
