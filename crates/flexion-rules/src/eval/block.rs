//! The loops of block code: one step on all poses of a block, then the next.
//!
//! A plane is as many [`Line`]s as the block has, a line is sixteen poses: a cache line, and a whole number of
//! vectors of every backend. Cells let a step write the plane that it reads.

use std::cell::Cell;

use flexion_simd::Lane;

use super::checked;
use crate::code::{Arg, Code, Kind, Step};
use crate::op::canon;

/// Poses of a line.
pub(super) const LINE: usize = 16;

/// One value of sixteen poses.
pub(super) type Line = [f32; LINE];

/// Runs all rules on a block whose first planes hold the sliders.
///
/// `planes` has the program's planes, each `stride` lines from the one before, of which the first `lines` lines are
/// run; `column` is scratch memory.
#[inline(always)]
pub(super) fn run<L: Lane>(
    t: L::Token,
    code: &Code,
    planes: &[Cell<Line>],
    (lines, stride): (usize, usize),
    column: &mut Vec<f32>,
) {
    let block = Planes::<L> {
        planes,
        lines,
        stride,
        token: t,
    };
    if !code.checked.is_empty() {
        // Steps know which weights are not written yet; a checked rule reads what is there.
        for slot in code.layout.descriptors() {
            block
                .plane(slot as u32)
                .iter()
                .for_each(|line| line.set([0.0; LINE]));
        }
    }
    for step in &code.block.steps {
        match step.kind {
            Kind::Affine => block.affine(step),
            Kind::Damp => block.damp(step),
            Kind::Copy => block.one(
                step,
                #[inline(always)]
                |a| a,
            ),
            Kind::Div => block.two(
                step,
                #[inline(always)]
                |a, b| canon::div(t, a, b),
            ),
            Kind::Max => block.two(step, canon::max),
            Kind::Min => block.two(step, canon::min),
            Kind::TwoWay0 => block.one(
                step,
                #[inline(always)]
                |x| canon::two_way_0(t, x),
            ),
            Kind::TwoWay1 => block.one(
                step,
                #[inline(always)]
                |x| canon::two_way_1(t, x),
            ),
            Kind::Unit => block.scaled(
                step,
                #[inline(always)]
                |[x, a, b, ..]| canon::unit(t, x, a, b),
            ),
            Kind::SignedUnit => block.scaled(
                step,
                #[inline(always)]
                |[x, a, b, ..]| canon::signed_unit(t, x, a, b),
            ),
            Kind::Trapezoid => {
                block.scaled(
                    step,
                    #[inline(always)]
                    |[f, a, b, c, d]| canon::trapezoid(t, f, [a, b, c, d]),
                );
            }
            Kind::LowerEyelid => block.lid(
                step,
                #[inline(always)]
                |v, l, u| canon::lower_eyelid(t, v, l, u),
            ),
            Kind::UpperEyelid => block.lid(
                step,
                #[inline(always)]
                |v, l, u| canon::upper_eyelid(t, v, l, u),
            ),
            Kind::Checked(rule) => block.checked(code, rule as usize, step, column),
        }
    }
}

struct Planes<'a, L: Lane> {
    planes: &'a [Cell<Line>],
    lines: usize,
    stride: usize,
    token: L::Token,
}

/// What the loops read: a plane, or the same in every lane.
trait Source<L: Lane>: Copy {
    /// The lanes of line `index` from lane `lane` on.
    fn at(self, t: L::Token, index: usize, lane: usize) -> L;
}

impl<L: Lane> Source<L> for &[Cell<Line>] {
    #[inline(always)]
    fn at(self, t: L::Token, index: usize, lane: usize) -> L {
        L::load(t, &self[index].get()[lane..])
    }
}

#[derive(Clone, Copy)]
struct Same<L>(L);

impl<L: Lane> Source<L> for Same<L> {
    #[inline(always)]
    fn at(self, _: L::Token, _: usize, _: usize) -> L {
        self.0
    }
}

/// Either, decided again for every line: for steps that are rare or compute long.
#[derive(Clone, Copy)]
enum Any<'a, L> {
    Plane(&'a [Cell<Line>]),
    Same(Same<L>),
}

