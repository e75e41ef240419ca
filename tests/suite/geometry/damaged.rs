//! Damaged `.vvd` and `.vtx` files: an error or a value, never a panic, in bounded memory and time.

use std::fs;
use std::time::{Duration, Instant};

use allocation_counter::measure;
use flexion_mdl::vtx::{VtxBodyPart, VtxLod, VtxMesh, VtxModel};
use flexion_mdl::{FileKind, PartKind, Vtx, Vvd, layout};
use flexion_testkit::corpus::corpus;

use super::vertex;

/// What counts and offsets must not be, and some that lead into the file.
const VALUES: [i32; 10] = [-1, 0, 1, 3, 36, 64, 255, 0x10000, i32::MAX, i32::MIN];

/// Longest that all the damaged copies of a file may take together; the slowest took a tenth.
const TIME_LIMIT: Duration = Duration::from_secs(60);

fn vvd_file() -> Vec<u8> {
    let vvd = Vvd {
        checksum: 7,
        lod_vertex_counts: vec![20, 8],
        vertices: (0..20).map(vertex).collect::<Vec<_>>().into(),
        tangents: vec![[0.0; 4].map(Into::into); 20].into(),
    };
    let model = super::mdl(vec![super::mesh(0, &[12, 4]), super::mesh(12, &[8, 4])]);
    vvd.write_for(&model).unwrap()
}

fn vtx_file() -> Vec<u8> {
    let mesh = |count: u16| VtxMesh {
        flags: 0,
        triangles: (0..count).map(|at| [at, at + 1, at + 2]).collect(),
    };
    let lod = |switch_point| VtxLod {
        switch_point,
        meshes: vec![mesh(20), mesh(1), mesh(0)],
    };
    let model = || VtxModel {
        lods: vec![lod(0.0), lod(-1.0)],
    };
    let part = || VtxBodyPart {
        models: vec![model(), model()],
    };
    let vtx = Vtx {
        checksum: 7,
        body_parts: vec![part(), part()],
    };
    vtx.write().unwrap()
}

/// Files made here, and two real ones of each kind where there is a corpus.
fn files(test: &str) -> Vec<(FileKind, Vec<u8>)> {
    let mut files = vec![(FileKind::Vvd, vvd_file()), (FileKind::Vtx, vtx_file())];
    if let Some(folder) = corpus(test) {
        for name in ["hl2/newscaster_male", "gmod/talsa_ko"] {
            for (kind, ending) in [(FileKind::Vvd, "vvd"), (FileKind::Vtx, "dx90.vtx")] {
                let path = folder.join("models").join(format!("{name}.{ending}"));
                files.push((kind, fs::read(path).expect("a file of the corpus")));
            }
        }
    }
    files
}

/// Reads `bytes` and checks what memory that took.
fn read(kind: FileKind, bytes: &[u8]) -> bool {
    let mut is_whole = false;
    let used = measure(|| {
        is_whole = match kind {
            FileKind::Vvd => Vvd::read(bytes).is_ok(),
            _ => Vtx::read(bytes).is_ok(),
        };
    });
    let limit = 6 * bytes.len() as u64;
    assert!(
        used.bytes_max <= limit,
        "{} of {limit} bytes",
        used.bytes_max
    );
    is_whole
}

#[test]
fn truncation_is_an_error() {
    for (kind, bytes) in files("truncation_is_an_error") {
        let start = Instant::now();
        assert!(read(kind, &bytes));
        // The material replacement lists at the end of a `.vtx` are not read.
        let needed = match kind {
            FileKind::Vvd => bytes.len(),
            _ => layout(&bytes, kind)
                .parts
                .iter()
                .map(|part| (part.offset + part.size) as usize)
                .max()
                .unwrap(),
        };
        for length in (0..bytes.len()).step_by(64).chain([needed - 1]) {
            let whole = read(kind, &bytes[..length]);
            assert_eq!(
                whole,
                length >= needed,
                "{kind} cut at {length} of {needed}"
            );
        }
        assert!(
            start.elapsed() < TIME_LIMIT,
            "{kind}: {:?}",
            start.elapsed()
        );
    }
}

#[test]
fn every_member_may_have_any_value() {
    for (kind, bytes) in files("every_member_may_have_any_value") {
        let start = Instant::now();
        let members: Vec<usize> = layout(&bytes, kind)
            .parts
            .iter()
            .filter(|part| part.kind == PartKind::Member)
            .flat_map(|part| (part.offset..part.offset + part.size).step_by(4))
            .map(|at| (at as usize).min(bytes.len() - 4))
            .collect();
        assert!(members.len() > 15, "{kind}");
        // Real files repeat the same records; some of each are enough.
        let step = (members.len() / 400).max(1);
        let mut refused = 0;
        let mut damaged = bytes.clone();
        for at in members.into_iter().step_by(step) {
            let old: [u8; 4] = bytes[at..at + 4].try_into().unwrap();
            for value in VALUES
                .into_iter()
                .chain([bytes.len() as i32, i32::from_le_bytes(old) + 1])
            {
                damaged[at..at + 4].copy_from_slice(&value.to_le_bytes());
                refused += u32::from(!read(kind, &damaged));
            }
            damaged[at..at + 4].copy_from_slice(&old);
        }
        assert!(refused > 20, "{kind}: {refused}");
        assert!(
            start.elapsed() < TIME_LIMIT,
            "{kind}: {:?}",
            start.elapsed()
        );
    }
}

/// Tables that lead to themselves or to one another many times over.
#[test]
fn overlapping_tables_are_refused() {
    // Each of 400 body parts leads to the same 400 models, each of those to the same levels, ….
    let mut bytes = vec![0; 36 + 400 * 12];
    bytes[0] = 7;
    bytes[28..32].copy_from_slice(&400i32.to_le_bytes());
    bytes[32..36].copy_from_slice(&36i32.to_le_bytes());
    for at in (36..bytes.len() - 8).step_by(8) {
        bytes[at..at + 4].copy_from_slice(&400i32.to_le_bytes());
    }
    let error = Vtx::read(&bytes).unwrap_err();
    assert!(!read(FileKind::Vtx, &bytes), "{error}");

    // One strip group whose 300 strips are all the same 3000 indices.
    let strips = 300;
    let mut bytes = super::Bytes::default()
        .i32(&[7, 24])
        .u16(&[53, 9])
        .i32(&[3, 7, 1, 0, 1, 36])
        .i32(&[1, 8, 1, 8, 1, 12])
        .f32(&[0.0])
        .i32(&[1, 9])
        .u8(&[0])
        .i32(&[1, 25 + 27 * strips, 3000, 25 + 27 * strips + 9])
        .i32(&[strips, 25])
        .u8(&[7]);
    for _ in 0..strips {
        bytes = bytes.i32(&[3000, 0, 1, 0]).u16(&[0]).u8(&[2]).i32(&[0, 0]);
    }
    let super::Bytes(mut bytes) = bytes.u8(&[0; 9]);
    bytes.resize(bytes.len() + 6000, 0);
    let kind = Vtx::read(&bytes).unwrap_err().kind;
    assert!(
        matches!(kind, flexion_mdl::ErrorKind::Overlap { .. }),
        "{kind}"
    );
    assert!(!read(FileKind::Vtx, &bytes));
}
