//! Real models: all are read as the index of the corpus says, and survive writing.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use flexion_mdl::mdl::{Bone, Procedural, VertAnims};
use flexion_mdl::{FileKind, Mdl, layout};
use flexion_testkit::corpus::{corpus, models};
use glam::{Affine3A, Mat3, Vec3};

use super::without_warnings;

/// The lines of `models/INDEX.tsv`, each by the names of its columns.
fn index(folder: &Path) -> Vec<BTreeMap<String, String>> {
    let text = fs::read_to_string(folder.join("models/INDEX.tsv")).expect("the index");
    let mut lines = text.lines().map(|line| line.split('\t').map(str::to_owned));
    let columns: Vec<String> = lines.next().expect("a line of columns").collect();
    lines
        .map(|line| columns.iter().cloned().zip(line).collect())
        .collect()
}

/// How many flexes there are of each kind, as `0:215,1:31`.
fn vert_anim_types(mdl: &Mdl<'_>) -> String {
    let mut counts = [0, 0];
    let models = mdl.body_parts.iter().flat_map(|part| &part.models);
    for flex in models
        .flat_map(|model| &model.meshes)
        .flat_map(|mesh| &mesh.flexes)
    {
        match flex.vert_anims {
            VertAnims::Plain(_) => counts[0] += 1,
            VertAnims::Wrinkle(_) => counts[1] += 1,
        }
    }
    let kinds = (0..).zip(counts).filter(|&(_, count)| count > 0);
    let kinds: Vec<String> = kinds
        .map(|(kind, count)| format!("{kind}:{count}"))
        .collect();
    kinds.join(",")
}

/// How many procedural bones there are of each kind, as `jiggle:1,quatinterp:8`.
fn procedural_types(mdl: &Mdl<'_>) -> String {
    let mut counts = BTreeMap::new();
    for rule in mdl.bones.iter().filter_map(|bone| bone.procedural.as_ref()) {
        let name = match rule {
            Procedural::AxisInterp(_) => "axisinterp",
            Procedural::QuatInterp(_) => "quatinterp",
            Procedural::AimAtBone(_) => "aimatbone",
            Procedural::AimAtAttachment(_) => "aimatattach",
            Procedural::Jiggle(_) => "jiggle",
            Procedural::Nothing(_) => "nothing",
        };
        *counts.entry(name).or_insert(0) += 1;
    }
    let kinds: Vec<String> = counts
        .iter()
        .map(|(name, count)| format!("{name}:{count}"))
        .collect();
    kinds.join(",")
}

/// The index's note of drivers, as a list of `(bone, component, controller, min, max)`.
fn drivers(mdl: &Mdl<'_>) -> String {
    let rows = mdl.bone_flex_drivers.iter().flat_map(|driver| {
        let control = |c: &flexion_mdl::mdl::BoneFlexDriverControl| {
            let (component, controller) = (c.component, c.controller);
            format!(
                "({}, {component}, {controller}, {:?}, {:?})",
                driver.bone, c.min, c.max
            )
        };
        driver.controls.iter().map(control)
    });
    rows.collect::<Vec<_>>().join(", ")
}

