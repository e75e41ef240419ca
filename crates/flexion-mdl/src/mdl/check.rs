//! What is odd but tolerated: warnings, written down while the file is read.
//!
//! A record goes in when it has been read, warnings about it come out in [`Scan::into_warnings`].
//! The checks look at indices (into bones, descriptors, skins, vertices, eyeballs), at ramps, at
//! names that occur twice and at what engines cannot hold; the rows of flexes have their own
//! module. Rules are not looked at: those who compile them report their targets and operands.
//!
//! However bad a file is, its list of warnings takes no more memory than the file has bytes
//! (the last one then says how many were left out), and one flex gives at most one warning of a
//! kind, with the number of its rows.

mod bones;
mod rows;

use std::cell::RefCell;
use std::cmp::Ordering;

use zerocopy::byteorder::little_endian::I16;

use super::{Flex, Model};
use crate::bytes::{At, Link, Reader, place};
use crate::error::{Error, Place, Warning, WarningKind};
use crate::name::Name;
use crate::raw::Record;
use crate::raw::mdl as raw;

/// `MAXSTUDIOFLEXCTRL`.
const MAX_CONTROLLERS: u64 = 96;
/// `MAXSTUDIOFLEXDESC`.
const MAX_DESCRIPTORS: u64 = 1024;
/// `MAXSTUDIOFLEXVERTS`.
const MAX_FLEXED_VERTICES: u64 = 10_000;

/// What reading and checking share: the file, its header and the warnings so far.
pub(super) struct Scan<'r, 'a> {
    pub(super) reader: &'r Reader<'a>,
    pub(super) header: At<raw::StudioHdr>,
    /// Largest magnitude of a half that the engine's fixed point holds; none where deltas are
    /// fixed point already or where the scale makes no sense.
    delta_limit: Option<rows::DeltaLimit>,
    warnings: RefCell<Warnings>,
}

/// A list that stops growing at a share of the file's size.
struct Warnings {
    list: Vec<Warning>,
    capacity: usize,
    left_out: u64,
}

impl<'r, 'a> Scan<'r, 'a> {
    pub(super) fn new(reader: &'r Reader<'a>, header: At<raw::StudioHdr>) -> Self {
        // Half of the file's size, because a growing list exists twice for a moment.
        let capacity = reader.size() / (2 * size_of::<Warning>() as u64);
        Scan {
            reader,
            header,
            delta_limit: rows::DeltaLimit::of(&header.raw),
            warnings: RefCell::new(Warnings {
                list: Vec::new(),
                capacity: usize::try_from(capacity).unwrap_or(usize::MAX).max(4),
                left_out: 0,
            }),
        }
    }

    /// Bones that indices may lead to.
    pub(super) fn bones(&self) -> i32 {
        self.header.raw.numbones
    }

    /// Descriptors that indices may lead to.
    pub(super) fn descriptors(&self) -> i32 {
        self.header.raw.numflexdesc
    }

    pub(super) fn warn(&self, place: Place, kind: WarningKind) {
        self.warnings.borrow_mut().push(Warning { place, kind });
    }

    /// All warnings, in file order of what they are about.
    pub(super) fn into_warnings(self) -> Vec<Warning> {
        let Warnings {
            mut list, left_out, ..
        } = self.warnings.into_inner();
        if left_out > 0 {
            list.push(Warning {
                place: self.reader.place_in(&self.header, ""),
                kind: WarningKind::More(left_out),
            });
        }
        list
    }

    /// Warns about an index that is not one of `count`.
    pub(super) fn check_index(&self, place: Place, index: i32, count: i32) {
        if !(0..count).contains(&index) {
            let kind = WarningKind::Index {
                index: index.into(),
                count: u64::try_from(count).unwrap_or(0),
            };
            self.warn(place, kind);
        }
    }

    pub(super) fn check_header(&self) {
        let Scan { reader, header, .. } = self;
        let (stated, actual) = (header.raw.length, reader.size());
        if u64::try_from(stated) != Ok(actual) {
            let kind = WarningKind::Length { stated, actual };
            self.warn(place!(reader, header, length), kind);
        }
        let scale = header.raw.flVertAnimFixedPointScale;
        let scaled = header.raw.flags & super::FLAG_VERT_ANIM_FIXED_POINT_SCALE != 0;
        if scaled && !(scale > 0.0 && scale.is_finite()) {
            let place = place!(reader, header, flVertAnimFixedPointScale);
            self.warn(place, WarningKind::FixedPointScale(scale));
        }
        let counts = [
            (
                "controllers",
                header.raw.numflexcontrollers,
                MAX_CONTROLLERS,
                place!(reader, header, numflexcontrollers),
            ),
            (
                "descriptors",
                header.raw.numflexdesc,
                MAX_DESCRIPTORS,
                place!(reader, header, numflexdesc),
            ),
        ];
        for (what, count, cap, place) in counts {
            self.check_cap(place, what, u64::try_from(count).unwrap_or(0), cap);
        }
    }

    fn check_cap(&self, place: Place, what: &'static str, count: u64, cap: u64) {
        if count > cap {
            self.warn(place, WarningKind::EngineCap { what, count, cap });
        }
    }

    pub(super) fn check_bone(&self, at: &At<raw::Bone>) {
        let own = at.index.map_or(0, i64::from);
        let parent = at.raw.parent;
        if !(-1..own).contains(&i64::from(parent)) {
            let place = place!(self.reader, at, parent);
            self.warn(place, WarningKind::Parent(parent));
        }
        self.check_controllers_of(at);
    }

