//! Test kit: slow reference evaluators, golden files, damaged files.
//!
//! For development only: nothing here is fast, and nothing of the product depends on it.

pub mod corpus;
pub mod deform_reference;
pub mod programs;
pub mod reference;
pub mod rigs;
