//! The test package: the suite is in `suite`; here is what it shares with the fuzz targets.

// pub mod targets;
