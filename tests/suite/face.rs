//! The facade on the sample face: sliders by name, ranges, sides, rest, delay, gaze and lids.

use flexion::{Error, Face, FaceOptions, Model, Precision, Rest};
use flexion_mdl::Name;
use glam::Vec3;

/// The sample, after `change` to its `.mdl`.
fn changed(change: impl FnOnce(&mut flexion_mdl::Mdl<'static>)) -> Model {
    let mut sample = flexion_sample::face();
    change(&mut sample.mdl);
    let [(_, mdl), (_, vvd), (_, vtx)] = sample.files();
    Model::from_bytes(&mdl, Some(&vvd), Some(&vtx)).expect("the sample face")
}

pub(crate) fn sample() -> Model {
    changed(|_| {})
}

fn raw() -> FaceOptions {
    FaceOptions {
        raw: true,
        ..FaceOptions::default()
    }
}

#[test]
fn values_are_held_to_the_range_and_keep_their_bits() {
    let mut face = sample().face();
    let inside = f32::from_bits(0x3e9a_bcde);
    face.set("JAW_DROP", inside).expect("a slider");
    assert_eq!(
        face.get("jaw_drop").expect("a slider").to_bits(),
        inside.to_bits()
    );
    face.set("eyes_updown", 400.0).expect("a slider");
    assert_eq!(face.get("eyes_updown").expect("a slider"), 30.0);
    face.set("eyes_updown", f32::NEG_INFINITY)
        .expect("a slider");
    assert_eq!(face.get("eyes_updown").expect("a slider"), -30.0);
    face.set_normalized("eyes_updown", 0.75).expect("a slider");
    assert_eq!(face.get("eyes_updown").expect("a slider"), 15.0);
    assert!(matches!(
        face.set("jaw_drop", f32::NAN),
        Err(Error::NotANumber { .. })
    ));

    let mut face = sample().face_with(raw());
    face.set("jaw_drop", 7.5).expect("a slider");
    assert_eq!(face.get("jaw_drop").expect("a slider"), 7.5);
    face.set("jaw_drop", f32::NAN).expect("anything goes");
    assert!(face.get("jaw_drop").expect("a slider").is_nan());
}

#[test]
fn odd_ranges_clamp_as_the_engine_does() {
    let model = changed(|mdl| {
        (mdl.controllers[5].min, mdl.controllers[5].max) = (0.5, 0.5);
        (mdl.controllers[6].min, mdl.controllers[6].max) = (1.0, -2.0);
    });
    let ids: Vec<_> = model.controller_ids().collect();
    let mut face = model.face();
    assert_eq!(face.sliders()[5..7], [0.5, 0.0], "at rest");
    for (value, expected) in [(9.0, 1.0), (-9.0, -2.0), (0.25, 0.25)] {
        face.set_id(ids[5], value).expect("a slider");
        face.set_id(ids[6], value).expect("a slider");
        assert_eq!(face.sliders()[5..7], [0.5, expected]);
    }
    let lowest = FaceOptions {
        rest: Rest::Min,
        ..FaceOptions::default()
    };
    let face = model.face_with(lowest);
    assert_eq!(face.sliders()[5..7], [0.5, 1.0]);
    assert_eq!(face.get("eyes_updown").expect("a slider"), -30.0);
}

#[test]
fn names_address_all_of_a_name_or_the_second_alone() {
    let model = changed(|mdl| {
        mdl.controllers[20].name = Name::from("Twin");
        mdl.controllers[21].name = Name::from("tWIN");
        mdl.controllers[22].name = Name::from("brow \u{e9} #1");
    });
    let mut face = model.face();
    face.set("twin", 0.5).expect("both");
    assert_eq!(face.sliders()[20..22], [0.5, 0.5]);
    face.set("TWIN#2", 0.25).expect("the second");
    assert_eq!(face.sliders()[20..22], [0.5, 0.25]);
    face.set("twin#1", 0.75).expect("the first");
    assert_eq!(face.sliders()[20..22], [0.75, 0.25]);
    face.set("Brow \u{e9} #1", 1.0)
        .expect("a name that looks like a number");
    assert_eq!(face.sliders()[22], 1.0);
    for wrong in ["twin#3", "twin#0", "twin#", "#2", ""] {
        let error = face.set(wrong, 1.0).expect_err(wrong);
        assert!(matches!(error, Error::UnknownController { .. }), "{error}");
    }
}

#[test]
fn sides_and_multis_go_through_the_groups() {
    let model = sample();
    let mut face = model.face();
    face.set_stereo("smile", 0.25, 0.75).expect("a group");
    assert_eq!(face.get("left_smile").expect("a slider"), 0.25);
    assert_eq!(face.get("right_smile").expect("a slider"), 0.75);
    face.set("smile", 1.0).expect("both sides");
    assert_eq!(face.get("left_smile").expect("a slider"), 1.0);
    assert_eq!(face.get("right_smile").expect("a slider"), 1.0);
    face.set_multi("viseme", 2.0).expect("a group");
    assert_eq!(face.get("multi_viseme").expect("a slider"), 2.0);
    assert!(matches!(
        face.set_stereo("jaw_drop", 1.0, 1.0),
        Err(Error::NotStereo { .. })
    ));
    assert!(matches!(
        face.set_multi("smile", 1.0),
        Err(Error::NoMulti { .. })
    ));
    let error = face
        .set_stereo("smlie", 1.0, 1.0)
        .expect_err("no such group");
    assert!(error.to_string().contains("\"smile\""), "{error}");
}

#[test]
fn sliders_without_ui_are_paired_by_name() {
    let model = changed(|mdl| {
        mdl.version = 46;
        mdl.controller_uis.clear();
    });
    let mut face = model.face();
    face.set_stereo("smile", 0.25, 0.75).expect("a pair");
    assert_eq!(face.get("left_smile").expect("a slider"), 0.25);
    assert_eq!(face.get("right_smile").expect("a slider"), 0.75);
}

#[test]
fn delayed_weights_follow() {
    let mut face = sample().face();
    face.set("cheek_puffer", 1.0).expect("a slider");
    let still = face.deform().expect("vertices")[0].positions.clone();
    // The first call starts the delay at nothing, then it catches up.
    face.advance(0.033);
    let distance = |face: &mut Face| -> f32 {
        let shape = &face.deform().expect("vertices")[0];
        let off = shape.positions.iter().zip(&still);
        off.map(|(a, b)| Vec3::from(*a).distance(Vec3::from(*b)))
            .fold(0.0, f32::max)
    };
    let mut last = distance(&mut face);
    assert!(last > 0.0, "no vertanim of the sample is slow");
    for _ in 0..10 {
        face.advance(0.033);
        let now = distance(&mut face);
        // A step of 0.033 s leaves four fifths of the way.
        assert!((now / last - 0.8).abs() < 1e-3, "{now} after {last}");
        last = now;
    }
}

#[test]
fn eyes_look_at_their_target() {
    let model = sample();
    let mut face = model.face();
    let eyes = &model.submodels()[0];
    let middle = |face: &Face| {
        let frames = face.eye_frames(eyes);
        frames.iter().map(|frame| frame.origin).sum::<Vec3>() / frames.len() as f32
    };
    let target = middle(&face) + Vec3::new(7.0, -40.0, 5.0);
    face.look_at(Some(target));
    let frames = face.eye_frames(eyes);
    assert_eq!(frames.len(), 2);
    for frame in frames {
        let wanted = (target - frame.origin).normalize();
        assert!(
            frame.forward.dot(wanted) > 0.995,
            "{frame:?} looks past {wanted}"
        );
        let axes = [frame.forward, frame.right, frame.up];
        assert!(axes.iter().all(|axis| (axis.length() - 1.0).abs() < 1e-5));
        assert!(axes[0].dot(axes[1]).abs() < 1e-5 && axes[1].dot(axes[2]).abs() < 1e-5);
    }
    // Ahead is -Y; positive sliders look down and to the character's left, +X.
    face.look_at(None);
    for frame in face.eye_frames(eyes) {
        assert!(frame.forward.y < -0.99, "{frame:?}");
    }
    face.set("eyes_updown", 20.0).expect("a slider");
    face.set("eyes_rightleft", 20.0).expect("a slider");
    for frame in face.eye_frames(eyes) {
        assert!(frame.forward.z < -0.2 && frame.forward.x > 0.2, "{frame:?}");
    }
    // However far aside or behind the target, the eyes stay in their cone.
    face.reset();
    for beside in [Vec3::new(80.0, -5.0, 0.0), Vec3::new(0.0, 50.0, 0.0)] {
        face.look_at(Some(middle(&face) + beside));
        for frame in face.eye_frames(eyes) {
            assert!(frame.forward.is_finite(), "{frame:?}");
            assert!(-frame.forward.y > 0.8, "{frame:?}");
        }
    }
}

/// Heights of the vertices that a pose moves, before and after.
fn moved(face: &mut Face) -> Vec<(f32, f32)> {
    let model = face.model().clone();
    let rest = model.submodels()[0].deformer(Precision::File).shape();
    let shape = &face.deform().expect("vertices")[0];
    let pairs = rest.positions.iter().zip(&shape.positions);
    pairs
        .filter(|(from, to)| from != to)
        .map(|(from, to)| (from[2], to[2]))
        .collect()
}

#[test]
fn lids_close_over_the_eyes_and_only_they() {
    let model = sample();
    let mut face = model.face();
    face.set("blink", 1.0).expect("a slider");
    let closed = moved(&mut face);
    let eyes = face.eye_frames(&model.submodels()[0]);
    let height = eyes[0].origin.z;
    let lowered = closed
        .iter()
        .filter(|(from, to)| *from > height && to < from)
        .count();
    assert!(
        lowered > 20,
        "only {lowered} vertices above the eyes came down"
    );
    assert!(
        closed.iter().all(|(from, _)| (from - height).abs() < 2.0),
        "lids alone move"
    );

    let without = FaceOptions {
        eyelids: false,
        ..FaceOptions::default()
    };
    let mut face = model.face_with(without);
    face.set("blink", 1.0).expect("a slider");
    assert_ne!(moved(&mut face), closed, "the lids come from the eyeballs");
}

#[test]
fn a_model_without_companions_has_weights_only() {
    let [(_, mdl), (_, vvd), _] = flexion_sample::face().files();
    let alone = Model::from_bytes(&mdl, None, None).expect("a .mdl alone");
    let mut face = alone.face();
    face.set("jaw_drop", 1.0).expect("a slider");
    assert!(face.weights().contains(&1.0));
    assert!(matches!(face.deform(), Err(Error::NoVertices)));

    let no_triangles = Model::from_bytes(&mdl, Some(&vvd), None).expect("no .vtx");
    assert!(
        no_triangles
            .submodels()
            .iter()
            .all(|s| s.meshes().iter().all(|m| m.triangles.is_empty()))
    );
    no_triangles.face().deform().expect("vertices all the same");

    let mut other = vvd.clone();
    other[8] ^= 1;
    let error = Model::from_bytes(&mdl, Some(&other), None).expect_err("another model's .vvd");
    assert!(error.to_string().contains("checksum"), "{error}");
}
