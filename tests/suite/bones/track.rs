//! Bones over time: the table, what is between its keys, and frames of it.

use flexion::bones::Local;
use flexion::{
    BoneKey, BoneTrack, DEFAULT_FPS, Interpolation, Model, PlayedFrame, PoseTrack, Rest,
    TrackError, TrackPlayer,
};
use glam::{Quat, Vec3};

use crate::face::sample;

fn csv(model: &Model, text: &str) -> Result<BoneTrack, TrackError> {
    BoneTrack::from_csv(text.as_bytes(), model, DEFAULT_FPS)
}

/// Where a bone is at a time.
fn local(model: &Model, track: &BoneTrack, time: f64, how: Interpolation, bone: &str) -> Local {
    let mut pose = model.skeleton().pose();
    track.at(time, how, &mut pose);
    pose.locals()[model.bone(bone).expect("a bone")]
}

#[test]
fn what_a_table_leaves_out_is_as_in_the_bind_pose() {
    let model = sample();
    let number = model.bone("head").expect("a bone");
    let bind = &model.skeleton().bones()[number];
    let text = "time,bone,px,rx,rz\r\n0,HEAD,,,\r\n0,neck,,90,\r\n1,head,2.5,,30\r\n";
    let track = csv(&model, text).expect("a track");
    assert_eq!((track.start(), track.end()), (0.0, 1.0));
    assert!(track.moves(number) && !track.moves(0));
    let start = local(&model, &track, 0.0, Interpolation::Linear, "head");
    assert_eq!(start.position, bind.position);
    assert!(start.rotation.angle_between(bind.rotation) < 1e-3);
    let end = local(&model, &track, 5.0, Interpolation::Linear, "head");
    assert_eq!(end.position, bind.position.with_x(2.5));
    let turned = bind.rotation * Quat::from_rotation_z(30_f32.to_radians());
    assert!(end.rotation.angle_between(turned) < 1e-3);
    // The same as a quaternion, in frames.
    let [x, y, z, w] = (turned * 2.0).to_array();
    let text = format!("frame,bone,qx,qy,qz,qw\n45,head,{x},{y},{z},{w}\n");
    let other = csv(&model, &text).expect("a track");
    assert_eq!(other.end(), 1.5);
    let found = local(&model, &other, 0.0, Interpolation::Linear, "head");
    assert!(found.rotation.angle_between(turned) < 1e-3);
    assert!(found.rotation.is_normalized());
}

#[test]
fn between_keys_bones_go_straight_and_turn_the_shorter_way() {
    let model = sample();
    let bone = model.bone("neck").expect("a bone");
    let turn = Quat::from_rotation_y(1.0);
    let key = |time, position: Vec3, rotation| BoneKey {
        time,
        bone,
        local: Local { position, rotation },
    };
    let keys = [
        key(0.0, Vec3::ZERO, Quat::IDENTITY),
        key(1.0, Vec3::new(2.0, 0.0, -4.0), -turn),
    ];
    let track = BoneTrack::new(keys, &model).expect("a track");
    for how in [Interpolation::Linear, Interpolation::CatmullRom] {
        let found = local(&model, &track, 0.25, how, "neck");
        assert!(found.position.distance(Vec3::new(0.5, 0.0, -1.0)) < 1e-6);
        assert!(found.rotation.angle_between(Quat::from_rotation_y(0.25)) < 1e-3);
    }
    let held = local(&model, &track, 0.99, Interpolation::Step, "neck");
    assert_eq!(held.position, Vec3::ZERO);
    let wrong = [
        key(f64::NAN, Vec3::ZERO, turn),
        key(1e300, Vec3::ZERO, turn),
        key(0.0, Vec3::NAN, turn),
        key(0.0, Vec3::ZERO, Quat::from_array([0.0; 4])),
        BoneKey {
            bone: 999,
            ..key(0.0, Vec3::ZERO, turn)
        },
    ];
    for key in wrong {
        let error = BoneTrack::new([key], &model).expect_err("no key");
        assert!(error.problem.starts_with("key 1: "), "{error}");
    }
    assert!(BoneTrack::new([], &model).is_err());
}

