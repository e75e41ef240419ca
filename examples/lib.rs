//! The example package: one file per task.
