//! Random rigs and poses for property tests.
//!
//! Three kinds of rig: [`valid`] ones, in which every op has what it needs; [`broken`] ones, the same with one
//! fault in a place that is named; and [`wild`] ones, whose ops are anything at all. All come with poses made
//! of [`awkward`] values.
//!
//! Rules are built from a list of random picks, each of which becomes an op that fits at that depth of the
//! stack. A failing case so shrinks by dropping picks and stays valid while it does.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::reference::{Op, Rig, Rule};

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

/// What can be wrong in a rig.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A rule for a descriptor that does not exist.
    Target,
    /// An op of unknown number.
    Unknown,
    /// An op without effect.
    Inert,
    /// An operand that is no controller.
    Controller,
    /// An operand that is no descriptor.
    Descriptor,
    /// A count below 0.
    Count,
    /// Too few values on the stack.
    Underflow,
    /// No room on the stack.
    Overflow,
    /// A controller index on the stack that is out of range or no index at all.
    StackIndex,
}

impl Fault {
    /// All of them.
    pub const ALL: [Fault; 9] = [
        Fault::Target,
        Fault::Unknown,
        Fault::Inert,
        Fault::Controller,
        Fault::Descriptor,
        Fault::Count,
        Fault::Underflow,
        Fault::Overflow,
        Fault::StackIndex,
    ];
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
    let rule = (-1i32..8, ops).prop_map(|(flex, ops)| Rule { flex, ops });
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

/// What a random number, index and float become at a given depth of the stack.
type Pick = (u8, u8, f32);

/// A valid rig no deeper than `cap`, and the depth before and after each op of each rule.
fn rig(cap: usize, computed: bool) -> impl Strategy<Value = (Rig, Vec<Vec<usize>>)> {
    let picks = vec((any::<u8>(), any::<u8>(), awkward()), 0..50);
    let rules = vec((any::<u8>(), picks), 0..6);
    (vec(range(), 1..MAX_CONTROLLERS), 1usize..7, rules).prop_map(
        move |(controllers, descriptors, rules)| {
            let mut depths = Vec::new();
            let rules = rules
                .into_iter()
                .map(|(flex, picks)| {
                    let mut builder = Builder::new(controllers.len(), descriptors, cap);
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

/// Builds one valid rule.
struct Builder {
    controllers: usize,
    descriptors: usize,
    cap: usize,
    ops: Vec<Op>,
    /// The least and the greatest possible depth: they part where an op may fail in some poses.
    low: usize,
    high: usize,
    depths: Vec<usize>,
}

impl Builder {
    fn new(controllers: usize, descriptors: usize, cap: usize) -> Builder {
        Builder {
            controllers,
            descriptors,
            cap,
            ops: Vec::new(),
            low: 0,
            high: 0,
            depths: vec![0],
        }
    }

    /// Appends an op that takes and leaves so many values.
    fn op(&mut self, op: Op, takes: usize, leaves: usize) {
        self.low = self.low - takes + leaves;
        self.high = self.high - takes + leaves;
        self.ops.push(op);
        self.depths.push(self.low);
    }

    fn controller(&self, n: u8) -> i32 {
        i32::from(n) % self.controllers as i32
    }

    /// Turns one pick into ops that fit; into none if it does not fit here.
    fn add(&mut self, (kind, n, value): Pick, computed: bool) {
        let room = self.cap - self.high;
        match kind % 24 {
            0..=2 if room > 0 => self.op(Op::value(1, value), 0, 1),
            3..=5 if room > 0 => self.op(Op::index(2, self.controller(n)), 0, 1),
            6 | 7 if room > 0 => {
                let flex = i32::from(n) % self.descriptors as i32;
                self.op(Op::index(3, flex), 0, 1);
            }
            8 | 9 if room > 0 => {
                let code = 15 + i32::from(kind % 2);
                self.op(Op::index(code, self.controller(n)), 0, 1);
            }
            10..=16 if self.low >= 2 => {
                let code = [4, 5, 6, 7, 13, 14, 5][usize::from(kind % 24) - 10];
                self.op(Op::index(code, n.into()), 2, 1);
            }
            17 if self.low >= 1 => self.op(Op::index(8, 0), 1, 1),
            18 | 19 if room > 0 => {
                let count = usize::from(n) % (self.low.min(self.controllers - 1) + 1);
                self.op(Op::index(18, count as i32), count, 1);
            }
            20 if room > 0 && self.low >= 1 => {
                let count = usize::from(n) % self.low.min(self.controllers);
                self.op(Op::index(19, count as i32), count + 1, 1);
            }
            21 if room >= 5 => self.nway(n, value, computed),
            22 | 23 if room >= 3 => self.eyelid(n, value, computed),
            _ => {}
        }
    }

    fn nway(&mut self, n: u8, value: f32, computed: bool) {
        let limits = if n & 1 == 0 {
            [0.0, 0.25, 0.5, 1.0]
        } else {
            [-1.0, value, value, 1.5]
        };
        for limit in limits {
            self.op(Op::value(1, limit), 0, 1);
        }
        let from_pose = self.index(n / 2, computed && n.is_multiple_of(3));
        self.op(Op::index(17, self.controller(n / 4)), 5, 1);
        if from_pose {
            self.high += 4;
        }
    }

    fn eyelid(&mut self, n: u8, value: f32, computed: bool) {
        let mut from_pose = self.index(n, computed && value < 0.0);
        self.index(n / 2, false);
        from_pose |= self.index(n / 4, computed && value > 1.0);
        self.op(
            Op::index(20 + i32::from(n & 1), self.controller(n / 8)),
            3,
            1,
        );
        if from_pose {
            self.high += 2;
        }
    }

    /// Pushes a controller index, as a constant or a slider's value; tells which.
    fn index(&mut self, n: u8, from_pose: bool) -> bool {
        let controller = self.controller(n);
        let op = match from_pose {
            true => Op::index(2, controller),
            // Truncation has to be tried too.
            false => Op::value(1, controller as f32 + f32::from(n % 2) * 0.75),
        };
        self.op(op, 0, 1);
        from_pose
    }
}

/// Puts a fault in a rule, at op `at` or a little after it; returns where.
fn break_rule(
    rig: &mut Rig,
    rule: usize,
    depths: &[usize],
    at: usize,
    fault: Fault,
    which: u8,
) -> Option<usize> {
    let controllers = rig.controllers.len() as i32;
    let (bad_controller, bad_descriptor) = match which % 3 {
        0 => (-1, -1),
        1 => (controllers, rig.descriptors as i32),
        _ => (i32::MAX, i32::MIN),
    };
    let pick = |codes: &[i32]| codes[usize::from(which / 3) % codes.len()];
    let depth = depths[at];
    let push = Op::value(1, 0.5);
    // What goes in before the faulty op, and the faulty op. With nothing before it, the rest of the rule
    // stays valid, since an op that does nothing changes nothing.
    let (before, op) = match fault {
        Fault::Target => {
            rig.rules[rule].flex = bad_descriptor;
            return None;
        }
        Fault::Unknown => (vec![], Op::index(pick(&[0, 22, -1, i32::MAX, i32::MIN]), 1)),
        Fault::Inert => (vec![], Op::index(pick(&[9, 10, 11, 12]), 0)),
        Fault::Controller => (vec![], Op::index(pick(&[2, 15, 16]), bad_controller)),
        Fault::Descriptor => (vec![], Op::index(3, bad_descriptor)),
        Fault::Count => (vec![], Op::index(pick(&[18, 19]), pick(&[-1, i32::MIN]))),
        Fault::Overflow => (
            vec![push; 32 - depth],
            pick_push(pick(&[1, 2, 3, 15, 16, 18])),
        ),
        Fault::StackIndex => {
            let value = [f32::NAN, bad_controller as f32, 1e30][usize::from(which) % 3];
            let bad = Op::value(
                1,
                if value < 0.0 {
                    controllers as f32
                } else {
                    value
                },
            );
            match pick(&[17, 20, 21]) {
                17 => (vec![push, push, push, push, bad], Op::index(17, 0)),
                code => (
                    vec![Op::value(1, 0.0), Op::value(1, 0.0), bad],
                    Op::index(code, 0),
                ),
            }
        }
        Fault::Underflow => {
            let at = (0..=at).rev().find(|&i| depths[i] < 5).unwrap_or(0);
            let code = match depths[at] {
                0 => pick(&[4, 5, 6, 7, 8, 13, 14, 17, 19, 20, 21]),
                1 => pick(&[4, 5, 6, 7, 13, 14, 17, 20, 21]),
                2 => pick(&[17, 20, 21]),
                _ => 17,
            };
            rig.rules[rule].ops.insert(at, Op::index(code, 0));
            return Some(at);
        }
    };
    let ops = &mut rig.rules[rule].ops;
    if !before.is_empty() {
        ops.truncate(at);
    }
    let place = at + before.len();
    let rest = ops.split_off(at);
    ops.extend(before);
    ops.push(op);
    ops.extend(rest);
    Some(place)
}

/// An op that pushes one value whatever the rig.
fn pick_push(code: i32) -> Op {
    Op::index(code, 0)
}
