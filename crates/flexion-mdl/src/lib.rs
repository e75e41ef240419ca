//! Source model files, read and written: `.mdl` versions 44 to 49, `.vvd` version 4 and
//! `.dx90.vtx` version 7.
//!
//! Bytes go in, typed views come out: [`Mdl`], [`Vvd`] and [`Vtx`]. The same types go back to
//! bytes, so `read(write(x)) == x` holds for every value that the format can carry. Small tables
//! (bones, controllers, rules) become vectors of plain structs; bulk arrays (vertanims, vertices,
//! indices) stay where they are in the file and are borrowed as typed slices, because copying
//! them would cost more than all the rest of the reading.
//!
//! # How a structure is read
//!
//! Every structure of the files is declared once in `raw`, with the SDK's member names and
//! offsets. For the 12 bytes of an `mstudioflexrule_t` at file offset `0x1f40`
//!
//! | at | field | bytes | value |
//! |---|---|---|---|
//! | `0x1f40` | `flex` | `07 00 00 00` | descriptor 7 |
//! | `0x1f44` | `numops` | `03 00 00 00` | three ops |
//! | `0x1f48` | `opindex` | `2c 01 00 00` | at `0x1f40 + 0x12c` |
//!
//! the reader takes the record, resolves `opindex` against the start of the record, checks that
//! three ops of eight bytes lie inside the file, and only then builds anything. A file that is
//! cut at `0x1f46` fails with an [`Error`] that names the structure, the field and the offset.
//!
//! # Limits
//!
//! A damaged file never panics and never makes the reader allocate more than a small multiple of
//! the file's own size: all tables and names together may claim at most [`CLAIM_LIMIT`] times the
//! bytes of the file. Oddities that the engine tolerates are [`Warning`]s on the model.
//!
//! Animations, sequences, hit boxes and the collision model are not read.

mod bytes;
mod error;
mod layout;
mod name;
mod raw;

pub mod mdl;
pub mod vtx;
pub mod vvd;

pub use bytes::CLAIM_LIMIT;
pub use error::{
    Error, ErrorClass, ErrorKind, FileKind, Place, Warning, WarningKind, WriteError, WriteErrorKind,
};
pub use layout::{Layout, Part, PartKind, layout};
pub use mdl::Mdl;
pub use name::Name;
pub use vtx::Vtx;
pub use vvd::Vvd;
