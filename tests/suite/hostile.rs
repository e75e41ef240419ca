//! Damaged files: no panic, bounded memory, bounded time, a clear message.
//!
//! Every member of every record that the readers visit is set to values that counts and offsets
//! must not have, and files are cut at every 64th byte. What still opens is posed. The tests run
//! on the sample face, and on real models too where there is a corpus.

use std::time::{Duration, Instant};

use allocation_counter::{AllocationInfo, measure};
use flexion::Model;
use flexion_mdl::{FileKind, PartKind, layout};
use flexion_testkit::corpus::corpus;

/// Memory that opening and posing may take at any time, in multiples of the files' size.
const MEMORY_LIMIT: u64 = 8;

/// Memory that does not depend on the files: an evaluator's frame (256 KiB), error texts.
const MEMORY_FLOOR: u64 = 320 * 1024;

/// Longest that a damaged file may take, far above what any took when this was written, so that
/// a busy machine does not fail the test while a loop without bound does.
const TIME_LIMIT: Duration = Duration::from_secs(20);

/// A model's files in memory.
#[derive(Clone)]
struct Files {
    name: String,
    mdl: Vec<u8>,
    vvd: Vec<u8>,
    vtx: Vec<u8>,
}

impl Files {
    fn sample() -> Files {
        let [(_, mdl), (_, vvd), (_, vtx)] = flexion_sample::face().files();
        Files {
            name: "sample".to_owned(),
            mdl,
            vvd,
            vtx,
        }
    }

