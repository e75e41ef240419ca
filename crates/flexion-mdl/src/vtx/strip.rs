//! From the strips of a group to triangles of the mesh, and back.

use std::ops::Range;

use zerocopy::byteorder::little_endian::U16;

use super::Primitive;
use crate::error::{Error, ErrorKind, FileKind, Place};
use crate::raw::vtx::Vertex;

/// `StripHeader_t.flags`: the two bits that say what the indices are.
pub(super) const FLAG_LIST: u8 = 1;
pub(super) const FLAG_STRIP: u8 = 2;

/// A range of a group's indices.
#[derive(Clone)]
pub(super) struct Strip {
    pub(super) primitive: Primitive,
    pub(super) indices: Range<usize>,
}

impl Strip {
    /// How many triangles there are at most.
    pub(super) fn triangles_at_most(&self) -> u64 {
        let indices = self.indices.len() as u64;
        match self.primitive {
            Primitive::List => indices / 3,
            Primitive::Strip => indices.saturating_sub(2),
        }
    }
}

/// A strip group: its arrays, and where they start in the file for the sake of errors.
pub(super) struct Group<'a> {
    pub(super) vertices: &'a [Vertex],
    pub(super) vertices_start: u64,
    pub(super) indices: &'a [U16],
    pub(super) indices_start: u64,
    pub(super) strips: Vec<Strip>,
}

impl Group<'_> {
    /// Appends the triangles of all strips; vertices of the mesh must be below `vertex_count`.
    pub(super) fn triangles(
        &self,
        vertex_count: u32,
        triangles: &mut Vec<[u16; 3]>,
    ) -> Result<(), Error> {
        for strip in &self.strips {
            let Some(indices) = self.indices.get(strip.indices.clone()) else {
                continue;
            };
            self.strip(strip.primitive, indices, vertex_count, triangles)
                .ok_or_else(|| self.outside(strip, vertex_count))?;
        }
        Ok(())
    }

    /// Appends the triangles of one strip; `None` when an index leads nowhere.
    fn strip(
        &self,
        primitive: Primitive,
        indices: &[U16],
        vertex_count: u32,
        triangles: &mut Vec<[u16; 3]>,
    ) -> Option<()> {
        let vertex = |index: U16| self.mesh_vertex(index, vertex_count);
        match primitive {
            Primitive::List => {
                for &[a, b, c] in indices.as_chunks().0 {
                    triangles.push([vertex(a)?, vertex(b)?, vertex(c)?]);
                }
            }
            Primitive::Strip => {
                let [first, second, rest @ ..] = indices else {
                    return indices
                        .iter()
                        .try_for_each(|&index| vertex(index).map(drop));
                };
                let (mut a, mut b) = (vertex(*first)?, vertex(*second)?);
                for (at, &index) in rest.iter().enumerate() {
                    let c = vertex(index)?;
                    if a != b && b != c && c != a {
                        triangles.push(if at % 2 == 0 { [a, b, c] } else { [b, a, c] });
                    }
                    (a, b) = (b, c);
                }
            }
        }
        Some(())
    }

    /// The vertex of the mesh that an index leads to, if it is one of the first `vertex_count`.
    #[inline]
    fn mesh_vertex(&self, index: U16, vertex_count: u32) -> Option<u16> {
        let vertex = self.vertices.get(usize::from(index.get()))?;
        let vertex = vertex.origMeshVertID.get();
        (u32::from(vertex) < vertex_count).then_some(vertex)
    }

    /// The error of the first index of `strip` that leads nowhere.
    #[cold]
    fn outside(&self, strip: &Strip, vertex_count: u32) -> Error {
        let numbered = self.indices.iter().copied().enumerate();
        let (at, index) = numbered
            .skip(strip.indices.start)
            .find(|&(_, index)| self.mesh_vertex(index, vertex_count).is_none())
            .unwrap_or_default();
        let vertex = self.vertices.get(usize::from(index.get()));
        let place = |structure, number: usize, field, offset| Place {
            file: FileKind::Vtx,
            structure,
            index: u32::try_from(number).ok(),
            field,
            offset,
        };
        let number = usize::from(index.get());
        match vertex {
            None => Error {
                place: place("index", at, "", self.indices_start + 2 * at as u64),
                kind: ErrorKind::Index {
                    index: number as i64,
                    count: self.vertices.len() as u64,
                },
            },
            Some(vertex) => Error {
                place: place(
                    "Vertex_t",
                    number,
                    "origMeshVertID",
                    self.vertices_start + Vertex::SIZE * number as u64 + Vertex::MESH_VERTEX_AT,
                ),
                kind: ErrorKind::Index {
                    index: vertex.origMeshVertID.get().into(),
                    count: vertex_count.into(),
                },
            },
        }
    }
}

/// Appends a triangle to the indices of a strip, joined to what is there by triangles that use a
/// vertex twice.
pub(super) fn join(indices: &mut Vec<u16>, [a, b, c]: [u16; 3]) {
    if let Some(&last) = indices.last() {
        let swapped = indices.len() % 2 == 1;
        indices.extend([last, if swapped { b } else { a }]);
    }
    let swapped = indices.len() % 2 == 1;
    indices.extend(if swapped { [b, a, c] } else { [a, b, c] });
}
