//! The rules, one function a group of descriptors.
//!
//! Their order matters: a rule can read the weights that rules before it have written.

use crate::rig::Step::{self, Combo, Const, Dominate, Fetch, Number, Of, Plain, Weight};

const ADD: Step = Plain(4);
const SUB: Step = Plain(5);
const MUL: Step = Plain(6);
const DIV: Step = Plain(7);
const NEG: Step = Plain(8);
/// Four ops that do nothing: compilers leave the last three behind, and the first was never made.
const EXP: Step = Plain(9);
const OPEN: Step = Plain(10);
const CLOSE: Step = Plain(11);
const COMMA: Step = Plain(12);
const MAX: Step = Plain(13);
const MIN: Step = Plain(14);
const TWO_WAY_0: i32 = 15;
const TWO_WAY_1: i32 = 16;
const N_WAY: i32 = 17;
const LOWER_EYELID: i32 = 20;
const UPPER_EYELID: i32 = 21;

type Named = (String, Vec<Step>);

/// All rules: the descriptor that is written, and how.
pub(crate) fn all() -> Vec<Named> {
    let mut rules = Vec::new();
    for (side, end) in [("right", "R"), ("left", "L")] {
        rules.extend(mouth_side(side, end));
        rules.extend(lids(side));
        rules.extend(brow(side, end));
    }
    rules.extend(jaw());
    rules.extend(lips());
    rules.extend(visemes());
    rules
}

fn slider(name: impl Into<String>) -> Step {
    Fetch(name.into())
}

fn weight(name: impl Into<String>) -> Step {
    Weight(name.into())
}

fn rule(target: impl Into<String>, steps: impl IntoIterator<Item = Step>) -> Named {
    (target.into(), steps.into_iter().collect())
}

/// A slider as it is, but silent as far as each of `dominators` speaks.
fn dominated(target: String, sliders: &[String], dominators: &[&str]) -> Named {
    let mut steps: Vec<Step> = sliders.iter().map(slider).collect();
    steps.push(Combo(sliders.len() as i32));
    for &dominator in dominators {
        steps.extend([slider(dominator), Dominate(1)]);
    }
    (target, steps)
}

fn mouth_side(side: &str, end: &str) -> Vec<Named> {
    let own = |name: &str| format!("{side}_{name}");
    let to = |name: &str| format!("{name}_{end}");
    let open = [own("smile"), "jaw_drop".to_owned()];
    vec![
        dominated(to("smile"), &[own("smile")], &["pucker", "funneler"]),
        dominated(to("smile_open"), &open, &["pucker"]),
        dominated(to("dimpler"), &[own("dimpler")], &["pucker"]),
        dominated(to("stretcher"), &[own("stretcher")], &["pucker"]),
        dominated(to("cheek_puffer"), &[own("cheek_puffer")], &["jaw_drop"]),
        // A smile weakens what pulls the corner down: depressor / (1 + smile).
        rule(
            to("corner_depressor"),
            [
                slider(own("corner_depressor")),
                Const(1.0),
                slider(own("smile")),
                ADD,
                DIV,
            ],
        ),
        // Sneering with the nose does half of what the lip does.
        rule(
            to("upper_raiser"),
            [
                slider(own("upper_raiser")),
                slider(own("wrinkler")),
                Const(0.5),
                MUL,
                MAX,
            ],
        ),
        rule(to("lower_depressor"), [slider(own("lower_depressor"))]),
    ]
}

/// The weights that the eyeball of a side turns into heights of its lids.
fn lids(side: &str) -> Vec<Named> {
    let own = |name: &str| format!("{side}_{name}");
    let at = |name: &str| format!("{name}_{side}");
    // `CloseLid` by the eyelid op of either lid; the op looks these three up at run time.
    let closing = |op: i32| {
        let looked_up = [
            "eyes_updown".to_owned(),
            "blink".to_owned(),
            own("CloseLid"),
        ];
        let numbers = looked_up.map(Number);
        numbers
            .into_iter()
            .chain([Of(op, "multi_CloseLid".to_owned())])
    };
    let at_least = |name: String, part: f32| [slider(name), Const(part), MUL, MAX];
    let upper_lowerer = closing(UPPER_EYELID)
        .chain(at_least("blink".to_owned(), 0.8))
        .chain(at_least(own("lid_droop"), 0.6))
        .chain(at_least(own("squint"), 0.10));
    // The lower lid meets the upper one and goes no further.
    let lower_raiser = closing(LOWER_EYELID)
        .chain(at_least("blink".to_owned(), 0.2))
        .chain(at_least(own("squint"), 0.34))
        .chain(at_least(own("smile"), 0.15))
        .chain([Const(1.0), weight(at("upper_lowerer")), SUB, MIN]);
    let rest = |one: &str, other: &str| [Const(1.0), weight(at(one)), SUB, weight(at(other)), SUB];
    vec![
        rule(at("upper_lowerer"), upper_lowerer),
        rule(
            at("upper_raiser"),
            [
                slider(own("lid_raiser")),
                Combo(1),
                weight(at("upper_lowerer")),
                Dominate(1),
            ],
        ),
        rule(at("upper_neutral"), rest("upper_lowerer", "upper_raiser")),
        rule(at("lower_raiser"), lower_raiser),
        rule(
            at("lower_lowerer"),
            [
                slider(own("lid_raiser")),
                Combo(1),
                weight(at("lower_raiser")),
                Dominate(1),
            ],
        ),
        rule(at("lower_neutral"), rest("lower_raiser", "lower_lowerer")),
    ]
}

