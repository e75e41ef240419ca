//! Flex rules: from slider values to flex weights, exactly as the engine computes them.
//!
//! A rig goes in (controllers with ranges, the number of descriptors, rules as ops), weights per pose come out.
//! The way is [`Rig`] → [`verify`](verify()) (what does nothing, and why) → [`Program::compile`] (once) →
//! [`Evaluator::eval`] (often). [`disasm`] prints every stage.
//!
//! The engine interprets ops one by one and checks each; here the checks are done once, when compiling, and a
//! pose runs flat bytecode. Results are equal in every bit; any NaN counts as equal to any other.
//!
//! ```
//! use flexion_rules::{ControllerRange, Dialect, Evaluator, Op, Program, Rig, Rule, disasm, verify};
//!
//! // Two sliders, two weights: %smile = happy * (1 - pucker); %grin = %smile * %smile
//! let ranges = [ControllerRange { min: 0.0, max: 1.0 }; 2];
//! let smile = [
//!     Op::with_index(2, 0),   // FETCH1 happy
//!     Op::with_value(1, 1.0), // CONST 1
//!     Op::with_index(2, 1),   // FETCH1 pucker
//!     Op::with_index(5, 0),   // SUB
//!     Op::with_index(6, 0),   // MUL
//! ];
//! let grin = [Op::with_index(3, 0), Op::with_index(3, 0), Op::with_index(18, 2)]; // FETCH2, FETCH2, COMBO 2
//! let rules = [Rule { target: 0, ops: &smile }, Rule { target: 1, ops: &grin }];
//! let rig = Rig { controllers: &ranges, descriptors: 2, rules: &rules };
//! assert!(verify(&rig, Dialect::Shipped).is_empty());
//!
//! let program = Program::compile(&rig, Dialect::Shipped);
//! let mut evaluator = Evaluator::new(&program);
//! assert_eq!(evaluator.eval(&[1.0, 0.5]), [0.5, 0.25]);
//!
//! let names = disasm::Lists { controllers: &["happy", "pucker"], descriptors: &["smile", "grin"] };
//! assert_eq!(disasm::text(&rig, 0, Dialect::Shipped, &names), "%smile = happy * (1 - pucker)\n");
//! ```
//!
//! Limits: presets, eyeballs and vertices are other crates' business. Rules run in file order and arithmetic is
//! never fused, reordered or approximated.

mod code;
mod compile;
pub mod disasm;
mod eval;
mod machine;
mod op;
mod rig;
mod verify;

pub use code::{Program, Stats};
pub use eval::{BatchEvaluator, Evaluator, Planes, PlanesMut};
pub use op::{Opcode, Operand, Takes};
pub use rig::{ControllerRange, Dialect, Op, Rig, Rule, UnknownDialect};
pub use verify::{Finding, OpPlace, Reason, verify, verify_each};
