//! What stands where: every member, array and name of a file that a reader visits.
//!
//! For people who look at a file ("what is at 0x1f40?") and for tests that damage every member of
//! a file in turn. In comes a file's bytes, out comes a list in the order of visits. Only what the
//! readers of this crate visit is listed: animations, for example, are not.

use crate::bytes::Reader;
use crate::error::{Error, FileKind, Place};
use crate::{mdl, vtx, vvd};

/// What a [`Part`] of a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PartKind {
    /// A member of a record: a number, or several of the same kind.
    Member,
    /// The array (vertanims, vertices, indices) that a member leads to.
    Array,
    /// The name that a member leads to, with its NUL.
    Name,
}

/// A visited part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is.
    pub kind: PartKind,
    /// The member itself, or the one that leads to the array or name.
    pub place: Place,
    /// Where the part starts, in bytes from the start of the file.
    pub offset: u64,
    /// Its size in bytes, never 0.
    pub size: u64,
}

/// The visited parts of a file, and what stopped the visit.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// The parts in the order in which they were visited; names may be visited more than once.
    pub parts: Vec<Part>,
    /// Why the reader went no further, where it did not reach the end.
    pub error: Option<Error>,
}

impl Layout {
    /// The parts that the byte at `offset` belongs to, the first visited first.
    pub fn at(&self, offset: u64) -> impl Iterator<Item = &Part> {
        let holds = move |part: &&Part| part.offset <= offset && offset - part.offset < part.size;
        self.parts.iter().filter(holds)
    }
}

/// Reads a file as [`Mdl::read`](crate::Mdl::read) and its like do and lists the parts that were
/// visited.
///
/// A damaged file gives the parts up to the damage, and the error. Unlike reading, this takes much
/// more memory than the file has bytes (tens of times).
///
/// ```
/// use flexion_mdl::{FileKind, PartKind, layout};
///
/// let mut bytes = vec![0; 408];
/// bytes[..8].copy_from_slice(b"IDST\x30\0\0\0");
/// bytes[76..78].copy_from_slice(&408u16.to_le_bytes());
/// let map = layout(&bytes, FileKind::Mdl);
/// assert_eq!(map.error, None);
/// let part = map.at(0x104).next().unwrap();
/// assert_eq!(part.kind, PartKind::Member);
/// assert_eq!(part.place.to_string(), ".mdl studiohdr_t.numflexdesc @0x104");
/// assert_eq!((part.offset, part.size), (0x104, 4));
/// ```
pub fn layout(bytes: &[u8], file: FileKind) -> Layout {
    let reader = Reader::tracing(bytes, file);
    let error = match file {
        FileKind::Mdl => mdl::visit(&reader),
        FileKind::Vvd => vvd::visit(&reader),
        FileKind::Vtx => vtx::visit(&reader),
    };
    Layout {
        parts: reader.into_trace(),
        error,
    }
}