#[test]
fn wrong_tables_of_bones_are_told_where() {
    let model = sample();
    let cases: &[(&str, Option<u64>, &str)] = &[
        ("", Some(1), "empty"),
        ("time,bone,px\n", None, "no key"),
        ("time,bone\n0,head\n", Some(1), "no column moves"),
        ("\n\ntime,bone,pz,jaw\n0,head,1,1\n", Some(3), "\"jaw\""),
        ("time,bone,px,PX\n0,head,1,1\n", Some(1), "repeats px"),
        ("bone,px\nhead,1\n", Some(1), "time or frame"),
        ("time,frame,bone,px\n0,0,head,1\n", Some(1), "time or frame"),
        ("time,px\n0,1\n", Some(1), "column bone"),
        ("time,bone,qx,qy\n0,head,0,1\n", Some(1), "all of qx"),
        ("time,bone,px\n0,haed,1\n", Some(2), "did you mean"),
        ("time,bone,px\n0,,1\n", Some(2), "bone is empty"),
        ("time,bone,px\n,head,1\n", Some(2), "time is empty"),
        ("time,bone,px\n0,head,far\n", Some(2), "px \"far\""),
        ("time,bone,px\n0,head,nan\n", Some(2), "not a finite"),
        ("time,bone,px\n0,head,1e39\n", Some(2), "not finite"),
        ("time,bone,px\n0,head\n", Some(2), "2 fields"),
        (
            "time,bone,px\n1,head,1\n0.5,neck,1\n0.5,head,1\n",
            Some(4),
            "comes after 1",
        ),
        (
            "time,bone,qx,qy,qz,qw\n0,head,0,0,0,0\n",
            Some(2),
            "no length",
        ),
        (
            "time,bone,qx,qy,qz,qw\n0,head,0,0,,1\n",
            Some(2),
            "some are empty",
        ),
        (
            "time,bone,qx,qy,qz,qw,rx\n0,head,0,0,0,1,5\n",
            Some(2),
            "which?",
        ),
    ];
    for (text, line, part) in cases {
        let error = csv(&model, text).expect_err(text);
        assert_eq!(error.line, *line, "{text:?}: {error}");
        assert!(error.to_string().contains(part), "{text:?}: {error}");
    }
}

#[test]
fn frames_of_bones_can_be_reached_alone_and_shown_by_any_face() {
    let model = sample();
    let track = "time,jaw_drop\n0,0\n1,1\n";
    let track = PoseTrack::from_csv(track.as_bytes(), &model, Rest::Zero, 30.0).expect("a track");
    let shake = csv(
        &model,
        "time,bone,rz,px\n0,head,0,\n0.3,head,30,\n0.6,head,-30,\n0,jaw,0,-2\n",
    )
    .expect("bones");
    let play = |jiggles: bool| -> Vec<PlayedFrame> {
        let player = TrackPlayer::new(&track, Interpolation::Linear, 30.0, model.face());
        let player = player.bones(&shake);
        let player = if jiggles { player.jiggle() } else { player };
        player.map(|frame| frame.expect("a frame")).collect()
    };
    let [still, swinging] = [play(false), play(true)];
    let bones = |frame: &PlayedFrame| frame.bones.clone().expect("bones");
    let springs: Vec<usize> = (model.skeleton().bones().iter().enumerate())
        .filter(|(_, bone)| matches!(bone.procedure, Some(flexion::bones::Procedure::Jiggle(_))))
        .map(|(number, _)| number)
        .collect();
    assert!(!springs.is_empty());
    let mut swung = 0.0_f32;
    for (still, swinging) in still.iter().zip(&swinging) {
        let [still, swinging] = [bones(still), bones(swinging)];
        for bone in 0..still.world().len() {
            let [a, b] = [&still, &swinging].map(|pose| pose.world()[bone]);
            assert!(b.is_finite());
            if springs.contains(&bone) {
                swung = swung.max((a.matrix3.y_axis - b.matrix3.y_axis).length());
                swung = swung.max((a.translation - b.translation).length());
            }
        }
    }
    assert!(swung > 0.01, "what has springs swings: {swung}");
    // The jaw's bone opens the mouth, whatever the track says of the slider that it drives.
    let slider = model.controller("jaw_bone").expect("a slider");
    assert!(still[0].sliders[slider.index()] > 0.5);
    let again = TrackPlayer::new(&track, Interpolation::Linear, 30.0, model.face());
    let again = again.bones(&shake).jiggle().nth(9).expect("a frame");
    assert_eq!(again.expect("a frame"), swinging[9]);
    // A face in another state shows the same bits once the frame is put on it.
    let (mut face, mut other) = (model.face(), model.face());
    other.pose_bone("neck", Vec3::ONE, None).expect("a bone");
    let mut shown = Vec::new();
    for face in [&mut face, &mut other] {
        swinging[9].pose(face).expect("a pose");
        let shapes = face.skin().expect("vertices");
        shown.push(
            shapes
                .iter()
                .map(|s| s.positions.clone())
                .collect::<Vec<_>>(),
        );
    }
    assert_eq!(shown[0], shown[1]);
}
