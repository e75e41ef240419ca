//! The map of a file: complete, without overlaps, and right.

use flexion_mdl::{FileKind, Mdl, PartKind, layout};

use super::{member, small_model};

fn written() -> Vec<u8> {
    small_model().write().expect("a model that can be written")
}

#[test]
fn members_fill_their_records() {
    let bytes = written();
    let map = layout(&bytes, FileKind::Mdl);
    assert_eq!(map.error, None);
    let sizes = [
        ("studiohdr_t", 1, 408),
        ("studiohdr2_t", 1, 256),
        ("mstudiobone_t", 2, 216),
        ("mstudioattachment_t", 1, 92),
        ("mstudiotexture_t", 2, 64),
        ("mstudiobodyparts_t", 1, 16),
        ("mstudiomodel_t", 1, 148),
        ("mstudiomesh_t", 2, 116),
        ("mstudioflex_t", 2, 60),
        ("mstudioeyeball_t", 1, 172),
        ("mstudioflexdesc_t", 4, 4),
        ("mstudioflexcontroller_t", 2, 20),
        ("mstudioflexcontrollerui_t", 1, 20),
        ("mstudioflexrule_t", 2, 12),
        ("mstudiomouth_t", 1, 20),
    ];
    for (structure, records, size) in sizes {
        let members = map
            .parts
            .iter()
            .filter(|part| part.kind == PartKind::Member && part.place.structure == structure);
        let total: u64 = members.map(|part| part.size).sum();
        assert_eq!(total, records * size, "{structure}");
    }
}

#[test]
fn parts_do_not_overlap() {
    let bytes = written();
    let mut parts = layout(&bytes, FileKind::Mdl).parts;
    parts.sort_by_key(|part| part.offset);
    for pair in parts.windows(2) {
        assert!(pair[0].offset + pair[0].size <= pair[1].offset, "{pair:?}");
    }
    let last = parts.last().expect("parts");
    assert_eq!(last.offset + last.size, bytes.len() as u64);
}

#[test]
fn places_hold_what_was_read() {
    let bytes = written();
    let value = |structure, index, field| {
        let part = member(&bytes, structure, index, field);
        let at = usize::try_from(part.offset).expect("small");
        i32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
    };
    assert_eq!(value("studiohdr_t", None, "length"), bytes.len() as i32);
    assert_eq!(value("mstudioflex_t", Some(1), "flexdesc"), 2);
    assert_eq!(value("mstudioflex_t", Some(1), "vertanimtype"), 1);
    assert_eq!(value("mstudiomodel_t", Some(0), "vertexindex"), 3 * 48);
    assert_eq!(value("mstudiomodel_t", Some(0), "type"), 0);
    assert_eq!(value("mstudioeyeball_t", Some(0), "upperlidflexdesc"), 3);
    assert_eq!(value("mstudiomesh_t", Some(0), "modelindex"), -148);
    assert_eq!(
        value("mstudioflexcontroller_t", Some(1), "localToGlobal"),
        -1
    );
}

#[test]
fn names_and_arrays_are_listed() {
    let bytes = written();
    let map = layout(&bytes, FileKind::Mdl);
    let find = |kind, field| {
        let mut found = map
            .parts
            .iter()
            .filter(move |part| part.kind == kind && part.place.field == field);
        found.next().copied().expect("a part")
    };
    let name = find(PartKind::Name, "szFACSindex");
    let start = usize::try_from(name.offset).expect("small");
    assert_eq!(&bytes[start..][..8], b"neutral\0");
    assert_eq!(name.size, 8);
    let rows = find(PartKind::Array, "vertindex");
    assert_eq!(rows.size, 32);
    // In the middle of the second row.
    let there: Vec<_> = map.at(rows.offset + 20).collect();
    assert_eq!(there, [&rows]);
    assert_eq!(map.at(bytes.len() as u64).count(), 0);
}

/// What the map does not list is not read: any other value there gives the same model.
#[test]
fn nothing_else_is_read() {
    let bytes = written();
    let mut covered = vec![false; bytes.len()];
    for part in layout(&bytes, FileKind::Mdl).parts {
        let start = usize::try_from(part.offset).expect("small");
        let size = usize::try_from(part.size).expect("small");
        covered[start..start + size].fill(true);
    }
    let mut changed = bytes.clone();
    let mut free = 0;
    for (byte, covered) in changed.iter_mut().zip(&covered) {
        if !covered {
            *byte ^= 0xff;
            free += 1;
        }
    }
    assert!(free > 0, "the surface property is not visited");
    assert_eq!(Mdl::read(&changed), Mdl::read(&bytes));
}

#[test]
fn damaged_file_is_listed_up_to_the_damage() {
    let bytes = written();
    let whole = layout(&bytes, FileKind::Mdl).parts;
    let cut = layout(&bytes[..bytes.len() - 40], FileKind::Mdl);
    assert_eq!(cut.error, Mdl::read(&bytes[..bytes.len() - 40]).err());
    assert!(cut.error.is_some());
    assert!(cut.parts.len() < whole.len());
    assert_eq!(cut.parts, whole[..cut.parts.len()]);
}
