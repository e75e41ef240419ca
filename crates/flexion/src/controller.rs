//! Sliders as people see them: ranges, and groups with sides.

use flexion_mdl::Mdl;
use flexion_mdl::mdl::RemapType;

/// The number of a controller in its model, in file order.
///
/// Made by [`crate::Model::controller_ids`] and [`crate::Model::controller`], so it is in range
/// for that model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ControllerId(pub(crate) usize);

impl ControllerId {
    /// The number itself, from 0.
    pub fn index(self) -> usize {
        self.0
    }
}

/// A slider (`mstudioflexcontroller_t`).
#[derive(Clone, Debug, PartialEq)]
pub struct Controller {
    /// The name; engines compare without regard to ASCII case, and it may not be unique.
    pub name: String,
    /// The group that the author put it in, such as `phoneme` or `brow`.
    pub kind: String,
    /// The value of its lower end, in its own units.
    pub min: f32,
    /// The value of its upper end, in its own units; not always above `min`.
    pub max: f32,
}

impl Controller {
    /// `value` as a game lets rules see it: held to the range, bits kept inside it.
    ///
    /// Games store `clamp((value - min) / (max - min), 0, 1)`; the round trip through that
    /// fraction is not imitated. A range of one point gives that point.
    ///
    /// ```
    /// # use flexion::Controller;
    /// let gaze = Controller { name: "eyes_updown".into(), kind: "eyes".into(), min: -30.0, max: 30.0 };
    /// assert_eq!(gaze.clamp(12.5), 12.5);
    /// assert_eq!(gaze.clamp(90.0), 30.0);
    /// ```
    pub fn clamp(&self, value: f32) -> f32 {
        if self.min == self.max || value.is_nan() {
            return self.min;
        }
        let (low, high) = if self.min < self.max {
            (self.min, self.max)
        } else {
            (self.max, self.min)
        };
        if value < low {
            low
        } else if value > high {
            high
        } else {
            value
        }
    }

    /// The value at `fraction` of the range, 0 for `min` and 1 for `max`; clamped.
    pub fn at(&self, fraction: f32) -> f32 {
        self.clamp(fraction * (self.max - self.min) + self.min)
    }

    /// Where `value` lies in the range, 0 for `min` and 1 for `max`; 0 in a range of one point.
    pub fn fraction(&self, value: f32) -> f32 {
        let width = self.max - self.min;
        if width == 0.0 {
            0.0
        } else {
            (value - self.min) / width
        }
    }
}

/// How sliders belong together for people (`mstudioflexcontrollerui_t`).
///
/// A model's groups cover each of its controllers at least once: those that no UI record names
/// are paired by name (`right_X` with `left_X`) or stand alone.
#[derive(Clone, Debug, PartialEq)]
pub struct ControllerGroup {
    /// The name of the group.
    pub name: String,
    /// How the value is shown.
    pub remap: RemapType,
    /// The slider itself or its sides.
    pub sliders: Sides,
    /// The slider that selects among shapes, of n-way and eyelid groups.
    pub multi: Option<ControllerId>,
}

/// One slider, or one a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// One slider for the whole face.
    Mono(ControllerId),
    /// One for each side, the character's own left and right.
    Stereo {
        /// The character's left.
        left: ControllerId,
        /// The character's right.
        right: ControllerId,
    },
}

/// The groups of a model: its UI records that lead to controllers, then pairs by name, then the
/// rest alone.
pub(crate) fn groups(mdl: &Mdl<'_>, controllers: &[Controller]) -> Vec<ControllerGroup> {
    let mut grouped = vec![false; controllers.len()];
    let mut groups: Vec<ControllerGroup> = Vec::new();
    for ui in &mdl.controller_uis {
        let [first, second, third] = ui.slots.map(|slot| slot.controller().map(ControllerId));
        let sliders = match (ui.stereo, first, second) {
            (true, Some(left), Some(right)) => Sides::Stereo { left, right },
            (_, Some(slider), _) => Sides::Mono(slider),
            _ => continue,
        };
        let multi = third.filter(|_| matches!(ui.remap, RemapType::NWay | RemapType::Eyelid));
        mark(&mut grouped, sliders, multi);
        groups.push(ControllerGroup {
            name: ui.name.to_str().into_owned(),
            remap: ui.remap,
            sliders,
            multi,
        });
    }
    for index in 0..controllers.len() {
        if grouped[index] {
            continue;
        }
        let (name, sliders) = paired(controllers, &grouped, index).unwrap_or_else(|| {
            (
                controllers[index].name.clone(),
                Sides::Mono(ControllerId(index)),
            )
        });
        mark(&mut grouped, sliders, None);
        groups.push(ControllerGroup {
            name,
            remap: RemapType::Passthru,
            sliders,
            multi: None,
        });
    }
    groups
}

/// The pair of `right_X` or `left_X` and its other side, where both are there and free.
fn paired(controllers: &[Controller], grouped: &[bool], index: usize) -> Option<(String, Sides)> {
    let name = &controllers[index].name;
    let (stem, other, is_left) = if let Some(stem) = strip_prefix(name, "right_") {
        (stem, format!("left_{stem}"), false)
    } else {
        let stem = strip_prefix(name, "left_")?;
        (stem, format!("right_{stem}"), true)
    };
    let other = (0..controllers.len())
        .find(|&i| !grouped[i] && controllers[i].name.eq_ignore_ascii_case(&other))?;
    let (left, right) = if is_left {
        (index, other)
    } else {
        (other, index)
    };
    let sides = Sides::Stereo {
        left: ControllerId(left),
        right: ControllerId(right),
    };
    Some((stem.to_owned(), sides))
}

fn strip_prefix<'a>(name: &'a str, prefix: &str) -> Option<&'a str> {
    let head = name.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix)
        .then(|| &name[prefix.len()..])
}

fn mark(grouped: &mut [bool], sliders: Sides, multi: Option<ControllerId>) {
    let (first, second) = match sliders {
        Sides::Mono(slider) => (slider, None),
        Sides::Stereo { left, right } => (left, Some(right)),
    };
    for id in [Some(first), second, multi].into_iter().flatten() {
        grouped[id.0] = true;
    }
}
