//! Structures of the `.vtx`.