    pub(super) fn check_skins(&self, entries: &[I16]) {
        let textures = self.header.raw.numtextures;
        let bad = |entry: &&I16| !(0..textures).contains(&i32::from(entry.get()));
        let count = entries.iter().filter(bad).count();
        if let Some(first) = entries.iter().find(bad) {
            let kind = WarningKind::SkinEntries {
                entries: u32::try_from(count).unwrap_or(u32::MAX),
                first: first.get(),
                textures: u64::try_from(textures).unwrap_or(0),
            };
            self.warn(place!(self.reader, self.header, skinindex), kind);
        }
    }

    pub(super) fn check_mesh(&self, model: &At<raw::Model>, at: &At<raw::Mesh>) {
        let reader = self.reader;
        self.check_index(
            place!(reader, at, material),
            at.raw.material,
            self.header.raw.numskinref,
        );
        if at.raw.materialtype == 1 {
            self.check_index(
                place!(reader, at, materialparam),
                at.raw.materialparam,
                model.raw.numeyeballs,
            );
        }
        let (first, count) = (at.raw.vertexoffset, at.raw.numvertices);
        let total = model.raw.numvertices;
        if first < 0 || i64::from(first) + i64::from(count) > i64::from(total) {
            let kind = WarningKind::VertexRange {
                first,
                count,
                total,
            };
            self.warn(place!(reader, at, vertexoffset), kind);
        }
    }

    pub(super) fn check_model(&self, at: &At<raw::Model>, model: &Model<'_>) {
        let count = rows::flexed_vertices(model, MAX_FLEXED_VERTICES);
        let place = place!(self.reader, at, numvertices);
        self.check_cap(place, "flexed vertices", count, MAX_FLEXED_VERTICES);
    }

    pub(super) fn check_flex(&self, mesh: &At<raw::Mesh>, at: &At<raw::Flex>, flex: &Flex<'_>) {
        let reader = self.reader;
        self.check_index(
            place!(reader, at, flexdesc),
            at.raw.flexdesc,
            self.descriptors(),
        );
        if flex.partner != 0 {
            self.check_index(
                place!(reader, at, flexpair),
                at.raw.flexpair,
                self.descriptors(),
            );
        }
        let [start, full, fading, end] = flex.targets;
        if !(start < full && full <= fading && fading < end) {
            let kind = WarningKind::DegenerateRamp(flex.targets);
            self.warn(place!(reader, at, target0), kind);
        }
        let vertices = mesh.raw.numvertices;
        for kind in rows::check(&flex.vert_anims, vertices, self.delta_limit) {
            self.warn(place!(reader, at, vertindex), kind);
        }
    }

    pub(super) fn check_eyeball(&self, at: &At<raw::Eyeball>) {
        let reader = self.reader;
        self.check_index(place!(reader, at, bone), at.raw.bone, self.bones());
        let lids = [
            (place!(reader, at, upperflexdesc), at.raw.upperflexdesc),
            (place!(reader, at, lowerflexdesc), at.raw.lowerflexdesc),
        ];
        for (mut place, descriptors) in lids {
            for descriptor in descriptors {
                self.check_index(place, descriptor, self.descriptors());
                place.offset += 4;
            }
        }
        self.check_index(
            place!(reader, at, upperlidflexdesc),
            at.raw.upperlidflexdesc,
            self.descriptors(),
        );
        self.check_index(
            place!(reader, at, lowerlidflexdesc),
            at.raw.lowerlidflexdesc,
            self.descriptors(),
        );
    }

    /// Warns about every record of the table `R` whose name an earlier one has too.
    ///
    /// Sorting numbers by name keeps time and memory in bounds where names are long and shared.
    pub(super) fn check_duplicates<R: Record, T>(
        &self,
        table: Link,
        views: &[T],
        name: impl Fn(&T) -> &Name<'a>,
    ) -> Result<(), Error> {
        let Ok(count) = u32::try_from(views.len()) else {
            return Ok(());
        };
        self.reader
            .claim(u64::from(count) * size_of::<u32>() as u64, table.place)?;
        let name_of = |index: u32| usize::try_from(index).ok().and_then(|at| views.get(at));
        let name_of = |index: u32| name_of(index).map_or(&[][..], |view| name(view).as_bytes());
        let mut order: Vec<u32> = (0..count).collect();
        order.sort_unstable_by(|&a, &b| compare(name_of(a), name_of(b)).then(a.cmp(&b)));
        let start = self.reader.target(table)?;
        for same in order.chunk_by(|&a, &b| compare(name_of(a), name_of(b)).is_eq()) {
            let Some((&first, others)) = same.split_first() else {
                continue;
            };
            for &index in others {
                let record = start + u64::from(index) * R::SIZE as u64;
                let place = self.reader.place::<R>(record, Some(index), "sznameindex");
                self.warn(place, WarningKind::DuplicateName { first });
            }
        }
        Ok(())
    }
}

impl Warnings {
    fn push(&mut self, warning: Warning) {
        // The last place is kept for the number of those left out.
        if self.list.len() + 1 >= self.capacity {
            self.left_out += 1;
            return;
        }
        if self.list.len() == self.list.capacity() {
            let more = self.list.len().max(8).min(self.capacity - self.list.len());
            self.list.reserve_exact(more);
        }
        self.list.push(warning);
    }
}

/// Order of names as engines compare them: bytes without regard to ASCII case.
fn compare(a: &[u8], b: &[u8]) -> Ordering {
    let lower = u8::to_ascii_lowercase;
    a.iter().map(lower).cmp(b.iter().map(lower))
}
