//! The `flexion` command.
fn main() {}
