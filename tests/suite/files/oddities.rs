//! What engines tolerate is read, kept and listed.

use std::borrow::Cow;

use flexion_mdl::mdl::{
    FLAG_FLEXES_CONVERTED, FLAG_VERT_ANIM_FIXED_POINT_SCALE, RemapType, UiSlot, VertAnims,
};
use flexion_mdl::{Mdl, WarningKind};

use super::{bone, controller, flex, row, set, small_model, wrinkle};

/// The warnings of the small model after a change, without the places' offsets.
fn warnings(change: impl FnOnce(&mut Mdl<'static>)) -> Vec<String> {
    let mut mdl = small_model();
    change(&mut mdl);
    let bytes = mdl.write().expect("a model that can be written");
    let read = Mdl::read(&bytes).expect("what was written");
    let warning = |warning: &flexion_mdl::Warning| {
        let text = warning.to_string();
        let (place, reason) = text.split_once(" @0x").expect("an offset");
        let (_, reason) = reason.split_once(": ").expect("a reason");
        format!("{}: {reason}", place.trim_start_matches(".mdl "))
    };
    read.warnings.iter().map(warning).collect()
}

#[test]
fn vertanims_past_their_mesh() {
    let found = warnings(|mdl| {
        let rows = vec![row(4, 0), row(5, 0), row(u16::MAX, 0)];
        let flexes = &mut mdl.body_parts[0].models[0].meshes[0].flexes;
        flexes[0].vert_anims = VertAnims::Plain(Cow::Owned(rows));
        let rows = (0..20).map(|vertex| wrinkle(vertex, 0, 0)).collect();
        flexes[1].vert_anims = VertAnims::Wrinkle(Cow::Owned(rows));
    });
    let text = "vertanims name a vertex past the mesh's 5; they are ignored";
    let expected = [
        format!("mstudioflex_t[0].vertindex: 2 {text}"),
        format!("mstudioflex_t[1].vertindex: 15 {text}"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn degenerate_ramps() {
    let ramps = [
        [0.0, 0.0, 10.0, 11.0],
        [0.0, 1.0, 1.0, 1.0],
        [0.0, 1.0, 0.5, 11.0],
        [0.0, f32::NAN, 10.0, 11.0],
        [-11.0, -10.0, 0.25, 0.25],
    ];
    for ramp in ramps {
        let found = warnings(|mdl| {
            mdl.body_parts[0].models[0].meshes[0].flexes[1].targets = ramp;
        });
        assert_eq!(
            found,
            [format!(
                "mstudioflex_t[1].target0: ramp {ramp:?} is degenerate"
            )]
        );
    }
    let peak = warnings(|mdl| {
        mdl.body_parts[0].models[0].meshes[0].flexes[1].targets = [0.0, 0.5, 0.5, 1.0];
    });
    assert_eq!(peak, [""; 0]);
}

#[test]
fn indices_that_lead_nowhere() {
    let found = warnings(|mdl| {
        // The list is bounded by the file's size, and this one is long.
        mdl.texture_folders.push("f".repeat(2000).into());
        mdl.bones[1].parent = 1;
        mdl.bones.push(bone("late", -2));
        mdl.attachments[0].bone = 3;
        mdl.skins.textures = vec![0, 2, -1, 1];
        mdl.mouths[0].bone = -1;
        mdl.mouths[0].descriptor = 4;
        let model = &mut mdl.body_parts[0].models[0];
        model.meshes[0].material = 2;
        model.meshes[0].vertex_offset = -1;
        model.meshes[0].flexes[0].descriptor = -1;
        model.meshes[0].flexes[1].partner = 4;
        model.meshes[1].material_param = 1;
        model.meshes[1].vertex_count = 3;
        model.eyeballs[0].bone = 9;
        model.eyeballs[0].upper.descriptors[1] = 77;
        model.eyeballs[0].lower.lid_descriptor = -1;
    });
    let expected = [
        "mstudiobone_t[1].parent: parent 1 does not come before the bone",
        "mstudiobone_t[2].parent: parent -2 does not come before the bone",
        "mstudioattachment_t[0].localbone: index 3 of 3; ignored",
        "studiohdr_t.skinindex: 2 entries name no texture of 2, the first of them 2",
        "mstudiomesh_t[0].material: index 2 of 2; ignored",
        "mstudiomesh_t[0].vertexoffset: 5 vertices from -1 on are not all among the model's 7",
        "mstudioflex_t[0].flexdesc: index -1 of 4; ignored",
        "mstudioflex_t[1].flexpair: index 4 of 4; ignored",
        "mstudiomesh_t[1].materialparam: index 1 of 1; ignored",
        "mstudiomesh_t[1].vertexoffset: 3 vertices from 5 on are not all among the model's 7",
        "mstudioeyeball_t[0].bone: index 9 of 3; ignored",
        "mstudioeyeball_t[0].upperflexdesc: index 77 of 4; ignored",
        "mstudioeyeball_t[0].lowerlidflexdesc: index -1 of 4; ignored",
        "mstudiomouth_t[0].bone: index -1 of 3; ignored",
        "mstudiomouth_t[0].flexdesc: index 4 of 4; ignored",
    ];
    assert_eq!(found, expected);
}

#[test]
fn names_that_occur_twice() {
    let found = warnings(|mdl| {
        mdl.controllers.push(controller("RIGHT_BROW", 0.0));
        mdl.controllers.push(controller("", 0.0));
        mdl.controllers.push(controller("", 0.0));
        mdl.controllers.push(controller("right_brow", 0.0));
        let ui = mdl.controller_uis[0].clone();
        mdl.controller_uis.push(ui);
    });
    let expected = [
        "mstudioflexcontroller_t[4].sznameindex: record 3 has the same name",
        "mstudioflexcontroller_t[2].sznameindex: record 0 has the same name",
        "mstudioflexcontroller_t[5].sznameindex: record 0 has the same name",
        "mstudioflexcontrollerui_t[1].sznameindex: record 0 has the same name",
    ];
    assert_eq!(found, expected);
}

#[test]
fn user_interface_that_leads_nowhere() {
    let found = warnings(|mdl| {
        mdl.controller_uis[0].slots[2] = UiSlot::Nowhere(-3);
        mdl.controller_uis[0].remap = RemapType::Unknown(4);
    });
    let expected = [
        "mstudioflexcontrollerui_t[0].szindex2: offset -3 is not a controller; the slot is ignored",
        "mstudioflexcontrollerui_t[0].remaptype: remap type 4 is unknown; treated as passthru",
    ];
    assert_eq!(found, expected);
}

#[test]
fn more_than_engines_hold() {
    let found = warnings(|mdl| {
        let names: Vec<String> = (0..2000).map(|number| number.to_string()).collect();
        mdl.controllers.clear();
        mdl.controller_uis.clear();
        for name in &names[..97] {
            let mut controller = controller("", 0.0);
            controller.name = name.clone().into();
            mdl.controllers.push(controller);
        }
        let descriptor = mdl.descriptors[0].clone();
        mdl.descriptors.resize(1025, descriptor);
    });
    let expected = [
        "studiohdr_t.numflexcontrollers: 97 controllers, past the engine's 96",
        "studiohdr_t.numflexdesc: 1025 descriptors, past the engine's 1024",
    ];
    assert_eq!(found, expected);
}

#[test]
fn more_flexed_vertices_than_engines_hold() {
    let flexed = |vertices: u16| {
        warnings(|mdl| {
            let model = &mut mdl.body_parts[0].models[0];
            model.vertex_count = 30_000;
            model.meshes[0].vertex_count = 20_000;
            model.meshes[1].vertex_count = 10_000;
            model.meshes[1].vertex_offset = 20_000;
            let rows: Vec<_> = (0..vertices).map(|vertex| row(vertex, 0)).collect();
            let all = VertAnims::Plain(Cow::Owned(rows.clone()));
            let half = VertAnims::Plain(Cow::Owned(rows[..5000].to_vec()));
            // The same vertices again count once; those of another mesh are others.
            model.meshes[0].flexes = vec![flex(1, all.clone()), flex(2, all)];
            model.meshes[1].flexes = vec![flex(1, half)];
        })
    };
    assert_eq!(flexed(5000), [""; 0]);
    let expected = "mstudiomodel_t[0].numvertices: 10001 flexed vertices, past the engine's 10000";
    assert_eq!(flexed(5001), [expected]);
}

#[test]
fn deltas_that_the_engine_wraps() {
    let wrapped = |flags: u32, halves: [u16; 3]| {
        warnings(|mdl| {
            mdl.flags = flags;
            let rows = halves.map(|half| row(0, half)).into();
            let flexes = &mut mdl.body_parts[0].models[0].meshes[0].flexes;
            flexes[0].vert_anims = VertAnims::Plain(Cow::Owned(rows));
        })
    };
    // Just below 8, 8, minus infinity.
    let halves = [0x47ff, 0x4800, 0xfc00];
    let text = "its precision wraps them";
    let expected = format!(
        "mstudioflex_t[0].vertindex: 2 vertanims move past the engine's 7.999756 units; {text}"
    );
    assert_eq!(wrapped(0, halves), [expected]);
    // Not a number counts as 0.
    assert_eq!(wrapped(0, [0x47ff, 0xc7ff, 0x7e00]), [""; 0]);
    assert_eq!(wrapped(FLAG_FLEXES_CONVERTED, halves), [""; 0]);
    // The small model's own scale is 0.001.
    let scaled = wrapped(FLAG_VERT_ANIM_FIXED_POINT_SCALE, [0x5018, 0x5019, 0]);
    let expected = format!(
        "mstudioflex_t[0].vertindex: 1 vertanims move past the engine's 32.767002 units; {text}"
    );
    assert_eq!(scaled, [expected]);
}

#[test]
fn scale_that_makes_no_sense() {
    for scale in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let found = warnings(|mdl| {
            mdl.flags = FLAG_VERT_ANIM_FIXED_POINT_SCALE;
            mdl.vert_anim_fixed_point_scale = scale;
        });
        let place = "studiohdr_t.flVertAnimFixedPointScale";
        assert_eq!(
            found,
            [format!(
                "{place}: fixed point scale {scale} is not positive"
            )]
        );
    }
}

#[test]
fn length_that_is_not_the_files() {
    let mut bytes = small_model().write().expect("a model that can be written");
    let actual = bytes.len() as u64;
    for stated in [0, -1, 100_000] {
        set(
            &mut bytes,
            "studiohdr_t",
            None,
            "length",
            &i32::to_le_bytes(stated),
        );
        let read = Mdl::read(&bytes).expect("only the length is odd");
        assert_eq!(
            read.warnings[0].kind,
            WarningKind::Length { stated, actual }
        );
        assert_eq!(read.warnings.len(), 1);
    }
}

#[test]
fn the_list_stays_small() {
    let mut mdl = small_model();
    let flexes = &mut mdl.body_parts[0].models[0].meshes[0].flexes;
    flexes[0].vert_anims = VertAnims::Plain(Cow::Borrowed(&[]));
    flexes[0].targets = [0.0; 4];
    flexes[0].descriptor = -1;
    flexes[0].partner = -1;
    let flex = flexes[0].clone();
    flexes.resize(10_000, flex);
    let bytes = mdl.write().expect("a model that can be written");
    let read = Mdl::read(&bytes).expect("what was written");
    let taken = size_of_val(&*read.warnings);
    assert!(
        taken <= bytes.len(),
        "{taken} bytes of warnings for {}",
        bytes.len()
    );
    let listed = read.warnings.len() as u64 - 1;
    let last = read.warnings.last().map(|warning| warning.kind);
    // Three for each flex but the second, with which nothing is wrong.
    assert_eq!(last, Some(WarningKind::More(3 * 9_999 - listed)));
}
