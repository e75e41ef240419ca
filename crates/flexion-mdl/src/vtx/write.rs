//! [`Vtx`] to bytes: one strip group with one strip for each mesh.
//!
//! Records of a kind stand together, in the order header, body parts, models, levels, meshes, strip
//! groups, strips, vertices, indices, material replacement lists, packed without padding. So where
//! everything goes is known once everything is counted, and each kind is written in one sweep while
//! a [`Cursor`] hands out the places of its children.

use std::slice::from_ref;

use zerocopy::IntoBytes;
use zerocopy::byteorder::little_endian::U16;

use super::strip::{FLAG_LIST, FLAG_STRIP, join};
use super::{Primitive, StripLayout, VERSION, Vtx, VtxLod, VtxMesh, VtxModel, WriteOptions};
use crate::error::{FileKind, Place, WriteError, WriteErrorKind};
use crate::raw::Record;
use crate::raw::vtx::{
    BodyPartHeader, FileHeader, MaterialReplacementList, MeshHeader, ModelHeader, ModelLodHeader,
    StripGroupHeader, StripHeader, TopologyStripGroupHeader, TopologyStripHeader, Vertex,
};

/// What compilers write; they were the limits of graphics cards.
const VERTEX_CACHE_SIZE: i32 = 24;
const MAX_BONES_PER_STRIP: u16 = 53;
const MAX_BONES_PER_TRIANGLE: u16 = 9;
const MAX_BONES_PER_VERTEX: i32 = 3;

/// Strip groups are marked as those of a face are: flexed, hardware-skinned and delta-flexed.
/// Whether a vertex really moves is for the `.mdl` to say.
const GROUP_FLAGS: u8 = 1 | 2 | 4;

/// Vertices that a strip group can have, so that each has an index and their number fits 16 bits.
const MAX_GROUP_VERTICES: usize = u16::MAX as usize;

impl Vtx {
    /// Writes a `.vtx` in the short layout, with triangle lists.
    ///
    /// A mesh becomes one strip group in which each vertex stands once; only a mesh that uses all
    /// 65,536 vertices that an index can name needs two.
    ///
    /// # Errors
    ///
    /// More bytes than 32 bits can address.
    pub fn write(&self) -> Result<Vec<u8>, WriteError> {
        self.write_with(WriteOptions::default())
    }

    /// Writes a `.vtx` as `options` say.
    ///
    /// With [`Primitive::Strip`] triangles that use a vertex twice are lost, because a strip cannot
    /// tell them from those that join its parts.
    ///
    /// # Errors
    ///
    /// More bytes than 32 bits can address.
    pub fn write_with(&self, options: WriteOptions) -> Result<Vec<u8>, WriteError> {
        let meshes = self
            .meshes()
            .map(|mesh| groups(mesh, options.primitive))
            .collect();
        Ok(Writer::new(self, meshes, options)?.write())
    }

    fn models(&self) -> impl Iterator<Item = &VtxModel> {
        self.body_parts.iter().flat_map(|part| &part.models)
    }

    fn lods(&self) -> impl Iterator<Item = &VtxLod> {
        self.models().flat_map(|model| &model.lods)
    }

    fn meshes(&self) -> impl Iterator<Item = &VtxMesh> {
        self.lods().flat_map(|lod| &lod.meshes)
    }
}

/// The arrays of a strip group with one strip.
#[derive(Default)]
struct Group {
    /// Vertices of the mesh.
    vertices: Vec<u16>,
    /// Indices into `vertices`.
    indices: Vec<u16>,
}

/// The strip groups of a mesh; none when it has no triangles.
fn groups(mesh: &VtxMesh, primitive: Primitive) -> Vec<Group> {
    let most = mesh
        .triangles
        .as_flattened()
        .iter()
        .max()
        .map_or(0, |&most| usize::from(most) + 1);
    let mut index_of: Vec<Option<u16>> = vec![None; most];
    let mut groups: Vec<Group> = Vec::new();
    for triangle in &mesh.triangles {
        if groups
            .last()
            .is_none_or(|group| group.vertices.len() + 3 > MAX_GROUP_VERTICES)
        {
            groups.push(Group::default());
            index_of.fill(None);
        }
        let Some(group) = groups.last_mut() else {
            continue;
        };
        let triangle = triangle.map(|vertex| {
            *index_of[usize::from(vertex)].get_or_insert_with(|| {
                group.vertices.push(vertex);
                (group.vertices.len() - 1) as u16
            })
        });
        match primitive {
            Primitive::List => group.indices.extend(triangle),
            Primitive::Strip if is_degenerate(triangle) => {}
            Primitive::Strip => join(&mut group.indices, triangle),
        }
    }
    groups
}

