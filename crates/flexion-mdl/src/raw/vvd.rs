//! Structures of the `.vvd`.