/// Largest element of |world * poseToBone - I| over all bones: how far the bind pose is from one
/// that skinning leaves as it is.
fn bind_residual(bones: &[Bone<'_>]) -> f32 {
    let mut world: Vec<Affine3A> = Vec::new();
    let mut largest: f32 = 0.0;
    for bone in bones {
        let local = Affine3A::from_rotation_translation(bone.rotation, bone.position);
        let parent = usize::try_from(bone.parent).ok();
        let own = parent.map_or(local, |parent| world[parent] * local);
        let rows = bone.pose_to_bone;
        let column = |c: usize| Vec3::new(rows[0][c], rows[1][c], rows[2][c]);
        let axes = Mat3::from_cols(column(0), column(1), column(2));
        let skin = own * Affine3A::from_mat3_translation(axes, column(3));
        for (value, identity) in skin
            .to_cols_array()
            .into_iter()
            .zip(Affine3A::IDENTITY.to_cols_array())
        {
            largest = largest.max((value - identity).abs());
        }
        world.push(own);
    }
    largest
}

#[test]
fn bones_of_real_models_are_read_whole() {
    let Some(folder) = corpus("bones_of_real_models_are_read_whole") else {
        return;
    };
    let mut rules = 0;
    for line in index(&folder) {
        let name = &line["name"];
        let bytes = fs::read(folder.join(format!("models/{name}.mdl"))).expect("a model");
        let mdl = Mdl::read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(!mdl.bones.is_empty(), "{name}");
        assert_eq!(procedural_types(&mdl), line["proctypes"], "{name}");
        let (_, noted) = line["notes"].split_once("min,max): [").unwrap_or_default();
        let noted = noted.split_once(']').unwrap_or_default().0;
        assert_eq!(drivers(&mdl), noted, "{name}");
        let columns = mdl.linear_bones.as_ref().map(|linear| linear.len());
        assert!(
            columns.is_none_or(|columns| columns == mdl.bones.len()),
            "{name}"
        );
        assert_eq!(mdl.linear_differences().next(), None, "{name}");
        let residual = bind_residual(&mdl.bones);
        println!("{name}: bind residual {residual:e}");
        assert!(residual < 1e-4, "{name}: bind residual {residual}");
        rules += mdl
            .bones
            .iter()
            .filter(|bone| bone.procedural.is_some())
            .count();
    }
    assert!(rules > 100, "only {rules} procedural bones");
}

#[test]
fn counts_are_those_of_the_index() {
    let Some(folder) = corpus("counts_are_those_of_the_index") else {
        return;
    };
    let index = index(&folder);
    assert!(index.len() >= 17, "only {} lines", index.len());
    for line in index {
        let name = &line["name"];
        let bytes = fs::read(folder.join(format!("models/{name}.mdl"))).expect("a model");
        let mdl = Mdl::read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(mdl.version.to_string(), line["mdlversion"], "{name}");
        assert_eq!(
            mdl.descriptors.len().to_string(),
            line["flexdescs"],
            "{name}"
        );
        assert_eq!(
            mdl.controllers.len().to_string(),
            line["controllers"],
            "{name}"
        );
        assert_eq!(mdl.rules.len().to_string(), line["rules"], "{name}");
        assert_eq!(vert_anim_types(&mdl), line["vertanimtypes"], "{name}");
    }
}

#[test]
fn real_models_survive_writing() {
    let Some(folder) = corpus("real_models_survive_writing") else {
        return;
    };
    for path in models(&folder) {
        let bytes = fs::read(&path).expect("a model");
        let mdl = Mdl::read(&bytes).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let written = mdl
            .write()
            .unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let again = Mdl::read(&written).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        assert_eq!(again.warnings.len(), mdl.warnings.len(), "{path:?}");
        assert_eq!(without_warnings(again), without_warnings(mdl), "{path:?}");
    }
}

#[test]
fn real_models_have_few_oddities() {
    let Some(folder) = corpus("real_models_have_few_oddities") else {
        return;
    };
    for path in models(&folder) {
        let bytes = fs::read(&path).expect("a model");
        let mdl = Mdl::read(&bytes).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let kinds: Vec<String> = mdl
            .warnings
            .iter()
            .map(|warning| warning.kind.to_string())
            .collect();
        let expected: &[&str] = match path.file_stem().and_then(|stem| stem.to_str()) {
            Some("talsa_ko") => &["record 0 has the same name"],
            _ => &[],
        };
        assert_eq!(kinds, expected, "{path:?}");
    }
}

#[test]
fn flexless_models_of_every_version_are_read() {
    let Some(folder) = corpus("flexless_models_of_every_version_are_read") else {
        return;
    };
    for version in [45, 46] {
        let path = folder.join(format!("models/odd/flexless_v{version}.mdl"));
        let bytes = fs::read(path).expect("a model");
        let mdl = Mdl::read(&bytes).expect("a model without flexes");
        assert_eq!(
            (mdl.version, mdl.descriptors.len(), mdl.rules.len()),
            (version, 0, 0)
        );
        assert!(!mdl.bones.is_empty() && !mdl.body_parts.is_empty());
    }
}

#[test]
fn odd_files_are_refused_with_their_reason() {
    let Some(folder) = corpus("odd_files_are_refused_with_their_reason") else {
        return;
    };
    let cases = [
        (
            "goldsrc_v10",
            "studiohdr_t.version @0x4: this is a GoldSrc model (version 10): only Source versions \
             44 to 49 are read",
        ),
        (
            "idsq",
            "studiohdr_t.id @0x0: this is a sequence file (IDSQ) of a GoldSrc model, not a model",
        ),
        (
            "lfs_pointer",
            "studiohdr_t @0x0: this is a git-lfs pointer, not the model itself: fetch the real \
             file first",
        ),
        (
            "line_endings_damaged",
            "studiohdr_t.length @0x4c: the header says 24740 bytes and the file has 24801: line \
             endings were converted as if it were text; fetch it again as binary",
        ),
        ("zero_bytes", "studiohdr_t @0x0: the file is empty"),
    ];
    for (name, expected) in cases {
        let bytes = fs::read(folder.join(format!("models/odd/{name}.mdl"))).expect("a file");
        let error = Mdl::read(&bytes).expect_err("an odd file").to_string();
        assert_eq!(error, format!(".mdl {expected}"), "{name}");
    }
}

#[test]
fn maps_of_real_models_are_whole() {
    let Some(folder) = corpus("maps_of_real_models_are_whole") else {
        return;
    };
    for path in models(&folder) {
        let bytes = fs::read(&path).expect("a model");
        let map = layout(&bytes, FileKind::Mdl);
        assert_eq!(map.error, None, "{path:?}");
        assert!(
            map.parts
                .iter()
                .all(|part| part.offset + part.size <= bytes.len() as u64)
        );
    }
}
