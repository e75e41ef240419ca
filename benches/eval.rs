//! Rule evaluation.
fn main() {}
