//! Test kit: slow reference evaluator, golden files, damaged files

pub mod deform_reference;
