//! Bones of a face: the sliders they drive, the eyes they carry, the vertices that follow.

use flexion::{Error, Face, Model, Shape};
use flexion_testkit::corpus;
use glam::{Affine3A, Quat, Vec3};

use crate::face::sample;

/// Every vertex of all shapes.
fn vertices(shapes: &[Shape]) -> Vec<Vec3> {
    let all = shapes.iter().flat_map(|shape| &shape.positions);
    all.map(|&position| position.into()).collect()
}

fn farthest(a: &[Vec3], b: &[Vec3]) -> f32 {
    assert_eq!(a.len(), b.len());
    let apart = a.iter().zip(b).map(|(a, b)| a.distance(*b));
    apart.fold(0.0, f32::max)
}

/// The bone whose position drives, which way it does, and the slider it drives.
fn driven(model: &Model, bytes: &[u8]) -> (String, usize, [f32; 2], String) {
    let mdl = flexion_mdl::Mdl::read(bytes).expect("a model");
    let driver = &mdl.bone_flex_drivers[0];
    let control = &driver.controls[0];
    (
        mdl.bones[driver.bone as usize].name.to_str().into_owned(),
        control.component as usize,
        [control.min, control.max],
        model.controllers()[control.controller as usize]
            .name
            .clone(),
    )
}

/// Moves the driving bone from end to end: the slider goes from its low end to its high one, and
/// the mesh goes with it as with the slider.
fn a_driver_moves_its_slider_and_the_mesh(model: &Model, bytes: &[u8]) {
    let (bone, component, ends, slider) = driven(model, bytes);
    let id = model.controller(&slider).expect("a slider");
    let range = &model.controllers()[id.index()];
    let (mut face, mut wanted) = (model.face(), model.face());
    let rest = vertices(face.deform().expect("vertices"));
    let mut moved = 0.0_f32;
    for step in -1..=5 {
        let part = step as f32 / 4.0;
        let mut place = face.bone(&bone).expect("a bone").position;
        place[component] = ends[0] + part * (ends[1] - ends[0]);
        face.pose_bone(&bone, place, None).expect("a place");
        let held = part.clamp(0.0, 1.0);
        let value = range.min + held * (range.max - range.min);
        // What people set is overwritten, as in the engine.
        face.set_normalized(&slider, 0.3).expect("a slider");
        let found = vertices(face.deform().expect("vertices"));
        let shown = face.get(&slider).expect("a slider");
        assert!(
            (shown - value).abs() <= 1e-5 * (range.max - range.min),
            "{part}: {shown}"
        );
        wanted.set(&slider, shown).expect("a slider");
        assert_eq!(
            found,
            vertices(wanted.deform().expect("vertices")),
            "{part}"
        );
        moved = moved.max(farthest(&found, &rest));
    }
    println!(
        "{}: {bone} drives {slider}, vertices move {moved:.3} units",
        model.name()
    );
    assert!(moved > 0.01, "{moved}");
}

#[test]
fn a_bone_drives_its_slider() {
    let [(_, bytes), ..] = flexion_sample::face().files();
    a_driver_moves_its_slider_and_the_mesh(&sample(), &bytes);
    let Some(folder) = corpus::corpus("a_bone_drives_its_slider, real models") else {
        return;
    };
    let drivers: Vec<_> = (corpus::models(&folder).into_iter())
        .filter(|path| {
            let bytes = std::fs::read(path).expect("a model");
            let mdl = flexion_mdl::Mdl::read(&bytes).expect("a whole model");
            !mdl.bone_flex_drivers.is_empty()
        })
        .collect();
    assert!(!drivers.is_empty(), "one real model has a driver");
    for path in drivers {
        let model = Model::open(&path).expect("a whole model");
        a_driver_moves_its_slider_and_the_mesh(&model, &std::fs::read(&path).expect("a model"));
    }
}

#[test]
fn sliders_are_people_s_until_a_bone_is_posed_and_after_a_reset() {
    let mut face = sample().face();
    face.set("jaw_bone", 0.5).expect("a slider");
    face.weights();
    assert_eq!(face.get("jaw_bone").expect("a slider"), 0.5);
    let neck = face.bone("neck").expect("a bone");
    face.pose_bone("NECK", neck.position, Some(neck.rotation))
        .expect("a place");
    assert_eq!(
        face.get("jaw_bone").expect("a slider"),
        0.0,
        "the jaw is shut"
    );
    face.reset();
    face.set("jaw_bone", 0.5).expect("a slider");
    face.weights();
    assert_eq!(face.get("jaw_bone").expect("a slider"), 0.5);
}

/// A face with an expression.
fn smiling(model: &Model) -> Face {
    let mut face = model.face();
    for (number, id) in model.controller_ids().enumerate() {
        let range = &model.controllers()[id.index()];
        let part = (number * 7 % 10) as f32 / 20.0;
        face.set_id(id, range.min + part * (range.max - range.min))
            .expect("a slider");
    }
    face
}

