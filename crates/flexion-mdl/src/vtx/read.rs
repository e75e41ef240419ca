//! Bytes to [`Vtx`]: down the tree of body parts, models, levels, meshes, groups and strips.
//!
//! The same walk serves a file on its own and a file beside its `.mdl`: where the `.mdl` is known,
//! every level also checks that it has as many entries, and triangles that their vertices exist.

use super::strip::{FLAG_LIST, FLAG_STRIP, Group, Strip};
use super::{Primitive, VERSION, Vtx, VtxBodyPart, VtxLod, VtxMesh, VtxModel};
use crate::bytes::{At, Reader, link_in, place, table};
use crate::error::{Error, ErrorKind, FileKind, Place};
use crate::mdl::{BodyPart, Mdl, Mesh, Model};
use crate::raw::Record;
use crate::raw::vtx::{
    BodyPartHeader, FileHeader, FileVersion, MeshHeader, ModelHeader, ModelLodHeader,
    StripGroupHeader, StripHeader, TopologyStripGroupHeader, TopologyStripHeader,
};

impl Vtx {
    /// Reads a `.vtx`.
    ///
    /// # Errors
    ///
    /// An empty file, a git-lfs pointer, another version; tables and indices that do not lie in the
    /// file or in what they index; a strip that is neither list nor strip; a list whose indices are
    /// no whole triangles; tables that overlap past [`crate::CLAIM_LIMIT`].
    ///
    /// ```
    /// use flexion_mdl::{ErrorKind, Vtx};
    ///
    /// let error = Vtx::read(&[6, 0, 0, 0]).unwrap_err();
    /// assert_eq!(error.kind, ErrorKind::Version { found: 6, supported: "7" });
    /// ```
    pub fn read(bytes: &[u8]) -> Result<Vtx, Error> {
        read(&Reader::new(bytes, FileKind::Vtx), None)
    }

    /// Reads the `.vtx` of `mdl`.
    ///
    /// # Errors
    ///
    /// Those of [`Vtx::read`]; [`ErrorKind::Checksum`] when it belongs to another model;
    /// [`ErrorKind::Pairing`] when body parts, models or meshes do not pair one to one; and
    /// [`ErrorKind::Index`] when a triangle uses a vertex that the mesh does not have.
    pub fn read_for(bytes: &[u8], mdl: &Mdl<'_>) -> Result<Vtx, Error> {
        read(&Reader::new(bytes, FileKind::Vtx), Some(mdl))
    }
}

/// Reads a file for the sake of the reader's trace.
pub(crate) fn visit(reader: &Reader<'_>) -> Option<Error> {
    let short = || file::<Short>(&reader.afresh(), None);
    let topology = || file::<Topology>(&reader.afresh(), None);
    if short().is_err() && topology().is_ok() {
        file::<Topology>(reader, None).err()
    } else {
        file::<Short>(reader, None).err()
    }
}

fn read(reader: &Reader<'_>, mdl: Option<&Mdl<'_>>) -> Result<Vtx, Error> {
    let short = file::<Short>(reader, mdl);
    short.or_else(|error| file::<Topology>(&reader.afresh(), mdl).map_err(|_| error))
}

/// The two sizes of strip groups and strips.
trait Headers {
    type Group: Record + Into<StripGroupHeader>;
    type Strip: Record + Into<StripHeader>;
}

/// [`super::StripLayout::Short`].
struct Short;

impl Headers for Short {
    type Group = StripGroupHeader;
    type Strip = StripHeader;
}

/// [`super::StripLayout::Topology`].
struct Topology;

impl Headers for Topology {
    type Group = TopologyStripGroupHeader;
    type Strip = TopologyStripHeader;
}

/// The members that both sizes have, which stand at the same offsets.
fn common<R: Record + Into<C>, C: Record>(at: At<R>) -> At<C> {
    At {
        start: at.start,
        index: at.index,
        raw: at.raw.into(),
    }
}

fn file<H: Headers>(reader: &Reader<'_>, mdl: Option<&Mdl<'_>>) -> Result<Vtx, Error> {
    reader.refuse_missing::<FileHeader>()?;
    let start: At<FileVersion> = reader.peek(0, None)?;
    if start.raw.version != VERSION {
        return Err(Error {
            place: place!(reader, start, version),
            kind: ErrorKind::Version {
                found: start.raw.version,
                supported: "7",
            },
        });
    }
    let header: At<FileHeader> = reader.record(0, None)?;
    let checksum = header.raw.checkSum;
    if let Some(mdl) = mdl
        && mdl.checksum != checksum
    {
        return Err(Error {
            place: place!(reader, header, checkSum),
            kind: ErrorKind::Checksum {
                mdl: mdl.checksum,
                found: checksum,
            },
        });
    }
    let parts = mdl.map(|mdl| &mdl.body_parts[..]);
    pair(
        place!(reader, header, numBodyParts),
        header.raw.numBodyParts,
        parts,
    )?;
    let body_parts = table!(reader, header, numBodyParts, bodyPartOffset, |at| {
        body_part::<H>(reader, &at, entry(parts, at.index))
    })?;
    Ok(Vtx {
        checksum,
        body_parts,
    })
}

/// Refuses a count that is not that of the `.mdl`, where the `.mdl` is known.
fn pair<T>(place: Place, found: i32, expected: Option<&[T]>) -> Result<(), Error> {
    match expected {
        Some(expected) if usize::try_from(found) != Ok(expected.len()) => Err(Error {
            place,
            kind: ErrorKind::Pairing {
                found: found.into(),
                expected: expected.len() as u64,
            },
        }),
        _ => Ok(()),
    }
}

