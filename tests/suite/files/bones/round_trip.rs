//! Written and read back, every member in its place.

use flexion_mdl::Mdl;
use flexion_mdl::mdl::{LinearBones, Procedural, bone_flags};

use super::super::member;
use super::{assert_round_trip, moved_model, written};

#[test]
fn all_that_moves_bones_survives_without_a_warning() {
    let mdl = moved_model();
    let bytes = written(&mdl);
    assert_eq!(Mdl::read(&bytes).expect("what was written"), mdl);
    let kinds = mdl.bones.iter().filter_map(|bone| bone.procedural.as_ref());
    let kinds: Vec<i32> = kinds.map(Procedural::kind).collect();
    assert_eq!(kinds, [1, 2, 3, 4, 5]);
}

#[test]
fn members_stand_where_the_sdk_has_them() {
    let bytes = written(&moved_model());
    let at = |structure: &str, index, field: &str| {
        usize::try_from(member(&bytes, structure, index, field).offset).expect("small")
    };
    let float = |at: usize| f32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    let jiggle = at("mstudiojigglebone_t", Some(6), "flags");
    // The sixth float, the 18th and the last, by hand.
    assert_eq!(
        [float(jiggle + 24), float(jiggle + 72), float(jiggle + 136)],
        [1.625, 20.0, 22.0]
    );
    let axis = at("mstudioaxisinterpbone_t", Some(2), "control");
    assert_eq!([float(axis + 8 + 12), float(axis + 80 + 16)], [1.0, 11.0]);
    let aim = at("mstudioaimatbone_t", Some(4), "parent");
    assert_eq!(
        [float(aim + 8), float(aim + 20), float(aim + 32)],
        [1.0, 4.0, 7.0]
    );
    let trigger = at("mstudioquatinterpinfo_t", Some(1), "inv_tolerance");
    let values = [0, 4, 20, 32].map(|within| float(trigger + within));
    assert_eq!(values, [2.0, 3.0, 2.0, 6.0]);
    let control = at(
        "mstudioboneflexdrivercontrol_t",
        Some(1),
        "m_nBoneComponent",
    );
    assert_eq!([float(control + 8), float(control + 12)], [-0.5, 2.5]);
    let transform = at("mstudiosrcbonetransform_t", Some(0), "sznameindex");
    assert_eq!([float(transform + 4), float(transform + 52)], [1.0, 4.0]);
    // The transforms' offset is relative to the file, the drivers' to the second header.
    let offset = |field| {
        let at = at("studiohdr2_t", None, field);
        usize::try_from(i32::from_le_bytes(
            bytes[at..at + 4].try_into().expect("four bytes"),
        ))
        .expect("an offset")
    };
    assert_eq!(offset("srcbonetransformindex"), transform);
    let second = at("studiohdr2_t", None, "numsrcbonetransform");
    let driver = at("mstudioboneflexdriver_t", Some(0), "m_nBoneIndex");
    assert_eq!(offset("m_nBoneFlexDriverIndex") + second, driver);
}

#[test]
fn every_part_may_be_missing_with_or_without_a_second_header() {
    let clear: [fn(&mut Mdl<'_>); 6] = [
        |mdl| mdl.bone_controllers.clear(),
        |mdl| mdl.linear_bones = None,
        |mdl| mdl.linear_bones = Some(LinearBones::default()),
        |mdl| mdl.source_bone_transforms.clear(),
        |mdl| mdl.bone_flex_drivers.clear(),
        |mdl| mdl.bone_flex_drivers[0].controls.clear(),
    ];
    for clear in clear {
        let mut mdl = moved_model();
        clear(&mut mdl);
        assert_round_trip(&mdl);
    }
    let mut mdl = moved_model();
    mdl.extension = None;
    let bytes = written(&mdl);
    let read = Mdl::read(&bytes).expect("what was written");
    assert_eq!(read.extension, Some(Default::default()));
    assert_eq!(read.bone_flex_drivers, mdl.bone_flex_drivers);
}

#[test]
fn flags_are_masks() {
    assert_eq!(bone_flags::USED_BY_VERTEX_LOD0 << 7, 0x2_0000);
    let all: Vec<_> = bone_flags::names(u32::MAX).collect();
    assert_eq!(all.len(), 19);
    assert_eq!(bone_flags::names(0x3).collect::<Vec<_>>(), all[..2]);
    assert_eq!(bone_flags::names(0x70_0000).collect::<Vec<_>>(), all[16..]);
    assert_eq!(
        bone_flags::names(0x4_0000).collect::<Vec<_>>(),
        ["USED_BY_BONE_MERGE"]
    );
}
