//! From sums to the caller's memory.

use std::ops::Range;

use flexion_simd::{Lane, Stream};

use crate::backend::Isa;
use crate::deltas::LANES;

use super::{BLOCK, Run, VECTORS, WIDTHS, Wanted};

impl Run<'_> {
    /// Vertices that no flex lists.
    #[inline(always)]
    pub(super) fn copy_base(&mut self, frames: Range<usize>, places: Range<usize>) {
        let (base, stride, stream) = (&self.layout.base, self.out.stride, self.stream.as_ref());
        for frame in frames {
            let out = frame * stride + places.start..frame * stride + places.end;
            if let Some(positions) = &mut self.out.positions {
                let from = base.positions[places.clone()].as_flattened();
                put(positions[out.clone()].as_flattened_mut(), from, stream);
            }
            if let Some(normals) = &mut self.out.normals {
                let from = base.normals[places.clone()].as_flattened();
                put(normals[out.clone()].as_flattened_mut(), from, stream);
            }
            if let Some(tangents) = self.out.tangents.as_mut().filter(|all| !all.is_empty()) {
                let from = base.tangents[places.clone()].as_flattened();
                put(tangents[out.clone()].as_flattened_mut(), from, stream);
            }
            if let Some(wrinkles) = &mut self.out.wrinkles {
                wrinkles[out].fill(0.0);
            }
        }
    }

    /// Turns the sums of a block and hands each frame its run.
    #[inline(always)]
    pub(super) fn write<I: Isa>(
        &mut self,
        isa: I,
        frames: Range<usize>,
        places: Range<usize>,
        wanted: Wanted,
    ) {
        let tile = VECTORS * I::Lane::LANES;
        let attributes: [Option<&mut [f32]>; 4] = [
            self.out
                .positions
                .as_mut()
                .map(|all| all.as_flattened_mut()),
            self.out.normals.as_mut().map(|all| all.as_flattened_mut()),
            self.out.tangents.as_mut().map(|all| all.as_flattened_mut()),
            self.out.wrinkles.as_deref_mut(),
        ];
        let workspace = &mut *self.workspace;
        for (attribute, out) in attributes.into_iter().enumerate() {
            let (Some(out), true) = (out, wanted[attribute]) else {
                continue;
            };
            let width = WIDTHS[attribute];
            let floats = places.len() * width;
            // Columns past the block's are stale; there are enough for whole vectors.
            let columns = floats.next_multiple_of(LANES) * tile;
            let columns = &workspace.columns[attribute][..columns];
            isa.turn(columns, tile, &mut workspace.turned, BLOCK * width);
            let runs = workspace.turned.chunks_exact(BLOCK * width);
            for (frame, run) in frames.clone().zip(runs) {
                let at = (frame * self.out.stride + places.start) * width;
                put(
                    &mut out[at..at + floats],
                    &run[..floats],
                    self.stream.as_ref(),
                );
            }
        }
    }
}

fn put(to: &mut [f32], from: &[f32], stream: Option<&Stream>) {
    match stream {
        Some(stream) => stream.copy(to, from),
        None => to.copy_from_slice(from),
    }
}
