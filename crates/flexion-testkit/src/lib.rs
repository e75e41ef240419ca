//! Test kit: golden files, damaged files, made-up rigs, and the slow reference evaluators.
//!
//! For development only: nothing here is fast, and nothing of the product depends on it.

pub mod corpus;
pub mod programs;
pub mod rigs;

pub use flexion_reference::deform as deform_reference;
pub use flexion_reference::rules as reference;