    /// The sample, and three small real models where there is a corpus.
    fn all(test: &str) -> Vec<Files> {
        let mut all = vec![Files::sample()];
        if let Some(folder) = corpus(test) {
            for name in ["gmod/scorpio", "hl2/male_06_sdk", "l4d/boomer_jiggle"] {
                let read = |ending: &str| {
                    let path = folder.join("models").join(format!("{name}{ending}"));
                    std::fs::read(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"))
                };
                all.push(Files {
                    name: name.to_owned(),
                    mdl: read(".mdl"),
                    vvd: read(".vvd"),
                    vtx: read(".dx90.vtx"),
                });
            }
        }
        all
    }

    fn file(&mut self, kind: FileKind) -> &mut Vec<u8> {
        match kind {
            FileKind::Mdl => &mut self.mdl,
            FileKind::Vvd => &mut self.vvd,
            FileKind::Vtx => &mut self.vtx,
        }
    }

    fn size(&self) -> u64 {
        (self.mdl.len() + self.vvd.len() + self.vtx.len()) as u64
    }

    /// Opens and poses the model; the error as people see it.
    fn try_all(&self) -> Result<(), String> {
        let model = Model::from_bytes(&self.mdl, Some(&self.vvd), Some(&self.vtx))
            .map_err(|error| error.to_string())?;
        let mut face = model.face();
        for id in model.controller_ids() {
            let _ = face.set_id(id, 1.0);
        }
        face.weights();
        let done = face.deform().map(|_| ()).map_err(|error| error.to_string());
        for warning in model.warnings() {
            assert!(!warning.to_string().is_empty());
        }
        done
    }

    /// Opens and poses under the limits; returns whether it went well.
    fn survive(&self, damage: &str) -> bool {
        let start = Instant::now();
        let mut result = Ok(());
        let memory: AllocationInfo = measure(|| result = self.try_all());
        let name = &self.name;
        let limit = self.size() * MEMORY_LIMIT + MEMORY_FLOOR;
        assert!(
            memory.bytes_max <= limit,
            "{name} {damage}: {} bytes of memory for {} of files ({result:?})",
            memory.bytes_max,
            self.size()
        );
        assert!(
            start.elapsed() < TIME_LIMIT,
            "{name} {damage}: {:?}",
            start.elapsed()
        );
        if let Err(message) = &result {
            let placed = message.contains("@0x");
            assert!(
                placed,
                "{name} {damage}: the message has no offset: {message}"
            );
        }
        result.is_ok()
    }
}

/// Sets a four-byte member.
fn put(bytes: &mut [u8], at: usize, value: i32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

fn damage_members(kind: FileKind, files: &mut Files) -> [usize; 2] {
    let original = files.file(kind).clone();
    let size = i32::try_from(original.len()).expect("a small file");
    let parts = layout(&original, kind).parts;
    let members: Vec<usize> = parts
        .iter()
        .filter(|part| part.kind == PartKind::Member && part.size >= 4)
        .flat_map(|part| (part.offset..part.offset + part.size - 3).step_by(4))
        .map(|at| usize::try_from(at).expect("an offset"))
        .collect();
    // Tables of a thousand alike records need not all be tried.
    let stride = members.len().div_ceil(1500);
    let mut tried = [0, 0];
    for &at in members.iter().step_by(stride) {
        for value in [-1, i32::MAX, i32::MIN, size, size - 1, 1, 0x0100_0000] {
            put(files.file(kind), at, value);
            let fine = files.survive(&format!("{kind} @0x{at:x} = {value}"));
            tried[usize::from(fine)] += 1;
        }
        let end = at + 4;
        files.file(kind)[at..end].copy_from_slice(&original[at..end]);
    }
    tried
}

#[test]
fn any_member_may_hold_anything() {
    for mut files in Files::all("any_member_may_hold_anything on real models") {
        for kind in [FileKind::Mdl, FileKind::Vvd, FileKind::Vtx] {
            let [refused, opened] = damage_members(kind, &mut files);
            println!("{} {kind}: {refused} refused, {opened} opened", files.name);
            assert!(
                refused > 0 && opened > 0,
                "{}: nothing was damaged",
                files.name
            );
        }
    }
}

#[test]
fn a_file_may_end_anywhere() {
    for files in Files::all("a_file_may_end_anywhere on real models") {
        for kind in [FileKind::Mdl, FileKind::Vvd, FileKind::Vtx] {
            let whole = files.clone().file(kind).clone();
            for length in (0..whole.len()).step_by(64) {
                let mut cut = files.clone();
                cut.file(kind).truncate(length);
                cut.survive(&format!("{kind} cut at {length}"));
            }
        }
    }
}

/// The place of a member of the sample's `.mdl`, by structure and name.
fn member_places(files: &Files, structure: &str, field: &str) -> Vec<usize> {
    let parts = layout(&files.mdl, FileKind::Mdl).parts.into_iter();
    let named = parts.filter(|part| {
        part.kind == PartKind::Member
            && part.place.structure == structure
            && part.place.field == field
    });
    named
        .map(|part| usize::try_from(part.offset).expect("an offset"))
        .collect()
}

/// Makes each record's offset and count lead to the array of the record with the largest.
fn share_largest(files: &mut Files, structure: &str, count: &str, offset: &str) -> usize {
    let counts = member_places(files, structure, count);
    let offsets = member_places(files, structure, offset);
    let get = |at: usize| i32::from_le_bytes(files.mdl[at..at + 4].try_into().expect("four bytes"));
    let largest = (0..counts.len()).max_by_key(|&record| get(counts[record]));
    let largest = largest.expect("records");
    let (count, offset) = (get(counts[largest]), get(offsets[largest]));
    for record in 0..counts.len() {
        // Offsets are relative to their record, and records have one size.
        let moved = offsets[largest] as i32 - offsets[record] as i32;
        put(&mut files.mdl, counts[record], count);
        put(&mut files.mdl, offsets[record], offset + moved);
    }
    counts.len()
}

#[test]
fn records_may_share_their_arrays() {
    for (structure, count, offset) in [
        ("mstudioflex_t", "numverts", "vertindex"),
        ("mstudioflexrule_t", "numops", "opindex"),
    ] {
        for mut files in Files::all("records_may_share_their_arrays on real models") {
            let shared = share_largest(&mut files, structure, count, offset);
            let fine = files.survive(&format!("{shared} times {structure}.{offset}"));
            println!(
                "{} {structure}: {shared} records, opened: {fine}",
                files.name
            );
            // With companions of no size the limit is that of the .mdl alone.
            files.vvd.clear();
            files.vtx.clear();
            files.survive(&format!("{shared} times {structure}.{offset}, alone"));
        }
    }
}
