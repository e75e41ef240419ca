//! Bones between poses, by how another bone is turned: shoulders, elbows, wrists.

use glam::{Quat, Vec3, Vec4};

/// Weights of all triggers up to which the first counts alone.
const LEAST: f32 = 0.001;

/// `mstudioquatinterpbone_t`.
#[derive(Clone, Debug, PartialEq)]
pub struct QuatInterp {
    /// `control`: the bone whose rotation in its parent's space counts.
    pub control: usize,
    /// The triggers in file order.
    pub triggers: Vec<Trigger>,
}

/// `mstudioquatinterpinfo_t`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trigger {
    /// `inv_tolerance`: one over the angle in radians at which the trigger ends to count.
    pub inv_tolerance: f32,
    /// `trigger`: the control's rotation at which it counts in full.
    pub trigger: Quat,
    /// `pos`: the bone's position in its parent's space then.
    pub position: Vec3,
    /// `quat`: its rotation then.
    pub rotation: Quat,
}

impl Trigger {
    /// How much it counts at a rotation of the control, 0 to 1.
    pub fn weight(&self, source: Quat) -> f32 {
        let near = self.trigger.dot(source).abs().clamp(-1.0, 1.0);
        let weight = 1.0 - 2.0 * near.acos() * self.inv_tolerance;
        // NaN is no weight: `max` returns the number.
        weight.max(0.0)
    }
}

impl QuatInterp {
    /// Position and rotation in the parent's space for a rotation of the control in its parent's
    /// space; none without triggers.
    ///
    /// The blend is normalised, which the engine leaves out in its release builds: their bones
    /// shrink a little between triggers that are far apart.
    pub fn at(&self, source: Quat) -> Option<(Vec3, Quat)> {
        let first = self.triggers.first()?;
        let weights = || self.triggers.iter().map(|trigger| trigger.weight(source));
        let sum: f32 = weights().sum();
        if sum <= LEAST {
            return Some((first.position, first.rotation));
        }
        let (mut position, mut rotation) = (Vec3::ZERO, Vec4::ZERO);
        for (trigger, weight) in self.triggers.iter().zip(weights()) {
            if weight <= 0.0 {
                continue;
            }
            let quat = Vec4::from(trigger.rotation);
            if rotation.dot(quat) < 0.0 {
                rotation = -rotation;
            }
            rotation += weight / sum * quat;
            position += weight / sum * trigger.position;
        }
        // One trigger alone is exactly its own.
        let rotation = match self.alone(source) {
            Some(trigger) => trigger.rotation,
            None => Quat::from_vec4(rotation.normalize_or(first.rotation.into())),
        };
        Some((position, rotation))
    }

    /// The only trigger that counts, if there is only one.
    fn alone(&self, source: Quat) -> Option<&Trigger> {
        let mut counting = self.triggers.iter().filter(|t| t.weight(source) > 0.0);
        let one = counting.next()?;
        counting.next().is_none().then_some(one)
    }
}
