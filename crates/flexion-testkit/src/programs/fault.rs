//! One fault in a valid rig.

use crate::reference::{Op, Rig};

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

/// Puts a fault in a rule, at op `at` or a little after it; returns where.
pub(super) fn break_rule(
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
