//! What is odd, and listed.

use flexion_mdl::Mdl;
use flexion_mdl::mdl::{Procedural, QuatInterp};

use super::super::{member, without_warnings};
use super::{damaged, moved_model, trigger, written};

#[test]
fn indices_that_lead_nowhere_are_listed() {
    let cases = [
        (
            "mstudiobone_t",
            Some(1),
            "bonecontroller",
            2,
            "index 2 of 2; ignored",
        ),
        (
            "mstudiobone_t",
            Some(1),
            "bonecontroller",
            -2,
            "index -2 of 2; ignored",
        ),
        (
            "mstudiobonecontroller_t",
            Some(0),
            "bone",
            7,
            "index 7 of 7; ignored",
        ),
        (
            "mstudiobonecontroller_t",
            Some(1),
            "inputfield",
            5,
            "index 5 of 5; ignored",
        ),
        (
            "mstudioaxisinterpbone_t",
            Some(2),
            "control",
            -1,
            "index -1 of 7; ignored",
        ),
        (
            "mstudioaxisinterpbone_t",
            Some(2),
            "axis",
            3,
            "index 3 of 3; ignored",
        ),
        (
            "mstudioquatinterpbone_t",
            Some(3),
            "control",
            7,
            "index 7 of 7; ignored",
        ),
        (
            "mstudioaimatbone_t",
            Some(4),
            "parent",
            7,
            "index 7 of 7; ignored",
        ),
        (
            "mstudioaimatbone_t",
            Some(4),
            "aim",
            -1,
            "index -1 of 7; ignored",
        ),
        (
            "mstudioaimatbone_t",
            Some(5),
            "aim",
            1,
            "index 1 of 1; ignored",
        ),
        (
            "mstudioboneflexdriver_t",
            Some(0),
            "m_nBoneIndex",
            7,
            "index 7 of 7; ignored",
        ),
        (
            "mstudioboneflexdrivercontrol_t",
            Some(1),
            "m_nBoneComponent",
            3,
            "index 3 of 3; ignored",
        ),
        (
            "mstudioboneflexdrivercontrol_t",
            Some(0),
            "m_nFlexControllerIndex",
            2,
            "index 2 of 2; ignored",
        ),
    ];
    for (structure, index, field, value, reason) in cases {
        assert_one_warning(structure, index, field, value, reason);
    }
}

fn assert_one_warning(
    structure: &str,
    index: Option<u32>,
    field: &'static str,
    value: i32,
    reason: &str,
) {
    let (bytes, offset) = damaged(structure, index, field, value);
    let read = Mdl::read(&bytes).unwrap_or_else(|error| panic!("{error}"));
    let found: Vec<_> = read.warnings.iter().map(ToString::to_string).collect();
    let index = index.map(|index| format!("[{index}]")).unwrap_or_default();
    let expected = format!(".mdl {structure}{index}.{field} @0x{offset:x}: {reason}");
    assert_eq!(found, [expected]);
}

#[test]
fn none_is_no_index() {
    for (structure, field) in [
        ("mstudiobone_t", "bonecontroller"),
        ("mstudiobonecontroller_t", "bone"),
    ] {
        let (bytes, _) = damaged(structure, Some(1), field, -1);
        assert_eq!(Mdl::read(&bytes).expect("a model").warnings, []);
    }
}

#[test]
fn rules_that_disagree_with_their_type_are_listed() {
    let ordinary = "the bone keeps its ordinary pose";
    let cases = [
        (
            "proctype",
            9,
            format!("procedural type 9 is unknown; {ordinary}"),
            Some(Procedural::Nothing(9)),
        ),
        (
            "proctype",
            -1,
            format!("procedural type -1 is unknown; {ordinary}"),
            Some(Procedural::Nothing(-1)),
        ),
        (
            "procindex",
            0,
            format!("a procedural type without its structure; {ordinary}"),
            Some(Procedural::Nothing(5)),
        ),
    ];
    for (field, value, reason, rule) in cases {
        let (bytes, _) = damaged("mstudiobone_t", Some(6), field, value);
        let read = Mdl::read(&bytes).expect("only odd");
        assert_eq!(read.bones[6].procedural, rule);
        assert_eq!(
            without_warnings(Mdl::read(&written(&read)).expect("again")).bones,
            read.bones
        );
        assert_one_warning("mstudiobone_t", Some(6), field, value, &reason);
    }
    let (bytes, _) = damaged("mstudiobone_t", Some(6), "proctype", 0);
    let read = Mdl::read(&bytes).expect("only odd");
    assert_eq!(read.bones[6].procedural, None);
    let found: Vec<_> = read
        .warnings
        .iter()
        .map(|warning| warning.kind.to_string())
        .collect();
    assert_eq!(found, ["a procedural structure without a type; ignored"]);
}

#[test]
fn what_engines_do_not_compute_is_listed() {
    let warnings = |change: fn(&mut Mdl<'static>)| -> Vec<String> {
        let mut mdl = moved_model();
        change(&mut mdl);
        mdl.linear_bones = None;
        let bytes = written(&mdl);
        let read = Mdl::read(&bytes).expect("only odd");
        let shown = read.warnings.iter().map(|warning| {
            format!(
                "{}.{}: {}",
                warning.place.structure, warning.place.field, warning.kind
            )
        });
        shown.collect()
    };
    let ordinary = "the bone keeps its ordinary pose";
    assert_eq!(
        warnings(|mdl| mdl.bones[6].flags = 0x2),
        [format!(
            "mstudiobone_t.flags: a procedural rule without BONE_ALWAYS_PROCEDURAL; {ordinary}"
        )]
    );
    let triggers = |count: usize| {
        Procedural::QuatInterp(QuatInterp {
            control: 1,
            triggers: vec![trigger(1.0); count],
        })
    };
    let mut few = moved_model();
    few.bones[3].procedural = Some(triggers(0));
    let bytes = written(&few);
    let read = Mdl::read(&bytes).expect("only odd");
    assert_eq!(
        read.warnings[0].kind.to_string(),
        format!("a procedural rule without triggers; {ordinary}")
    );
    few.bones[3].procedural = Some(triggers(32));
    assert_eq!(Mdl::read(&written(&few)).expect("a model").warnings, []);
    few.bones[3].procedural = Some(triggers(33));
    assert_eq!(
        Mdl::read(&written(&few)).expect("only odd").warnings[0].to_string(),
        format!(
            "{}: 33 triggers, past the engine's 32",
            member(
                &written(&few),
                "mstudioquatinterpbone_t",
                Some(3),
                "numtriggers"
            )
            .place
        )
    );
    let motion = "is not one of X, Y, Z, XR, YR and ZR; ignored";
    for (value, shown) in [
        (0, "0x0"),
        (3, "0x3"),
        (0x4_0000, "0x40000"),
        (0x40, "0x40"),
    ] {
        let reason = format!("motion type {shown} {motion}");
        assert_one_warning("mstudiobonecontroller_t", Some(0), "type", value, &reason);
    }
}
