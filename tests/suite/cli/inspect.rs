//! What a model is said to have.

use super::Workbench;

#[test]
fn inspect_lists_the_face() {
    let bench = Workbench::new();
    let text = bench.ok(&["inspect", "face.mdl"]);
    for part in [
        "controllers",
        "controller groups",
        "rules",
        "eyeball",
        "jaw_drop",
        "warnings",
        "9 bones",
        "neck                         USED_BY_ATTACHMENT USED_BY_VERTEX_LOD0",
        "axis-interp, control head, axis 0",
        "quat-interp, control head, 3 triggers",
        "aims at bone jaw from head",
        "aims at attachment mouth from neck",
        "jiggle, flags 0x31, length 3",
        "x 0..-0.75, input 4, rest 0/255",
        "-> jaw_bone",
        "0 differences of the bones in columns",
    ] {
        assert!(text.contains(part), "{part}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&bench.ok(&["inspect", "face.mdl", "--json"])).expect("JSON");
    let controllers = json["controllers"].as_array().expect("a list");
    assert!(controllers.len() >= 40);
    assert_eq!(
        json["models"][0]["eyeballs"]
            .as_array()
            .expect("a list")
            .len(),
        2
    );
    let flexes = json["models"][0]["meshes"][0]["flexes"]
        .as_array()
        .expect("a list");
    assert!(!flexes.is_empty());
    assert_eq!(json["bones"][0]["parent"], serde_json::Value::Null);
    assert_eq!(json["bones"][3]["parent_name"], "head");
    assert_eq!(json["bones"][4]["procedural"]["kind"], "axis-interp");
    assert_eq!(json["bones"][4]["flags"][0], "ALWAYS_PROCEDURAL");
    assert_eq!(json["bone_controllers"][0]["bone"], "jaw");
    assert_eq!(json["bone_flex_drivers"][0]["controller"], "jaw_bone");
    assert_eq!(json["linear_bones"]["bones"], 9);
}

#[test]
fn inspect_lists_where_the_columns_differ() {
    let bench = Workbench::new();
    let mut mdl = flexion_sample::face().mdl;
    mdl.bones[3].parent = 1;
    bench.write("odd.mdl", mdl.write().expect("a model"));
    for companion in ["vvd", "dx90.vtx"] {
        let from = bench.path(&format!("face.{companion}"));
        std::fs::copy(from, bench.path(&format!("odd.{companion}"))).expect("a copy");
    }
    let text = bench.ok(&["inspect", "odd.mdl"]);
    for part in [
        "1 differences of the bones in columns",
        "jaw.parent: 1 in the bone, 2 in the columns",
    ] {
        assert!(text.contains(part), "{part}");
    }
    let json = bench.ok(&["inspect", "odd.mdl", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let found = &json["linear_bones"]["differences"][0];
    assert_eq!(
        (&found["field"], &found["in_columns"]),
        (&"parent".into(), &"2".into())
    );
}

#[test]
fn rules_print_every_stage() {
    let bench = Workbench::new();
    for stage in ["text", "ops", "code"] {
        let all = bench.ok(&["rules", "face.mdl", "--stage", stage]);
        assert!(all.lines().count() > 20, "{stage}: {all}");
    }
    bench.fails(
        2,
        &["rules", "face.mdl", "--rule", "no such"],
        &["--rule", "no such"],
    );
}
