//! [`Vvd`] to bytes, with fixups or without.
//!
//! Without fixups the file is right for every program that shows level 0 first, which is nearly
//! every one; an engine that is told to start at a coarser level reads only the start of the file
//! and then needs the vertices of that level there. [`Vvd::write_for`] sees to that.

use zerocopy::IntoBytes;

use super::check::header;
use super::{Fixup, MAX_LODS, VERSION, Vvd};
use crate::error::{FileKind, Place, WriteError, WriteErrorKind};
use crate::mdl::{Mdl, Mesh};
use crate::raw::Record;
use crate::raw::vvd::{VertexFileFixup, VertexFileHeader};

/// Vertices start at a multiple of this.
const ALIGNMENT: usize = 16;

impl Vvd<'_> {
    /// Writes a `.vvd` without fixups.
    ///
    /// # Errors
    ///
    /// Counts that contradict each other: no level of detail or more than 8; a first level that is
    /// not all vertices, or a later one with more; tangents, but not one for each vertex. More
    /// vertices than 32 bits can address.
    pub fn write(&self) -> Result<Vec<u8>, WriteError> {
        self.write_with_fixups(&[])
    }

    /// Writes the `.vvd` of `mdl` so that the start of the file is right for every root level of
    /// detail: with fixups when there are several levels and more than one mesh.
    ///
    /// # Errors
    ///
    /// Those of [`Vvd::write`]; also when the meshes' vertices do not add up to this file's.
    pub fn write_for(&self, mdl: &Mdl<'_>) -> Result<Vec<u8>, WriteError> {
        let fixups = self.fixups(mdl);
        if fixups.is_sorted_by_key(|fixup| fixup.first) {
            return self.write();
        }
        self.write_with_fixups(&fixups)
    }

    /// The fixups that a file with the levels of detail of `mdl` needs: vertices stored by the
    /// coarsest level that uses them, the coarsest first.
    ///
    /// Which level that is comes from [`Mesh::lod_vertex_counts`]: a mesh's own vertices stand the
    /// coarsest first too. Vertices are taken to follow one another, mesh by mesh.
    pub fn fixups(&self, mdl: &Mdl<'_>) -> Vec<Fixup> {
        let lods = self.lod_vertex_counts.len();
        let meshes = mdl.body_parts.iter().flat_map(|part| &part.models);
        let meshes = meshes.flat_map(|model| &model.meshes);
        let mut fixups: Vec<Fixup> = meshes.flat_map(|mesh| levels(mesh, lods)).collect();
        place_on_disk(&mut fixups);
        fixups
    }

    /// Writes a `.vvd` with these fixups: each range of [`Vvd::vertices`] goes to where the fixup
    /// says it is stored.
    ///
    /// ```
    /// use flexion_mdl::Vvd;
    /// use flexion_mdl::vvd::{Fixup, Vertex};
    ///
    /// let mut vertices = vec![Vertex::default(); 3];
    /// vertices[2].bone_count = 1;
    /// let vvd = Vvd {
    ///     checksum: 0,
    ///     lod_vertex_counts: vec![3, 1],
    ///     vertices: vertices.into(),
    ///     tangents: vec![].into(),
    /// };
    /// // Only the last vertex is for level 1: it is stored first.
    /// let fine = Fixup { lod: 0, first: 1, count: 2 };
    /// let coarse = Fixup { lod: 1, first: 0, count: 1 };
    /// let bytes = vvd.write_with_fixups(&[fine, coarse])?;
    /// assert_eq!(Vvd::read(&bytes)?, vvd);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`Vvd::write`]; also fixups for a level below 0, and fixups that do not cover the
    /// stored vertices once each.
    pub fn write_with_fixups(&self, fixups: &[Fixup]) -> Result<Vec<u8>, WriteError> {
        let order = self.stored_order(fixups)?;
        let header = self.header(fixups)?;
        let mut out = Vec::new();
        header.put(&mut out);
        for fixup in fixups {
            let record = VertexFileFixup {
                lod: fixup.lod,
                sourceVertexID: fixup.first,
                numVertexes: fixup.count,
            };
            record.put(&mut out);
        }
        out.resize(out.len().next_multiple_of(ALIGNMENT), 0);
        for range in &order {
            out.extend_from_slice(self.vertices[range.clone()].as_bytes());
        }
        if !self.tangents.is_empty() {
            for range in &order {
                out.extend_from_slice(self.tangents[range.clone()].as_bytes());
            }
        }
        Ok(out)
    }

    /// Which ranges of the vertices are stored one after another.
    fn stored_order(&self, fixups: &[Fixup]) -> Result<Vec<std::ops::Range<usize>>, WriteError> {
        let count = self.vertices.len();
        if fixups.is_empty() {
            return Ok(std::iter::once(0..count).collect());
        }
        let mut next = 0;
        let mut stored = Vec::with_capacity(fixups.len());
        for (index, fixup) in fixups.iter().enumerate() {
            if fixup.lod < 0 {
                return Err(refuse(index, "lod", fixup.lod, "a level of detail"));
            }
            let range = fixup.range().filter(|range| range.len() <= count - next);
            let Some(range) = range else {
                let expected = "a count within the vertices that are left";
                return Err(refuse(index, "numVertexes", fixup.count, expected));
            };
            stored.push((range.start, next..next + range.len(), index));
            next += range.len();
        }
        stored.sort_by_key(|(first, range, _)| (*first, range.len()));
        let mut end = 0;
        for (first, range, index) in &stored {
            if *first != end {
                let expected = "ranges that cover the stored vertices once each";
                return Err(refuse(
                    *index,
                    "sourceVertexID",
                    fixups[*index].first,
                    expected,
                ));
            }
            end += range.len();
        }
        if end != count {
            return Err(refuse_header(
                "numFixups",
                end,
                "fixups that add up to all vertices",
            ));
        }
        Ok(stored.into_iter().map(|(_, range, _)| range).collect())
    }

    fn header(&self, fixups: &[Fixup]) -> Result<VertexFileHeader, WriteError> {
        self.check_counts()?;
        let fixups_end = VertexFileHeader::SIZE + fixups.len() * VertexFileFixup::SIZE;
        let vertices = fixups_end.next_multiple_of(ALIGNMENT);
        let tangents = vertices + size_of_val(&*self.vertices);
        let end = tangents + size_of_val(&*self.tangents);
        let limited = |size: usize| {
            i32::try_from(size).map_err(|_| WriteError {
                place: header("tangentDataStart"),
                kind: WriteErrorKind::TooLarge(end as u64),
            })
        };
        let last = self.lod_vertex_counts.last().copied().unwrap_or(0);
        let mut counts = [0; MAX_LODS];
        let given = self
            .lod_vertex_counts
            .iter()
            .copied()
            .chain(std::iter::repeat(last));
        for (count, given) in counts.iter_mut().zip(given) {
            *count = limited(given as usize)?;
        }
        limited(end)?;
        Ok(VertexFileHeader {
            id: *b"IDSV",
            version: VERSION,
            checksum: self.checksum,
            numLODs: limited(self.lod_vertex_counts.len())?,
            numLODVertexes: counts,
            numFixups: limited(fixups.len())?,
            fixupTableStart: limited(VertexFileHeader::SIZE)?,
            vertexDataStart: limited(vertices)?,
            tangentDataStart: if self.tangents.is_empty() {
                0
            } else {
                limited(tangents)?
            },
        })
    }

    /// Refuses counts that [`Vvd::read`] would refuse.
    fn check_counts(&self) -> Result<(), WriteError> {
        let lods = &self.lod_vertex_counts;
        if !(1..=MAX_LODS).contains(&lods.len()) {
            return Err(refuse_header("numLODs", lods.len(), "1 to 8"));
        }
        if lods[0] as usize != self.vertices.len() {
            let expected = "as many as there are vertices";
            return Err(refuse_header("numLODVertexes", lods[0] as usize, expected));
        }
        if let Some(&more) = lods.iter().find(|&&count| count > lods[0]) {
            let expected = "at most the vertices of level 0";
            return Err(refuse_header("numLODVertexes", more as usize, expected));
        }
        if !self.tangents.is_empty() && self.tangents.len() != self.vertices.len() {
            let expected = "a tangent for each vertex, or none";
            return Err(refuse_header(
                "tangentDataStart",
                self.tangents.len(),
                expected,
            ));
        }
        Ok(())
    }
}

