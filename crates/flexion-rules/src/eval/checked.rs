//! The slow way: one rule from its ops, every precondition checked as it runs.
//!
//! For rules whose depth only the pose decides. The [machine](crate::machine) does the work; here a value is
//! simply a float.

use crate::code::Code;
use crate::machine::{Bounds, Domain, Lid, Machine};
use crate::op::{Opcode, canon};
use crate::rig::ControllerRange;

/// The weight of a checked rule.
///
/// `sliders` are those of the pose, `weights` what its descriptors have so far.
#[cold]
pub(super) fn run(code: &Code, rule: usize, sliders: &[f32], weights: &[f32]) -> f32 {
    let mut floats = Floats {
        sliders,
        weights,
        ranges: &code.ranges,
    };
    let bounds = Bounds {
        controllers: sliders.len(),
        descriptors: weights.len(),
        dialect: code.dialect,
    };
    let mut machine = Machine::new(bounds, 0.0);
    for &op in &code.checked[rule].ops {
        // An op that cannot run does nothing and the rule goes on. Floats are always known, so that is the
        // only way to halt.
        let _ = machine.step(op, &mut floats);
    }
    machine.result()
}

struct Floats<'a> {
    sliders: &'a [f32],
    weights: &'a [f32],
    ranges: &'a [ControllerRange],
}

impl Floats<'_> {
    fn unit(&self, controller: usize) -> f32 {
        let ControllerRange { min, max } = self.ranges[controller];
        canon::unit((), self.sliders[controller], min, max)
    }

    fn signed_unit(&self, controller: usize) -> f32 {
        let ControllerRange { min, max } = self.ranges[controller];
        canon::signed_unit((), self.sliders[controller], min, max)
    }
}

impl Domain for Floats<'_> {
    type Value = f32;

    fn constant(&mut self, value: f32) -> f32 {
        value
    }

    fn controller(&mut self, index: usize) -> f32 {
        self.sliders[index]
    }

    fn descriptor(&mut self, index: usize) -> f32 {
        self.weights[index]
    }

    fn known(&self, value: f32) -> Option<f32> {
        Some(value)
    }

    fn unary(&mut self, _: Opcode, f: fn(f32) -> f32, a: f32) -> f32 {
        f(a)
    }

    fn binary(&mut self, _: Opcode, f: fn(f32, f32) -> f32, a: f32, b: f32) -> f32 {
        f(a, b)
    }

    fn nway(&mut self, multi: usize, limits: [f32; 4], scaled: usize) -> f32 {
        canon::nway((), self.sliders[multi], limits, self.sliders[scaled])
    }

    fn eyelid(&mut self, _: Opcode, f: fn(f32, f32, f32) -> f32, lid: Lid) -> f32 {
        let up_down = lid.up_down.map_or(0.0, |index| self.signed_unit(index));
        f(self.unit(lid.value), self.unit(lid.close), up_down)
    }
}
