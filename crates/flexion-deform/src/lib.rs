//! Flex deltas: descriptor weights in, the vertices of one model out.
//!
//! A *flex* is a list of vertex deltas (`mstudioflex_t` with its vertanims) that one
//! descriptor weight drives, or two for a stereo pair. This crate packs the flexes of
//! one `mstudiomodel_t` once into a [`Deformer`] and then turns weights into positions,
//! normals, tangents and wrinkle values as often as asked, without allocating.
//!
//! ```text
//! weights ──ramp──► four weights a flex ──speed, side──► one weight a row ──► sums ──► unit normals
//!            skip flexes near 0            Blend                          file order
//! ```
//!
//! It takes plain records, not files, so that it builds, tests and fuzzes alone; whoever
//! reads the file hands over the raw bits of its rows. Deltas stay sixteen bits wide in
//! memory and become floats in the kernel: a pose is bound by how many bytes it reads (see
//! [`DeltaRow`]).
//!
//! | you have | you call |
//! |---|---|
//! | one pose | [`Deformer::apply`], [`apply_with`](Deformer::apply_with), [`apply_to`](Deformer::apply_to) |
//! | one pose after another in one place | [`Deformer::apply_next`], which writes only what moves |
//! | a vertex buffer with a stride | [`Deformer::apply_interleaved`] |
//! | many poses | [`Deformer::apply_frames`] |
//!
//! **Bits.** A vertex receives its deltas in file order of the flexes, each as one f32
//! multiplication and one f32 addition. Threads split vertices or frames, never a sum;
//! vectors hold sums side by side, never parts of one. So every call gives the same bits on
//! any number of threads and with any instructions ([`Deformer::with_backend`]).
//!
//! # A worked miniature
//!
//! Three vertices and one stereo flex. Its first row belongs to the right half of the
//! face (side 0), its second lies in the middle (side 128).
//!
//! ```
//! use flexion_deform::*;
//!
//! let base = BaseVertices {
//!     positions: vec![[0.0; 3]; 3],
//!     normals: vec![[0.0, -1.0, 0.0]; 3],
//!     tangents: Vec::new(),
//! };
//! let mut builder = DeformerBuilder::new(base, 2, Encoding::Half, 1.0 / 4096.0, Precision::File);
//! let smile = FlexRecord {
//!     descriptor: 0, // right
//!     partner: 1,    // left
//!     ramp: Ramp::default(),
//!     first_vertex: 0,
//!     vertex_count: 3,
//! };
//! let one = 0x3c00; // 1.0 in half precision
//! let row = DeltaRow { speed: 255, delta: [0, 0, one], ..DeltaRow::default() };
//! let rows = [
//!     DeltaRow { vertex: 0, side: 0, ..row },
//!     DeltaRow { vertex: 1, side: 128, ..row },
//! ];
//! assert_eq!(builder.flex(smile, rows), FlexOutcome::Kept { ignored_rows: 0 });
//! let deformer = builder.build();
//!
//! let mut shape = deformer.shape();
//! let weights = [0.5, 1.0];
//! deformer.apply_to(Weights::still(&weights), RampMode::Saturate, &mut shape)?;
//! assert_eq!(shape.positions[0], [0.0, 0.0, 0.5]);
//! assert_eq!(shape.positions[1], [0.0, 0.0, 0.7509804]); // 0.5·127/255 + 1·128/255
//! assert_eq!(shape.positions[2], [0.0, 0.0, 0.0]);
//! # Ok::<(), Error>(())
//! ```
//!
//! # Limits
//!
//! Rules, delays and eyelids come before this crate, skinning after it. Rows are kept twice,
//! by flex and by vertex, with their places: 44 bytes a row and 16 for every speed and side
//! of a flex.

mod backend;
mod blend;
mod builder;
mod deformer;
mod deltas;
mod error;
mod frames;
mod layout;
mod marks;
mod model;
mod pose;
mod precision;
mod ramp;
mod record;
mod scratch;
mod shape;
mod target;
mod tile;
mod walk;

pub use builder::{DeformerBuilder, FlexOutcome, SkipReason};
pub use deformer::{Deformer, Weights};
pub use error::{Buffer, Error, UnknownName};
pub use flexion_simd::Backend;
pub use frames::{FrameScratch, FrameVertices, FrameWeights, FramesMut};
pub use precision::{Encoding, Precision};
pub use ramp::{Ramp, RampMode};
pub use record::{BaseVertices, DeltaRow, FlexRecord};
pub use scratch::Scratch;
pub use shape::{InterleavedMut, Shape, ShapeMut};
