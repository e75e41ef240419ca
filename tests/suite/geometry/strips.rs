//! `.vtx` files byte by byte, in both layouts.

use super::{Bytes, mdl, mesh};
use flexion_mdl::vtx::VtxMesh;
use flexion_mdl::{Error, ErrorKind, Mdl, Vtx};

/// Sizes of a strip group and a strip, and what stands behind the members that both layouts have.
#[derive(Clone, Copy)]
struct Sizes {
    group: usize,
    strip: usize,
    tail: &'static [i32],
}

const SHORT: Sizes = Sizes {
    group: 25,
    strip: 27,
    tail: &[],
};

/// The tail is not zero, so that a reader that is off by eight bytes is found out.
const TOPOLOGY: Sizes = Sizes {
    group: 33,
    strip: 35,
    tail: &[77, 0x1234],
};

/// Where the first strip group stands.
const GROUPS: usize = 36 + 8 + 8 + 12 + 9;

/// Four vertices of the mesh for the first group, three for the second.
const VERTICES: [u16; 7] = [40, 17, 99, 23, 5, 6, 7];

/// A list of two triangles, then a strip of three and a joint; the second group is one list.
const INDICES: [u16; 16] = [0, 1, 2, 0, 2, 3, 0, 1, 2, 3, 3, 1, 0, 2, 1, 0];

const TRIANGLES: [[u16; 3]; 6] = [
    [40, 17, 99],
    [40, 99, 23],
    // The strip 0 1 2 3 3 1 0: its third and fourth triangle use vertex 3 twice.
    [40, 17, 99],
    [99, 17, 23],
    [23, 17, 40],
    [7, 6, 5],
];

/// Two strip groups, of which the first has two strips.
fn file(sizes: Sizes) -> Bytes {
    let strips = GROUPS + 2 * sizes.group;
    let vertices = strips + 3 * sizes.strip;
    let indices = vertices + 9 * VERTICES.len();
    let second = GROUPS + sizes.group;
    let from = |start: usize, to: usize| (to - start) as i32;
    let mut bytes = Bytes::default()
        .i32(&[7, 24])
        .u16(&[53, 9])
        .i32(&[3, 7, 1, 0, 1, 36])
        .i32(&[1, 8, 1, 8, 1, 12])
        .f32(&[12.5])
        .i32(&[2, 9])
        .u8(&[0x82])
        .i32(&[4, from(GROUPS, vertices), 13, from(GROUPS, indices)])
        .i32(&[2, from(GROUPS, strips)])
        .u8(&[0xf2])
        .i32(sizes.tail)
        .i32(&[
            3,
            from(second, vertices + 36),
            3,
            from(second, indices + 26),
        ])
        .i32(&[1, from(second, strips + 2 * sizes.strip)])
        .u8(&[7])
        .i32(sizes.tail);
    for (count, first, flags) in [(6, 0, 1), (7, 6, 2), (3, 0, 1)] {
        bytes = bytes
            .i32(&[count, first, 4, 0])
            .u16(&[0])
            .u8(&[flags])
            .i32(&[0, 0])
            .i32(sizes.tail);
    }
    for vertex in VERTICES {
        bytes = bytes.u8(&[0, 1, 2, 1]).u16(&[vertex]).u8(&[0, 0, 0]);
    }
    bytes.u16(&INDICES)
}

#[test]
fn lists_and_strips_are_read_in_both_layouts() {
    for sizes in [SHORT, TOPOLOGY] {
        let vtx = Vtx::read(&file(sizes).0).unwrap();
        assert_eq!(vtx.checksum, 7);
        let [part] = &vtx.body_parts[..] else {
            panic!("{vtx:?}")
        };
        let lod = &part.models[0].lods[0];
        assert_eq!(lod.switch_point, 12.5);
        let mesh = VtxMesh {
            flags: 0x82,
            triangles: TRIANGLES.to_vec(),
        };
        assert_eq!(lod.meshes, [mesh]);
    }
}

#[test]
fn a_degenerate_triangle_stays_in_a_list() {
    let at = file(SHORT).0.len() - 2 * INDICES.len();
    let mut bytes = file(SHORT).0;
    bytes[at] = 1;
    let vtx = Vtx::read(&bytes).unwrap();
    assert_eq!(
        vtx.body_parts[0].models[0].lods[0].meshes[0].triangles[0],
        [17, 17, 99]
    );
}

fn refused(bytes: &[u8]) -> Error {
    Vtx::read(bytes).unwrap_err()
}

