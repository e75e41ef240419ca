//! The only module that slices a file.
//!
//! A [`Reader`] holds the bytes and what has been claimed of them. Offsets come in as the files
//! have them (signed, relative to a record) and are resolved here with checked arithmetic; tables
//! come out with their size checked against the file before anything is allocated.

use std::cell::{Cell, RefCell};

use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use crate::error::{Error, ErrorKind, FileKind, Place};
use crate::layout::{Part, PartKind};
use crate::name::Name;
use crate::raw::Record;

/// How many times the file's own size its tables and names may claim together.
///
/// Every byte of an honest file belongs to one record or name, so the memory for all that is read
/// stays near the size of the file: real models claim it about once. The limit is not one because
/// names may be shared and small records grow (a descriptor is four bytes on disk and a name in
/// memory; a file of nothing but nameless descriptors claims nearly five times its size). A file
/// whose tables overlap so that each of a thousand records leads to the same thousand records
/// would otherwise need memory and time without bound.
pub const CLAIM_LIMIT: u64 = 5;

/// Bytes that a ready model keeps for each byte of a vertanim or an op, at the most.
///
/// Ops are kept as they are and compiled, vertanims become rows of their own. Counting that as
/// claimed keeps arrays that many records share from growing past the limit further on.
const BUILT_SHARE: u64 = 2;

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

/// The place of a member of a record: `place!(reader, at, member)`.
macro_rules! place {
    ($reader:expr, $at:expr, $field:ident) => {{
        // Names the member, so that a wrong one does not compile.
        let _ = &$at.raw.$field;
        $reader.place_in(&$at, $crate::raw::sdk_name(stringify!($field)))
    }};
}
pub(crate) use place;

/// The offset in a member of a record, relative to the record: `link_in!(reader, at, member)`.
macro_rules! link_in {
    ($reader:expr, $at:expr, $field:ident) => {
        $crate::bytes::Link {
            place: $crate::bytes::place!($reader, $at, $field),
            base: $at.start,
            offset: i64::from($at.raw.$field),
        }
    };
}
pub(crate) use link_in;

/// The views of a table whose count and offset stand in the record `at`:
/// `table!(reader, at, count member, offset member, view)`.
macro_rules! table {
    ($reader:expr, $at:expr, $count:ident, $offset:ident, $view:expr) => {
        $reader.table(
            $crate::bytes::link_in!($reader, $at, $offset),
            $at.raw.$count,
            $crate::bytes::place!($reader, $at, $count),
            $view,
        )
    };
}
pub(crate) use table;

