//! `.vvd` files without fixups, byte by byte.

use std::borrow::Cow;

use super::{Bytes, mdl, mesh, vertex};
use flexion_mdl::{Error, ErrorClass, ErrorKind, Vvd};

/// Two vertices on two levels of detail, tangents behind them.
fn file() -> Bytes {
    Bytes::default()
        .u8(b"IDSV")
        .i32(&[4, 7, 2])
        .i32(&[2, 1, 1, 1, 1, 1, 1, 1])
        .i32(&[0, 64, 64, 64 + 96])
        .f32(&[0.75, 0.25, 0.0])
        .u8(&[1, 2, 0, 2])
        .f32(&[0.0, 0.25, -0.0, 0.0, 0.0, 1.0, 0.0, 1.0])
        .f32(&[0.75, 0.25, 0.0])
        .u8(&[1, 2, 0, 2])
        .f32(&[1.0, 1.25, -1.0, 0.0, 0.0, 1.0, 0.125, 0.875])
        .f32(&[1.0, 0.0, 0.0, -1.0])
        .f32(&[0.0, 1.0, 0.0, 1.0])
}

#[test]
fn every_member_is_read() {
    let Bytes(bytes) = file();
    let vvd = Vvd::read(&bytes).unwrap();
    assert_eq!(vvd.checksum, 7);
    assert_eq!(vvd.lod_vertex_counts, [2, 1]);
    assert_eq!(*vvd.vertices, [vertex(0), vertex(1)]);
    let tangents: Vec<[f32; 4]> = vvd
        .tangents
        .iter()
        .map(|tangent| tangent.map(f32::from))
        .collect();
    assert_eq!(tangents, [[1.0, 0.0, 0.0, -1.0], [0.0, 1.0, 0.0, 1.0]]);
}

#[test]
fn arrays_are_borrowed() {
    let Bytes(bytes) = file();
    let vvd = Vvd::read(&bytes).unwrap();
    assert!(matches!(vvd.vertices, Cow::Borrowed(_)));
    assert!(matches!(vvd.tangents, Cow::Borrowed(_)));
    assert_eq!(vvd.vertices.as_ptr().cast(), &raw const bytes[64]);
}

#[test]
fn writing_gives_the_same_bytes() {
    let Bytes(bytes) = file();
    assert_eq!(Vvd::read(&bytes).unwrap().write().unwrap(), bytes);
}

#[test]
fn tangents_may_be_absent() {
    let Bytes(mut bytes) = file().set(60, 0);
    bytes.truncate(64 + 96);
    let vvd = Vvd::read(&bytes).unwrap();
    assert!(vvd.tangents.is_empty());
    assert_eq!(vvd.write().unwrap(), bytes);
}

#[test]
fn a_file_without_vertices_reads() {
    let Bytes(bytes) = file().set(12, 1).set(16, 0).set(56, 64).set(60, 0);
    assert!(Vvd::read(&bytes[..64]).unwrap().vertices.is_empty());
}

fn refused(bytes: &[u8]) -> Error {
    Vvd::read(bytes).unwrap_err()
}

