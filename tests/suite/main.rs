//! One binary for all tests that see the product from outside.

mod conformance;
mod corpus;
mod deform;
mod files;
mod geometry;
mod programs;
