//! One binary for all tests that see the product from outside.

mod backends;
mod batch;
mod bones;
mod cli;
mod conformance;
mod corpus;
mod deform;
mod determinism;
mod face;
mod files;
mod geometry;
mod hostile;
mod picture;
mod programs;
mod readme;
mod regressions;
mod track;
