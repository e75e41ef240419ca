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
    for run in &code.level.runs {
        let words = &code.level.words[run.range()];
        let mut lines = Lines::<L, W, USED>::new(t, frame);
        match run.kind {
            Kind::Affine => lines.map::<4>(
                words,
                #[inline(always)]
                |[a, b, c, ..]| canon::affine(a, b, c),
            ),
            Kind::Damp => lines.map::<5>(
                words,
                #[inline(always)]
                |[a, b, c, d, _]| canon::damp(a, b, c, d),
            ),
            Kind::Copy => lines.map::<2>(
                words,
                #[inline(always)]
                |[a, ..]| a,
            ),
            Kind::Div => lines.map::<3>(
                words,
                #[inline(always)]
                |[a, b, ..]| canon::div(t, a, b),
            ),
            Kind::Max => lines.map::<3>(
                words,
                #[inline(always)]
                |[a, b, ..]| canon::max(a, b),
            ),
            Kind::Min => lines.map::<3>(
                words,
                #[inline(always)]
                |[a, b, ..]| canon::min(a, b),
            ),
            Kind::TwoWay0 => lines.map::<2>(
                words,
                #[inline(always)]
                |[x, ..]| canon::two_way_0(t, x),
            ),
            Kind::TwoWay1 => lines.map::<2>(
                words,
                #[inline(always)]
                |[x, ..]| canon::two_way_1(t, x),
            ),
            Kind::Unit => lines.map::<4>(
                words,
                #[inline(always)]
                |[x, a, b, ..]| canon::unit(t, x, a, b),
            ),
            Kind::SignedUnit => {
                lines.map::<4>(
                    words,
                    #[inline(always)]
                    |[x, a, b, ..]| canon::signed_unit(t, x, a, b),
                );
            }
            Kind::Trapezoid => {
                lines.map::<6>(
                    words,
                    #[inline(always)]
                    |[f, a, b, c, d]| canon::trapezoid(t, f, [a, b, c, d]),
                );
            }
            Kind::LowerEyelid => {
                lines.map::<4>(
                    words,
                    #[inline(always)]
                    |[v, l, u, ..]| canon::lower_eyelid(t, v, l, u),
                );
            }
            Kind::UpperEyelid => {
                lines.map::<4>(
                    words,
                    #[inline(always)]
                    |[v, l, u, ..]| canon::upper_eyelid(t, v, l, u),
                );
            }
            Kind::Checked(rule) => checked_rule::<W, USED>(code, rule, words, frame, column),
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

    /// Runs instructions of `M - 1` operands; `f` gets as many, and zeros for the rest.
    #[inline(always)]
    fn map<const M: usize>(&mut self, words: &[Place], f: impl Fn([L; 5]) -> L) {
        let zero = L::splat(self.token, 0.0);
        let (instrs, _) = words.as_chunks::<M>();
        for instr in instrs {
            let mut lane = 0;
            while lane < USED {
                let mut args = [zero; 5];
                let mut i = 1;
                while i < M {
                    let line = &self.lines[usize::from(instr[i])];
                    args[i - 1] = L::load(self.token, &line[lane..]);
                    i += 1;
                }
                let line = &mut self.lines[usize::from(instr[0])];
                f(args).store(&mut line[lane..]);
                lane += L::LANES;
            }
        }
    }
}

/// Runs a checked rule on each pose and stores its weights, and its result where bytecode reads it.
fn checked_rule<const W: usize, const USED: usize>(
    code: &Code,
    rule: u32,
    words: &[Place],
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
        if let Some(&place) = words.first() {
            frame[usize::from(place)][pose] = weight;
        }
    }
}