fn is_degenerate([a, b, c]: [u16; 3]) -> bool {
    a == b || b == c || c == a
}

/// Hands out the places of the records of a kind.
struct Cursor {
    next: u64,
    size: u64,
}

impl Cursor {
    /// A cursor at `end` for `count` records of `size` bytes, which moves `end` behind them.
    fn after(end: &mut u64, count: usize, size: usize) -> Cursor {
        let size = size as u64;
        let cursor = Cursor { next: *end, size };
        *end += count as u64 * size;
        cursor
    }

    /// Count and offset of the next `count` records, for the record that is written at `here`.
    ///
    /// Both fit, because the size of the whole file does ([`Writer::new`]).
    fn take(&mut self, count: usize, here: usize) -> (i32, i32) {
        let offset = self.next - here as u64;
        self.next += count as u64 * self.size;
        (count as i32, offset as i32)
    }
}

struct Writer<'v> {
    vtx: &'v Vtx,
    /// The groups of each mesh.
    meshes: Vec<Vec<Group>>,
    options: WriteOptions,
    lod_count: usize,
    out: Vec<u8>,
    body_parts: Cursor,
    models: Cursor,
    lods: Cursor,
    mesh_headers: Cursor,
    groups: Cursor,
    strips: Cursor,
    vertices: Cursor,
    indices: Cursor,
    replacements: Cursor,
}

impl<'v> Writer<'v> {
    fn new(
        vtx: &'v Vtx,
        meshes: Vec<Vec<Group>>,
        options: WriteOptions,
    ) -> Result<Self, WriteError> {
        let groups = || meshes.iter().flatten();
        let (group_size, strip_size) = match options.layout {
            StripLayout::Short => (StripGroupHeader::SIZE, StripHeader::SIZE),
            StripLayout::Topology => (TopologyStripGroupHeader::SIZE, TopologyStripHeader::SIZE),
        };
        let vertices = groups().map(|group| group.vertices.len()).sum();
        let indices = groups().map(|group| group.indices.len()).sum();
        let lod_count = vtx
            .models()
            .map(|model| model.lods.len())
            .max()
            .unwrap_or(0);

        let end = &mut (FileHeader::SIZE as u64);
        let writer = Writer {
            vtx,
            options,
            lod_count,
            body_parts: Cursor::after(end, vtx.body_parts.len(), BodyPartHeader::SIZE),
            models: Cursor::after(end, vtx.models().count(), ModelHeader::SIZE),
            lods: Cursor::after(end, vtx.lods().count(), ModelLodHeader::SIZE),
            mesh_headers: Cursor::after(end, meshes.len(), MeshHeader::SIZE),
            groups: Cursor::after(end, groups().count(), group_size),
            strips: Cursor::after(end, groups().count(), strip_size),
            vertices: Cursor::after(end, vertices, size_of::<Vertex>()),
            indices: Cursor::after(end, indices, size_of::<u16>()),
            replacements: Cursor::after(end, lod_count, MaterialReplacementList::SIZE),
            out: Vec::new(),
            meshes,
        };
        match i32::try_from(*end) {
            Ok(_) => Ok(writer),
            Err(_) => Err(WriteError {
                place: Place {
                    file: FileKind::Vtx,
                    structure: FileHeader::NAME,
                    index: None,
                    field: "materialReplacementListOffset",
                    offset: FileHeader::offset_of("materialReplacementListOffset"),
                },
                kind: WriteErrorKind::TooLarge(*end),
            }),
        }
    }

    fn write(mut self) -> Vec<u8> {
        self.headers();
        self.strip_headers();
        self.arrays();
        self.out
    }

