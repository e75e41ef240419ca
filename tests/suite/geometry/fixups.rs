//! `.vvd` files with fixups, byte by byte, and the fixups that a model needs.

use std::borrow::Cow;

use super::{Bytes, mdl, mesh, vertex};
use flexion_mdl::vvd::Fixup;
use flexion_mdl::{ErrorKind, Vvd};

/// The order of the vertices of level 0 that [`FIXUPS`] make, as in the module's documentation.
const ORDER: [u16; 7] = [0, 1, 4, 5, 2, 3, 6];

/// `lod`, `sourceVertexID`, `numVertexes`.
const FIXUPS: [[i32; 3]; 4] = [[1, 0, 2], [0, 4, 2], [1, 2, 2], [0, 6, 1]];

/// Seven vertices numbered as they are stored, and tangents with the same numbers.
fn file(fixups: &[[i32; 3]]) -> Bytes {
    let vertices = 64 + 12 * fixups.len() as i32;
    let mut bytes = Bytes::default()
        .u8(b"IDSV")
        .i32(&[4, 7, 2])
        .i32(&[7, 4, 4, 4, 4, 4, 4, 4])
        .i32(&[fixups.len() as i32, 64, vertices, vertices + 7 * 48])
        .i32(fixups.as_flattened());
    for number in 0..7 {
        bytes = bytes.vertex(number);
    }
    for number in 0..7u16 {
        bytes = bytes.f32(&[number.into(), 0.0, 0.0, 1.0]);
    }
    bytes
}

fn numbers(vvd: &Vvd<'_>) -> (Vec<u16>, Vec<u16>) {
    let vertices = vvd.vertices.iter().map(|vertex| vertex.position[0].get());
    let tangents = vvd.tangents.iter().map(|tangent| tangent[0].get());
    (
        vertices.map(|number| number as u16).collect(),
        tangents.map(|number| number as u16).collect(),
    )
}

#[test]
fn vertices_and_tangents_are_gathered_in_table_order() {
    let Bytes(bytes) = file(&FIXUPS);
    let vvd = Vvd::read(&bytes).unwrap();
    assert_eq!(numbers(&vvd), (ORDER.to_vec(), ORDER.to_vec()));
    assert_eq!(vvd.vertices[2], vertex(4));
    assert_eq!(vvd.lod_vertex_counts, [7, 4]);
    assert!(matches!(vvd.vertices, Cow::Owned(_)));
}

#[test]
fn without_tangents_only_vertices_are_gathered() {
    let Bytes(bytes) = file(&FIXUPS).set(60, 0);
    let vvd = Vvd::read(&bytes).unwrap();
    assert_eq!(numbers(&vvd), (ORDER.to_vec(), vec![]));
}

#[test]
fn fixups_below_level_0_and_empty_ones_add_nothing() {
    let mut fixups = FIXUPS.to_vec();
    fixups.insert(1, [-1, 900, 5]);
    fixups.insert(0, [3, 7, 0]);
    let Bytes(bytes) = file(&fixups);
    assert_eq!(numbers(&Vvd::read(&bytes).unwrap()).0, ORDER);
}

#[test]
fn a_range_may_be_used_twice() {
    let Bytes(bytes) = file(&[[1, 0, 4], [0, 0, 3]]);
    let vvd = Vvd::read(&bytes).unwrap();
    assert_eq!(numbers(&vvd).1, [0, 1, 2, 3, 0, 1, 2]);
}

#[test]
fn errors_name_their_place() {
    let refused = |fixups: &[[i32; 3]]| Vvd::read(&file(fixups).0).unwrap_err().to_string();
    assert_eq!(
        refused(&[[1, 0, 2], [0, 4, 4]]),
        ".vvd vertexFileFixup_t[1].sourceVertexID @0x50: 4 from 4 on of 7"
    );
    assert_eq!(
        refused(&[[0, -1, 7]]),
        ".vvd vertexFileFixup_t[0].sourceVertexID @0x44: 7 from -1 on of 7"
    );
    assert_eq!(
        refused(&[[0, 0, -7]]),
        ".vvd vertexFileFixup_t[0].sourceVertexID @0x44: -7 from 0 on of 7"
    );
    assert_eq!(
        refused(&[[0, i32::MAX, i32::MAX]]),
        ".vvd vertexFileFixup_t[0].sourceVertexID @0x44: 2147483647 from 2147483647 on of 7"
    );
    assert_eq!(
        refused(&[[0, 0, 6]]),
        ".vvd vertexFileHeader_t.numFixups @0x30: 6 is not allowed here (expected fixups that add \
         up to the vertices of level 0)"
    );
    let Bytes(cut) = file(&FIXUPS).set(52, 560 - 12);
    assert_eq!(
        Vvd::read(&cut).unwrap_err().to_string(),
        ".vvd vertexFileHeader_t.numFixups @0x30: needs 48 bytes here and 12 are left"
    );
    let Bytes(mut cut) = file(&FIXUPS);
    cut.truncate(cut.len() - 1);
    assert_eq!(
        Vvd::read(&cut).unwrap_err().to_string(),
        ".vvd vertexFileHeader_t.tangentDataStart @0x3c: needs 112 bytes here and 111 are left"
    );
}