impl<L: Lane> Source<L> for Any<'_, L> {
    #[inline(always)]
    fn at(self, t: L::Token, index: usize, lane: usize) -> L {
        match self {
            Any::Plane(plane) => plane.at(t, index, lane),
            Any::Same(same) => same.at(t, index, lane),
        }
    }
}

impl<'a, L: Lane> Planes<'a, L> {
    #[inline(always)]
    fn plane(&self, plane: u32) -> &'a [Cell<Line>] {
        &self.planes[plane as usize * self.stride..][..self.lines]
    }

    #[inline(always)]
    fn source(&self, arg: Arg) -> Any<'a, L> {
        match arg {
            Arg::Plane(plane) => Any::Plane(self.plane(plane)),
            Arg::Constant(value) => Any::Same(Same(L::splat(self.token, value))),
        }
    }

    /// All operands, unused ones included. Written out, as are all arrays of vectors here: a closure in a function
    /// of the standard library may be compiled on its own, without the backend's instructions.
    #[inline(always)]
    fn sources(&self, step: &Step) -> [Any<'a, L>; 5] {
        let [a, b, c, d, e] = step.args;
        [
            self.source(a),
            self.source(b),
            self.source(c),
            self.source(d),
            self.source(e),
        ]
    }

    /// Lets `f` make every vector of the destination, of the line and lane that it is told.
    #[inline(always)]
    fn fill(&self, dst: u32, f: impl Fn(usize, usize) -> L) {
        for (index, place) in self.plane(dst).iter().enumerate() {
            let mut line = [0.0; LINE];
            let mut lane = 0;
            while lane < LINE {
                f(index, lane).store(&mut line[lane..]);
                lane += L::LANES;
            }
            place.set(line);
        }
    }

    #[inline(always)]
    fn one(&self, step: &Step, f: impl Fn(L) -> L) {
        let a = self.source(step.args[0]);
        match a {
            Any::Plane(a) => self.with_1(step.dst, a, f),
            Any::Same(a) => self.with_1(step.dst, a, f),
        }
    }

    #[inline(always)]
    fn with_1(&self, dst: u32, a: impl Source<L>, f: impl Fn(L) -> L) {
        let t = self.token;
        self.fill(
            dst,
            #[inline(always)]
            |index, lane| f(a.at(t, index, lane)),
        );
    }

    #[inline(always)]
    fn two(&self, step: &Step, f: impl Fn(L, L) -> L) {
        let (a, b) = (self.source(step.args[0]), self.source(step.args[1]));
        match (a, b) {
            (Any::Plane(a), Any::Plane(b)) => self.with_2(step.dst, a, b, f),
            (Any::Plane(a), Any::Same(b)) => self.with_2(step.dst, a, b, f),
            _ => self.with_2(step.dst, a, b, f),
        }
    }

    #[inline(always)]
    fn with_2(&self, dst: u32, a: impl Source<L>, b: impl Source<L>, f: impl Fn(L, L) -> L) {
        let t = self.token;
        self.fill(
            dst,
            #[inline(always)]
            |index, lane| f(a.at(t, index, lane), b.at(t, index, lane)),
        );
    }

    #[inline(always)]
    fn affine(&self, step: &Step) {
        let [a, b, c, ..] = self.sources(step);
        match (a, b, c) {
            (Any::Plane(a), Any::Plane(b), Any::Plane(c)) => self.affine_of(step.dst, a, b, c),
            (Any::Plane(a), Any::Plane(b), Any::Same(c)) => self.affine_of(step.dst, a, b, c),
            (Any::Plane(a), Any::Same(b), Any::Plane(c)) => self.affine_of(step.dst, a, b, c),
            (Any::Plane(a), Any::Same(b), Any::Same(c)) => self.affine_of(step.dst, a, b, c),
            _ => self.affine_of(step.dst, a, b, c),
        }
    }

    #[inline(always)]
    fn affine_of(&self, dst: u32, a: impl Source<L>, b: impl Source<L>, c: impl Source<L>) {
        let t = self.token;
        self.fill(
            dst,
            #[inline(always)]
            |i, lane| canon::affine(a.at(t, i, lane), b.at(t, i, lane), c.at(t, i, lane)),
        );
    }

    #[inline(always)]
    fn damp(&self, step: &Step) {
        let [a, b, c, d, _] = self.sources(step);
        let dst = step.dst;
        match (a, b, c, d) {
            (Any::Plane(a), Any::Plane(b), Any::Plane(c), Any::Plane(d)) => {
                self.damp_of(dst, a, b, c, d);
            }
            (Any::Plane(a), Any::Plane(b), Any::Same(c), Any::Plane(d)) => {
                self.damp_of(dst, a, b, c, d);
            }
            (Any::Plane(a), Any::Same(b), Any::Plane(c), Any::Plane(d)) => {
                self.damp_of(dst, a, b, c, d);
            }
            (Any::Plane(a), Any::Same(b), Any::Same(c), Any::Plane(d)) => {
                self.damp_of(dst, a, b, c, d);
            }
            (Any::Plane(a), Any::Plane(b), Any::Same(c), Any::Same(d)) => {
                self.damp_of(dst, a, b, c, d);
            }
            (Any::Plane(a), Any::Same(b), Any::Plane(c), Any::Same(d)) => {
                self.damp_of(dst, a, b, c, d);
            }
            _ => self.damp_of(dst, a, b, c, d),
        }
    }

    #[inline(always)]
    fn damp_of(
        &self,
        dst: u32,
        a: impl Source<L>,
        b: impl Source<L>,
        c: impl Source<L>,
        d: impl Source<L>,
    ) {
        let t = self.token;
        self.fill(
            dst,
            #[inline(always)]
            |i, lane| {
                let (a, b) = (a.at(t, i, lane), b.at(t, i, lane));
                canon::damp(a, b, c.at(t, i, lane), d.at(t, i, lane))
            },
        );
    }

    /// A function of a plane and up to four numbers, which here as everywhere may be planes too.
    #[inline(always)]
    fn scaled(&self, step: &Step, f: impl Fn([L; 5]) -> L) {
        let t = self.token;
        match self.sources(step) {
            [
                Any::Plane(x),
                Any::Same(b),
                Any::Same(c),
                Any::Same(d),
                Any::Same(e),
            ] => {
                let numbers = [b.0, c.0, d.0, e.0];
                self.with_1(
                    step.dst,
                    x,
                    #[inline(always)]
                    |x| f([x, numbers[0], numbers[1], numbers[2], numbers[3]]),
                );
            }
            [a, b, c, d, e] => self.fill(
                step.dst,
                #[inline(always)]
                |i, lane| {
                    let (a, b) = (a.at(t, i, lane), b.at(t, i, lane));
                    let (c, d) = (c.at(t, i, lane), d.at(t, i, lane));
                    f([a, b, c, d, e.at(t, i, lane)])
                },
            ),
        }
    }

    #[inline(always)]
    fn lid(&self, step: &Step, f: impl Fn(L, L, L) -> L) {
        let t = self.token;
        let [v, l, u, ..] = self.sources(step);
        self.fill(
            step.dst,
            #[inline(always)]
            |i, lane| f(v.at(t, i, lane), l.at(t, i, lane), u.at(t, i, lane)),
        );
    }

    /// Runs a checked rule on each pose and stores its weights, and its result where steps read it.
    fn checked(&self, code: &Code, rule: usize, step: &Step, column: &mut Vec<f32>) {
        let target = code.layout.descriptors + code.checked[rule].target;
        for index in 0..self.lines {
            let mut results = [0.0; LINE];
            for (pose, result) in results.iter_mut().enumerate() {
                let value = |slot| self.plane(slot as u32)[index].get()[pose];
                column.clear();
                column.extend((0..code.layout.constants).map(value));
                let (sliders, weights) = column.split_at(code.layout.descriptors);
                *result = checked::run(code, rule, sliders, weights);
            }
            self.plane(target as u32)[index].set(results);
            self.plane(step.dst)[index].set(results);
        }
    }
}
