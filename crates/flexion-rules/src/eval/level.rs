//! The loops of level code: one pose, or as many as fit in a line.

use flexion_simd::Lane;

use super::checked;
use crate::code::{Code, Kind, PLACES, Place};
use crate::op::canon;

/// A value of every pose of the frame.
pub(super) type Line<const W: usize> = [f32; W];

/// A frame for a program: 65,536 slots of which those are touched that the program uses.
pub(super) fn frame<const W: usize>(code: &Code) -> Vec<Line<W>> {
    let mut frame = vec![[0.0; W]; PLACES.max(code.layout.constants)];
    for (line, &value) in frame[code.layout.constants..]
        .iter_mut()
        .zip(&code.level.constants)
    {
        line.fill(value);
    }
    frame
}

/// Runs all rules on a frame that holds the sliders of its first `USED` poses.
///
/// `USED` is a multiple of the lanes and at most `W`; `column` is scratch memory.
#[inline(always)]
pub(super) fn run<L: Lane, const W: usize, const USED: usize>(
    t: L::Token,
    code: &Code,
    frame: &mut [Line<W>],
    column: &mut Vec<f32>,
) {
    if !code.checked.is_empty() {
        // Bytecode knows which weights are not written yet; a checked rule reads what is there.
        frame[code.layout.descriptors()].fill([0.0; W]);
    }
    let level = &code.level;
    for run in &level.runs {
        let range = run.range();
        let mut lines = Lines::<L, W, USED>::new(t, frame);
        match run.kind {
            Kind::Affine => lines.map(
                &level.twos[range],
                #[inline(always)]
                |[a, b, c, ..]| canon::affine(a, b, c),
            ),
            Kind::Damp => lines.map(
                &level.threes[range],
                #[inline(always)]
                |[a, b, c, d, _]| canon::damp(a, b, c, d),
            ),
            Kind::Copy => lines.copy(&level.ones[range]),
            Kind::Div => lines.map(
                &level.twos[range],
                #[inline(always)]
                |[a, b, ..]| canon::div(t, a, b),
            ),
            Kind::Max => lines.map(
                &level.twos[range],
                #[inline(always)]
                |[a, b, ..]| canon::max(a, b),
            ),
            Kind::Min => lines.map(
                &level.twos[range],
                #[inline(always)]
                |[a, b, ..]| canon::min(a, b),
            ),
            Kind::TwoWay0 => lines.map(
                &level.ones[range],
                #[inline(always)]
                |[x, ..]| canon::two_way_0(t, x),
            ),
            Kind::TwoWay1 => lines.map(
                &level.ones[range],
                #[inline(always)]
                |[x, ..]| canon::two_way_1(t, x),
            ),
            Kind::Unit => lines.map(
                &level.twos[range],
                #[inline(always)]
                |[x, min, max, ..]| canon::unit(t, x, min, max),
            ),
            Kind::SignedUnit => lines.map(
                &level.twos[range],
                #[inline(always)]
                |[x, min, max, ..]| canon::signed_unit(t, x, min, max),
            ),
            Kind::Trapezoid => lines.map(
                &level.threes[range],
                #[inline(always)]
                |[f, r0, r1, r2, r3]| canon::trapezoid(t, f, [r0, r1, r2, r3]),
            ),
            Kind::LowerEyelid => lines.map(
                &level.twos[range],
                #[inline(always)]
                |[v, l, u, ..]| canon::lower_eyelid(t, v, l, u),
            ),
            Kind::UpperEyelid => lines.map(
                &level.twos[range],
                #[inline(always)]
                |[v, l, u, ..]| canon::upper_eyelid(t, v, l, u),
            ),
            Kind::Checked(rule) => {
                let result = level.ones[range].first();
                let result = result.map(|entry| place(entry, 0));
                checked_rule::<W, USED>(code, rule, result, frame, column);
            }
        }
    }
}

/// The slots instructions can name: an array, so that the compiler sees that none is out of bounds.
struct Lines<'a, L: Lane, const W: usize, const USED: usize> {
    lines: &'a mut [Line<W>; PLACES],
    token: L::Token,
}

impl<'a, L: Lane, const W: usize, const USED: usize> Lines<'a, L, W, USED> {
    #[inline(always)]
    fn new(token: L::Token, frame: &'a mut [Line<W>]) -> Self {
        let (lines, _) = frame
            .split_first_chunk_mut()
            .expect("a frame has all places");
        Lines { lines, token }
    }

    /// Runs instructions of `N` words; `f` gets the operands, and anything for those that the kind has not.
    #[inline(always)]
    fn map<const N: usize>(&mut self, instrs: &[[u32; N]], f: impl Fn([L; 5]) -> L) {
        // A loop's own instructions are a fifth of all, so they are shared by four.
        let (fours, rest) = instrs.as_chunks::<4>();
        for [a, b, c, d] in fours {
            self.one(a, &f);
            self.one(b, &f);
            self.one(c, &f);
            self.one(d, &f);
        }
        for instr in rest {
            self.one(instr, &f);
        }
    }

    #[inline(always)]
    fn one<const N: usize>(&mut self, instr: &[u32; N], f: &impl Fn([L; 5]) -> L) {
        let zero = L::splat(self.token, 0.0);
        let mut lane = 0;
        while lane < USED {
            let mut args = [zero; 5];
            let mut i = 1;
            while i < 2 * N {
                let line = &self.lines[place(instr, i)];
                args[i - 1] = L::load(self.token, &line[lane..]);
                i += 1;
            }
            let line = &mut self.lines[place(instr, 0)];
            f(args).store(&mut line[lane..]);
            lane += L::LANES;
        }
    }

    /// Copies lines, four at a time: no copy reads what another has written.
    #[inline(always)]
    fn copy(&mut self, copies: &[[u32; 1]]) {
        let (fours, rest) = copies.as_chunks::<4>();
        for [a, b, c, d] in fours {
            let (line_a, line_b) = (self.lines[place(a, 1)], self.lines[place(b, 1)]);
            let (line_c, line_d) = (self.lines[place(c, 1)], self.lines[place(d, 1)]);
            self.lines[place(a, 0)] = line_a;
            self.lines[place(b, 0)] = line_b;
            self.lines[place(c, 0)] = line_c;
            self.lines[place(d, 0)] = line_d;
        }
        for copy in rest {
            self.lines[place(copy, 0)] = self.lines[place(copy, 1)];
        }
    }
}

/// One of the places of an instruction. A word is loaded once for two of them: the loads are what limits the loops.
#[inline(always)]
fn place(words: &[u32], index: usize) -> usize {
    let word = words[index / 2];
    match index % 2 {
        0 => usize::from(word as Place),
        _ => (word >> Place::BITS) as usize,
    }
}

/// Runs a checked rule on each pose and stores its weights, and its result where bytecode reads it.
fn checked_rule<const W: usize, const USED: usize>(
    code: &Code,
    rule: u32,
    result: Option<usize>,
    frame: &mut [Line<W>],
    column: &mut Vec<f32>,
) {
    let rule = rule as usize;
    let target = code.layout.descriptors + code.checked[rule].target;
    for pose in 0..USED {
        column.clear();
        column.extend(frame[..code.layout.constants].iter().map(|line| line[pose]));
        let (sliders, weights) = column.split_at(code.layout.descriptors);
        let weight = checked::run(code, rule, sliders, weights);
        frame[target][pose] = weight;
        if let Some(place) = result {
            frame[place][pose] = weight;
        }
    }
}
