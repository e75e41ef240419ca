//! The test package: the suite is in `suite`; here is what it shares with the fuzz targets and with
//! the benches.

pub mod bridge;
pub mod targets;
