//! One file per subcommand.

pub(crate) mod bench;
pub(crate) mod demo;
pub(crate) mod eval;
pub(crate) mod inspect;
pub(crate) mod pose;
pub(crate) mod render;
pub(crate) mod rules;
pub(crate) mod sample;
pub(crate) mod sheet;
