//! Between rows, as people have poses, and planes, as kernels want them.
//!
//! Four poses of four slots at a time: a transpose of 4 x 4, whose rows are loads and stores of 16 bytes. Poses
//! and slots that do not fill a square go one by one. Rows are walked from end to end, which costs least: going
//! through all poses of four slots first was tried and took half as long again.

use flexion_simd::Lane;

use super::block::Line;

/// Reads up to sixteen poses into line `index` of each plane, `stride` lines from the one before. Lanes without a
/// pose keep what they have.
#[inline(always)]
pub(super) fn load_rows<L: Lane>(
    t: L::Token,
    rows: &[f32],
    slots: usize,
    planes: &mut [Line],
    (index, stride): (usize, usize),
) {
    if slots == 0 {
        return;
    }
    for (group, rows) in rows.chunks(4 * slots).enumerate() {
        let pose = 4 * group;
        let mut place = index;
        let mut done = 0;
        if rows.len() == 4 * slots {
            let (ab, cd) = rows.split_at(2 * slots);
            let ((a, b), (c, d)) = (ab.split_at(slots), cd.split_at(slots));
            let (a, b) = (a.as_chunks::<4>().0, b.as_chunks::<4>().0);
            let (c, d) = (c.as_chunks::<4>().0, d.as_chunks::<4>().0);
            for (((&a, &b), &c), &d) in a.iter().zip(b).zip(c).zip(d) {
                let [w, x, y, z] = L::transpose(t, [a, b, c, d]);
                *four_mut(&mut planes[place], pose) = w;
                *four_mut(&mut planes[place + stride], pose) = x;
                *four_mut(&mut planes[place + 2 * stride], pose) = y;
                *four_mut(&mut planes[place + 3 * stride], pose) = z;
                place += 4 * stride;
            }
            done = 4 * a.len();
        }
        for slot in done..slots {
            let line = &mut planes[slot * stride + index];
            for (value, row) in line[pose..].iter_mut().zip(rows.chunks_exact(slots)) {
                *value = row[slot];
            }
        }
    }
}

/// The way back: writes line `index` of each plane that `planes_of` names to the rows of up to sixteen poses.
#[inline(always)]
pub(super) fn store_rows<L: Lane>(
    t: L::Token,
    planes: &[Line],
    planes_of: &[u32],
    (index, stride): (usize, usize),
    rows: &mut [f32],
) {
    let slots = planes_of.len();
    if slots == 0 {
        return;
    }
    let line = |plane: u32| &planes[plane as usize * stride + index];
    for (group, rows) in rows.chunks_mut(4 * slots).enumerate() {
        let pose = 4 * group;
        let mut done = 0;
        if rows.len() == 4 * slots {
            let (ab, cd) = rows.split_at_mut(2 * slots);
            let ((a, b), (c, d)) = (ab.split_at_mut(slots), cd.split_at_mut(slots));
            let (a, b) = (a.as_chunks_mut::<4>().0, b.as_chunks_mut::<4>().0);
            let (c, d) = (c.as_chunks_mut::<4>().0, d.as_chunks_mut::<4>().0);
            let fours = planes_of.as_chunks::<4>().0;
            done = 4 * fours.len();
            for ((((a, b), c), d), &[w, x, y, z]) in a.iter_mut().zip(b).zip(c).zip(d).zip(fours) {
                let square = [
                    *four(line(w), pose),
                    *four(line(x), pose),
                    *four(line(y), pose),
                    *four(line(z), pose),
                ];
                [*a, *b, *c, *d] = L::transpose(t, square);
            }
        }
        for (slot, &plane) in planes_of.iter().enumerate().skip(done) {
            let values = &line(plane)[pose..];
            for (&value, row) in values.iter().zip(rows.chunks_exact_mut(slots)) {
                row[slot] = value;
            }
        }
    }
}

#[inline(always)]
fn four(line: &Line, pose: usize) -> &[f32; 4] {
    line[pose..]
        .first_chunk()
        .expect("a line has four times four")
}

#[inline(always)]
fn four_mut(line: &mut Line, pose: usize) -> &mut [f32; 4] {
    line[pose..]
        .first_chunk_mut()
        .expect("a line has four times four")
}
