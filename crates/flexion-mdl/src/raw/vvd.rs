//! The structures of a `.vvd`, version 4. Vertices and tangents are arrays: see [`crate::vvd`].

#![allow(
    non_snake_case,
    reason = "members keep the SDK's names, so that they can be searched for"
)]

use super::record;

record! {
    /// The start of the file, enough to tell what it is.
    "vertexFileHeader_t" [8] VertexFileId {
        0 id: [u8; 4],
        4 version: i32,
    }
}

record! {
    /// The header. All offsets are from the start of the file.
    "vertexFileHeader_t" [64] VertexFileHeader {
        0 id: [u8; 4],
        4 version: i32,
        8 checksum: u32,
        12 numLODs: i32,
        16 numLODVertexes: [i32; 8],
        48 numFixups: i32,
        52 fixupTableStart: i32,
        56 vertexDataStart: i32,
        60 tangentDataStart: i32,
    }
}

record! {
    /// A range of vertices and the coarsest level of detail that needs them.
    "vertexFileFixup_t" [12] VertexFileFixup {
        0 lod: i32,
        4 sourceVertexID: i32,
        8 numVertexes: i32,
    }
}
