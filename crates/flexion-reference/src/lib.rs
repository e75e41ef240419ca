//! The slow reference: what a face is, computed from the semantics alone.
//!
//! [`rules`] turns sliders into descriptor weights, [`deform`] turns weights into vertices. Both are written from the
//! description of the formats and share no line and no type with the product, so that an error would have to be
//! made twice to go unnoticed. Nothing is prepared and nothing is clever: one op, one row, one vertex at a time,
//! which is also how an engine works. Hence they are the judge in tests and the yardstick in benches and in
//! `flexion bench`, where "48 times as fast" means as this.
//!
//! ```text
//! sliders ──rules::eval──► weights ──deform::ReferenceModel::pose──► vertices
//! ```
//!
//! ```
//! use flexion_reference::deform::{Number, ReferenceFlex, ReferenceModel, ReferenceRow, ReferenceShape};
//! use flexion_reference::rules::{self, Checks, Op, Rig, Rule};
//!
//! // One slider, whose half is the weight of descriptor 0.
//! let ops = vec![Op::index(2, 0), Op::value(1, 0.5), Op::index(6, 0)]; // FETCH1, CONST, MUL
//! let rig = Rig { controllers: vec![(0.0, 1.0)], descriptors: 1, rules: vec![Rule { flex: 0, ops }] };
//! let mut weights = [0.0];
//! rules::eval(&rig, Checks::Shipped, &[1.0], &mut weights);
//! assert_eq!(weights, [0.5]);
//!
//! // It moves the only vertex by 1.0 along x.
//! let row = ReferenceRow { speed: 255, delta: [0x3c00, 0, 0], ..ReferenceRow::default() };
//! let flex = ReferenceFlex { targets: [0.0, 1.0, 10.0, 11.0], numvertices: 1, rows: vec![row], ..Default::default() };
//! let model = ReferenceModel {
//!     positions: vec![[0.0; 3]],
//!     normals: vec![[0.0, 0.0, 1.0]],
//!     tangents: Vec::new(),
//!     numflexdesc: 1,
//!     number: Number::Half,
//!     scale: 1.0 / 4096.0,
//!     flexes: vec![flex],
//! };
//! let mut shape = ReferenceShape::default();
//! model.pose(&weights, &weights, false, &mut shape);
//! assert_eq!(shape.positions, [[0.5, 0.0, 0.0]]);
//! ```
//!
//! Limits: eyelids and skinning are not here. It trusts its input where the product checks its: whoever reads files
//! hands over what a reader has checked.

pub mod deform;
pub mod rules;
