//! The file that is being written: reserved records, arrays, and names that are still to come.

use std::marker::PhantomData;

use zerocopy::{Immutable, IntoBytes};

use crate::error::{FileKind, Place, WriteError, WriteErrorKind};
use crate::name::Name;
use crate::raw::Record;

/// Where tables and arrays start: at a multiple of this.
const ALIGNMENT: usize = 4;

/// The bytes so far, and the names that will follow them.
pub(super) struct Output<'n> {
    bytes: Vec<u8>,
    names: Vec<Pending<'n>>,
}

/// A name that is not written yet, and the member that will lead to it.
struct Pending<'n> {
    place: Place,
    base: u64,
    name: &'n [u8],
}

/// A reserved table.
pub(super) struct Table<R> {
    pub(super) start: u64,
    record: PhantomData<R>,
}

/// A reserved record.
pub(super) struct Spot<R> {
    pub(super) start: u64,
    index: Option<u32>,
    record: PhantomData<R>,
}

impl<R> Clone for Spot<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for Spot<R> {}

impl<R: Record> Table<R> {
    pub(super) fn spot(&self, index: usize) -> Spot<R> {
        Spot {
            start: self.start + index as u64 * R::SIZE as u64,
            index: u32::try_from(index).ok(),
            record: PhantomData,
        }
    }
}

impl<R: Record> Spot<R> {
    pub(super) fn error(&self, field: &'static str, kind: WriteErrorKind) -> WriteError {
        WriteError {
            place: self.place(field),
            kind,
        }
    }

    /// The error that `found` cannot stand in `field`.
    pub(super) fn value(
        &self,
        field: &'static str,
        found: impl Into<i64>,
        expected: &'static str,
    ) -> WriteError {
        let found = found.into();
        self.error(field, WriteErrorKind::Value { found, expected })
    }

    /// What `field` says so that it leads from this record to `target`.
    pub(super) fn offset(&self, field: &'static str, target: u64) -> Result<i32, WriteError> {
        relative(self.place(field), self.start, target)
    }

    /// What `field` says for `count` records.
    pub(super) fn count(&self, field: &'static str, count: usize) -> Result<i32, WriteError> {
        i32::try_from(count).map_err(|_| self.error(field, WriteErrorKind::TooLarge(count as u64)))
    }

    fn place(&self, field: &'static str) -> Place {
        Place {
            file: FileKind::Mdl,
            structure: R::NAME,
            index: self.index,
            field,
            offset: self.start + R::offset_of(field),
        }
    }
}

impl<'n> Output<'n> {
    pub(super) fn new() -> Self {
        Output {
            bytes: Vec::new(),
            names: Vec::new(),
        }
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Room for `count` records.
    pub(super) fn reserve<R: Record>(&mut self, count: usize) -> Table<R> {
        let start = self.align();
        self.bytes.resize(self.bytes.len() + count * R::SIZE, 0);
        Table {
            start,
            record: PhantomData,
        }
    }

    /// Room for a record that stands in no table.
    pub(super) fn reserve_one<R: Record>(&mut self) -> Spot<R> {
        Spot {
            index: None,
            ..self.reserve(1).spot(0)
        }
    }

    /// Leaves `count` bytes unused.
    pub(super) fn skip(&mut self, count: usize) {
        self.bytes.resize(self.bytes.len() + count, 0);
    }

    /// Fills a reserved record.
    pub(super) fn put<R: Record>(&mut self, at: Spot<R>, record: &R) {
        let mut bytes = Vec::with_capacity(R::SIZE);
        record.put(&mut bytes);
        self.overwrite(at.start, &bytes);
    }

    /// A table of what `record` makes of each item; gives its count and its offset from `parent`.
    pub(super) fn table<P: Record, R: Record, T>(
        &mut self,
        parent: Spot<P>,
        [count, offset]: [&'static str; 2],
        items: &'n [T],
        mut record: impl FnMut(&mut Self, Spot<R>, &'n T) -> Result<R, WriteError>,
    ) -> Result<(i32, i32), WriteError> {
        let table = self.reserve(items.len());
        for (index, item) in items.iter().enumerate() {
            let at = table.spot(index);
            let record = record(self, at, item)?;
            self.put(at, &record);
        }
        Ok((
            parent.count(count, items.len())?,
            parent.offset(offset, table.start)?,
        ))
    }

    /// An array; gives its start.
    pub(super) fn array<T: IntoBytes + Immutable>(&mut self, values: &[T]) -> u64 {
        self.align();
        self.bytes(values.as_bytes())
    }

    /// Bytes as they are; gives their start.
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> u64 {
        let start = self.bytes.len() as u64;
        self.bytes.extend_from_slice(bytes);
        start
    }

    /// Notes that `field` leads to `name`, which is written when all records are; gives what the
    /// field says until then.
    pub(super) fn name<R: Record>(
        &mut self,
        at: Spot<R>,
        field: &'static str,
        name: &'n Name<'_>,
    ) -> Result<i32, WriteError> {
        self.name_from(at, field, name, at.start)
    }

    /// The same for a field that is relative to `base`.
    pub(super) fn name_from<R: Record>(
        &mut self,
        at: Spot<R>,
        field: &'static str,
        name: &'n Name<'_>,
        base: u64,
    ) -> Result<i32, WriteError> {
        let name = name.as_bytes();
        if name.contains(&0) {
            return Err(at.error(field, WriteErrorKind::NulInName));
        }
        let place = at.place(field);
        self.names.push(Pending { place, base, name });
        Ok(0)
    }

    /// Writes all names and makes their members lead to them; gives the length of the file.
    pub(super) fn write_names(&mut self) -> Result<u64, WriteError> {
        for Pending { place, base, name } in std::mem::take(&mut self.names) {
            let target = self.bytes(name);
            self.bytes(b"\0");
            let offset = relative(place, base, target)?;
            self.overwrite(place.offset, &offset.to_le_bytes());
        }
        Ok(self.bytes.len() as u64)
    }

    /// Fills up to where a table may start; gives that position.
    pub(super) fn align(&mut self) -> u64 {
        let start = self.bytes.len().next_multiple_of(ALIGNMENT);
        self.bytes.resize(start, 0);
        start as u64
    }

    /// Replaces bytes that are written or reserved already.
    fn overwrite(&mut self, start: u64, bytes: &[u8]) {
        let start = usize::try_from(start).unwrap_or(usize::MAX);
        let reserved = self.bytes.iter_mut().skip(start);
        reserved.zip(bytes).for_each(|(old, new)| *old = *new);
    }
}

fn relative(place: Place, base: u64, target: u64) -> Result<i32, WriteError> {
    // Positions are lengths of vectors, which are below 2^63.
    let distance = target as i64 - base as i64;
    i32::try_from(distance).map_err(|_| WriteError {
        place,
        kind: WriteErrorKind::TooLarge(distance.unsigned_abs()),
    })
}