    /// The file's header down to those of the meshes.
    fn headers(&mut self) {
        let vtx = self.vtx;
        let (parts, part_offset) = self.body_parts.take(vtx.body_parts.len(), 0);
        let (lods, replacement_offset) = self.replacements.take(self.lod_count, 0);
        let header = FileHeader {
            version: VERSION,
            vertCacheSize: VERTEX_CACHE_SIZE,
            maxBonesPerStrip: MAX_BONES_PER_STRIP,
            maxBonesPerTri: MAX_BONES_PER_TRIANGLE,
            maxBonesPerVert: MAX_BONES_PER_VERTEX,
            checkSum: vtx.checksum,
            numLODs: lods,
            materialReplacementListOffset: replacement_offset,
            numBodyParts: parts,
            bodyPartOffset: part_offset,
        };
        header.put(&mut self.out);
        for part in &vtx.body_parts {
            let (count, offset) = self.models.take(part.models.len(), self.out.len());
            let header = BodyPartHeader {
                numModels: count,
                modelOffset: offset,
            };
            header.put(&mut self.out);
        }
        for model in vtx.models() {
            let (count, offset) = self.lods.take(model.lods.len(), self.out.len());
            let header = ModelHeader {
                numLODs: count,
                lodOffset: offset,
            };
            header.put(&mut self.out);
        }
        for lod in vtx.lods() {
            let (count, offset) = self.mesh_headers.take(lod.meshes.len(), self.out.len());
            let header = ModelLodHeader {
                numMeshes: count,
                meshOffset: offset,
                switchPoint: lod.switch_point,
            };
            header.put(&mut self.out);
        }
        for (mesh, groups) in vtx.meshes().zip(&self.meshes) {
            let (count, offset) = self.groups.take(groups.len(), self.out.len());
            let header = MeshHeader {
                numStripGroups: count,
                stripGroupHeaderOffset: offset,
                flags: mesh.flags,
            };
            header.put(&mut self.out);
        }
    }

    fn strip_headers(&mut self) {
        for group in self.meshes.iter().flatten() {
            let here = self.out.len();
            let (vertex_count, vertex_offset) = self.vertices.take(group.vertices.len(), here);
            let (index_count, index_offset) = self.indices.take(group.indices.len(), here);
            let (strip_count, strip_offset) = self.strips.take(1, here);
            let header = StripGroupHeader {
                numVerts: vertex_count,
                vertOffset: vertex_offset,
                numIndices: index_count,
                indexOffset: index_offset,
                numStrips: strip_count,
                stripOffset: strip_offset,
                flags: GROUP_FLAGS,
            };
            match self.options.layout {
                StripLayout::Short => header.put(&mut self.out),
                StripLayout::Topology => TopologyStripGroupHeader::from(header).put(&mut self.out),
            }
        }
        for group in self.meshes.iter().flatten() {
            let header = strip_header(group, self.options.primitive);
            match self.options.layout {
                StripLayout::Short => header.put(&mut self.out),
                StripLayout::Topology => TopologyStripHeader::from(header).put(&mut self.out),
            }
        }
    }

    fn arrays(&mut self) {
        let groups = || self.meshes.iter().flatten();
        for &vertex in groups().flat_map(|group| &group.vertices) {
            let vertex = Vertex {
                boneWeightIndex: [0, 1, 2],
                numBones: 1,
                origMeshVertID: U16::new(vertex),
                boneID: [0; 3],
            };
            self.out.extend_from_slice(from_ref(&vertex).as_bytes());
        }
        for &index in groups().flat_map(|group| &group.indices) {
            self.out.extend_from_slice(&index.to_le_bytes());
        }
        for _ in 0..self.lod_count {
            let none = MaterialReplacementList {
                numReplacements: 0,
                replacementOffset: 0,
            };
            none.put(&mut self.out);
        }
    }
}

/// The one strip of a group: all its indices.
fn strip_header(group: &Group, primitive: Primitive) -> StripHeader {
    StripHeader {
        numIndices: group.indices.len() as i32,
        indexOffset: 0,
        numVerts: group.vertices.len() as i32,
        vertOffset: 0,
        numBones: 0,
        flags: match primitive {
            Primitive::List => FLAG_LIST,
            Primitive::Strip => FLAG_STRIP,
        },
        numBoneStateChanges: 0,
        boneStateChangeOffset: 0,
    }
}
