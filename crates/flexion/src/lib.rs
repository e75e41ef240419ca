//! Facial poses of Source models: sliders in, weights and vertices out, exactly what the game
//! computes.
//!
//! A `.mdl` carries a face in four layers: **controllers** (sliders) go through **rules** (a small
//! stack machine) to weights of **descriptors** (named targets), and **flexes** (vertex deltas on
//! the meshes) follow those. [`Model`] reads and compiles it once; each [`Face`] of it has sliders
//! of its own.
//!
//! ```text
//! bytes ─► Model ─┬─► Face: sliders ─► weights ─► eyelids ─► vertices
//!                 │   bones ─► sliders, eyes; vertices ─► skinned vertices
//!                 ├─► Face: …
//!                 └─► Batch: rows of sliders ─► chunks of frames
//! ```
//!
//! ```
//! use flexion::Model;
//!
//! # fn main() -> Result<(), flexion::Error> {
//! # let [(_, mdl), (_, vvd), (_, vtx)] = flexion_sample::face().files();
//! let model = Model::from_bytes(&mdl, Some(&vvd), Some(&vtx))?; // or Model::open("face.mdl")
//! let mut face = model.face();
//! face.set("jaw_drop", 1.0)?;
//! face.set_stereo("smile", 1.0, 1.0)?;
//! for (submodel, shape) in model.submodels().iter().zip(face.deform()?) {
//!     println!("{}: {} vertices moved", submodel.name(), shape.positions.len());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Units
//!
//! Slider values are in the slider's own `min..max`; `normalized` in a name means 0..1. Positions
//! are model units (inches) as in the file, before skinning unless it is [`Face::skin`]. Angles are radians in code; gaze
//! sliders are in degrees, as the file has them.
//!
//! # What is exact
//!
//! Rule results equal the engine's in every bit: nothing is fused, reordered or approximated.
//! Where engines differ there is an option: [`Dialect`] for the rules, [`RampMode`] for weights
//! above 1, [`Precision`] for the deltas. All are per face; the library has no global state.

mod batch;
mod controller;
mod error;
mod eye;
mod face;
mod frames;
mod layers;
mod model;
mod names;
mod open;
#[cfg(feature = "render")]
mod portrait;
mod rule;
mod skeleton;
mod submodel;
mod track;
mod warning;

pub use batch::{Batch, BatchOptions, Outputs};
pub use controller::{Controller, ControllerGroup, ControllerId, Sides};
pub use error::Error;
pub use eye::EyeFrame;
pub use face::{Face, FaceOptions, Rest};
pub use flexion_deform::{Precision, RampMode, Shape, ShapeMut};
pub use flexion_mdl::mdl::RemapType;
pub use flexion_rules::{Dialect, Planes};
pub use flexion_simd::{Backend, BackendError};
pub use frames::Frames;
pub use layers::{LayerMode, Layers, blink};
pub use model::Model;
#[cfg(feature = "render")]
pub use portrait::{Portrait, PortraitOptions, Show};
pub use rule::Rules;
pub use submodel::{Mesh, Submodel};
pub use track::{
    BoneKey, BoneTrack, DEFAULT_FPS, Interpolation, Key, PlayedFrame, PoseTable, PoseTrack,
    RowLabels, TableOptions, TrackError, TrackPlayer,
};
pub use warning::Warning;

pub use flexion_bones as bones;
pub use flexion_deform as deform;
pub use flexion_mdl as mdl;
#[cfg(feature = "render")]
pub use flexion_render as render;
pub use flexion_rules as rules;

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
