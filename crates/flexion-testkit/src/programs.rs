//! Random rigs and poses for property tests.
//!
//! Three kinds of rig: [`valid`] ones, in which every op has what it needs; [`broken`] ones, the same with one
//! fault in a place that is named; and [`wild`] ones, whose ops are anything at all. All come with poses made
//! of [`awkward`] values.
//!
//! Rules are built from a list of random picks, each of which becomes an op that fits at that depth of the
//! stack. A failing case so shrinks by dropping picks and stays valid while it does.

mod build;
mod fault;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::reference::{Op, Rig, Rule};
use build::Builder;
use fault::break_rule;

pub use fault::Fault;

/// A rig and poses for it, each one value per controller.
#[derive(Clone, Debug)]
pub struct Posed {
    /// The rig.
    pub rig: Rig,
    /// At least one pose.
    pub poses: Vec<Vec<f32>>,
}

/// A rig with one fault.
#[derive(Clone, Debug)]
pub struct Broken {
    /// The rig and poses for it.
    pub posed: Posed,
    /// What is wrong.
    pub fault: Fault,
    /// In which rule.
    pub rule: usize,
    /// At which op; `None` if the fault is the rule's target.
    pub op: Option<usize>,
}

/// Floats that find mistakes: signed zeros, the neighbours of every limit rules compare with, subnormals,
/// huge values, infinities, NaN; and ordinary ones.
pub fn awkward() -> impl Strategy<Value = f32> {
    let guard = 0.0001f32;
    let special = vec![
        0.0,
        -0.0,
        1.0,
        -1.0,
        1.0f32.next_up(),
        1.0f32.next_down(),
        (-1.0f32).next_up(),
        (-1.0f32).next_down(),
        0.5,
        2.0,
        guard,
        guard.next_up(),
        guard.next_down(),
        -guard,
        f32::from_bits(1),
        -f32::from_bits(1),
        f32::MIN_POSITIVE,
        f32::MIN_POSITIVE.next_down(),
        f32::MAX,
        f32::MIN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        2_147_483_648.0,
        2_147_483_648.0f32.next_down(),
        -2_147_483_648.0,
        (-2_147_483_648.0f32).next_down(),
    ];
    prop_oneof![
        4 => select(special),
        4 => -1.5f32..1.5,
        2 => (-4i8..10).prop_map(|index| f32::from(index) / 2.0),
        1 => any::<u32>().prop_map(f32::from_bits),
    ]
}

/// Rigs in which, under both dialects, every op has what it needs in every pose; except that a controller index
/// may come from the pose, in which case all is right either way.
pub fn valid() -> impl Strategy<Value = Posed> {
    posed(rig(32, true))
}

/// Rigs that are valid but for one fault.
pub fn broken() -> impl Strategy<Value = Broken> {
    let place = (any::<Index>(), any::<Index>());
    let poses = vec(vec(slider(), MAX_CONTROLLERS), 1..4);
    (
        rig(24, false),
        select(&Fault::ALL[..]),
        place,
        any::<u8>(),
        poses,
    )
        .prop_map(|((mut rig, depths), fault, (rule, op), which, poses)| {
            if rig.rules.is_empty() {
                rig.rules.push(Rule {
                    flex: 0,
                    ops: Vec::new(),
                });
            }
            let rule = rule.index(rig.rules.len());
            let depths = depths.get(rule).cloned().unwrap_or_else(|| vec![0]);
            let op = break_rule(
                &mut rig,
                rule,
                &depths,
                op.index(depths.len()),
                fault,
                which,
            );
            let posed = pose(rig, poses);
            Broken {
                posed,
                fault,
                rule,
                op,
            }
        })
}

/// Rigs of random ops, from almost right to nonsense.
pub fn wild() -> impl Strategy<Value = Posed> {
    let code = prop_oneof![12 => 1i32..22, 2 => -1i32..25, 1 => any::<i32>()];
    let operand = prop_oneof![
        6 => (-2i32..9).prop_map(i32::to_le_bytes),
        4 => awkward().prop_map(f32::to_le_bytes),
        1 => any::<[u8; 4]>(),
    ];
    let op = (code, operand).prop_map(|(code, operand)| Op { code, operand });
    // Without a good share of pushes nearly every op would fail for want of values.
    let push = awkward().prop_map(|value| Op::value(1, value));
    let ops = vec(prop_oneof![3 => op, 1 => push], 0..60);
    let rule = (-1i32..8, filled(), ops).prop_map(|(flex, filled, ops)| Rule {
        flex,
        ops: (0..filled).map(filler).chain(ops).collect(),
    });
    let rig = (vec(range(), 0..MAX_CONTROLLERS), 0usize..8, vec(rule, 0..6)).prop_map(
        |(controllers, descriptors, rules)| {
            let rig = Rig {
                controllers,
                descriptors,
                rules,
            };
            (rig, Vec::new())
        },
    );
    posed(rig)
}

