//! The sample uses every feature of the format, within the limits of engines.

use std::collections::BTreeSet;

use flexion_mdl::mdl::{Flex, Mesh, Procedural, RemapType, UiSlot, VertAnims, WrinkleVertAnim};
use flexion_mdl::{Mdl, Vtx, Vvd};
use flexion_sample::{Sample, expressions, face, poses_csv};
use half::f16;

fn meshes(sample: &Sample) -> impl Iterator<Item = &Mesh<'static>> {
    let models = sample.mdl.body_parts.iter().flat_map(|part| &part.models);
    models.flat_map(|model| &model.meshes)
}

fn flexes(sample: &Sample) -> impl Iterator<Item = &Flex<'static>> {
    meshes(sample).flat_map(|mesh| &mesh.flexes)
}

fn rows(sample: &Sample) -> impl Iterator<Item = WrinkleVertAnim> {
    flexes(sample).flat_map(|flex| flex.vert_anims.rows())
}

#[test]
fn reading_gives_what_was_written() {
    let sample = face();
    let [(mdl_name, mdl), (vvd_name, vvd), (vtx_name, vtx)] = sample.files();
    assert_eq!(
        [mdl_name, vvd_name, vtx_name],
        ["face.mdl", "face.vvd", "face.dx90.vtx"]
    );
    let mut read = Mdl::read(&mdl).unwrap();
    // Warnings are about the file and are not part of what is written.
    read.warnings.clear();
    assert_eq!(read, sample.mdl);
    assert_eq!(Vvd::read(&vvd).unwrap(), sample.vvd);
    assert_eq!(Vtx::read(&vtx).unwrap(), sample.vtx);
}

/// FNV-1a over the three files.
const PINNED: u64 = 0x99ed_0818_5ef8_709a;

/// The bytes are promised to be the same on every platform; a change of the face changes this
/// number, another machine must not.
#[test]
fn files_are_the_same_everywhere() {
    let hash = |sample: &Sample| {
        let bytes = sample.files().into_iter().flat_map(|(_, bytes)| bytes);
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    };
    let first = hash(&face());
    assert_eq!(first, hash(&face()));
    assert_eq!(first, PINNED, "{first:#018x}");
}

#[test]
fn every_op_is_used() {
    let sample = face();
    let ops = sample.mdl.rules.iter().flat_map(|rule| &rule.ops);
    let used: BTreeSet<i32> = ops.map(|op| op.code).collect();
    assert_eq!(used, (1..=21).collect());
}

#[test]
fn a_rule_reads_only_what_was_written_before() {
    let sample = face();
    let mut written = BTreeSet::new();
    let mut reads = 0;
    for rule in &sample.mdl.rules {
        for op in rule.ops.iter().filter(|op| op.code == 3) {
            reads += 1;
            assert!(written.contains(&i32::from_le_bytes(op.operand)));
        }
        written.insert(rule.target);
    }
    assert!(reads > 0);
}

#[test]
fn controllers_have_groups_of_every_kind() {
    let sample = face();
    let mdl = &sample.mdl;
    assert!(mdl.controllers.len() >= 40 && mdl.controllers.len() <= 96);
    let ranges: BTreeSet<(i32, i32)> = mdl
        .controllers
        .iter()
        .map(|c| (c.min as i32, c.max as i32))
        .collect();
    assert!(ranges.len() >= 4, "{ranges:?}");
    let kinds: BTreeSet<_> = mdl.controllers.iter().map(|c| c.kind.to_str()).collect();
    assert!(kinds.len() >= 5, "{kinds:?}");
    for remap in [
        RemapType::Passthru,
        RemapType::TwoWay,
        RemapType::NWay,
        RemapType::Eyelid,
    ] {
        assert!(
            mdl.controller_uis.iter().any(|ui| ui.remap == remap),
            "{remap:?}"
        );
    }
    let shown: Vec<_> = mdl.controller_uis.iter().flat_map(|ui| ui.slots).collect();
    for number in 0..mdl.controllers.len() as u32 {
        let times = shown
            .iter()
            .filter(|&&slot| slot == UiSlot::Controller(number))
            .count();
        assert_eq!(times, 1, "{}", mdl.controllers[number as usize].name);
    }
    for ui in &mdl.controller_uis {
        let with_multi = matches!(ui.remap, RemapType::NWay | RemapType::Eyelid);
        assert_eq!(ui.stereo, ui.slots[1] != UiSlot::Unused);
        assert_eq!(with_multi, ui.slots[2] != UiSlot::Unused);
    }
}