/// The vertices of a mesh by the coarsest level that uses them, the coarsest first; not yet placed.
fn levels(mesh: &Mesh<'_>, lods: usize) -> impl Iterator<Item = Fixup> {
    let used = move |lod: usize| match lod {
        0 => mesh.vertex_count,
        _ => mesh.lod_vertex_counts.get(lod).copied().unwrap_or(0),
    };
    let mut before = 0;
    let coarsest_first = (0..lods).rev().zip((0..lods as i32).rev());
    coarsest_first.filter_map(move |(lod, number)| {
        let count = used(lod).saturating_sub(before);
        before = before.max(used(lod));
        (count > 0).then_some(Fixup {
            lod: number,
            first: 0,
            count,
        })
    })
}

/// Gives every range its place on disk: the coarsest level first, the order kept within a level.
fn place_on_disk(fixups: &mut [Fixup]) {
    let mut by_level: Vec<usize> = (0..fixups.len()).collect();
    by_level.sort_by_key(|&index| std::cmp::Reverse(fixups[index].lod));
    let mut next: i32 = 0;
    for index in by_level {
        fixups[index].first = next;
        next = next.saturating_add(fixups[index].count);
    }
}

fn refuse(index: usize, field: &'static str, found: i32, expected: &'static str) -> WriteError {
    let start = VertexFileHeader::SIZE + index * VertexFileFixup::SIZE;
    WriteError {
        place: Place {
            file: FileKind::Vvd,
            structure: VertexFileFixup::NAME,
            index: u32::try_from(index).ok(),
            field,
            offset: start as u64 + VertexFileFixup::offset_of(field),
        },
        kind: WriteErrorKind::Value {
            found: found.into(),
            expected,
        },
    }
}

fn refuse_header(field: &'static str, found: usize, expected: &'static str) -> WriteError {
    WriteError {
        place: header(field),
        kind: WriteErrorKind::Value {
            found: i64::try_from(found).unwrap_or(i64::MAX),
            expected,
        },
    }
}
