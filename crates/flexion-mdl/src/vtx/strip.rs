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
            let first = strip.indices.start;
            let Some(indices) = self.indices.get(strip.indices.clone()) else {
                continue;
            };
            let resolve = |at: usize| self.mesh_vertex(first + at, indices[at], vertex_count);
            match strip.primitive {
                Primitive::List => {
                    for at in (0..indices.len() / 3).map(|triangle| 3 * triangle) {
                        triangles.push([resolve(at)?, resolve(at + 1)?, resolve(at + 2)?]);
                    }
                }
                Primitive::Strip => {
                    for at in 2..indices.len() {
                        let [a, b, c] = [resolve(at - 2)?, resolve(at - 1)?, resolve(at)?];
                        if a == b || b == c || c == a {
                            continue;
                        }
                        triangles.push(if at % 2 == 0 { [a, b, c] } else { [b, a, c] });
                    }
                }
            }
        }
        Ok(())
    }

    /// The vertex of the mesh that the group's index number `at`, which is `index`, leads to.
    #[inline]
    fn mesh_vertex(&self, at: usize, index: U16, vertex_count: u32) -> Result<u16, Error> {
        match self.vertices.get(usize::from(index.get())) {
            Some(vertex) if u32::from(vertex.origMeshVertID.get()) < vertex_count => {
                Ok(vertex.origMeshVertID.get())
            }
            vertex => Err(self.outside(at, index, vertex, vertex_count)),
        }
    }

    #[cold]
    fn outside(&self, at: usize, index: U16, vertex: Option<&Vertex>, vertex_count: u32) -> Error {
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
