//! Between rows, as people have poses, and planes, as kernels want them.
//!
//! Four poses of four slots at a time: a transpose of 4 x 4, whose rows are loads and stores of 16 bytes.

use flexion_simd::Lane;

use super::block::Line;

/// Where in each plane of a block a line is.
#[derive(Clone, Copy)]
pub(super) struct At {
    pub index: usize,
    /// Lines from one plane to the next.
    pub stride: usize,
}

/// Reads up to sixteen poses into one line of each plane. Lanes without a pose keep what they have.
#[inline(always)]
pub(super) fn load_rows<L: Lane>(
    t: L::Token,
    rows: &[f32],
    slots: usize,
    planes: &mut [Line],
    At { index, stride }: At,
) {
    if slots == 0 {
        return;
    }
    for (group, rows) in rows.chunks(4 * slots).enumerate() {
        let pose = 4 * group;
        let mut slot = 0;
        if rows.len() == 4 * slots {
            let (ab, cd) = rows.split_at(2 * slots);
            let ((a, b), (c, d)) = (ab.split_at(slots), cd.split_at(slots));
            let (a, b) = (a.as_chunks::<4>().0, b.as_chunks::<4>().0);
            let (c, d) = (c.as_chunks::<4>().0, d.as_chunks::<4>().0);
            for (((&a, &b), &c), &d) in a.iter().zip(b).zip(c).zip(d) {
                let square = L::transpose(t, [a, b, c, d]);
                for values in square {
                    planes[slot * stride + index][pose..pose + 4].copy_from_slice(&values);
                    slot += 1;
                }
            }
        }
        while slot < slots {
            let line = &mut planes[slot * stride + index];
            for (value, row) in line[pose..].iter_mut().zip(rows.chunks_exact(slots)) {
                *value = row[slot];
            }
            slot += 1;
        }
    }
}

/// The way back: writes one line of each plane to the rows of up to sixteen poses.
#[inline(always)]
pub(super) fn store_rows<L: Lane>(
    t: L::Token,
    planes: &[Line],
    At { index, stride }: At,
    slots: usize,
    rows: &mut [f32],
) {
    if slots == 0 {
        return;
    }
    for (group, rows) in rows.chunks_mut(4 * slots).enumerate() {
        let pose = 4 * group;
        let mut slot = 0;
        if rows.len() == 4 * slots {
            let (ab, cd) = rows.split_at_mut(2 * slots);
            let ((a, b), (c, d)) = (ab.split_at_mut(slots), cd.split_at_mut(slots));
            let (a, b) = (a.as_chunks_mut::<4>().0, b.as_chunks_mut::<4>().0);
            let (c, d) = (c.as_chunks_mut::<4>().0, d.as_chunks_mut::<4>().0);
            for (((a, b), c), d) in a.iter_mut().zip(b).zip(c).zip(d) {
                let mut square = [[0.0; 4]; 4];
                for values in &mut square {
                    let line = &planes[slot * stride + index];
                    values.copy_from_slice(&line[pose..pose + 4]);
                    slot += 1;
                }
                [*a, *b, *c, *d] = L::transpose(t, square);
            }
        }
        while slot < slots {
            let line = &planes[slot * stride + index];
            for (&value, row) in line[pose..].iter().zip(rows.chunks_exact_mut(slots)) {
                row[slot] = value;
            }
            slot += 1;
        }
    }
}