#[test]
fn errors_name_their_place() {
    let strips = GROUPS + 2 * 25;
    let vertices = strips + 3 * 27;
    let indices = vertices + 9 * 7;
    let cases = [
        (vec![], ".vtx FileHeader_t @0x0: the file is empty"),
        (
            b"version https://git-lfs.github.com/spec/v1\n".to_vec(),
            ".vtx FileHeader_t @0x0: this is a git-lfs pointer, not the model itself: fetch the \
             real file first",
        ),
        (
            file(SHORT).set(0, 6).0,
            ".vtx FileHeader_t.version @0x0: version 6 is not supported (supported: 7)",
        ),
        (
            file(SHORT).0[..20].to_vec(),
            ".vtx FileHeader_t.numLODs @0x14: needs 36 bytes here and 20 are left",
        ),
        (
            file(SHORT).set(28, -1).0,
            ".vtx FileHeader_t.numBodyParts @0x1c: count -1 is negative",
        ),
        (
            file(SHORT).set(36, i32::MAX).0,
            ".vtx BodyPartHeader_t[0].numModels @0x24: needs 17179869176 bytes here and 255 are left",
        ),
        (
            file(SHORT).set(48, -45).0,
            ".vtx ModelHeader_t[0].lodOffset @0x30: offset -45 leads to -1, outside the file of \
             299 bytes",
        ),
        (
            file(SHORT).set(GROUPS, 40).0,
            ".vtx StripGroupHeader_t[0].numVerts @0x49: needs 360 bytes here and 95 are left",
        ),
        (
            file(SHORT).set(GROUPS + 8, 12).0,
            ".vtx StripHeader_t[1].indexOffset @0x9a: 7 from 6 on of 12",
        ),
        (
            file(SHORT).set(strips + 4, -1).0,
            ".vtx StripHeader_t[0].indexOffset @0x7f: 6 from -1 on of 13",
        ),
        (
            file(SHORT).set(strips, 5).0,
            ".vtx StripHeader_t[0].numIndices @0x7b: 5 is not allowed here (expected three for \
             each triangle of a list)",
        ),
        (
            file(SHORT).set(strips + 15, 3 << 24).0,
            ".vtx StripHeader_t[0].flags @0x8d: 3 is not allowed here (expected 1 for a triangle \
             list or 2 for a triangle strip)",
        ),
        (
            file(SHORT).set(indices + 14, 4).0,
            ".vtx index[7] @0x119: index 4 of 4",
        ),
    ];
    for (bytes, message) in cases {
        assert_eq!(refused(&bytes).to_string(), message);
    }
}

/// Damage that only the longer layout meets is reported as what the shorter one met before it.
#[test]
fn the_error_of_the_short_layout_is_reported() {
    let third_strip = GROUPS + 2 * 33 + 2 * 35;
    let damaged = [third_strip, file(TOPOLOGY).0.len() - 4];
    for at in damaged {
        assert_eq!(
            refused(&file(TOPOLOGY).set(at, -1).0).to_string(),
            ".vtx StripHeader_t[1].flags @0xb8: 0 is not allowed here (expected 1 for a triangle \
             list or 2 for a triangle strip)"
        );
    }
}

/// A `.mdl` whose one mesh has this many vertices.
fn partner(vertices: i32) -> Mdl<'static> {
    mdl(vec![mesh(0, &[vertices])])
}

#[test]
fn the_mdl_must_match() {
    let read = |mdl: &Mdl<'_>| Vtx::read_for(&file(SHORT).0, mdl);
    assert_eq!(read(&partner(100)), Vtx::read(&file(SHORT).0));

    let mut other = partner(100);
    other.checksum = 8;
    let error = read(&other).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Checksum { mdl: 8, found: 7 });
    assert_eq!((error.place.field, error.place.offset), ("checkSum", 16));

    let vertices = GROUPS + 2 * 25 + 3 * 27;
    let error = read(&partner(99)).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            ".vtx Vertex_t[2].origMeshVertID @{:#x}: index 99 of 99",
            vertices + 2 * 9 + 4
        )
    );

    let mut more = partner(100);
    more.body_parts.push(more.body_parts[0].clone());
    assert_eq!(
        read(&more).unwrap_err().to_string(),
        ".vtx FileHeader_t.numBodyParts @0x1c: 1 here and 2 in the .mdl, which should pair one to \
         one"
    );
    let mut more = partner(100);
    more.body_parts[0].models.clear();
    assert_eq!(
        read(&more).unwrap_err().to_string(),
        ".vtx BodyPartHeader_t[0].numModels @0x24: 1 here and 0 in the .mdl, which should pair \
         one to one"
    );
    let two = mdl(vec![mesh(0, &[100]), mesh(100, &[1])]);
    assert_eq!(
        read(&two).unwrap_err().to_string(),
        ".vtx ModelLODHeader_t[0].numMeshes @0x34: 1 here and 2 in the .mdl, which should pair \
         one to one"
    );
}
