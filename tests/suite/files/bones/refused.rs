//! What leads out of the file, and is refused.

use flexion_mdl::mdl::Procedural;
use flexion_mdl::{ErrorClass, ErrorKind, FileKind, Mdl, layout};

use super::super::member;
use super::{damaged, moved_model, written};

#[test]
fn what_leads_out_of_the_file_is_refused() {
    let refused = |structure: &str, index, field: &str, value: i32| {
        let (bytes, offset) = damaged(structure, index, field, value);
        let error = Mdl::read(&bytes).expect_err(field);
        (error, offset, bytes.len() as u64)
    };
    // Offsets that lead before the start of the file.
    for (structure, index, field) in [
        ("studiohdr_t", None, "bonecontrollerindex"),
        ("studiohdr2_t", None, "srcbonetransformindex"),
        ("studiohdr2_t", None, "linearboneindex"),
        ("studiohdr2_t", None, "m_nBoneFlexDriverIndex"),
        ("mstudiobone_t", Some(4), "procindex"),
        ("mstudiobone_t", Some(4), "surfacepropidx"),
        ("mstudioquatinterpbone_t", Some(3), "triggerindex"),
        ("mstudiolinearbone_t", None, "qalignmentindex"),
        ("mstudiosrcbonetransform_t", Some(0), "sznameindex"),
        ("mstudioboneflexdriver_t", Some(0), "m_nControlIndex"),
    ] {
        let (error, offset, size) = refused(structure, index, field, -100_000);
        let place = (error.place.structure, error.place.index, error.place.field);
        assert_eq!(
            (place, error.place.offset),
            ((structure, index, field), offset)
        );
        let outside = matches!(error.kind, ErrorKind::OffsetOutside { offset: -100_000, size: of, .. } if of == size);
        assert!(outside, "{error}");
    }
    // Counts that no file holds, and negative ones.
    for (structure, index, field) in [
        ("studiohdr_t", None, "numbonecontrollers"),
        ("studiohdr2_t", None, "numsrcbonetransform"),
        ("studiohdr2_t", None, "m_nBoneFlexDriverCount"),
        ("mstudioquatinterpbone_t", Some(3), "numtriggers"),
        ("mstudiolinearbone_t", None, "numbones"),
        ("mstudioboneflexdriver_t", Some(0), "m_nControlCount"),
    ] {
        for value in [i32::MAX, -1] {
            let (error, offset, _) = refused(structure, index, field, value);
            let place = (error.place.structure, error.place.index, error.place.field);
            assert_eq!(
                (place, error.place.offset),
                ((structure, index, field), offset)
            );
            let expected = match value {
                -1 => error.kind == ErrorKind::NegativeCount(-1),
                _ => matches!(error.kind, ErrorKind::Truncated { .. }),
            };
            assert!(expected, "{error}");
        }
    }
}

#[test]
fn a_rule_that_ends_with_the_file_names_what_is_missing() {
    let mdl = moved_model();
    let bytes = written(&mdl);
    let bone = member(&bytes, "mstudiobone_t", Some(6), "sznameindex").offset;
    let left = 4 * 7 + 2;
    let start = bytes.len() as u64 - left;
    let (bytes, _) = damaged(
        "mstudiobone_t",
        Some(6),
        "procindex",
        i32::try_from(start - bone).expect("small"),
    );
    let error = Mdl::read(&bytes)
        .expect_err("a rule at the end")
        .to_string();
    let expected = format!(
        ".mdl mstudiojigglebone_t[6].alongStiffness @0x{:x}: needs 140 bytes here and 30 are left",
        start + 28
    );
    assert_eq!(error, expected);
}

#[test]
fn rules_that_share_their_triggers_without_end_are_refused() {
    let mut mdl = moved_model();
    let helper = mdl.bones[3].clone();
    mdl.bones.resize(200, helper);
    mdl.linear_bones = None;
    let mut bytes = written(&mdl);
    let map = layout(&bytes, FileKind::Mdl);
    for part in map
        .parts
        .iter()
        .filter(|part| part.place.field == "numtriggers")
    {
        let at = usize::try_from(part.offset).expect("small");
        bytes[at..at + 4].copy_from_slice(&300_i32.to_le_bytes());
    }
    let error = Mdl::read(&bytes).expect_err("rules that share their triggers");
    assert_eq!(error.class(), ErrorClass::Limit, "{error}");
}

#[test]
fn what_cannot_be_written_is_refused() {
    let mut mdl = moved_model();
    mdl.bones[2].procedural = Some(Procedural::Nothing(0));
    let error = mdl.write().expect_err("a rule of no type").to_string();
    assert!(error.contains("mstudiobone_t[2].proctype @0x"), "{error}");
    assert!(
        error.ends_with(
            "0 is not allowed here (expected another type for a rule without structure)"
        )
    );
    let mut mdl = moved_model();
    if let Some(linear) = &mut mdl.linear_bones {
        linear.eulers.to_mut().push(Default::default());
    }
    let error = mdl.write().expect_err("uneven columns").to_string();
    assert!(
        error.contains("mstudiolinearbone_t.rotindex @0x"),
        "{error}"
    );
    assert!(error.ends_with("8 is not allowed here (expected as many entries in each column)"));
}
