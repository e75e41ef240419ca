//! Made-up rigs of the two kinds that real models have, for benches.
//!
//! [`arithmetic`] is what rules written by hand compile to, [`combination`] what the exporter of combination
//! shapes writes. Both are the same in every run.

use crate::reference::{Op, Rig, Rule};

const CONST: i32 = 1;
const FETCH1: i32 = 2;
const FETCH2: i32 = 3;
const ADD: i32 = 4;
const SUB: i32 = 5;
const MUL: i32 = 6;
const MAX: i32 = 13;
const MIN: i32 = 14;
const TWO_WAY_0: i32 = 15;
const NWAY: i32 = 17;
const COMBO: i32 = 18;
const DOMINATE: i32 = 19;

/// Hand-written rules: 60 rules of products and sums such as `a * (1 - b * 0.8) * (1 - c)`, about 670 ops.
pub fn arithmetic() -> Rig {
    let mut random = Random(1);
    let rules = (0..60)
        .map(|flex| {
            let mut ops = vec![Op::index(FETCH1, random.below(54))];
            for _ in 0..2 {
                match random.below(8) {
                    0 => ops.extend([Op::index(FETCH1, random.below(54)), Op::index(ADD, 0)]),
                    1 => ops.extend([
                        Op::value(CONST, 0.0),
                        Op::index(MAX, 0),
                        Op::value(CONST, 1.0),
                        Op::index(MIN, 0),
                    ]),
                    2 if flex > 0 => {
                        ops.extend([Op::index(FETCH2, random.below(flex)), Op::index(MUL, 0)]);
                    }
                    3 | 4 => ops.extend([
                        Op::value(CONST, 1.0),
                        Op::index(FETCH1, random.below(54)),
                        Op::index(SUB, 0),
                        Op::index(MUL, 0),
                    ]),
                    _ => ops.extend([
                        Op::value(CONST, 1.0),
                        Op::index(FETCH1, random.below(54)),
                        Op::value(CONST, 0.8),
                        Op::index(MUL, 0),
                        Op::index(SUB, 0),
                        Op::index(MUL, 0),
                    ]),
                }
            }
            ops.extend([Op::value(CONST, 0.5), Op::index(MUL, 0)]);
            Rule { flex, ops }
        })
        .collect();
    Rig {
        controllers: vec![(0.0, 1.0); 54],
        descriptors: 71,
        rules,
    }
}

/// Exported combination rules: 300 rules of one to four inputs, their product, and up to two dominators.
pub fn combination() -> Rig {
    let mut random = Random(2);
    let rules = (0..300)
        .map(|flex| {
            let mut ops = Vec::new();
            let inputs = random.below(4) + 1;
            (0..inputs).for_each(|_| input(&mut ops, &mut random));
            if inputs > 1 {
                ops.push(Op::index(COMBO, inputs));
            }
            for _ in 0..random.below(3) {
                let dominators = random.below(2) + 1;
                (0..dominators).for_each(|_| input(&mut ops, &mut random));
                ops.push(Op::index(DOMINATE, dominators));
            }
            Rule { flex, ops }
        })
        .collect();
    Rig {
        controllers: vec![(0.0, 1.0); 90],
        descriptors: 300,
        rules,
    }
}

/// One fetch: plain, one half of a two-way slider, or one shape of an n-way slider.
fn input(ops: &mut Vec<Op>, random: &mut Random) {
    let controller = random.below(90);
    match random.below(10) {
        0 | 1 => ops.push(Op::index(TWO_WAY_0 + random.below(2), controller)),
        2 => {
            let limits = [0.0, 0.25, 0.25, 0.75];
            ops.extend(limits.map(|limit| Op::value(CONST, limit)));
            ops.push(Op::value(CONST, random.below(90) as f32));
            ops.push(Op::index(NWAY, controller));
        }
        _ => ops.push(Op::index(FETCH1, controller)),
    }
}

/// Poses for a rig: most sliders at rest, some anywhere in their range.
pub fn poses(rig: &Rig, count: usize) -> Vec<Vec<f32>> {
    let mut random = Random(3);
    let mut slider = |&(min, max): &(f32, f32)| match random.below(3) {
        0 => 0.0,
        _ => min + (max - min) * random.below(1001) as f32 / 1000.0,
    };
    (0..count)
        .map(|_| rig.controllers.iter().map(&mut slider).collect())
        .collect()
}

/// A small generator, so that rigs stay the same with any version of any crate.
struct Random(u64);

impl Random {
    /// A number from 0 to below `end`.
    fn below(&mut self, end: i32) -> i32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % end as u64) as i32
    }
}
