//! Poses skeletons of Source models.
//!
//! In: bones as plain records, local poses set from code or decoded from animations. Out: a world
//! transform for each bone, in one forward pass with the procedural bones computed in it, and
//! vertices that follow.
//!
//! ```text
//! records ─► Skeleton ─┐
//! locals, controllers ─┴─► SkeletonPose ─┬─► world ─► Palette ─► skinned vertices
//!                                        └─► FlexDriver ─► sliders of the face
//! ```
//!
//! The order of a frame is the engine's: bone controllers, flex drivers (which read local
//! positions), then the pass. Time is the caller's; nothing here reads a clock.
//!
//! Every result is finite where the pose is: a procedure that runs away leaves its bone as it is
//! posed.

mod controller;
pub mod decode;
mod error;
mod procedural;
mod skeleton;
mod skin;

pub use controller::{BoneController, FlexDriver, apply_controllers};
pub use error::Error;
pub use procedural::{AimAt, AxisInterp, Jiggle, JiggleState, Procedure, QuatInterp, Trigger};
pub use skeleton::{ALWAYS_PROCEDURAL, Attachment, Bone, Local, Skeleton, SkeletonPose};
pub use skin::{Binding, Palette};
