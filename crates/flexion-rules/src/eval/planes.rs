//! Slot-major values: a row of all poses for each controller or descriptor.

/// Values to read, a plane for each slot.
///
/// ```text
/// values[slot * stride + pose]     | slot 0: pose 0 1 2 … | gap | slot 1: pose 0 1 2 … | gap | …
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Planes<'a> {
    /// All planes.
    pub values: &'a [f32],
    /// From the start of a plane to that of the next; at least the number of poses. Multiples of 1024 (4 KiB)
    /// make all planes compete for the same places of the cache and are best avoided.
    pub stride: usize,
}

/// Values to write, laid out as in [`Planes`]. Gaps between planes are left alone.
#[derive(Debug)]
pub struct PlanesMut<'a> {
    /// All planes.
    pub values: &'a mut [f32],
    /// See [`Planes::stride`].
    pub stride: usize,
}

impl<'a> Planes<'a> {
    /// Checks that all planes are there.
    pub(super) fn check(self, what: &str, slots: usize, poses: usize) -> Planes<'a> {
        check(what, self.values.len(), self.stride, slots, poses);
        self
    }

    pub(super) fn plane(&self, slot: usize, start: usize, poses: usize) -> &'a [f32] {
        &self.values[slot * self.stride + start..][..poses]
    }
}

impl<'a> PlanesMut<'a> {
    /// Checks that all planes are there.
    pub(super) fn check(self, what: &str, slots: usize, poses: usize) -> PlanesMut<'a> {
        check(what, self.values.len(), self.stride, slots, poses);
        self
    }

    pub(super) fn plane(&mut self, slot: usize, start: usize, poses: usize) -> &mut [f32] {
        &mut self.values[slot * self.stride + start..][..poses]
    }

    /// The planes of `slots` slots, cut after every `length` poses: for each part its piece of every plane.
    pub(super) fn parts(
        self,
        slots: usize,
        poses: usize,
        length: usize,
    ) -> Vec<Vec<&'a mut [f32]>> {
        let mut parts: Vec<Vec<&mut [f32]>> = Vec::new();
        parts.resize_with(poses.div_ceil(length), || Vec::with_capacity(slots));
        for plane in self.values.chunks_mut(self.stride.max(1)).take(slots) {
            let pieces = plane[..poses].chunks_mut(length);
            parts
                .iter_mut()
                .zip(pieces)
                .for_each(|(part, piece)| part.push(piece));
        }
        parts
    }
}

fn check(what: &str, length: usize, stride: usize, slots: usize, poses: usize) {
    assert!(
        slots < 2 || stride >= poses,
        "{what}: a stride of {stride} for planes of {poses} poses"
    );
    let last = slots
        .checked_sub(1)
        .and_then(|last| last.checked_mul(stride));
    let needed = last.map_or(0, |last| last.saturating_add(poses));
    assert!(
        slots == 0 || last.is_some() && length >= needed,
        "{what}: {length} values where {slots} planes of {poses} poses need {needed}"
    );
}