#[test]
fn errors_name_their_place() {
    let cut = |length: usize| file().0[..length].to_vec();
    let cases = [
        (vec![], ".vvd vertexFileHeader_t @0x0: the file is empty"),
        (
            b"version https://git-lfs.github.com/spec/v1\n".to_vec(),
            ".vvd vertexFileHeader_t @0x0: this is a git-lfs pointer, not the model itself: \
             fetch the real file first",
        ),
        (
            file().set(0, 0).0,
            ".vvd vertexFileHeader_t.id @0x0: the file starts with [00, 00, 00, 00] instead of \
             \"IDSV\"",
        ),
        (
            file().set(4, 5).0,
            ".vvd vertexFileHeader_t.version @0x4: version 5 is not supported (supported: 4)",
        ),
        (
            cut(6),
            ".vvd vertexFileHeader_t.version @0x4: needs 8 bytes here and 6 are left",
        ),
        (
            cut(50),
            ".vvd vertexFileHeader_t.numFixups @0x30: needs 64 bytes here and 50 are left",
        ),
        (
            file().set(12, 0).0,
            ".vvd vertexFileHeader_t.numLODs @0xc: 0 is not allowed here (expected 1 to 8)",
        ),
        (
            file().set(12, 9).0,
            ".vvd vertexFileHeader_t.numLODs @0xc: 9 is not allowed here (expected 1 to 8)",
        ),
        (
            file().set(16, -2).0,
            ".vvd vertexFileHeader_t.numLODVertexes @0x10: count -2 is negative",
        ),
        (
            file().set(20, 3).0,
            ".vvd vertexFileHeader_t.numLODVertexes @0x14: 3 is not allowed here (expected at \
             most the vertices of level 0)",
        ),
        (
            file().set(48, -1).0,
            ".vvd vertexFileHeader_t.numFixups @0x30: count -1 is negative",
        ),
        (
            file().set(56, -1).0,
            ".vvd vertexFileHeader_t.vertexDataStart @0x38: offset -1 leads to -1, outside the \
             file of 192 bytes",
        ),
        (
            file().set(16, 3).0,
            ".vvd vertexFileHeader_t.numLODVertexes @0x10: needs 144 bytes here and 96 are left",
        ),
        (
            file().set(60, 0).set(16, i32::MAX).0,
            ".vvd vertexFileHeader_t.numLODVertexes @0x10: needs 103079215056 bytes here and 128 \
             are left",
        ),
        (
            cut(64 + 96 + 31),
            ".vvd vertexFileHeader_t.tangentDataStart @0x3c: needs 32 bytes here and 31 are left",
        ),
    ];
    for (bytes, message) in cases {
        assert_eq!(refused(&bytes).to_string(), message);
    }
}

#[test]
fn errors_have_their_class() {
    assert_eq!(refused(&[]).class(), ErrorClass::BadFile);
    assert_eq!(
        refused(&file().set(4, 5).0).class(),
        ErrorClass::Unsupported
    );
}

#[test]
fn the_mdl_must_match() {
    let Bytes(bytes) = file();
    let whole = mdl(vec![mesh(0, &[2, 1])]);
    assert!(Vvd::read_for(&bytes, &whole).is_ok());

    let other = file().set(8, 8).0;
    let error = Vvd::read_for(&other, &whole).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Checksum { mdl: 7, found: 8 });
    assert_eq!((error.place.field, error.place.offset), ("checksum", 8));

    let error = Vvd::read_for(&bytes, &mdl(vec![mesh(0, &[3])])).unwrap_err();
    assert_eq!(
        error.to_string(),
        ".vvd vertexFileHeader_t.numLODVertexes @0x10: 3 from 0 on of 2"
    );
    let mut shifted = mdl(vec![mesh(0, &[1])]);
    shifted.body_parts[0].models[0].first_tangent = 2;
    let error = Vvd::read_for(&bytes, &shifted).unwrap_err();
    assert_eq!(
        error.to_string(),
        ".vvd vertexFileHeader_t.tangentDataStart @0x3c: 1 from 2 on of 2"
    );
    for negative in [-1, i32::MIN] {
        let mut shifted = mdl(vec![mesh(0, &[1])]);
        shifted.body_parts[0].models[0].first_vertex = negative;
        assert!(Vvd::read_for(&bytes, &shifted).is_err());
    }
}

#[test]
fn contradictions_are_not_written() {
    let Bytes(bytes) = file();
    let vvd = Vvd::read(&bytes).unwrap();
    let refused = |change: fn(&mut Vvd<'_>)| {
        let mut vvd = vvd.clone();
        change(&mut vvd);
        vvd.write().unwrap_err().to_string()
    };
    assert_eq!(
        refused(|vvd| vvd.lod_vertex_counts = vec![]),
        ".vvd vertexFileHeader_t.numLODs @0xc: 0 is not allowed here (expected 1 to 8)"
    );
    assert_eq!(
        refused(|vvd| vvd.lod_vertex_counts = vec![1]),
        ".vvd vertexFileHeader_t.numLODVertexes @0x10: 1 is not allowed here (expected as many as \
         there are vertices)"
    );
    assert_eq!(
        refused(|vvd| vvd.lod_vertex_counts = vec![2, 3]),
        ".vvd vertexFileHeader_t.numLODVertexes @0x10: 3 is not allowed here (expected at most the \
         vertices of level 0)"
    );
    assert_eq!(
        refused(|vvd| {
            vvd.tangents.to_mut().pop();
        }),
        ".vvd vertexFileHeader_t.tangentDataStart @0x3c: 1 is not allowed here (expected a tangent \
         for each vertex, or none)"
    );
}
