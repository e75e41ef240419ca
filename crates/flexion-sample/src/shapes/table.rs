//! Which descriptors drive which shapes, and along which ramps.

use glam::Vec3;

use crate::shapes::{Spot, brow, lid, mouth};

/// The common ramp: full at weight 1, without an end in reach.
const WHOLE: [f32; 4] = [0.0, 1.0, 10.0, 11.0];

/// How deep a wrinkle gets, and how much of that a place gets.
type Crease = (f32, fn(Vec3) -> f32);

/// A shape and what drives it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flex {
    /// The descriptor; `_R` and `_L` are added where it is split.
    pub(crate) name: &'static str,
    /// Whether the halves of the face have descriptors of their own.
    pub(crate) split: bool,
    /// `target0` to `target3`.
    pub(crate) targets: [f32; 4],
    /// Full motion of a vertex.
    pub(crate) motion: fn(&Spot) -> Vec3,
    /// Wrinkle at full weight, at most, and where.
    pub(crate) crease: Option<Crease>,
    /// How much of the fastest vertices' motion follows the delayed weight, 0 to 1: heavy flesh
    /// comes a little later.
    pub(crate) lag: f32,
}

impl Flex {
    const fn whole(name: &'static str, motion: fn(&Spot) -> Vec3) -> Self {
        Flex {
            name,
            split: false,
            targets: WHOLE,
            motion,
            crease: None,
            lag: 0.0,
        }
    }

    const fn split(name: &'static str, motion: fn(&Spot) -> Vec3) -> Self {
        Flex {
            split: true,
            ..Flex::whole(name, motion)
        }
    }

    const fn along(self, targets: [f32; 4]) -> Self {
        Flex { targets, ..self }
    }

    const fn crease(self, depth: f32, at: fn(Vec3) -> f32) -> Self {
        Flex {
            crease: Some((depth, at)),
            ..self
        }
    }

    const fn lag(self, lag: f32) -> Self {
        Flex { lag, ..self }
    }

    /// Name of the descriptor, or of the right one of two.
    pub(crate) fn descriptor(&self) -> String {
        let ending = if self.split { "_R" } else { "" };
        format!("{}{ending}", self.name)
    }

    /// Name of the left descriptor of two.
    pub(crate) fn partner(&self) -> Option<String> {
        self.split.then(|| format!("{}_L", self.name))
    }
}

/// Every shape of the face, in the order of the file.
pub(crate) fn flexes() -> Vec<Flex> {
    let mut all = lids();
    all.extend(FACE);
    all
}

const FACE: [Flex; 33] = [
    Flex::split("inner_raiser", brow::inner_raiser).crease(1.2, brow::forehead_crease),
    Flex::split("outer_raiser", brow::outer_raiser).crease(0.8, brow::forehead_crease),
    Flex::split("lowerer", brow::lowerer)
        .crease(1.5, brow::frown_crease)
        .lag(0.15),
    Flex::split("sorrow", brow::sorrow).crease(0.6, brow::frown_crease),
    Flex::split("squint", brow::squint).crease(1.0, brow::eye_crease),
    Flex::split("wrinkler", brow::wrinkler).crease(1.6, brow::nose_crease),
    Flex::split("cheek_puffer", brow::cheek_puffer).lag(0.4),
    Flex::whole("jaw_clencher", brow::jaw_clencher),
    // Two shapes on one descriptor: the jaw moves on an arc.
    Flex::whole("jaw_drop", mouth::jaw_half).along([0.0, 0.5, 0.5, 1.0]),
    Flex::whole("jaw_drop", mouth::jaw_drop).along([0.5, 1.0, 10.0, 11.0]),
    Flex::whole("jaw_left", mouth::jaw_left),
    Flex::whole("jaw_right", mouth::jaw_right),
    Flex::split("smile", mouth::smile).crease(1.1, brow::smile_crease),
    Flex::split("smile_open", mouth::smile_open),
    Flex::split("dimpler", mouth::dimpler),
    Flex::split("corner_depressor", mouth::corner_depressor),
    Flex::split("stretcher", mouth::stretcher),
    Flex::split("upper_raiser", mouth::upper_raiser),
    Flex::split("lower_depressor", mouth::lower_depressor),
    Flex::whole("chin_raiser", mouth::chin_raiser),
    Flex::whole("pucker", mouth::pucker),
    Flex::whole("pucker_open", mouth::pucker_open),
    Flex::whole("funneler", mouth::funneler),
    Flex::whole("presser", mouth::presser),
    Flex::whole("part", mouth::part),
    Flex::whole("lip_bite", mouth::lip_bite),
    Flex::whole("mouth_left", mouth::mouth_left).lag(0.1),
    Flex::whole("mouth_right", mouth::mouth_right).lag(0.1),
    Flex::whole("viseme_ah", mouth::viseme_ah),
    Flex::whole("viseme_ee", mouth::viseme_ee),
    Flex::whole("viseme_oh", mouth::viseme_oh),
    Flex::whole("viseme_oo", mouth::viseme_oo),
    // Split as exporters split a shape at weight 1: up to there the first, past it the second.
    Flex::whole("tongue_out", mouth::tongue_out).along([0.0, 1.0, 1.0, 1.0]),
];

/// The other half of the split tongue, and the lids: their ramps are heights in model units.
fn lids() -> Vec<Flex> {
    let [shut, upper, open] = lid::heights(true);
    let [down, lower, up] = lid::heights(false);
    let middle = (shut + upper) / 2.0;
    let closing = [-11.0, -10.0, shut, middle];
    let halfway = [shut, middle, middle, upper];
    let opening = [upper, open, 10.0, 11.0];
    let dropping = [-11.0, -10.0, down, lower];
    let rising = [lower, up, 10.0, 11.0];
    vec![
        Flex::whole("tongue_out", mouth::tongue_out).along([1.0, 1.0, 10.0, 11.0]),
        Flex::whole("upper_right", lid::upper_lowered::<false>).along(closing),
        Flex::whole("upper_right", lid::upper_half::<false>).along(halfway),
        Flex::whole("upper_right", lid::upper_raised::<false>).along(opening),
        Flex::whole("lower_right", lid::lower_lowered::<false>).along(dropping),
        Flex::whole("lower_right", lid::lower_raised::<false>).along(rising),
        Flex::whole("upper_left", lid::upper_lowered::<true>).along(closing),
        Flex::whole("upper_left", lid::upper_half::<true>).along(halfway),
        Flex::whole("upper_left", lid::upper_raised::<true>).along(opening),
        Flex::whole("lower_left", lid::lower_lowered::<true>).along(dropping),
        Flex::whole("lower_left", lid::lower_raised::<true>).along(rising),
    ]
}
