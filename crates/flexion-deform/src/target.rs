//! How a kernel writes vertices, whatever the buffers look like.

use std::ops::Range;

use crate::record::BaseVertices;
use crate::shape::{InterleavedMut, ShapeMut};

/// A finished vertex.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Vertex {
    pub(crate) position: [f32; 3],
    pub(crate) normal: [f32; 3],
    /// Without meaning when the base has none.
    pub(crate) tangent: [f32; 4],
    pub(crate) wrinkle: f32,
}

impl Vertex {
    #[inline(always)]
    pub(crate) fn at_rest(base: &BaseVertices, vertex: usize) -> Self {
        Self {
            position: base.positions[vertex],
            normal: base.normals[vertex],
            tangent: base.tangents.get(vertex).copied().unwrap_or_default(),
            wrinkle: 0.0,
        }
    }
}

/// The attributes that someone waits for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wants {
    /// Normals or tangents: the two thirds of a row that positions do not need.
    pub(crate) normals: bool,
    pub(crate) tangents: bool,
    pub(crate) wrinkles: bool,
}

/// Buffers for a range of vertices; places count from the first of them.
pub(crate) trait Target {
    fn wants(&self) -> Wants;
    fn put(&mut self, place: usize, vertex: &Vertex);
    /// Puts a range of vertices at rest, the first of them at `place`.
    fn reset(&mut self, base: &BaseVertices, range: Range<usize>, place: usize);
}

impl Target for ShapeMut<'_> {
    fn wants(&self) -> Wants {
        Wants {
            normals: true,
            tangents: self.tangents.as_ref().is_some_and(|all| !all.is_empty()),
            wrinkles: self.wrinkles.is_some(),
        }
    }

    #[inline(always)]
    fn put(&mut self, place: usize, vertex: &Vertex) {
        self.positions[place] = vertex.position;
        self.normals[place] = vertex.normal;
        if let Some(tangent) = self.tangents.as_mut().and_then(|all| all.get_mut(place)) {
            *tangent = vertex.tangent;
        }
        if let Some(wrinkles) = &mut self.wrinkles {
            wrinkles[place] = vertex.wrinkle;
        }
    }

    fn reset(&mut self, base: &BaseVertices, range: Range<usize>, place: usize) {
        let places = place..place + range.len();
        self.positions[places.clone()].copy_from_slice(&base.positions[range.clone()]);
        self.normals[places.clone()].copy_from_slice(&base.normals[range.clone()]);
        if let Some(tangents) = self.tangents.as_mut().filter(|all| !all.is_empty()) {
            tangents[places.clone()].copy_from_slice(&base.tangents[range]);
        }
        if let Some(wrinkles) = &mut self.wrinkles {
            wrinkles[places].fill(0.0);
        }
    }
}

impl ShapeMut<'_> {
    /// The buffers before a place and from it on.
    pub(crate) fn split_at(self, place: usize) -> (Self, Self) {
        let (positions, positions_after) = self.positions.split_at_mut(place);
        let (normals, normals_after) = self.normals.split_at_mut(place);
        let (tangents, tangents_after) = split_optional(self.tangents, place);
        let (wrinkles, wrinkles_after) = split_optional(self.wrinkles, place);
        let before = Self {
            positions,
            normals,
            tangents,
            wrinkles,
        };
        let after = Self {
            positions: positions_after,
            normals: normals_after,
            tangents: tangents_after,
            wrinkles: wrinkles_after,
        };
        (before, after)
    }
}

/// Splits a buffer that may not be wanted, or be empty because the base has no tangents.
fn split_optional<T>(
    buffer: Option<&mut [T]>,
    place: usize,
) -> (Option<&mut [T]>, Option<&mut [T]>) {
    match buffer {
        Some(items) if !items.is_empty() => {
            let (before, after) = items.split_at_mut(place);
            (Some(before), Some(after))
        }
        _ => (None, None),
    }
}

impl Target for InterleavedMut<'_> {
    fn wants(&self) -> Wants {
        Wants {
            normals: self.normal.is_some(),
            tangents: self.tangent.is_some(),
            wrinkles: self.wrinkle.is_some(),
        }
    }

    #[inline(always)]
    fn put(&mut self, place: usize, vertex: &Vertex) {
        let floats = &mut self.floats[place * self.stride..][..self.stride];
        if let Some(at) = self.position {
            floats[at..at + 3].copy_from_slice(&vertex.position);
        }
        if let Some(at) = self.normal {
            floats[at..at + 3].copy_from_slice(&vertex.normal);
        }
        if let Some(at) = self.tangent {
            floats[at..at + 4].copy_from_slice(&vertex.tangent);
        }
        if let Some(at) = self.wrinkle {
            floats[at] = vertex.wrinkle;
        }
    }

    fn reset(&mut self, base: &BaseVertices, range: Range<usize>, place: usize) {
        let floats = place * self.stride..(place + range.len()) * self.stride;
        let (floats, stride) = (&mut self.floats[floats], self.stride);
        if let Some(at) = self.position {
            fill(floats, stride, at, &base.positions[range.clone()]);
        }
        if let Some(at) = self.normal {
            fill(floats, stride, at, &base.normals[range.clone()]);
        }
        if let Some(at) = self.tangent {
            fill(floats, stride, at, &base.tangents[range]);
        }
        if let Some(at) = self.wrinkle {
            for vertex in floats.chunks_exact_mut(stride) {
                vertex[at] = 0.0;
            }
        }
    }
}

/// Gives all vertices of a buffer one attribute.
fn fill<const N: usize>(floats: &mut [f32], stride: usize, at: usize, attributes: &[[f32; N]]) {
    if stride == N {
        return floats.copy_from_slice(attributes.as_flattened());
    }
    let vertices = floats.chunks_exact_mut(stride);
    for (vertex, attribute) in vertices.zip(attributes) {
        vertex[at..at + N].copy_from_slice(attribute);
    }
}
