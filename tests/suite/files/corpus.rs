//! Real models: all are read as the index of the corpus says, and survive writing.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use flexion_mdl::mdl::VertAnims;
use flexion_mdl::{FileKind, Mdl, layout};
use flexion_testkit::corpus::{corpus, models};

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