#[test]
fn flexes_are_of_both_kinds_split_and_late() {
    let sample = face();
    let wrinkled = |flex: &Flex<'_>| matches!(flex.vert_anims, VertAnims::Wrinkle(_));
    assert!(flexes(&sample).any(wrinkled));
    assert!(!flexes(&sample).all(wrinkled));
    assert!(rows(&sample).any(|row| row.wrinkle.get() > 1024));
    let split: Vec<_> = flexes(&sample).filter(|flex| flex.partner != 0).collect();
    let sides: BTreeSet<u8> = split
        .iter()
        .flat_map(|flex| flex.vert_anims.rows())
        .map(|row| row.base.side)
        .collect();
    assert!(
        sides.contains(&0) && sides.contains(&255) && sides.len() > 10,
        "{sides:?}"
    );
    assert!(flexes(&sample).any(|flex| flex.partner == 0));
    let whole = flexes(&sample).filter(|flex| flex.partner == 0);
    assert!(
        whole
            .flat_map(|flex| flex.vert_anims.rows())
            .all(|row| row.base.side == 0)
    );
    assert!(rows(&sample).any(|row| row.base.speed < 200));
    assert!(rows(&sample).any(|row| row.base.speed == 255));
}

#[test]
fn ramps_split_shapes_and_lids() {
    let sample = face();
    let ramps: Vec<[f32; 4]> = flexes(&sample).map(|flex| flex.targets).collect();
    for ramp in [
        [0.0, 1.0, 10.0, 11.0],
        [0.0, 0.5, 0.5, 1.0],
        [0.5, 1.0, 10.0, 11.0],
        [0.0, 1.0, 1.0, 1.0],
        [1.0, 1.0, 10.0, 11.0],
    ] {
        assert!(ramps.contains(&ramp), "{ramp:?}");
    }
    let model = &sample.mdl.body_parts[0].models[0];
    assert_eq!(model.eyeballs.len(), 2);
    for eye in &model.eyeballs {
        assert!(!eye.non_facs);
        for lid in [eye.upper, eye.lower] {
            let [lowered, neutral, raised] = lid.targets;
            assert!(lowered < neutral && neutral < raised);
            let of_lid = flexes(&sample).filter(|flex| flex.descriptor == lid.lid_descriptor);
            let ramps: Vec<_> = of_lid.map(|flex| flex.targets).collect();
            assert!(ramps.contains(&[neutral, raised, 10.0, 11.0]));
            let down = ramps
                .iter()
                .find(|ramp| ramp[0] == -11.0 && ramp[2] == lowered);
            assert!(down.is_some(), "{ramps:?}");
            let rules = &sample.mdl.rules;
            let written = |descriptor| rules.iter().any(|rule| rule.target == descriptor);
            assert!(lid.descriptors.into_iter().all(written));
        }
    }
}

#[test]
fn meshes_keep_within_the_limits_of_engines() {
    let sample = face();
    assert!((2_500..8_000).contains(&sample.vvd.vertices.len()));
    assert_eq!(sample.vvd.tangents.len(), sample.vvd.vertices.len());
    for row in rows(&sample) {
        let parts = row.base.delta.iter().chain(&row.base.normal_delta);
        for part in parts {
            assert!(f16::from_bits(part.get()).to_f32().abs() < 8.0);
        }
    }
    let mut flexed = 0;
    for mesh in meshes(&sample) {
        let all = mesh.flexes.iter().flat_map(|flex| flex.vert_anims.rows());
        let distinct: BTreeSet<u16> = all.map(|row| row.base.vertex.get()).collect();
        assert!(
            distinct
                .iter()
                .all(|&vertex| i32::from(vertex) < mesh.vertex_count)
        );
        flexed += distinct.len();
    }
    assert!((1_000..10_000).contains(&flexed), "{flexed}");
    let eyes: Vec<_> = meshes(&sample)
        .filter(|mesh| mesh.material_type == 1)
        .collect();
    assert_eq!(eyes.len(), 2);
    assert_ne!(eyes[0].material_param, eyes[1].material_param);
    assert_eq!(sample.mdl.version, 48);
    let attachments = &sample.mdl.attachments;
    assert!(
        attachments
            .iter()
            .any(|attachment| attachment.name.matches("eyes"))
    );
}