fn brow(side: &str, end: &str) -> Vec<Named> {
    let own = |name: &str| format!("{side}_{name}");
    let to = |name: &str| format!("{name}_{end}");
    let plain = |name: &str| rule(to(name), [slider(own(name))]);
    vec![
        plain("inner_raiser"),
        plain("outer_raiser"),
        plain("lowerer"),
        plain("wrinkler"),
        dominated(to("sorrow"), &[own("inner_raiser"), own("lowerer")], &[]),
        // A smile that is meant reaches the eyes.
        rule(
            to("squint"),
            [
                slider(own("squint")),
                weight(to("smile")),
                Const(0.6),
                MUL,
                MAX,
            ],
        ),
    ]
}

fn jaw() -> Vec<Named> {
    let sideways = || "jaw_sideways".to_owned();
    vec![
        // The mouth opens by its slider or by the jaw's bone, whichever is further.
        rule("jaw_drop", [slider("jaw_drop"), slider("jaw_bone"), MAX]),
        // Written as a QC compiler would leave it: (jaw_clencher) * (1 - jaw_drop).
        rule(
            "jaw_clencher",
            [
                OPEN,
                slider("jaw_clencher"),
                CLOSE,
                COMMA,
                EXP,
                OPEN,
                Const(1.0),
                slider("jaw_drop"),
                SUB,
                CLOSE,
                MUL,
            ],
        ),
        rule("jaw_right", [Of(TWO_WAY_0, sideways())]),
        rule("jaw_left", [Of(TWO_WAY_1, sideways())]),
        rule(
            "mouth_right",
            [slider("mouth_sideways"), NEG, Const(0.0), MAX],
        ),
        rule("mouth_left", [slider("mouth_sideways"), Const(0.0), MAX]),
    ]
}

fn lips() -> Vec<Named> {
    let plain = |name: &str| rule(name, [slider(name)]);
    let pucker_open = ["pucker".to_owned(), "jaw_drop".to_owned()];
    vec![
        plain("chin_raiser"),
        plain("pucker"),
        dominated("pucker_open".to_owned(), &pucker_open, &[]),
        plain("funneler"),
        dominated("presser".to_owned(), &["presser".to_owned()], &["jaw_drop"]),
        // Pressed lips do not part, but make way for the tongue.
        rule(
            "part",
            [
                slider("part"),
                Combo(1),
                slider("presser"),
                Dominate(1),
                slider("tongue_out"),
                MAX,
            ],
        ),
        plain("lip_bite"),
        // The slider's end is past the seam of the split shape.
        rule("tongue_out", [slider("tongue_out"), Const(1.1), MUL]),
    ]
}

/// The n-way slider: `viseme` is how much, `multi_viseme` which of four, and in between both.
fn visemes() -> Vec<Named> {
    let names = ["viseme_ah", "viseme_ee", "viseme_oh", "viseme_oo"];
    let last = names.len() - 1;
    let ramp = |number: usize| {
        let at = number as f32;
        let from = if number == 0 {
            [-11.0, -10.0]
        } else {
            [at - 1.0, at]
        };
        let to = if number == last {
            [10.0, 11.0]
        } else {
            [at, at + 1.0]
        };
        [from[0], from[1], to[0], to[1]].map(Const)
    };
    let viseme = |(number, name): (usize, &str)| {
        let picked = [
            Number("multi_viseme".to_owned()),
            Of(N_WAY, "viseme".to_owned()),
            Combo(1),
        ];
        rule(name, ramp(number).into_iter().chain(picked))
    };
    names.into_iter().enumerate().map(viseme).collect()
}
