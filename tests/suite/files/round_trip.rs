//! Models made by hand, written and read back.

use flexion_mdl::mdl::{ControllerUi, Extension, RemapType, UiSlot};
use flexion_mdl::{Mdl, Name};

use super::{bone, controller, set, small_model, without_warnings};

fn assert_round_trip(mdl: &Mdl<'_>) {
    let bytes = mdl.write().unwrap_or_else(|error| panic!("{error}"));
    let read = Mdl::read(&bytes).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(without_warnings(read), *mdl);
}

fn refusal(change: impl FnOnce(&mut Mdl<'static>)) -> String {
    let mut mdl = small_model();
    change(&mut mdl);
    mdl.write()
        .expect_err("something that cannot be written")
        .to_string()
}

#[test]
fn small_model_survives_without_a_warning() {
    let mdl = small_model();
    let bytes = mdl.write().expect("a model that can be written");
    assert_eq!(Mdl::read(&bytes).expect("what was written"), mdl);
}

#[test]
fn every_part_may_be_missing() {
    assert_round_trip(&Mdl::default());
    let clear: [fn(&mut Mdl<'_>); 13] = [
        |mdl| mdl.extension = None,
        |mdl| mdl.bones.clear(),
        |mdl| mdl.attachments.clear(),
        |mdl| mdl.textures.clear(),
        |mdl| mdl.texture_folders.clear(),
        |mdl| mdl.skins.textures.clear(),
        |mdl| mdl.body_parts.clear(),
        |mdl| mdl.body_parts[0].models.clear(),
        |mdl| mdl.body_parts[0].models[0].meshes.clear(),
        |mdl| mdl.body_parts[0].models[0].eyeballs.clear(),
        |mdl| mdl.controller_uis.clear(),
        |mdl| mdl.rules.clear(),
        |mdl| mdl.mouths.clear(),
    ];
    for clear in clear {
        let mut mdl = small_model();
        clear(&mut mdl);
        assert_round_trip(&mdl);
    }
}

#[test]
fn every_version_survives() {
    for version in 44..=49 {
        let mut mdl = small_model();
        mdl.version = version;
        if version < 47 {
            mdl.controller_uis.clear();
        }
        assert_round_trip(&mdl);
    }
}

#[test]
fn names_of_every_length_survive() {
    for length in [0, 1, 62, 63, 64, 65, 300] {
        let mut mdl = small_model();
        mdl.name = "n".repeat(length).into();
        assert_round_trip(&mdl);
    }
    let mut mdl = small_model();
    mdl.extension = None;
    // Fills `name[64]`, without a NUL.
    mdl.name = "n".repeat(64).into();
    assert_round_trip(&mdl);
    mdl.body_parts[0].models[0].name = "m".repeat(64).into();
    assert_round_trip(&mdl);
}

#[test]
fn long_name_without_an_extension_gets_one() {
    let mut mdl = small_model();
    mdl.extension = None;
    mdl.name = "n".repeat(65).into();
    let bytes = mdl.write().expect("a model that can be written");
    let read = Mdl::read(&bytes).expect("what was written");
    assert_eq!(read.name, mdl.name);
    assert_eq!(read.extension, Some(Extension::default()));
}

#[test]
fn any_bytes_are_a_name() {
    let names: [&[u8]; 5] = [
        b"",
        b"jaw drop.2",
        "Brauenzug \u{e4}".as_bytes(),
        b"\xe9\xff",
        b"\x01\n",
    ];
    let mut mdl = small_model();
    mdl.controllers.clear();
    mdl.controller_uis.clear();
    for name in names {
        // Twice each: duplicates stay apart.
        for _ in 0..2 {
            let mut controller = controller("", 0.0);
            controller.name = Name::from(name);
            controller.kind = Name::from(name);
            mdl.controllers.push(controller);
        }
        mdl.bones.push(bone("", -1));
    }
    assert_round_trip(&mdl);
    let bytes = mdl.write().expect("a model that can be written");
    let read = Mdl::read(&bytes).expect("what was written");
    assert_eq!(read.controllers[4].name.to_str(), "Brauenzug \u{e4}");
    assert_eq!(read.controllers[6].name.to_str(), "\u{e9}\u{ff}");
}

#[test]
fn bits_of_floats_survive() {
    let mut mdl = small_model();
    let odd = [
        f32::from_bits(0x7fc0_1234),
        f32::from_bits(0xff80_0001),
        -0.0,
        f32::INFINITY,
    ];
    mdl.body_parts[0].models[0].meshes[0].flexes[0].targets = odd;
    mdl.controllers[0].min = f32::from_bits(1);
    let bytes = mdl.write().expect("a model that can be written");
    let read = Mdl::read(&bytes).expect("what was written");
    let targets = read.body_parts[0].models[0].meshes[0].flexes[0].targets;
    assert_eq!(targets.map(f32::to_bits), odd.map(f32::to_bits));
    assert_eq!(read.controllers[0].min.to_bits(), 1);
    assert_eq!(read.write().expect("what was read"), bytes);
}

#[test]
fn slots_that_lead_nowhere_stay_so() {
    let mut mdl = small_model();
    // 20 bytes back and forth: wherever the user interface stands, some of these would hit a
    // slider if it stood a multiple of 20 bytes from the sliders.
    for offset in [-60, -40, -20, 20, 7, i32::MAX, i32::MIN] {
        mdl.controller_uis.push(ControllerUi {
            name: "odd".into(),
            slots: [UiSlot::Nowhere(offset), UiSlot::Unused, UiSlot::Nowhere(1)],
            remap: RemapType::Unknown(200),
            stereo: false,
        });
    }
    assert_round_trip(&mdl);
}

#[test]
fn negative_number_of_ops_is_none() {
    let mut bytes = small_model().write().expect("a model that can be written");
    for count in [-1, i32::MIN, 0] {
        set(
            &mut bytes,
            "mstudioflexrule_t",
            Some(0),
            "numops",
            &count.to_le_bytes(),
        );
        let read = Mdl::read(&bytes).expect("a rule without ops");
        assert_eq!(read.rules[0].ops, []);
        assert_eq!(read.warnings, []);
    }
}

#[test]
fn user_interface_below_47_is_none() {
    let mut bytes = small_model().write().expect("a model that can be written");
    set(
        &mut bytes,
        "studiohdr_t",
        None,
        "version",
        &46_i32.to_le_bytes(),
    );
    let read = Mdl::read(&bytes).expect("a model of version 46");
    assert_eq!(read.controller_uis, []);
}

#[test]
fn what_cannot_be_written_is_refused() {
    let cases = [
        (
            refusal(|mdl| mdl.version = 50),
            ".mdl studiohdr_t.version @0x4: 50 is not allowed here (expected 44 to 49)",
        ),
        (
            refusal(|mdl| mdl.version = 46),
            ".mdl studiohdr_t.version @0x4: 46 is not allowed here (expected 47 to 49 for a \
             model with a user interface)",
        ),
        (
            refusal(|mdl| mdl.name = "a\0b".into()),
            ".mdl studiohdr_t.name @0xc: the name has a NUL in it",
        ),
        (
            refusal(|mdl| mdl.bones[1].name = "\0".into()),
            ".mdl mstudiobone_t[1].sznameindex @0x378: the name has a NUL in it",
        ),
        (
            refusal(|mdl| mdl.skins.textures.truncate(3)),
            ".mdl studiohdr_t.numskinref @0xdc: 2 is not allowed here (expected columns that \
             divide the table)",
        ),
        (
            refusal(|mdl| mdl.skins.references = 0),
            ".mdl studiohdr_t.numskinref @0xdc: 0 is not allowed here (expected columns that \
             divide the table)",
        ),
    ];
    for (refusal, expected) in cases {
        assert_eq!(refusal, expected);
    }
}

#[test]
fn values_out_of_range_are_refused() {
    let model = |change: fn(&mut flexion_mdl::mdl::Model<'static>)| {
        refusal(|mdl| change(&mut mdl.body_parts[0].models[0]))
    };
    let ui =
        |change: fn(&mut ControllerUi<'static>)| refusal(|mdl| change(&mut mdl.controller_uis[0]));
    let cases = [
        (
            model(|model| model.vertex_count = -1),
            "numvertices",
            "expected 0 or more",
        ),
        (
            model(|model| model.meshes[1].vertex_count = -1),
            "mstudiomesh_t[1].numvertices",
            "-1 is",
        ),
        (
            model(|model| model.first_vertex = i32::MAX / 48 + 1),
            "vertexindex",
            "44739243 is",
        ),
        (
            model(|model| model.first_tangent = -1),
            "tangentsindex",
            "-1 is",
        ),
        (
            model(|model| model.name = "m".repeat(65).into()),
            "name",
            "65 bytes and 64 fit",
        ),
        (
            ui(|ui| ui.slots[1] = UiSlot::Controller(2)),
            "szindex1",
            "expected a controller",
        ),
        (
            ui(|ui| ui.slots[2] = UiSlot::Nowhere(0)),
            "szindex2",
            "leads to no controller",
        ),
        (
            ui(|ui| ui.remap = RemapType::Unknown(3)),
            "remaptype",
            "expected 4 to 255",
        ),
    ];
    for (refusal, field, reason) in cases {
        assert!(
            refusal.contains(field) && refusal.contains(reason),
            "{refusal}"
        );
    }
}