/// What the `.mdl` has for a record of a paired table, where the `.mdl` is known.
fn entry<T>(entries: Option<&[T]>, index: Option<u32>) -> Option<&T> {
    entries?.get(usize::try_from(index?).ok()?)
}

fn body_part<H: Headers>(
    reader: &Reader<'_>,
    at: &At<BodyPartHeader>,
    part: Option<&BodyPart<'_>>,
) -> Result<VtxBodyPart, Error> {
    let models = part.map(|part| &part.models[..]);
    pair(place!(reader, at, numModels), at.raw.numModels, models)?;
    let models = table!(reader, at, numModels, modelOffset, |at| {
        model::<H>(reader, &at, entry(models, at.index))
    })?;
    Ok(VtxBodyPart { models })
}

fn model<H: Headers>(
    reader: &Reader<'_>,
    at: &At<ModelHeader>,
    model: Option<&Model<'_>>,
) -> Result<VtxModel, Error> {
    let lods = table!(reader, at, numLODs, lodOffset, |at| lod::<H>(
        reader, &at, model
    ))?;
    Ok(VtxModel { lods })
}

fn lod<H: Headers>(
    reader: &Reader<'_>,
    at: &At<ModelLodHeader>,
    model: Option<&Model<'_>>,
) -> Result<VtxLod, Error> {
    let meshes = model.map(|model| &model.meshes[..]);
    pair(place!(reader, at, numMeshes), at.raw.numMeshes, meshes)?;
    let meshes = table!(reader, at, numMeshes, meshOffset, |at| {
        mesh::<H>(reader, &at, entry(meshes, at.index))
    })?;
    Ok(VtxLod {
        switch_point: at.raw.switchPoint,
        meshes,
    })
}

fn mesh<H: Headers>(
    reader: &Reader<'_>,
    at: &At<MeshHeader>,
    mesh: Option<&Mesh<'_>>,
) -> Result<VtxMesh, Error> {
    let vertex_count = match mesh {
        Some(mesh) => u32::try_from(mesh.vertex_count).unwrap_or(0),
        None => u32::MAX,
    };
    let groups = table!(reader, at, numStripGroups, stripGroupHeaderOffset, |at| {
        group::<H>(reader, &common::<H::Group, _>(at))
    })?;
    let strips = groups.iter().flat_map(|group| &group.strips);
    let most: u64 = strips.map(Strip::triangles_at_most).sum();
    let counted = place!(reader, at, numStripGroups);
    reader.claim(most * size_of::<[u16; 3]>() as u64, counted)?;
    let mut triangles = Vec::with_capacity(usize::try_from(most).unwrap_or(0));
    for group in &groups {
        group.triangles(vertex_count, &mut triangles)?;
    }
    Ok(VtxMesh {
        flags: at.raw.flags,
        triangles,
    })
}

fn group<'a, H: Headers>(
    reader: &Reader<'a>,
    at: &At<StripGroupHeader>,
) -> Result<Group<'a>, Error> {
    let vertices = link_in!(reader, at, vertOffset);
    let indices = link_in!(reader, at, indexOffset);
    let index_count = at.raw.numIndices;
    Ok(Group {
        vertices: reader.slice(vertices, at.raw.numVerts, place!(reader, at, numVerts))?,
        vertices_start: start(reader, vertices, at.raw.numVerts)?,
        indices: reader.slice(indices, index_count, place!(reader, at, numIndices))?,
        indices_start: start(reader, indices, index_count)?,
        strips: table!(reader, at, numStrips, stripOffset, |at| {
            strip(reader, &common::<H::Strip, _>(at), index_count)
        })?,
    })
}

/// Where an array starts; an empty one may have any offset.
fn start(reader: &Reader<'_>, link: crate::bytes::Link, count: i32) -> Result<u64, Error> {
    match count {
        0 => Ok(0),
        _ => reader.target(link),
    }
}

fn strip(reader: &Reader<'_>, at: &At<StripHeader>, index_count: i32) -> Result<Strip, Error> {
    let primitive = match at.raw.flags & (FLAG_LIST | FLAG_STRIP) {
        FLAG_LIST => Primitive::List,
        FLAG_STRIP => Primitive::Strip,
        _ => {
            return Err(Error {
                place: place!(reader, at, flags),
                kind: ErrorKind::Value {
                    found: at.raw.flags.into(),
                    expected: "1 for a triangle list or 2 for a triangle strip",
                },
            });
        }
    };
    let (first, length) = (at.raw.indexOffset, at.raw.numIndices);
    if primitive == Primitive::List && length % 3 != 0 {
        return Err(Error {
            place: place!(reader, at, numIndices),
            kind: ErrorKind::Value {
                found: length.into(),
                expected: "three for each triangle of a list",
            },
        });
    }
    let range = usize::try_from(first)
        .ok()
        .zip(usize::try_from(length).ok());
    let indices = range.and_then(|(first, length)| Some(first..first.checked_add(length)?));
    let count = u64::try_from(index_count).unwrap_or(0);
    match indices.filter(|indices| indices.end as u64 <= count) {
        Some(indices) => Ok(Strip { primitive, indices }),
        None => Err(Error {
            place: place!(reader, at, indexOffset),
            kind: ErrorKind::Range {
                first,
                length,
                count,
            },
        }),
    }
}
