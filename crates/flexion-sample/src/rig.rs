//! The sliders, the descriptors and the rules between them.
//!
//! Sliders and descriptors are named here and become numbers in [`Rig::new`]. A rule is written
//! the way it runs, as a list of [`Step`]s for a stack machine:
//!
//! ```text
//! smile_R:  FETCH1 right_smile   COMBO 1          the slider itself ...
//!           FETCH1 pucker        DOMINATE 1       ... times 1 - pucker
//! ```
//!
//! Both habits of the field are used: plain arithmetic, as in hand-written QC rules, and
//! fetch, COMBO, fetch, DOMINATE, as compilers write them for combined shapes.

use flexion_mdl::mdl::{Controller, ControllerUi, Descriptor, Op, RemapType, Rule, UiSlot};

use crate::rules;
use crate::shapes;

/// The three tables.
#[derive(Debug)]
pub(crate) struct Rig {
    pub(crate) controllers: Vec<Controller<'static>>,
    pub(crate) uis: Vec<ControllerUi<'static>>,
    pub(crate) descriptors: Vec<Descriptor<'static>>,
    pub(crate) rules: Vec<Rule>,
}

/// One op of a rule, with names in place of numbers.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Const(f32),
    /// The number of a slider as a constant, for the ops that look one up at run time.
    Number(String),
    Fetch(String),
    Weight(String),
    /// An op without operand, by its number.
    Plain(i32),
    /// An op whose operand is a slider.
    Of(i32, String),
    Combo(i32),
    Dominate(i32),
}

