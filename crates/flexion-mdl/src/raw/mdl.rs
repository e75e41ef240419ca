//! Structures of the `.mdl`.
