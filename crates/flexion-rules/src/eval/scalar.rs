//! The bytecode loops over floats.

use super::checked;
use crate::code::{Affine, Binary, Code, Eyelid, Kind, NWay, PLACES, Place, Scaled, Unary};
use crate::op::canon;
use crate::rig::ControllerRange;

/// Runs all rules on a frame that holds the pose's sliders.
pub(super) fn run(code: &Code, frame: &mut [f32]) {
    let tables = &code.tables;
    for run in &code.runs {
        let range = run.range();
        let mut places = Frame::new(frame);
        match run.kind {
            Kind::Affine => places.affine(&tables.affine[range]),
            Kind::Div => places.binary(canon::div, &tables.binary[range]),
            Kind::Max => places.binary(canon::max, &tables.binary[range]),
            Kind::Min => places.binary(canon::min, &tables.binary[range]),
            Kind::TwoWay0 => places.unary(canon::two_way_0, &tables.unary[range]),
            Kind::TwoWay1 => places.unary(canon::two_way_1, &tables.unary[range]),
            Kind::NWay => {
                for i in &tables.nways[range] {
                    places.set(i.dst, places.nway(i));
                }
            }
            Kind::LowerEyelid => places.eyelids(canon::lower_eyelid, &tables.eyelids[range]),
            Kind::UpperEyelid => places.eyelids(canon::upper_eyelid, &tables.eyelids[range]),
            Kind::Checked => range.for_each(|rule| checked::run(code, rule, frame)),
        }
    }
}

/// The places instructions can name: an array, so that the compiler sees that none is out of bounds.
struct Frame<'a>(&'a mut [f32; PLACES]);

impl<'a> Frame<'a> {
    #[inline(always)]
    fn new(frame: &'a mut [f32]) -> Frame<'a> {
        let (places, _) = frame
            .split_first_chunk_mut()
            .expect("a frame has all places");
        Frame(places)
    }

    #[inline(always)]
    fn get(&self, place: Place) -> f32 {
        self.0[usize::from(place)]
    }

    #[inline(always)]
    fn set(&mut self, place: Place, value: f32) {
        self.0[usize::from(place)] = value;
    }

    /// Apart from `run`, whose other loops would take the registers of this one, the hottest.
    #[inline(never)]
    fn affine(&mut self, instrs: &[Affine]) {
        for i in instrs {
            let value = canon::affine(self.get(i.a), self.get(i.b), self.get(i.c));
            self.set(i.dst, value);
        }
    }

    #[inline(always)]
    fn unary(&mut self, f: impl Fn(f32) -> f32, instrs: &[Unary]) {
        for i in instrs {
            self.set(i.dst, f(self.get(i.a)));
        }
    }

    #[inline(always)]
    fn binary(&mut self, f: impl Fn(f32, f32) -> f32, instrs: &[Binary]) {
        for i in instrs {
            self.set(i.dst, f(self.get(i.a), self.get(i.b)));
        }
    }

    #[inline(always)]
    fn eyelids(&mut self, f: impl Fn(f32, f32, f32) -> f32, instrs: &[Eyelid]) {
        for i in instrs {
            let (v, l, u) = self.eyelid(i);
            self.set(i.dst, f(v, l, u));
        }
    }

    #[inline(always)]
    fn nway(&self, i: &NWay) -> f32 {
        let limits = i.limits.map(|limit| self.get(limit));
        canon::nway(self.get(i.multi), limits, self.get(i.scaled))
    }

    /// Value, close-lid and eyes-up-down, scaled; no eyes-up-down counts as 0.
    fn eyelid(&self, i: &Eyelid) -> (f32, f32, f32) {
        let range = |scaled: Scaled| ControllerRange {
            min: self.get(scaled.min),
            max: self.get(scaled.max),
        };
        let unit = |scaled: Scaled| canon::unit(self.get(scaled.place), range(scaled));
        let signed = |scaled: Scaled| canon::signed_unit(self.get(scaled.place), range(scaled));
        (unit(i.value), unit(i.close), i.up_down.map_or(0.0, signed))
    }
}