const MAX_CONTROLLERS: usize = 9;

/// A slider: a value, or a place in its controller's range.
#[derive(Clone, Copy, Debug)]
enum Slider {
    Value(f32),
    Min,
    Max,
    Beside(bool, bool),
}

fn slider() -> impl Strategy<Value = Slider> {
    prop_oneof![
        6 => awkward().prop_map(Slider::Value),
        1 => Just(Slider::Min),
        1 => Just(Slider::Max),
        1 => any::<(bool, bool)>().prop_map(|(max, up)| Slider::Beside(max, up)),
    ]
}

impl Slider {
    fn resolve(self, (min, max): (f32, f32)) -> f32 {
        match self {
            Slider::Value(value) => value,
            Slider::Min => min,
            Slider::Max => max,
            Slider::Beside(at_max, up) => {
                let end = if at_max { max } else { min };
                if up { end.next_up() } else { end.next_down() }
            }
        }
    }
}

/// Ordinary ranges, and equal, reversed and NaN ones.
fn range() -> impl Strategy<Value = (f32, f32)> {
    prop_oneof![
        3 => Just((0.0, 1.0)),
        2 => Just((-1.0, 1.0)),
        1 => Just((-45.0, 45.0)),
        1 => Just((0.0, 0.0)),
        1 => Just((1.0, -1.0)),
        2 => (awkward(), awkward()),
    ]
}

fn posed(rig: impl Strategy<Value = (Rig, Vec<Vec<usize>>)>) -> impl Strategy<Value = Posed> {
    let poses = vec(vec(slider(), MAX_CONTROLLERS), 1..5);
    (rig, poses).prop_map(|((rig, _), poses)| pose(rig, poses))
}

fn pose(rig: Rig, poses: Vec<Vec<Slider>>) -> Posed {
    let poses = poses
        .iter()
        .map(|pose| {
            let ranges = rig.controllers.iter();
            pose.iter()
                .zip(ranges)
                .map(|(slider, &range)| slider.resolve(range))
                .collect()
        })
        .collect();
    Posed { rig, poses }
}

/// How many values a rule pushes first: mostly none, sometimes so many that the stack soon overflows.
fn filled() -> impl Strategy<Value = usize> {
    prop_oneof![4 => Just(0usize), 1 => 20usize..=32]
}

/// One of the values pushed first, each different.
fn filler(number: usize) -> Op {
    Op::value(1, 1.0 + number as f32 / 64.0)
}

/// What a random number, index and float become at a given depth of the stack.
type Pick = (u8, u8, f32);

/// A valid rig no deeper than `cap`, and the depth before and after each op of each rule.
fn rig(cap: usize, computed: bool) -> impl Strategy<Value = (Rig, Vec<Vec<usize>>)> {
    let picks = vec((any::<u8>(), any::<u8>(), awkward()), 0..50);
    let rules = vec((any::<u8>(), filled(), picks), 0..6);
    (vec(range(), 1..MAX_CONTROLLERS), 1usize..7, rules).prop_map(
        move |(controllers, descriptors, rules)| {
            let mut depths = Vec::new();
            let rules = rules
                .into_iter()
                .map(|(flex, filled, picks)| {
                    let mut builder = Builder::new(controllers.len(), descriptors, cap);
                    builder.fill(filled);
                    picks
                        .into_iter()
                        .for_each(|pick| builder.add(pick, computed));
                    depths.push(builder.depths);
                    Rule {
                        flex: i32::from(flex) % descriptors as i32,
                        ops: builder.ops,
                    }
                })
                .collect();
            let rig = Rig {
                controllers,
                descriptors,
                rules,
            };
            (rig, depths)
        },
    )
}