#[test]
fn bones_are_of_every_kind() {
    let sample = face();
    let mdl = &sample.mdl;
    let [(_, bytes), ..] = sample.files();
    let warnings = Mdl::read(&bytes).unwrap().warnings;
    assert!(
        warnings
            .iter()
            .all(|warning| !warning.place.structure.contains("bone"))
    );
    let rules = mdl.bones.iter().filter_map(|bone| bone.procedural.as_ref());
    let kinds: BTreeSet<i32> = rules.map(Procedural::kind).collect();
    assert_eq!(kinds, (1..=5).collect());
    let columns = mdl.linear_bones.as_ref().map(|columns| columns.len());
    assert_eq!(columns, Some(mdl.bones.len()));
    assert_eq!(mdl.linear_differences().next(), None);
    assert_eq!(mdl.source_bone_transforms.len(), 1);
    assert_eq!(mdl.bone_controllers[0].rest, 0);
    assert_eq!(mdl.bone_controllers[0].start, 0.0);
}

#[test]
fn the_jaw_drives_a_slider_of_its_own() {
    let sample = face();
    let mdl = &sample.mdl;
    let [driver] = &mdl.bone_flex_drivers[..] else {
        panic!("one driver")
    };
    let jaw = &mdl.bones[driver.bone as usize];
    assert!(jaw.name.matches("jaw"));
    let control = driver.controls[0];
    // Exactly shut in the bind pose.
    assert_eq!(control.min, jaw.position[control.component as usize]);
    let slider = &mdl.controllers[control.controller as usize];
    assert!(slider.name.matches("jaw_bone"));
    let controller = mdl.bone_controllers[jaw.controllers[0] as usize];
    assert_eq!(controller.bone, driver.bone);
    assert_eq!(controller.end, control.max - control.min);
    for expression in expressions() {
        assert!(
            expression
                .sliders
                .iter()
                .all(|(name, _)| *name != "jaw_bone")
        );
    }
}

#[test]
fn what_flexes_carry_hangs_on_no_bone_that_moves_it_again() {
    let sample = face();
    let mut used = BTreeSet::new();
    for vertex in sample.vvd.vertices.iter() {
        used.extend(vertex.influences().map(|(bone, _)| bone));
    }
    let names: Vec<String> = used
        .iter()
        .map(|&bone| sample.mdl.bones[usize::from(bone)].name.to_string())
        .collect();
    assert_eq!(names, ["neck", "head", "hair"]);
}

#[test]
fn expressions_set_sliders_that_exist_within_their_ranges() {
    let sample = face();
    assert!(expressions().len() >= 12);
    assert!(expressions()[0].sliders.is_empty());
    for expression in expressions() {
        for &(name, value) in expression.sliders {
            let controllers = &sample.mdl.controllers;
            let slider = controllers.iter().find(|c| c.name.matches(name));
            let slider = slider.unwrap_or_else(|| panic!("{}: {name}", expression.name));
            assert!(
                (slider.min..=slider.max).contains(&value),
                "{}: {name}",
                expression.name
            );
        }
    }
    let csv = poses_csv();
    let columns = |line: &str| line.split(',').count();
    assert!(
        csv.lines()
            .all(|line| columns(line) == 1 + sample.mdl.controllers.len())
    );
    let laugh = csv.lines().find(|line| line.starts_with("laugh,")).unwrap();
    let at = csv
        .lines()
        .next()
        .unwrap()
        .split(',')
        .position(|name| name == "jaw_drop")
        .unwrap();
    assert_eq!(laugh.split(',').nth(at), Some("0.75"));
}