#[test]
fn fixups_that_repeat_the_vertices_without_end_are_refused() {
    let fixups = [[0, 0, 7]; 100];
    let Bytes(bytes) = file(&fixups).set(16, 700);
    let kind = Vvd::read(&bytes).unwrap_err().kind;
    assert!(matches!(kind, ErrorKind::Overlap { .. }), "{kind}");
}

#[test]
fn written_fixups_read_back() {
    let Bytes(bytes) = file(&FIXUPS);
    let vvd = Vvd::read(&bytes).unwrap();
    let fixups = FIXUPS.map(|[lod, first, count]| Fixup { lod, first, count });
    let written = vvd.write_with_fixups(&fixups).unwrap();
    assert_eq!(Vvd::read(&written).unwrap(), vvd);
    // The same numbers, although vertices now start at a multiple of 16.
    let stored = 64..64 + 7 * 48;
    assert_eq!(written[112..112 + 7 * 48], file(&[]).0[stored]);
}

#[test]
fn fixups_that_are_no_permutation_are_not_written() {
    let Bytes(bytes) = file(&FIXUPS);
    let vvd = Vvd::read(&bytes).unwrap();
    let refused = |fixups: &[[i32; 3]]| {
        let fixups: Vec<Fixup> = fixups
            .iter()
            .map(|&[lod, first, count]| Fixup { lod, first, count })
            .collect();
        vvd.write_with_fixups(&fixups).unwrap_err().to_string()
    };
    let once = "(expected ranges that cover the stored vertices once each)";
    assert_eq!(
        refused(&[[0, 0, 4], [0, 3, 3]]),
        format!(".vvd vertexFileFixup_t[1].sourceVertexID @0x50: 3 is not allowed here {once}")
    );
    assert_eq!(
        refused(&[[0, 1, 6], [0, 7, 1]]),
        format!(".vvd vertexFileFixup_t[0].sourceVertexID @0x44: 1 is not allowed here {once}")
    );
    assert_eq!(
        refused(&[[0, 0, 6]]),
        ".vvd vertexFileHeader_t.numFixups @0x30: 6 is not allowed here (expected fixups that add \
         up to all vertices)"
    );
    assert_eq!(
        refused(&[[0, 0, 8]]),
        ".vvd vertexFileFixup_t[0].numVertexes @0x48: 8 is not allowed here (expected a count \
         within the vertices that are left)"
    );
    assert_eq!(
        refused(&[[-1, 0, 7]]),
        ".vvd vertexFileFixup_t[0].lod @0x40: -1 is not allowed here (expected a level of detail)"
    );
}

#[test]
fn one_mesh_needs_no_fixups() {
    let Bytes(bytes) = file(&[]);
    let vvd = Vvd::read(&bytes).unwrap();
    let written = vvd.write_for(&mdl(vec![mesh(0, &[7, 4])])).unwrap();
    assert_eq!(written, vvd.write().unwrap());
}

#[test]
fn two_meshes_with_levels_need_fixups() {
    let Bytes(bytes) = file(&FIXUPS);
    let vvd = Vvd::read(&bytes).unwrap();
    let model = mdl(vec![mesh(0, &[4, 2]), mesh(4, &[3, 2])]);
    let fixups = vvd.fixups(&model);
    assert_eq!(
        fixups,
        FIXUPS.map(|[lod, first, count]| Fixup { lod, first, count })
    );
    let written = vvd.write_for(&model).unwrap();
    assert_eq!(written, vvd.write_with_fixups(&fixups).unwrap());
    assert_ne!(written, vvd.write().unwrap());
}