/// The bytes of a file, with checked access.
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    file: FileKind,
    claimed: Cell<u64>,
    /// What was visited, where somebody asked for it.
    trace: Option<RefCell<Vec<Part>>>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8], file: FileKind) -> Self {
        Reader {
            bytes,
            file,
            claimed: Cell::new(0),
            trace: None,
        }
    }

    /// A reader that also notes every member, array and name that it visits.
    pub(crate) fn tracing(bytes: &'a [u8], file: FileKind) -> Self {
        Reader {
            trace: Some(RefCell::default()),
            ..Reader::new(bytes, file)
        }
    }

    /// What was visited, in order; nothing without [`Reader::tracing`].
    pub(crate) fn into_trace(self) -> Vec<Part> {
        self.trace.map(RefCell::into_inner).unwrap_or_default()
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

    /// Whether the file starts with `prefix`.
    pub(crate) fn starts_with(&self, prefix: &[u8]) -> bool {
        self.bytes.starts_with(prefix)
    }

    /// Refuses a file without bytes, and the text that git-lfs keeps in place of one.
    ///
    /// `R` is the record that a real file starts with.
    pub(crate) fn refuse_missing<R: Record>(&self) -> Result<(), Error> {
        let kind = if self.size() == 0 {
            ErrorKind::Empty
        } else if self.starts_with(b"version https://git-lfs") {
            ErrorKind::LfsPointer
        } else {
            return Ok(());
        };
        let place = self.place::<R>(0, None, "");
        Err(Error { place, kind })
    }

    /// A reader of the same bytes that has visited nothing yet.
    pub(crate) fn afresh(&self) -> Reader<'a> {
        Reader::new(self.bytes, self.file)
    }

    /// How many `\r\n` the file has, if there is no `\n` without its `\r`: what a file looks like
    /// that was converted as if it were text.
    pub(crate) fn converted_line_feeds(&self) -> Option<u64> {
        let mut count = 0;
        for at in memchr::memchr_iter(b'\n', self.bytes) {
            if at == 0 || self.bytes[at - 1] != b'\r' {
                return None;
            }
            count += 1;
        }
        Some(count)
    }

    /// The place of `field` in the record `at`.
    pub(crate) fn place_in<R: Record>(&self, at: &At<R>, field: &'static str) -> Place {
        self.place::<R>(at.start, at.index, field)
    }

    /// The first `N` bytes as they were before `\n` became `\r\n`.
    pub(crate) fn before_conversion<const N: usize>(&self) -> Option<[u8; N]> {
        let next = self.bytes.iter().skip(1).map(Some).chain([None]);
        let kept = self.bytes.iter().zip(next);
        let kept = kept.filter(|&(&byte, next)| (byte, next) != (b'\r', Some(&b'\n')));
        let head: Vec<u8> = kept.map(|(&byte, _)| byte).take(N).collect();
        head.try_into().ok()
    }

    /// The one record at `start`.
    pub(crate) fn record<R: Record>(&self, start: u64, index: Option<u32>) -> Result<At<R>, Error> {
        let at = self.peek(start, index)?;
        if self.trace.is_some() {
            self.note_members::<R>(start, index);
        }
        Ok(at)
    }

    /// The one record at `start`, without a trace: a record that is only looked at to find out
    /// which other record stands there.
    pub(crate) fn peek<R: Record>(&self, start: u64, index: Option<u32>) -> Result<At<R>, Error> {
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
        // Collecting results would grow the vector step by step, to twice what was claimed.
        let mut views = Vec::with_capacity(usize::try_from(count).unwrap_or(0));
        for index in 0..count {
            let at = self.record(start + index * size, u32::try_from(index).ok())?;
            views.push(view(at)?);
        }
        Ok(views)
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
        self.note(link.place, PartKind::Array, start, count * size);
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
        self.note(link.place, PartKind::Name, start, length as u64 + 1);
        Ok(Name::from(&rest[..length]))
    }

    /// The name in a member of fixed size: up to its NUL, or all of it where it has none.
    ///
    /// The record that holds the member was read before.
    pub(crate) fn fixed_name(&self, place: Place, size: usize) -> Result<Name<'a>, Error> {
        let bytes = self.range(place.offset, size as u64).ok_or(Error {
            place,
            kind: ErrorKind::Truncated {
                need: size as u64,
                have: self.size().saturating_sub(place.offset),
            },
        })?;
        let length = memchr::memchr(0, bytes).unwrap_or(size);
        Ok(Name::from(&bytes[..length]))
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

    /// Claims an array again, because a model that is ready to be posed keeps what is made of it
    /// beside the file: [`BUILT_SHARE`] bytes for each of the `count` values of type `T`.
    pub(crate) fn claim_built<T>(&self, count: usize, place: Place) -> Result<(), Error> {
        let bytes = count as u64 * size_of::<T>() as u64;
        self.claim(bytes * BUILT_SHARE, place)
    }

    /// Notes that `bytes` more of the file are claimed.
    pub(crate) fn claim(&self, bytes: u64, place: Place) -> Result<(), Error> {
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

    /// Notes every member of the record of type `R` at `start`.
    fn note_members<R: Record>(&self, start: u64, index: Option<u32>) {
        let ends = R::FIELDS.iter().skip(1).map(|&(_, at)| at).chain([R::SIZE]);
        for (&(field, at), end) in R::FIELDS.iter().zip(ends) {
            let place = self.place::<R>(start, index, field);
            self.note(place, PartKind::Member, place.offset, (end - at) as u64);
        }
    }

    fn note(&self, place: Place, kind: PartKind, offset: u64, size: u64) {
        if let Some(trace) = &self.trace
            && size > 0
        {
            trace.borrow_mut().push(Part {
                kind,
                place,
                offset,
                size,
            });
        }
    }

    fn range(&self, start: u64, length: u64) -> Option<&'a [u8]> {
        let start = usize::try_from(start).ok()?;
        let end = start.checked_add(usize::try_from(length).ok()?)?;
        self.bytes.get(start..end)
    }
}
