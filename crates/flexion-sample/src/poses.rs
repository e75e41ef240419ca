//! A dozen expressions that show what the rig can do.

use flexion_mdl::mdl::Controller;

/// A named setting of sliders; those that are not listed are at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expression {
    /// What people would call it.
    pub name: &'static str,
    /// Sliders and their values, in each slider's own units.
    pub sliders: &'static [(&'static str, f32)],
}

/// The expressions as comma-separated values, a row each; sliders at rest are 0.
pub(crate) fn csv(controllers: &[Controller<'_>]) -> String {
    let names = controllers
        .iter()
        .map(|controller| controller.name.to_string());
    let mut rows = vec![line("name", names)];
    for expression in EXPRESSIONS {
        let values = controllers.iter().map(|controller| {
            let mut sliders = expression.sliders.iter();
            let set = sliders.find(|(name, _)| controller.name.matches(name));
            set.map_or(0.0, |&(_, value)| value).to_string()
        });
        rows.push(line(expression.name, values));
    }
    rows.concat()
}

fn line(first: &str, rest: impl Iterator<Item = String>) -> String {
    let cells: Vec<String> = std::iter::once(first.to_owned()).chain(rest).collect();
    cells.join(",") + "\n"
}

pub(crate) const EXPRESSIONS: &[Expression] = &[
    Expression {
        name: "neutral",
        sliders: &[],
    },
    Expression {
        name: "smile",
        sliders: &[
            ("right_smile", 0.9),
            ("left_smile", 0.9),
            ("right_inner_raiser", 0.2),
            ("left_inner_raiser", 0.2),
            ("right_outer_raiser", 0.2),
            ("left_outer_raiser", 0.2),
            ("right_squint", 0.25),
            ("left_squint", 0.25),
            ("part", 0.4),
        ],
    },
    Expression {
        name: "laugh",
        sliders: &[
            ("right_smile", 1.0),
            ("left_smile", 1.0),
            ("jaw_drop", 0.75),
            ("right_squint", 0.8),
            ("left_squint", 0.8),
            ("right_inner_raiser", 0.45),
            ("left_inner_raiser", 0.45),
            ("right_outer_raiser", 0.45),
            ("left_outer_raiser", 0.45),
        ],
    },
    Expression {
        name: "sad",
        sliders: &[
            ("right_inner_raiser", 1.0),
            ("left_inner_raiser", 1.0),
            ("right_lowerer", 0.55),
            ("left_lowerer", 0.55),
            ("right_corner_depressor", 0.9),
            ("left_corner_depressor", 0.9),
            ("chin_raiser", 0.6),
            ("right_lid_droop", 0.35),
            ("left_lid_droop", 0.35),
            ("eyes_updown", 12.0),
        ],
    },
    Expression {
        name: "angry",
        sliders: &[
            ("right_lowerer", 1.0),
            ("left_lowerer", 1.0),
            ("right_lid_raiser", 0.45),
            ("left_lid_raiser", 0.45),
            ("right_wrinkler", 0.2),
            ("left_wrinkler", 0.2),
            ("presser", 1.0),
            ("right_corner_depressor", 0.5),
            ("left_corner_depressor", 0.5),
            ("chin_raiser", 0.3),
            ("jaw_clencher", 1.0),
        ],
    },
    Expression {
        name: "surprised",
        sliders: &[
            ("right_inner_raiser", 1.0),
            ("left_inner_raiser", 1.0),
            ("right_outer_raiser", 1.0),
            ("left_outer_raiser", 1.0),
            ("right_lid_raiser", 1.0),
            ("left_lid_raiser", 1.0),
            ("jaw_drop", 0.8),
            ("pucker", 0.25),
        ],
    },
    Expression {
        name: "disgusted",
        sliders: &[
            ("right_wrinkler", 1.0),
            ("left_wrinkler", 1.0),
            ("right_upper_raiser", 0.9),
            ("left_upper_raiser", 0.9),
            ("right_lowerer", 0.6),
            ("left_lowerer", 0.6),
            ("right_squint", 0.8),
            ("left_squint", 0.8),
            ("right_lower_depressor", 0.5),
            ("left_lower_depressor", 0.5),
            ("right_corner_depressor", 0.6),
            ("left_corner_depressor", 0.6),
            ("tongue_out", 0.4),
        ],
    },
    Expression {
        name: "wink",
        sliders: &[
            ("left_CloseLid", 1.0),
            ("multi_CloseLid", 0.5),
            ("left_squint", 0.9),
            ("left_smile", 0.95),
            ("right_smile", 0.5),
            ("right_inner_raiser", 0.5),
            ("right_outer_raiser", 0.7),
            ("left_lowerer", 0.3),
            ("mouth_sideways", 0.3),
        ],
    },
    Expression {
        name: "kiss",
        sliders: &[
            ("pucker", 1.0),
            ("blink", 1.0),
            ("right_inner_raiser", 0.5),
            ("left_inner_raiser", 0.5),
            ("right_outer_raiser", 0.2),
            ("left_outer_raiser", 0.2),
        ],
    },
    Expression {
        name: "puffed",
        sliders: &[
            ("right_cheek_puffer", 1.0),
            ("left_cheek_puffer", 1.0),
            ("presser", 0.5),
            ("pucker", 0.35),
            ("right_lid_raiser", 0.6),
            ("left_lid_raiser", 0.6),
            ("right_inner_raiser", 0.6),
            ("left_inner_raiser", 0.6),
            ("right_outer_raiser", 0.6),
            ("left_outer_raiser", 0.6),
        ],
    },
    Expression {
        name: "sneer",
        sliders: &[
            ("right_wrinkler", 0.6),
            ("right_upper_raiser", 1.0),
            ("right_dimpler", 0.8),
            ("right_lowerer", 0.9),
            ("right_squint", 0.6),
            ("left_inner_raiser", 0.3),
            ("left_outer_raiser", 0.8),
            ("left_lid_droop", 0.3),
            ("mouth_sideways", -0.5),
            ("jaw_sideways", -0.3),
        ],
    },
    Expression {
        name: "sleepy",
        sliders: &[
            ("right_lid_droop", 1.0),
            ("left_lid_droop", 1.0),
            ("right_inner_raiser", 0.5),
            ("left_inner_raiser", 0.5),
            ("right_corner_depressor", 0.3),
            ("left_corner_depressor", 0.3),
            ("viseme", 0.25),
            ("eyes_updown", 14.0),
        ],
    },
    Expression {
        name: "look_left_up",
        sliders: &[
            ("eyes_rightleft", 26.0),
            ("eyes_updown", -18.0),
            ("right_inner_raiser", 0.5),
            ("left_inner_raiser", 0.5),
            ("right_outer_raiser", 0.5),
            ("left_outer_raiser", 0.5),
            ("right_dimpler", 0.6),
            ("mouth_sideways", -0.4),
            ("presser", 0.4),
        ],
    },
];

/// A track: a look aside, a word or two, a blink, a smile.
pub(crate) const TALK: &str = "\
time,name,jaw_drop,part,pucker,right_smile,left_smile,blink,eyes_rightleft,right_inner_raiser,left_inner_raiser
0.0,rest,0,0,0,0,0,0,0,0,0
0.2,look,0,0,0,0,0,0,14,0.3,0.3
0.4,eh,0.35,0.4,0,0,0,0,14,0.8,0.8
0.55,m,0,0,0.1,0,0,0,6,0.6,0.6
0.7,ah,0.7,0.2,0,0.1,0.1,0,0,0.2,0.2
0.85,oo,0.2,0,0.9,0,0,0,0,0,0
1.0,ee,0.2,0.6,0,0.5,0.5,0,0,0,0
1.1,blink,0.1,0.3,0,0.6,0.6,1,0,0,0
1.2,smile,0,0.2,0,0.9,0.7,0,0,0.1,0.1
1.6,grin,0.15,0.7,0,1,0.9,0,-8,0.5,0.5
2.0,fade,0,0.1,0,0.5,0.4,0,-4,0.2,0.2
2.2,blink,0,0,0,0.2,0.1,1,0,0,0
2.5,rest,0,0,0,0,0,0,0,0,0
";
