//! Poses laid over one another, and the blink that games lay over all.

use crate::controller::ControllerId;
use crate::error::Error;

/// How a layer acts on what is below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayerMode {
    /// Adds its values, as games add gestures and blinks.
    Add,
    /// Takes the place of what is below, for the sliders that it names.
    Replace,
}

/// A base pose with named layers over it, each with a weight.
///
/// Layers act in the order in which they were first set. A layer of weight 0, and one that was
/// released, leaves no trace: not a bit differs from a pose that never had it.
///
/// ```
/// use flexion::{LayerMode, Layers, Model};
///
/// # fn main() -> Result<(), flexion::Error> {
/// # let [(_, mdl), (_, vvd), (_, vtx)] = flexion_sample::face().files();
/// # let model = Model::from_bytes(&mdl, Some(&vvd), Some(&vtx))?;
/// let mut face = model.face();
/// let jaw = model.controller("jaw_drop")?;
/// let mut layers = Layers::new(face.sliders());
/// layers.set("talk", LayerMode::Replace, 0.5, [(jaw, 1.0)])?;
/// face.set_all(&layers.sliders())?;
/// assert_eq!(face.get("jaw_drop")?, 0.5);
/// layers.release("talk");
/// face.set_all(&layers.sliders())?;
/// assert_eq!(face.get("jaw_drop")?, 0.0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Layers {
    base: Vec<f32>,
    layers: Vec<Layer>,
}

#[derive(Clone, Debug, PartialEq)]
struct Layer {
    name: String,
    mode: LayerMode,
    weight: f32,
    values: Vec<(ControllerId, f32)>,
}

impl Layers {
    /// No layers over a base: all sliders of a model, in their own units.
    pub fn new(base: &[f32]) -> Layers {
        Layers {
            base: base.to_vec(),
            layers: Vec::new(),
        }
    }

    /// The pose below all layers.
    pub fn base_mut(&mut self) -> &mut [f32] {
        &mut self.base
    }

    /// Sets a layer, on top if there is none of that name; `weight` is 0 to 1 and held to that.
    ///
    /// # Errors
    ///
    /// [`Error::ControllerIndex`] for a slider that the base does not have, [`Error::LayerWeight`]
    /// when the weight is NaN.
    pub fn set(
        &mut self,
        name: &str,
        mode: LayerMode,
        weight: f32,
        values: impl IntoIterator<Item = (ControllerId, f32)>,
    ) -> Result<(), Error> {
        let values: Vec<(ControllerId, f32)> = values.into_iter().collect();
        let outside = values.iter().find(|(id, _)| id.index() >= self.base.len());
        if let Some((id, _)) = outside {
            return Err(Error::ControllerIndex {
                index: id.index(),
                count: self.base.len(),
            });
        }
        let layer = Layer {
            name: name.to_owned(),
            mode,
            weight: held(name, weight)?,
            values,
        };
        match self.layers.iter_mut().find(|layer| layer.name == name) {
            Some(known) => *known = layer,
            None => self.layers.push(layer),
        }
        Ok(())
    }

    /// Changes the weight of a layer, 0 to 1 and held to that; whether there is one.
    ///
    /// # Errors
    ///
    /// [`Error::LayerWeight`] when the weight is NaN.
    pub fn set_weight(&mut self, name: &str, weight: f32) -> Result<bool, Error> {
        let weight = held(name, weight)?;
        let found = self.layers.iter_mut().find(|layer| layer.name == name);
        let Some(layer) = found else {
            return Ok(false);
        };
        layer.weight = weight;
        Ok(true)
    }

    /// Takes a layer away; whether there was one.
    pub fn release(&mut self, name: &str) -> bool {
        let before = self.layers.len();
        self.layers.retain(|layer| layer.name != name);
        self.layers.len() < before
    }

    /// The base with all layers over it, for [`Face::set_all`](crate::Face::set_all).
    pub fn sliders(&self) -> Vec<f32> {
        let mut sliders = self.base.clone();
        let acting = self.layers.iter().filter(|layer| layer.weight > 0.0);
        for layer in acting {
            for &(id, value) in &layer.values {
                let slider = &mut sliders[id.index()];
                *slider = match layer.mode {
                    LayerMode::Add => *slider + value * layer.weight,
                    LayerMode::Replace if layer.weight == 1.0 => value,
                    LayerMode::Replace => *slider + (value - *slider) * layer.weight,
                };
            }
        }
        sliders
    }
}

fn held(name: &str, weight: f32) -> Result<f32, Error> {
    if weight.is_nan() {
        return Err(Error::LayerWeight {
            name: name.to_owned(),
        });
    }
    Ok(weight.clamp(0.0, 1.0))
}

/// How far a blink shuts the lids, 0 to 1, for the slider `blink`, which games add it to.
///
/// `remaining` is how long it is until the blink ends and `duration` how long it takes in all
/// (games: 0.2), both in seconds. 0 before and after it, and for a duration of 0 or less.
///
/// ```
/// let shut: Vec<f32> = (0..=4).map(|step| flexion::blink(0.05 * step as f32, 0.2)).collect();
/// assert_eq!(shut[0], 0.0, "over");
/// assert!(shut[1..4].iter().all(|&shut| shut > 0.0));
/// assert!(shut[4] < 0.01, "not begun");
/// ```
pub fn blink(remaining: f32, duration: f32) -> f32 {
    if !(remaining > 0.0 && duration > 0.0) {
        return 0.0;
    }
    let along = (remaining * std::f32::consts::PI / (2.0 * duration)).cos();
    if !(along > 0.0 && along < 1.0) {
        return 0.0;
    }
    let shut = 2.0 * along.sqrt();
    let shut = if shut > 1.0 { 2.0 - shut } else { shut };
    shut.clamp(0.0, 1.0)
}
