//! The structures of a `.vtx`, version 7, which stand packed without padding.
//!
//! Every offset is relative to the record that holds it. Some games of model version 49 (Alien
//! Swarm and later) put two members more behind a strip group and a strip; the members before
//! them are the same, so those records convert into the shorter ones.

#![allow(
    non_snake_case,
    reason = "members keep the SDK's names, so that they can be searched for"
)]

use zerocopy::byteorder::little_endian::U16;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::record;

record! {
    /// The start of the file, which has no magic.
    "FileHeader_t" [4] FileVersion {
        0 version: i32,
    }
}

record! {
    "FileHeader_t" [36] FileHeader {
        0 version: i32,
        4 vertCacheSize: i32,
        8 maxBonesPerStrip: u16,
        10 maxBonesPerTri: u16,
        12 maxBonesPerVert: i32,
        16 checkSum: u32,
        20 numLODs: i32,
        24 materialReplacementListOffset: i32,
        28 numBodyParts: i32,
        32 bodyPartOffset: i32,
    }
}

record! {
    "MaterialReplacementListHeader_t" [8] MaterialReplacementList {
        0 numReplacements: i32,
        4 replacementOffset: i32,
    }
}

record! {
    "BodyPartHeader_t" [8] BodyPartHeader {
        0 numModels: i32,
        4 modelOffset: i32,
    }
}

record! {
    "ModelHeader_t" [8] ModelHeader {
        0 numLODs: i32,
        4 lodOffset: i32,
    }
}

record! {
    "ModelLODHeader_t" [12] ModelLodHeader {
        0 numMeshes: i32,
        4 meshOffset: i32,
        8 switchPoint: f32,
    }
}

record! {
    "MeshHeader_t" [9] MeshHeader {
        0 numStripGroups: i32,
        4 stripGroupHeaderOffset: i32,
        8 flags: u8,
    }
}

record! {
    "StripGroupHeader_t" [25] StripGroupHeader {
        0 numVerts: i32,
        4 vertOffset: i32,
        8 numIndices: i32,
        12 indexOffset: i32,
        16 numStrips: i32,
        20 stripOffset: i32,
        24 flags: u8,
    }
}

record! {
    "StripGroupHeader_t" [33] TopologyStripGroupHeader {
        0 numVerts: i32,
        4 vertOffset: i32,
        8 numIndices: i32,
        12 indexOffset: i32,
        16 numStrips: i32,
        20 stripOffset: i32,
        24 flags: u8,
        25 numTopologyIndices: i32,
        29 topologyOffset: i32,
    }
}

record! {
    "StripHeader_t" [27] StripHeader {
        0 numIndices: i32,
        4 indexOffset: i32,
        8 numVerts: i32,
        12 vertOffset: i32,
        16 numBones: i16,
        18 flags: u8,
        19 numBoneStateChanges: i32,
        23 boneStateChangeOffset: i32,
    }
}

record! {
    "StripHeader_t" [35] TopologyStripHeader {
        0 numIndices: i32,
        4 indexOffset: i32,
        8 numVerts: i32,
        12 vertOffset: i32,
        16 numBones: i16,
        18 flags: u8,
        19 numBoneStateChanges: i32,
        23 boneStateChangeOffset: i32,
        27 numTopologyIndices: i32,
        31 topologyOffset: i32,
    }
}

/// `Vertex_t`: which vertex of the mesh a vertex of the strip group is.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(crate) struct Vertex {
    pub(crate) boneWeightIndex: [u8; 3],
    pub(crate) numBones: u8,
    pub(crate) origMeshVertID: U16,
    pub(crate) boneID: [u8; 3],
}

impl Vertex {
    /// Bytes on disk.
    pub(crate) const SIZE: u64 = size_of::<Self>() as u64;
    /// Offset of `origMeshVertID` from the start of the record.
    pub(crate) const MESH_VERTEX_AT: u64 = 4;
}

impl From<TopologyStripGroupHeader> for StripGroupHeader {
    fn from(long: TopologyStripGroupHeader) -> Self {
        StripGroupHeader {
            numVerts: long.numVerts,
            vertOffset: long.vertOffset,
            numIndices: long.numIndices,
            indexOffset: long.indexOffset,
            numStrips: long.numStrips,
            stripOffset: long.stripOffset,
            flags: long.flags,
        }
    }
}

impl From<StripGroupHeader> for TopologyStripGroupHeader {
    fn from(short: StripGroupHeader) -> Self {
        TopologyStripGroupHeader {
            numVerts: short.numVerts,
            vertOffset: short.vertOffset,
            numIndices: short.numIndices,
            indexOffset: short.indexOffset,
            numStrips: short.numStrips,
            stripOffset: short.stripOffset,
            flags: short.flags,
            numTopologyIndices: 0,
            topologyOffset: 0,
        }
    }
}

impl From<TopologyStripHeader> for StripHeader {
    fn from(long: TopologyStripHeader) -> Self {
        StripHeader {
            numIndices: long.numIndices,
            indexOffset: long.indexOffset,
            numVerts: long.numVerts,
            vertOffset: long.vertOffset,
            numBones: long.numBones,
            flags: long.flags,
            numBoneStateChanges: long.numBoneStateChanges,
            boneStateChangeOffset: long.boneStateChangeOffset,
        }
    }
}

impl From<StripHeader> for TopologyStripHeader {
    fn from(short: StripHeader) -> Self {
        TopologyStripHeader {
            numIndices: short.numIndices,
            indexOffset: short.indexOffset,
            numVerts: short.numVerts,
            vertOffset: short.vertOffset,
            numBones: short.numBones,
            flags: short.flags,
            numBoneStateChanges: short.numBoneStateChanges,
            boneStateChangeOffset: short.boneStateChangeOffset,
            numTopologyIndices: 0,
            topologyOffset: 0,
        }
    }
}