/// Moving the whole world moves what is skinned and the eyes with it, and nothing else.
fn skinned_vertices_follow_the_root(model: &Model) {
    let mut face = smiling(model);
    let (unskinned, still) = (
        vertices(face.deform().expect("vertices")),
        vertices(face.skin().expect("vertices")),
    );
    let size = still.iter().map(|v| v.length()).fold(1.0, f32::max);
    let eyes = |face: &Face| -> Vec<_> {
        let parts = model.submodels().iter();
        parts.flat_map(|part| face.eye_frames(part)).collect()
    };
    let looks = eyes(&face);
    let turn = Quat::from_rotation_z(0.7) * Quat::from_rotation_x(-0.4);
    let root = Affine3A::from_rotation_translation(turn, Vec3::new(5.0, -3.0, 2.0));
    face.pose_bones(|pose| *pose.root_mut() = root);
    let wanted: Vec<Vec3> = still.iter().map(|v| root.transform_point3(*v)).collect();
    let apart = farthest(&vertices(face.skin().expect("vertices")), &wanted);
    assert!(apart < 1e-5 * size, "{}: {apart} of {size}", model.name());
    // Lids are heights on the eyeball, wherever the head is.
    let lids = farthest(&vertices(face.deform().expect("vertices")), &unskinned);
    assert!(lids < 1e-4 * size, "{}: {lids}", model.name());
    for (found, look) in eyes(&face).iter().zip(&looks) {
        assert!(found.origin.distance(root.transform_point3(look.origin)) < 1e-5 * size);
        assert!(
            found.forward.distance(turn * look.forward) < 1e-4,
            "{found:?} {look:?}"
        );
        assert!(
            found.up.distance(turn * look.up) < 1e-4,
            "{found:?} {look:?}"
        );
    }
}

#[test]
fn the_world_can_be_moved() {
    skinned_vertices_follow_the_root(&sample());
    let Some(folder) = corpus::corpus("the_world_can_be_moved, real models") else {
        return;
    };
    for path in corpus::models(&folder) {
        let model = Model::open(&path).expect("a whole model");
        if model.has_vertices() {
            skinned_vertices_follow_the_root(&model);
        }
    }
}

#[test]
fn a_turned_head_takes_its_vertices_and_eyes_along() {
    let model = sample();
    let mut face = smiling(&model);
    let still = vertices(face.skin().expect("vertices"));
    let unskinned = vertices(face.deform().expect("vertices"));
    assert!(farthest(&still, &unskinned) < 1e-4, "the bind pose");
    let head = face.bone("head").expect("a bone");
    let number = model.bone("head").expect("a bone");
    let world = model.skeleton().pose().world()[number];
    // About the bone's own X, which is up.
    let turn = head.rotation * Quat::from_rotation_x(0.5);
    face.pose_bone("head", head.position, Some(turn * 3.0))
        .expect("a rotation of any length");
    let found = vertices(face.skin().expect("vertices"));
    let about = world * Affine3A::from_rotation_x(0.5) * world.inverse();
    let (mut turned, mut at) = (0, 0);
    for submodel in model.submodels() {
        for binding in submodel.bindings() {
            let (bone, count) = (usize::from(binding.bones[0]), binding.count);
            if count == 1 && bone == number {
                assert!(found[at].distance(about.transform_point3(still[at])) < 1e-4);
                turned += 1;
            } else if count == 1 && bone < number {
                assert!(found[at].distance(still[at]) < 1e-4, "below the head");
            }
            at += 1;
        }
    }
    assert!(turned > 100, "{turned}");
    let eye = face
        .eye_frames(&model.submodels()[0])
        .first()
        .copied()
        .expect("an eye");
    let straight = smiling(&model).eye_frames(&model.submodels()[0])[0];
    let forward = about.transform_vector3(straight.forward);
    assert!(eye.forward.distance(forward) < 1e-4, "{eye:?}");
}

#[test]
fn what_jiggles_swings_with_time_and_only_then() {
    let model = sample();
    let mut face = model.face();
    let place = face.bone("head").expect("a bone");
    face.swing(1.0 / 60.0);
    let still = vertices(face.skin().expect("vertices"));
    let aside = place.position + Vec3::new(0.0, 0.0, 0.5);
    face.pose_bone("head", aside, None).expect("a place");
    let goal = vertices(face.skin().expect("vertices"));
    let play = |face: &mut Face, frames: usize| {
        for _ in 0..frames {
            face.swing(1.0 / 60.0);
        }
        vertices(face.skin().expect("vertices"))
    };
    let mut other = face.clone();
    let late = play(&mut face, 3);
    assert_eq!(late, play(&mut other, 3), "the same steps, the same path");
    assert!(late.iter().all(|v| v.is_finite()));
    assert!(farthest(&goal, &still) > 0.4);
    let carried = model
        .skeleton()
        .bones()
        .iter()
        .any(|bone| bone.procedure.is_some());
    assert!(carried, "the sample has procedural bones");
    let settled = play(&mut face, 6000);
    assert!(
        farthest(&settled, &play(&mut face, 1)) < 1e-3,
        "it comes to rest"
    );
}

#[test]
fn bones_are_refused_by_name_and_number() {
    let mut face = sample().face();
    let error = face
        .pose_bone("haed", Vec3::ZERO, None)
        .expect_err("no such bone");
    assert!(matches!(error, Error::UnknownBone { .. }) && error.to_string().contains("head"));
    for (position, rotation) in [
        (Vec3::new(0.0, f32::NAN, 0.0), Quat::IDENTITY),
        (Vec3::INFINITY, Quat::IDENTITY),
        (Vec3::ZERO, Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)),
        (Vec3::ZERO, Quat::from_xyzw(0.0, f32::NAN, 0.0, 1.0)),
    ] {
        let error = face
            .pose_bone("head", position, Some(rotation))
            .expect_err("no place");
        assert!(matches!(error, Error::BonePose { .. }), "{error}");
    }
    let large = Quat::from_xyzw(0.0, 0.0, f32::MAX, f32::MAX);
    face.pose_bone("head", Vec3::ZERO, Some(large))
        .expect("a rotation");
    assert!(face.bone("head").expect("a bone").rotation.is_normalized());
}
