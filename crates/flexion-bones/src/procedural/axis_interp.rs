//! Bones between six poses, by where an axis of another bone points.

use glam::{Quat, Vec3};

/// `mstudioaxisinterpbone_t`.
#[derive(Clone, Debug, PartialEq)]
pub struct AxisInterp {
    /// `control`: the bone whose axis counts.
    pub control: usize,
    /// `axis`: which of its axes, 0 to 2.
    pub axis: usize,
    /// `pos`: in the parent's space, for the axis at +X, -X, +Y, -Y, +Z, -Z.
    pub positions: [Vec3; 6],
    /// `quat`, likewise.
    pub rotations: [Quat; 6],
}

impl AxisInterp {
    /// Position and rotation in the parent's space for an axis in the space of the control's
    /// parent.
    ///
    /// The nearest of each two opposite entries are blended: Z over a blend of X and Y, by how far
    /// the axis points along each.
    pub fn at(&self, axis: Vec3) -> (Vec3, Quat) {
        let entry = |part: usize, value: f32| 2 * part + usize::from(value < 0.0);
        let entries = [entry(0, axis.x), entry(1, axis.y), entry(2, axis.z)];
        let [p1, p2, p3] = entries.map(|entry| self.positions[entry]);
        let [q1, q2, q3] = entries.map(|entry| self.rotations[entry]);
        let parts = axis.abs();
        let flat = parts.x + parts.y;
        if flat <= 0.0 {
            return (p3, q3);
        }
        let sum = flat + parts.z;
        let rotation = q2.slerp(q1, parts.x / flat).slerp(q3, parts.z / sum);
        ((parts.x * p1 + parts.y * p2 + parts.z * p3) / sum, rotation)
    }
}