/// A group of sliders that look alike: type, range and names.
type Group = (&'static str, [f32; 2], &'static [&'static str]);

const GROUPS: [Group; 14] = [
    ("eyes", [-30.0, 30.0], &["eyes_updown", "eyes_rightleft"]),
    ("eyelid", [0.0, 1.0], &["right_CloseLid", "left_CloseLid"]),
    ("eyelid", [-1.0, 1.0], &["multi_CloseLid"]),
    (
        "eyelid",
        [0.0, 1.0],
        &[
            "blink",
            "right_lid_raiser",
            "left_lid_raiser",
            "right_lid_droop",
            "left_lid_droop",
            "right_squint",
            "left_squint",
        ],
    ),
    (
        "brow",
        [0.0, 1.0],
        &[
            "right_inner_raiser",
            "left_inner_raiser",
            "right_outer_raiser",
            "left_outer_raiser",
            "right_lowerer",
            "left_lowerer",
        ],
    ),
    ("nose", [0.0, 1.0], &["right_wrinkler", "left_wrinkler"]),
    (
        "cheek",
        [0.0, 1.0],
        &["right_cheek_puffer", "left_cheek_puffer"],
    ),
    (
        "mouth",
        [0.0, 1.0],
        &[
            "right_smile",
            "left_smile",
            "right_dimpler",
            "left_dimpler",
            "right_corner_depressor",
            "left_corner_depressor",
            "right_upper_raiser",
            "left_upper_raiser",
            "right_lower_depressor",
            "left_lower_depressor",
            "chin_raiser",
            "presser",
            "lip_bite",
            "tongue_out",
        ],
    ),
    ("mouth", [-1.0, 1.0], &["mouth_sideways", "jaw_sideways"]),
    (
        "phoneme",
        [0.0, 1.0],
        &[
            "jaw_drop",
            "jaw_clencher",
            "part",
            "pucker",
            "funneler",
            "right_stretcher",
            "left_stretcher",
            "viseme",
        ],
    ),
    ("phoneme", [0.0, 3.0], &["multi_viseme"]),
    ("head", [-30.0, 30.0], &["head_rightleft", "head_updown"]),
    ("head", [-15.0, 15.0], &["head_tilt"]),
    // The jaw's bone moves this one.
    ("jaw", [0.0, 1.0], &["jaw_bone"]),
];

/// Sliders that are shown as one with a left and a right value.
const STEREO: [&str; 13] = [
    "lid_raiser",
    "lid_droop",
    "squint",
    "inner_raiser",
    "outer_raiser",
    "lowerer",
    "wrinkler",
    "cheek_puffer",
    "smile",
    "dimpler",
    "corner_depressor",
    "upper_raiser",
    "lower_depressor",
];

impl Rig {
    /// Builds the tables.
    pub(crate) fn new() -> Self {
        let mut rig = Rig {
            controllers: controllers(),
            uis: Vec::new(),
            descriptors: Vec::new(),
            rules: Vec::new(),
        };
        rig.uis = rig.make_uis();
        let rules = rules::all();
        let from_rules = rules.iter().map(|(target, _)| target.clone());
        let from_flexes = shapes::flexes().into_iter().map(|flex| flex.descriptor());
        for name in from_rules.chain(from_flexes) {
            if !rig
                .descriptors
                .iter()
                .any(|known| known.name.matches(&name))
            {
                rig.descriptors.push(Descriptor { name: name.into() });
            }
        }
        rig.rules = rules
            .iter()
            .map(|(target, steps)| Rule {
                target: rig.descriptor(target),
                ops: steps.iter().map(|step| rig.op(step)).collect(),
            })
            .collect();
        rig
    }

    /// Number of a descriptor.
    ///
    /// # Panics
    /// When there is none of that name: the tables of this crate contradict each other.
    pub(crate) fn descriptor(&self, name: &str) -> i32 {
        let place = self
            .descriptors
            .iter()
            .position(|known| known.name.matches(name));
        place.unwrap_or_else(|| panic!("no descriptor {name}")) as i32
    }

    /// Number of a slider.
    ///
    /// # Panics
    /// As [`Rig::descriptor`].
    pub(crate) fn controller(&self, name: &str) -> i32 {
        let place = self
            .controllers
            .iter()
            .position(|known| known.name.matches(name));
        place.unwrap_or_else(|| panic!("no controller {name}")) as i32
    }

    fn op(&self, step: &Step) -> Op {
        let (code, operand) = match step {
            Step::Const(value) => (1, value.to_le_bytes()),
            Step::Number(name) => (1, (self.controller(name) as f32).to_le_bytes()),
            Step::Fetch(name) => (2, self.controller(name).to_le_bytes()),
            Step::Weight(name) => (3, self.descriptor(name).to_le_bytes()),
            Step::Plain(code) => (*code, [0; 4]),
            Step::Of(code, name) => (*code, self.controller(name).to_le_bytes()),
            Step::Combo(count) => (18, count.to_le_bytes()),
            Step::Dominate(count) => (19, count.to_le_bytes()),
        };
        Op { code, operand }
    }

    fn make_uis(&self) -> Vec<ControllerUi<'static>> {
        let slot = |name: &str| UiSlot::Controller(self.controller(name) as u32);
        let pair = |name: &str| {
            [
                slot(&format!("left_{name}")),
                slot(&format!("right_{name}")),
            ]
        };
        let mut uis = Vec::new();
        let mut covered: Vec<UiSlot> = Vec::new();
        let mut add = |name: &str, slots: [UiSlot; 3], remap, stereo| {
            covered.extend(slots);
            let name = name.to_owned().into();
            uis.push(ControllerUi {
                name,
                slots,
                remap,
                stereo,
            });
        };
        let [left, right] = pair("CloseLid");
        let lids = [left, right, slot("multi_CloseLid")];
        add("CloseLid", lids, RemapType::Eyelid, true);
        let visemes = [slot("viseme"), UiSlot::Unused, slot("multi_viseme")];
        add("viseme", visemes, RemapType::NWay, false);
        for name in STEREO.into_iter().chain(["stretcher"]) {
            let [left, right] = pair(name);
            add(
                name,
                [left, right, UiSlot::Unused],
                RemapType::Passthru,
                true,
            );
        }
        for name in ["mouth_sideways", "jaw_sideways"] {
            let slots = [slot(name), UiSlot::Unused, UiSlot::Unused];
            add(name, slots, RemapType::TwoWay, false);
        }
        for (number, controller) in self.controllers.iter().enumerate() {
            let alone = UiSlot::Controller(number as u32);
            if !covered.contains(&alone) {
                let slots = [alone, UiSlot::Unused, UiSlot::Unused];
                let name = controller.name.clone();
                uis.push(ControllerUi {
                    name,
                    slots,
                    remap: RemapType::Passthru,
                    stereo: false,
                });
            }
        }
        uis
    }
}

/// The sliders in file order.
pub(crate) fn controllers() -> Vec<Controller<'static>> {
    let of_group = |&(kind, [min, max], names): &Group| {
        names.iter().map(move |&name| Controller {
            kind: kind.into(),
            name: name.into(),
            min,
            max,
        })
    };
    GROUPS.iter().flat_map(of_group).collect()
}
