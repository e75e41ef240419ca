//! The bytecode loop over floats.

use super::checked;
use crate::code::{Code, Eyelid, Instr, NWay, Place, Scaled};
use crate::op::canon;

/// The floats instructions work on.
struct Frame<'a>(&'a mut [f32]);

impl Frame<'_> {
    #[inline(always)]
    fn get(&self, place: Place) -> f32 {
        self.0[usize::from(place)]
    }

    #[inline(always)]
    fn set(&mut self, place: Place, value: f32) {
        self.0[usize::from(place)] = value;
    }

    #[inline(always)]
    fn unary(&mut self, dst: Place, f: impl Fn(f32) -> f32, a: Place) {
        self.set(dst, f(self.get(a)));
    }

    #[inline(always)]
    fn binary(&mut self, dst: Place, f: impl Fn(f32, f32) -> f32, a: Place, b: Place) {
        self.set(dst, f(self.get(a), self.get(b)));
    }

    fn nway(&self, entry: &NWay) -> f32 {
        let limits = entry.limits.map(|limit| self.get(limit));
        canon::nway(self.get(entry.multi), limits, self.get(entry.scaled))
    }

    /// Value, close-lid and eyes-up-down, scaled; no eyes-up-down counts as 0.
    fn eyelid(&self, entry: &Eyelid) -> (f32, f32, f32) {
        let unit = |scaled: Scaled| canon::unit(self.get(scaled.place), scaled.range);
        let signed = |scaled: Scaled| canon::signed_unit(self.get(scaled.place), scaled.range);
        (
            unit(entry.value),
            unit(entry.close),
            entry.up_down.map_or(0.0, signed),
        )
    }
}

/// Runs all rules on a frame that holds the pose's sliders.
pub(super) fn run(code: &Code, frame: &mut [f32]) {
    let mut frame = Frame(frame);
    for &instr in &code.instrs {
        match instr {
            Instr::Copy { dst, a } => frame.unary(dst, |a| a, a),
            Instr::Neg { dst, a } => frame.unary(dst, canon::neg, a),
            Instr::TwoWay0 { dst, a } => frame.unary(dst, canon::two_way_0, a),
            Instr::TwoWay1 { dst, a } => frame.unary(dst, canon::two_way_1, a),
            Instr::Add { dst, a, b } => frame.binary(dst, canon::add, a, b),
            Instr::Sub { dst, a, b } => frame.binary(dst, canon::sub, a, b),
            Instr::Mul { dst, a, b } => frame.binary(dst, canon::mul, a, b),
            Instr::Div { dst, a, b } => frame.binary(dst, canon::div, a, b),
            Instr::Max { dst, a, b } => frame.binary(dst, canon::max, a, b),
            Instr::Min { dst, a, b } => frame.binary(dst, canon::min, a, b),
            Instr::Dominate { dst, a, b } => frame.binary(dst, canon::dominate, a, b),
            Instr::NWay { dst, entry } => {
                let value = frame.nway(&code.nways[entry as usize]);
                frame.set(dst, value);
            }
            Instr::LowerEyelid { dst, entry } => {
                let (v, l, u) = frame.eyelid(&code.eyelids[entry as usize]);
                frame.set(dst, canon::lower_eyelid(v, l, u));
            }
            Instr::UpperEyelid { dst, entry } => {
                let (v, l, u) = frame.eyelid(&code.eyelids[entry as usize]);
                frame.set(dst, canon::upper_eyelid(v, l, u));
            }
            Instr::Checked { rule } => checked::run(code, rule as usize, frame.0),
        }
    }
}
