//! What makes bones move: written and read back, refused where it leads out of the file, listed
//! where it is odd. No real model has bone controllers, axis-interp and aim-at rules; these are
//! made by hand.

use flexion_mdl::mdl::{
    AimAt, AxisInterp, Bone, BoneController, BoneField, BoneFlexDriver, BoneFlexDriverControl,
    BoneValue, Jiggle, LinearBones, Procedural, QuatInterp, SourceBoneTransform, Trigger,
    bone_flags,
};
use flexion_mdl::{ErrorClass, ErrorKind, FileKind, Mdl, layout};
use glam::{Quat, Vec3, vec3};

use super::{bone, member, set, small_model, without_warnings};

/// Numbers that no two members of a record share.
fn numbers<const N: usize>(first: f32) -> [f32; N] {
    std::array::from_fn(|at| first + at as f32 / 8.0)
}

fn quat(first: f32) -> Quat {
    Quat::from_array(numbers(first))
}

fn jiggle() -> Jiggle {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q] = numbers(1.0);
    let [r, s, t, u, v, w, x, y, z, aa, ab, ac, ad, ae, af, ag, ah] = numbers(20.0);
    Jiggle {
        flags: Jiggle::FLEXIBLE | Jiggle::BASE_SPRING,
        length: a,
        tip_mass: b,
        yaw_stiffness: c,
        yaw_damping: d,
        pitch_stiffness: e,
        pitch_damping: f,
        along_stiffness: g,
        along_damping: h,
        angle_limit: i,
        min_yaw: j,
        max_yaw: k,
        yaw_friction: l,
        yaw_bounce: m,
        min_pitch: n,
        max_pitch: o,
        pitch_friction: p,
        pitch_bounce: q,
        base_mass: r,
        base_stiffness: s,
        base_damping: t,
        base_min_left: u,
        base_max_left: v,
        base_left_friction: w,
        base_min_up: x,
        base_max_up: y,
        base_up_friction: z,
        base_min_forward: aa,
        base_max_forward: ab,
        base_forward_friction: ac,
        boing_impact_speed: ad,
        boing_impact_angle: ae,
        boing_damping_rate: af,
        boing_frequency: ag,
        boing_amplitude: ah,
    }
}

fn trigger(first: f32) -> Trigger {
    Trigger {
        inverse_tolerance: first,
        trigger: quat(first + 1.0),
        position: vec3(first, first + 2.0, first + 3.0),
        rotation: quat(first + 4.0),
    }
}

/// One of each kind: axis-interp, quat-interp, aim-at-bone, aim-at-attachment, jiggle.
fn rules() -> [Procedural; 5] {
    let aim = AimAt {
        parent: 1,
        aim: 0,
        aim_vector: vec3(1.0, 2.0, 3.0),
        up_vector: vec3(4.0, 5.0, 6.0),
        base: vec3(7.0, 8.0, 9.0),
    };
    [
        Procedural::AxisInterp(Box::new(AxisInterp {
            control: 1,
            axis: 2,
            positions: std::array::from_fn(|at| Vec3::from_array(numbers(at as f32))),
            rotations: std::array::from_fn(|at| quat(10.0 + at as f32)),
        })),
        Procedural::QuatInterp(QuatInterp {
            control: 1,
            triggers: vec![trigger(1.0), trigger(2.0)],
        }),
        Procedural::AimAtBone(Box::new(aim)),
        Procedural::AimAtAttachment(Box::new(aim)),
        Procedural::Jiggle(Box::new(jiggle())),
    ]
}

/// The small model with bones that everything moves: bone 2 + n has the nth of [`rules`].
fn moved_model() -> Mdl<'static> {
    let mut mdl = small_model();
    mdl.bones[1].controllers = [-1, 0, -1, -1, 1, -1];
    for (number, rule) in rules().into_iter().enumerate() {
        mdl.bones.push(Bone {
            flags: bone_flags::ALWAYS_PROCEDURAL,
            position_scale: Vec3::from_array(numbers(number as f32)),
            rotation_scale: Vec3::from_array(numbers(9.0 + number as f32)),
            alignment: quat(3.0 + number as f32),
            procedural: Some(rule),
            physics_bone: 3,
            surface_property: "flesh".into(),
            contents: 1,
            ..bone("helper", 1)
        });
    }
    mdl.bone_controllers = [
        BoneController::Y,
        BoneController::YR | BoneController::WRAPS,
    ]
    .map(|motion| BoneController {
        bone: 1,
        motion,
        start: -30.0,
        end: 45.0,
        rest: 127,
        input: 4,
    })
    .into();
    mdl.linear_bones = Some(LinearBones::of(&mdl.bones));
    mdl.source_bone_transforms = vec![SourceBoneTransform {
        name: "head".into(),
        before: [numbers(1.0), numbers(2.0), numbers(3.0)],
        after: [numbers(4.0), numbers(5.0), numbers(6.0)],
    }];
    let control = |component| BoneFlexDriverControl {
        component,
        controller: 1,
        min: -0.5,
        max: 2.5,
    };
    mdl.bone_flex_drivers = vec![BoneFlexDriver {
        bone: 1,
        controls: vec![control(0), control(2)],
    }];
    mdl
}

