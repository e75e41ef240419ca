//! Between rows, as people have poses, and planes, as kernels want them.
//!
//! Eight poses of four slots at a time, whose rows are loads and stores of 16 bytes and whose planes are of 32.
//! Poses and slots that do not fill that go one by one. Rows are walked from end to end, which costs least: going
//! through all poses of four slots first was tried and took half as long again.

use flexion_simd::Lane;

use super::block::Line;

/// Poses that are turned together.
const TOGETHER: usize = 8;

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
    for (group, rows) in rows.chunks(TOGETHER * slots).enumerate() {
        let pose = TOGETHER * group;
        let mut done = 0;
        if rows.len() == TOGETHER * slots {
            let [a, b, c, d, e, f, g, h] = split(rows, slots);
            let low = a.iter().zip(b).zip(c).zip(d);
            let high = e.iter().zip(f).zip(g).zip(h);
            let mut place = index;
            for ((((a, b), c), d), (((e, f), g), h)) in low.zip(high) {
                let [w, x, y, z] = L::to_columns(t, [*a, *b, *c, *d, *e, *f, *g, *h]);
                *eight_mut(&mut planes[place], pose) = w;
                *eight_mut(&mut planes[place + stride], pose) = x;
                *eight_mut(&mut planes[place + 2 * stride], pose) = y;
                *eight_mut(&mut planes[place + 3 * stride], pose) = z;
                place += 4 * stride;
            }
            done = slots / 4 * 4;
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
    for (group, rows) in rows.chunks_mut(TOGETHER * slots).enumerate() {
        let pose = TOGETHER * group;
        let mut done = 0;
        if rows.len() == TOGETHER * slots {
            let [a, b, c, d, e, f, g, h] = split_mut(rows, slots);
            let low = a.iter_mut().zip(b).zip(c).zip(d);
            let high = e.iter_mut().zip(f).zip(g).zip(h);
            let fours = planes_of.as_chunks::<4>().0;
            for (((((a, b), c), d), (((e, f), g), h)), &[w, x, y, z]) in low.zip(high).zip(fours) {
                let columns = [
                    *eight(line(w), pose),
                    *eight(line(x), pose),
                    *eight(line(y), pose),
                    *eight(line(z), pose),
                ];
                [*a, *b, *c, *d, *e, *f, *g, *h] = L::to_rows(t, columns);
            }
            done = 4 * fours.len();
        }
        for (slot, &plane) in planes_of.iter().enumerate().skip(done) {
            let values = &line(plane)[pose..];
            for (&value, row) in values.iter().zip(rows.chunks_exact_mut(slots)) {
                row[slot] = value;
            }
        }
    }
}

/// Eight rows, each in fours of slots; what is left of a row is left out.
#[inline(always)]
fn split(rows: &[f32], slots: usize) -> [&[[f32; 4]]; TOGETHER] {
    let mut fours: [&[[f32; 4]]; TOGETHER] = [&[]; TOGETHER];
    for (fours, row) in fours.iter_mut().zip(rows.chunks_exact(slots)) {
        *fours = row.as_chunks().0;
    }
    fours
}

#[inline(always)]
fn split_mut(rows: &mut [f32], slots: usize) -> [&mut [[f32; 4]]; TOGETHER] {
    let mut fours: [&mut [[f32; 4]]; TOGETHER] = Default::default();
    for (fours, row) in fours.iter_mut().zip(rows.chunks_exact_mut(slots)) {
        *fours = row.as_chunks_mut().0;
    }
    fours
}

#[inline(always)]
fn eight(line: &Line, pose: usize) -> &[f32; TOGETHER] {
    line[pose..]
        .first_chunk()
        .expect("a line is twice eight poses")
}

#[inline(always)]
fn eight_mut(line: &mut Line, pose: usize) -> &mut [f32; TOGETHER] {
    line[pose..]
        .first_chunk_mut()
        .expect("a line is twice eight poses")
}
