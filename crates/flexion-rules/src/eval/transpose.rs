//! Between rows, as people have poses, and planes, as kernels want them.
//!
//! Four slots of sixteen poses at a time: four transposes of 4 x 4, whose rows are loads and stores of 16 bytes.

use std::cell::Cell;

use flexion_simd::Lane;

use super::block::{LINE, Line};

/// Reads sixteen poses, or the fewer that `rows` holds, into line `index` of each plane.
///
/// `planes` holds `slots` planes, each `stride` lines from the one before; what no pose fills of a line becomes 0.
#[inline(always)]
pub(super) fn load_rows<L: Lane>(
    t: L::Token,
    rows: &[f32],
    slots: usize,
    planes: &[Cell<Line>],
    (index, stride): (usize, usize),
) {
    let full = rows.len() == LINE * slots;
    let mut slot = 0;
    while full && slot + 4 <= slots {
        let mut out = [[0.0; LINE]; 4];
        let mut pose = 0;
        while pose < LINE {
            let square = [0, 1, 2, 3].map(|i| four(&rows[(pose + i) * slots + slot..]));
            let square = L::transpose(t, square);
            for i in 0..4 {
                out[i][pose..pose + 4].copy_from_slice(&square[i]);
            }
            pose += 4;
        }
        for i in 0..4 {
            planes[(slot + i) * stride + index].set(out[i]);
        }
        slot += 4;
    }
    while slot < slots {
        let mut line = [0.0; LINE];
        for (value, row) in line.iter_mut().zip(rows.chunks_exact(slots)) {
            *value = row[slot];
        }
        planes[slot * stride + index].set(line);
        slot += 1;
    }
}

/// The way back: writes line `index` of each plane to the rows of its poses.
#[inline(always)]
pub(super) fn store_rows<L: Lane>(
    t: L::Token,
    planes: &[Cell<Line>],
    (index, stride): (usize, usize),
    slots: usize,
    rows: &mut [f32],
) {
    let full = rows.len() == LINE * slots;
    let mut slot = 0;
    while full && slot + 4 <= slots {
        let four_lines = [0, 1, 2, 3].map(|i| planes[(slot + i) * stride + index].get());
        let mut pose = 0;
        while pose < LINE {
            let square = [0, 1, 2, 3].map(|i| four(&four_lines[i][pose..]));
            let square = L::transpose(t, square);
            for i in 0..4 {
                rows[(pose + i) * slots + slot..][..4].copy_from_slice(&square[i]);
            }
            pose += 4;
        }
        slot += 4;
    }
    while slot < slots {
        let line = planes[slot * stride + index].get();
        for (&value, row) in line.iter().zip(rows.chunks_exact_mut(slots)) {
            row[slot] = value;
        }
        slot += 1;
    }
}

#[inline(always)]
fn four(values: &[f32]) -> [f32; 4] {
    [values[0], values[1], values[2], values[3]]
}
