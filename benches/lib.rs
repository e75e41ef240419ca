//! The bench package: one target per stage.
