//! The test package: everything is in `suite`.