fn written(mdl: &Mdl<'_>) -> Vec<u8> {
    mdl.write().expect("a model that can be written")
}

fn assert_round_trip(mdl: &Mdl<'_>) {
    let bytes = written(mdl);
    let read = Mdl::read(&bytes).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(without_warnings(read), *mdl);
}

/// The moved model with another value in a member, and that member's offset.
fn damaged(structure: &str, index: Option<u32>, field: &str, value: i32) -> (Vec<u8>, u64) {
    let mut bytes = written(&moved_model());
    let offset = member(&bytes, structure, index, field).offset;
    set(&mut bytes, structure, index, field, &value.to_le_bytes());
    (bytes, offset)
}

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

/// Makes one member of a bone another.
type Change = fn(&mut Bone<'_>);

#[test]
fn differences_of_the_columns_are_listed() {
    let mut mdl = moved_model();
    assert_eq!(mdl.linear_differences().count(), 0);
    mdl.bones[0].flags = 1;
    mdl.bones[1].parent = -1;
    mdl.bones[1].pose_to_bone[2][3] = f32::NAN;
    mdl.bones[6].alignment.w = 0.25;
    let found: Vec<_> = mdl.linear_differences().collect();
    let fields: Vec<_> = found
        .iter()
        .map(|found| (found.bone, found.field))
        .collect();
    let expected = [
        (0, BoneField::Flags),
        (1, BoneField::Parent),
        (1, BoneField::PoseToBone),
        (6, BoneField::Alignment),
    ];
    assert_eq!(fields, expected);
    assert_eq!(
        (found[1].in_bone, found[1].in_columns),
        (BoneValue::Index(-1), BoneValue::Index(0))
    );
    // The same NaN on both sides is no difference.
    mdl.linear_bones = Some(LinearBones::of(&mdl.bones));
    assert_eq!(mdl.linear_differences().count(), 0);
    let fields: [(BoneField, Change); 9] = [
        (BoneField::Flags, |bone| bone.flags ^= 1),
        (BoneField::Parent, |bone| bone.parent = -1),
        (BoneField::Position, |bone| bone.position.z += 1.0),
        (BoneField::Rotation, |bone| bone.rotation.w += 1.0),
        (BoneField::Euler, |bone| bone.euler.x += 1.0),
        (BoneField::PoseToBone, |bone| bone.pose_to_bone[0][1] += 1.0),
        (BoneField::PositionScale, |bone| {
            bone.position_scale.y += 1.0
        }),
        (BoneField::RotationScale, |bone| {
            bone.rotation_scale.y += 1.0
        }),
        (BoneField::Alignment, |bone| bone.alignment.x += 1.0),
    ];
    for (field, change) in fields {
        let mut mdl = moved_model();
        change(&mut mdl.bones[3]);
        let found: Vec<_> = mdl.linear_differences().collect();
        assert_eq!(found.len(), 1, "{field}");
        assert_eq!((found[0].bone, found[0].field), (3, field));
    }
}

#[test]
fn columns_that_are_not_the_skeleton_are_listed() {
    let mut mdl = moved_model();
    mdl.bones[2].position.x += 1.0;
    mdl.bones[2].euler.x += 1.0;
    mdl.bones.pop();
    let bytes = written(&mdl);
    let place = member(&bytes, "mstudiolinearbone_t", None, "numbones").place;
    let text = "the bones stand here again in columns";
    let read = Mdl::read(&bytes).expect("only odd");
    let found: Vec<String> = read.warnings.iter().map(ToString::to_string).collect();
    let expected = [
        format!("{place}: {text}: 7 and not 6"),
        format!("{place}: {text}, and 2 of their members differ"),
    ];
    assert_eq!(found, expected);
}

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
