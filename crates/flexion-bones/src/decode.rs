//! Compressed values of animations: runs of 16-bit numbers, one channel per axis.

use glam::{EulerRot, Quat, Vec3};

use crate::controller::nearest;

/// `BONE_FIXED_ALIGNMENT`: rotations stay in the hemisphere of `alignment`.
pub const FIXED_ALIGNMENT: u32 = 0x10_0000;

/// Part of a frame up to which the frame itself is meant.
const WHOLE: f32 = 0.001;

/// What of a bone turns raw numbers into places (`mstudiobone_t`, or the linear bones').
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scales {
    /// `pos`, in model units.
    pub position: Vec3,
    /// `rot`: Euler angles, in radians.
    pub euler: Vec3,
    /// `posscale`: model units for each raw number.
    pub position_scale: Vec3,
    /// `rotscale`: radians for each raw number.
    pub rotation_scale: Vec3,
    /// `qAlignment`.
    pub alignment: Quat,
    /// `flags`, of which [`FIXED_ALIGNMENT`] counts.
    pub flags: u32,
}

/// A channel of values (`mstudioanimvalue_t`): a header of two bytes, how many values a run has
/// and how many frames it lasts, then the values; run after run. None has the value 0 throughout.
pub type Channel<'a> = Option<&'a [u16]>;

/// The raw values of a channel at a frame and the one after it.
///
/// Past the end of the channel, and in runs of no frames, values are 0.
///
/// ```
/// use flexion_bones::decode::raw;
///
/// // Two values for four frames, then one for one.
/// let channel = [0x0402, 10, 20, 0x0101, 7];
/// let at = |frame| raw(Some(&channel), frame);
/// assert_eq!([at(0), at(1), at(2)], [[10, 20], [20, 20], [20, 20]]);
/// assert_eq!([at(3), at(4)], [[20, 7], [7, 7]]);
/// ```
pub fn raw(channel: Channel<'_>, frame: usize) -> [i16; 2] {
    let mut rest = channel.unwrap_or_default();
    let mut left = frame;
    loop {
        let Some((run, after)) = Run::first(rest) else {
            return [0; 2];
        };
        if run.total == 0 {
            return [0; 2];
        }
        if left < run.total {
            let value = run.value(left);
            let next = if left + 1 < run.total || run.is_constant() {
                run.value(left + 1)
            } else {
                Run::first(after).map_or(value, |(next, _)| next.value(0))
            };
            return [value, next];
        }
        left -= run.total;
        rest = after;
    }
}

struct Run<'a> {
    values: &'a [u16],
    total: usize,
}

impl<'a> Run<'a> {
    /// The first run and what comes after it.
    fn first(channel: &'a [u16]) -> Option<(Run<'a>, &'a [u16])> {
        let (&header, rest) = channel.split_first()?;
        let [valid, total] = header.to_le_bytes();
        let (values, after) = rest.split_at_checked(usize::from(valid))?;
        let run = Run {
            values,
            total: usize::from(total),
        };
        Some((run, after))
    }

    /// One value for any frame.
    fn is_constant(&self) -> bool {
        self.values.len() == 1 && self.total == 1
    }

    fn value(&self, frame: usize) -> i16 {
        let last = self.values.len().saturating_sub(1);
        let value = self.values.get(frame.min(last));
        value.copied().unwrap_or_default().cast_signed()
    }
}

impl Scales {
    /// Where the bone is at a frame and a `fraction` of the way to the next, in its parent's
    /// space; the change of place of an animation that is a `delta`.
    pub fn position(
        &self,
        channels: [Channel<'_>; 3],
        frame: usize,
        fraction: f32,
        delta: bool,
    ) -> Vec3 {
        let [now, next] = ends(channels, frame);
        let raw = if fraction > WHOLE {
            now.lerp(next, fraction)
        } else {
            now
        };
        let place = raw * self.position_scale;
        if delta { place } else { place + self.position }
    }

    /// How the bone is turned at a frame and a `fraction` of the way to the next.
    pub fn rotation(
        &self,
        channels: [Channel<'_>; 3],
        frame: usize,
        fraction: f32,
        delta: bool,
    ) -> Quat {
        let turn = |raw: Vec3| {
            let angles = raw * self.rotation_scale;
            let angles = if delta { angles } else { angles + self.euler };
            Quat::from_euler(EulerRot::ZYX, angles.z, angles.y, angles.x)
        };
        let [now, next] = ends(channels, frame);
        let rotation = if fraction > WHOLE {
            let (now, next) = (turn(now), turn(next));
            (now * (1.0 - fraction) + nearest(next, now) * fraction).normalize()
        } else {
            turn(now)
        };
        if !delta && self.flags & FIXED_ALIGNMENT != 0 {
            nearest(rotation, self.alignment)
        } else {
            rotation
        }
    }
}

/// The raw values of three channels at a frame and the one after it.
fn ends(channels: [Channel<'_>; 3], frame: usize) -> [Vec3; 2] {
    let raw = channels.map(|channel| raw(channel, frame));
    [0, 1].map(|end| Vec3::from_array(raw.map(|ends| f32::from(ends[end]))))
}
