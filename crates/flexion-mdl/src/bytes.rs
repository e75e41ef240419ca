//! The only module that slices a file.
//!
//! A [`Reader`] holds the bytes and what has been claimed of them. Offsets come in as the files
//! have them (signed, relative to a record) and are resolved here with checked arithmetic; tables
//! come out with their size checked against the file before anything is allocated.

use std::cell::Cell;

use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use crate::error::{Error, ErrorKind, FileKind, Place};
use crate::name::Name;
use crate::raw::Record;

/// How many times the file's own size its tables and names may claim together.
///
/// Every byte of an honest file belongs to one record or name, so the memory for all that is read
/// stays near the size of the file; the limit is not one because names may be shared and small
/// records grow (a descriptor is four bytes on disk and a name in memory). A file whose tables
/// overlap so that each of a thousand records leads to the same thousand records would otherwise
/// need memory without bound.
pub const CLAIM_LIMIT: u64 = 6;

/// A record at its place: the start of it in the file and its number in its table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At<R> {
    pub(crate) start: u64,
    pub(crate) index: Option<u32>,
    pub(crate) raw: R,
}

/// Where an offset field stands and what it says.
#[derive(Clone, Copy)]
pub(crate) struct Link {
    /// The place of the field, for errors.
    pub(crate) place: Place,
    /// What the offset is relative to, from the start of the file.
    pub(crate) base: u64,
    /// The value of the field.
    pub(crate) offset: i64,
}

/// The bytes of a file, with checked access.
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    file: FileKind,
    claimed: Cell<u64>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8], file: FileKind) -> Self {
        Reader {
            bytes,
            file,
            claimed: Cell::new(0),
        }
    }

    /// Size of the file in bytes.
    pub(crate) fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// The place of `field` of a record of type `R` that starts at `start`.
    pub(crate) fn place<R: Record>(
        &self,
        start: u64,
        index: Option<u32>,
        field: &'static str,
    ) -> Place {
        let within = if field.is_empty() {
            0
        } else {
            R::offset_of(field)
        };
        Place {
            file: self.file,
            structure: R::NAME,
            index,
            field,
            offset: start.saturating_add(within),
        }
    }

    /// The one record at `start`.
    pub(crate) fn record<R: Record>(
        &self,
        start: u64,
        index: Option<u32>,
    ) -> Result<At<R>, Error> {
        let rest = usize::try_from(start)
            .ok()
            .and_then(|start| self.bytes.get(start..))
            .unwrap_or_default();
        match R::parse(rest) {
            Ok((_, raw)) => Ok(At { start, index, raw }),
            Err(error) => {
                let field = match error {
                    nom::Err::Error(error) | nom::Err::Failure(error) => error.field,
                    nom::Err::Incomplete(_) => "",
                };
                Err(Error {
                    place: self.place::<R>(start, index, field),
                    kind: ErrorKind::Truncated {
                        need: R::SIZE as u64,
                        have: rest.len() as u64,
                    },
                })
            }
        }
    }

    /// The views of the `count` records of type `R` that `link` leads to; `counted` is the place of
    /// the count.
    ///
    /// A count of zero is an empty table wherever the offset leads. The views' own memory counts
    /// as claimed too: four bytes on disk may be forty in memory.
    pub(crate) fn table<R: Record, T>(
        &self,
        link: Link,
        count: i32,
        counted: Place,
        mut view: impl FnMut(At<R>) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let size = R::SIZE as u64;
        let (start, count) = self.extent(link, count, counted, size)?;
        self.claim(count * size.max(size_of::<T>() as u64), counted)?;
        (0..count)
            .map(|index| view(self.record(start + index * size, u32::try_from(index).ok())?))
            .collect()
    }

    /// The array of `count` values that `link` leads to, borrowed from the file.
    pub(crate) fn slice<T>(&self, link: Link, count: i32, counted: Place) -> Result<&'a [T], Error>
    where
        T: FromBytes + Immutable + KnownLayout + Unaligned,
    {
        let size = size_of::<T>() as u64;
        let (start, count) = self.extent(link, count, counted, size)?;
        let outside = || Error {
            place: link.place,
            kind: ErrorKind::Truncated {
                need: count * size,
                have: self.size().saturating_sub(start),
            },
        };
        self.claim(count * size, counted)?;
        let bytes = self.range(start, count * size).ok_or_else(outside)?;
        <[T]>::ref_from_bytes(bytes).map_err(|_| outside())
    }

    /// The name that `link` leads to.
    pub(crate) fn name(&self, link: Link) -> Result<Name<'a>, Error> {
        let start = self.target(link)?;
        let rest = usize::try_from(start)
            .ok()
            .and_then(|start| self.bytes.get(start..))
            .unwrap_or_default();
        let length = memchr::memchr(0, rest).ok_or(Error {
            place: link.place,
            kind: ErrorKind::Unterminated,
        })?;
        self.claim(length as u64, link.place)?;
        Ok(Name::from(&rest[..length]))
    }

    /// The position that `link` leads to, inside the file or at its end.
    pub(crate) fn target(&self, link: Link) -> Result<u64, Error> {
        let target = i64::try_from(link.base)
            .ok()
            .and_then(|base| base.checked_add(link.offset))
            .unwrap_or(-1);
        match u64::try_from(target) {
            Ok(start) if start <= self.size() => Ok(start),
            _ => Err(Error {
                place: link.place,
                kind: ErrorKind::OffsetOutside {
                    offset: link.offset,
                    target,
                    size: self.size(),
                },
            }),
        }
    }

    /// Start and count of a table, after all checks on it.
    fn extent(
        &self,
        link: Link,
        count: i32,
        counted: Place,
        size: u64,
    ) -> Result<(u64, u64), Error> {
        let count = u64::try_from(count).map_err(|_| Error {
            place: counted,
            kind: ErrorKind::NegativeCount(count),
        })?;
        if count == 0 {
            return Ok((0, 0));
        }
        let start = self.target(link)?;
        let need = count * size;
        if need > self.size() - start {
            return Err(Error {
                place: counted,
                kind: ErrorKind::Truncated {
                    need,
                    have: self.size() - start,
                },
            });
        }
        Ok((start, count))
    }

    /// Notes that `bytes` more of the file are claimed.
    fn claim(&self, bytes: u64, place: Place) -> Result<(), Error> {
        let claimed = self.claimed.get().saturating_add(bytes);
        self.claimed.set(claimed);
        if claimed > self.size().saturating_mul(CLAIM_LIMIT) {
            return Err(Error {
                place,
                kind: ErrorKind::Overlap { limit: CLAIM_LIMIT },
            });
        }
        Ok(())
    }

    fn range(&self, start: u64, length: u64) -> Option<&'a [u8]> {
        let start = usize::try_from(start).ok()?;
        let end = start.checked_add(usize::try_from(length).ok()?)?;
        self.bytes.get(start..end)
    }
}
