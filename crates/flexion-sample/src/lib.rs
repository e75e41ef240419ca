//! The sample face: a head of our own with every feature of the format
