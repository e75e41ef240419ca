//! Pose tracks, layers and the delay over a track.

use flexion::{
    ControllerId, DEFAULT_FPS, Interpolation, Key, LayerMode, Layers, Model, PoseTrack, Rest,
    TrackError, TrackPlayer, blink,
};
use proptest::prelude::*;

use crate::face::sample;

const ALL: [Interpolation; 3] = [
    Interpolation::Step,
    Interpolation::Linear,
    Interpolation::CatmullRom,
];

fn csv(model: &Model, text: &str) -> Result<PoseTrack, TrackError> {
    PoseTrack::from_csv(text.as_bytes(), model, Rest::Zero, DEFAULT_FPS)
}

fn json(model: &Model, text: &str) -> Result<PoseTrack, TrackError> {
    PoseTrack::from_json(text.as_bytes(), model, Rest::Zero)
}

fn value(model: &Model, track: &PoseTrack, seconds: f64, how: Interpolation, name: &str) -> f32 {
    let mut sliders = vec![f32::NAN; model.controllers().len()];
    track.at(seconds, how, &mut sliders);
    assert!(sliders.iter().all(|slider| slider.is_finite()));
    sliders[model.controller(name).expect("a slider").index()]
}

#[test]
fn a_table_is_a_track_in_seconds_in_frames_or_in_rows() {
    let model = sample();
    let seconds = csv(&model, "time,name,jaw_drop\n0.5,a,0\n1.5,,1\n").expect("a track");
    assert_eq!(seconds.times(), [0.5, 1.5]);
    assert_eq!((seconds.name(0), seconds.name(1)), (Some("a"), None));
    let frames = csv(&model, "jaw_drop,frame\n0,15\n1,45\n").expect("a track");
    assert_eq!(frames.times(), seconds.times());
    let rows = csv(&model, "jaw_drop\n0\n\n1\n").expect("a track");
    assert_eq!(rows.times(), [0.0, 1.0 / 30.0]);
    for (time, jaw) in [(0.0, 0.0), (0.5, 0.0), (1.0, 0.5), (1.5, 1.0), (9.0, 1.0)] {
        let found = value(&model, &seconds, time, Interpolation::Linear, "jaw_drop");
        assert_eq!(found, jaw, "{time}");
    }
}

#[test]
fn json_says_the_same_as_a_table() {
    let model = sample();
    let table = csv(
        &model,
        "time,name,jaw_drop,smile\n0,,0,0\n0.5,open,1,\n1,,,0.25\n",
    );
    let text = r#"{"fps": 2, "poses": [
        {"sliders": {}},
        {"name": "open", "frame": 1, "sliders": {"jaw_drop": 1}},
        {"sliders": {"smile": 0.25}}]}"#;
    assert_eq!(json(&model, text), table);
}

#[test]
fn wrong_tables_and_json_are_told_where() {
    let model = sample();
    let cases: &[(&str, Option<u64>, &str)] = &[
        ("", Some(1), "empty"),
        ("time,jaw_drop\n", None, "no pose"),
        ("\n\ntime,jaw_dorp\n0,1\n", Some(3), "jaw_drop"),
        (
            "time,jaw_drop\n0,1\n\n\n1,x\n",
            Some(5),
            "\"x\" is not a number",
        ),
        ("time,jaw_drop\n0,1\n1,nan\n", Some(3), "NaN"),
        ("time,jaw_drop\nsoon,1\n", Some(2), "time \"soon\""),
        ("time,jaw_drop\n,1\n", Some(2), "time is empty"),
        ("time,jaw_drop\ninf,1\n", Some(2), "not a finite number"),
        ("time,jaw_drop\n1,1\n0.5,1\n", Some(3), "0.5 comes after 1"),
        ("time,frame,jaw_drop\n1,1,1\n", Some(1), "which?"),
        ("\n\ntime,frame,jaw_drop\n1,1,1\n", Some(3), "which?"),
        ("time,jaw_drop\r0,1\r\r1,x\r", Some(4), "\"x\""),
        ("time,jaw_drop\r\n0,1\r\n\r\n1,x\r\n", Some(4), "\"x\""),
        ("time,jaw_drop\n0,1\n1e300,1\n", Some(3), "beyond"),
        ("time,jaw_drop\n-1e300,1\n0,1\n", Some(2), "beyond"),
        ("time,jaw_drop\n0,1,2\n", Some(2), "3 fields"),
        ("time,jaw_drop\n0,1\n\n1,\"2\n3\n", Some(4), "quote"),
        ("time,jaw_drop,Jaw_Drop\n0,1,1\n", Some(1), "repeats"),
    ];
    for (text, line, part) in cases {
        let error = csv(&model, text).expect_err(text);
        assert_eq!(error.line, *line, "{text:?}: {error}");
        assert!(error.to_string().contains(part), "{text:?}: {error}");
    }
    let cases: &[(&str, Option<u64>, &str)] = &[
        ("", Some(1), "EOF"),
        ("{\"poses\": []}", None, "no pose"),
        ("{\"poses\": [{}],\n\"speed\": 2}", Some(2), "speed"),
        ("{\"poses\": [{\"time\": 0, \"frame\": 0}]}", None, "which?"),
        ("{\"fps\": 0, \"poses\": [{}]}", None, "fps is 0"),
        (
            "{\"poses\": [{}, {\"name\": \"a\", \"sliders\": {\"jaw\": 1}}]}",
            None,
            "pose 2 (\"a\")",
        ),
        (
            "{\"poses\": [{\"sliders\": {\"smile\": 1,\n \"Smile\": 0}}]}",
            Some(2),
            "twice",
        ),
        (
            "{\"poses\": [{\"sliders\": {\"smile\": 1e60}}]}",
            Some(1),
            "too large",
        ),
        ("{\"poses\": [{\"time\": 1}, {\"time\": 0}]}", None, "key 2"),
        ("{\"poses\": [{\"time\": 1e300}]}", None, "beyond"),
    ];
    for (text, line, part) in cases {
        let error = json(&model, text).expect_err(text);
        assert_eq!(error.line, *line, "{text:?}: {error}");
        assert!(error.to_string().contains(part), "{text:?}: {error}");
    }
}

#[test]
fn lines_end_with_lf_cr_lf_or_cr() {
    let model = sample();
    let text = "time,name,jaw_drop\n0,\"a\",0\n\n1,b,1\n2,c,0.5";
    let track = csv(&model, text).expect("a track");
    for end in ["\r", "\r\n", "\n\r"] {
        assert_eq!(csv(&model, &text.replace('\n', end)), Ok(track.clone()));
    }
    // An end that falls between two reads is one end all the same.
    let text = text.replace('\n', "\r\n");
    for buffer in 1..8 {
        let input = std::io::BufReader::with_capacity(buffer, text.as_bytes());
        let found = PoseTrack::from_csv(input, &model, Rest::Zero, DEFAULT_FPS);
        assert_eq!(found, Ok(track.clone()), "{buffer}");
    }
}

#[test]
fn a_name_for_one_slider_goes_before_one_for_two() {
    let model = sample();
    let two = (model.controllers().iter())
        .filter_map(|slider| slider.name.strip_prefix("left_"))
        .find(|name| {
            model
                .controllers_named(name)
                .is_ok_and(|ids| ids.len() == 2)
        })
        .expect("a pair of sliders");
    let text =
        |pair: &[String; 2]| format!("{{\"poses\": [{{\"sliders\": {{{}}}}}]}}", pair.join(","));
    let mut pair = [format!("\"left_{two}\": 0.75"), format!("\"{two}\": 0.25")];
    for _ in 0..2 {
        let track = json(&model, &text(&pair)).expect("a track");
        for (name, wanted) in [("left", 0.75), ("right", 0.25)] {
            let name = format!("{name}_{two}");
            assert_eq!(
                value(&model, &track, 0.0, Interpolation::Step, &name),
                wanted
            );
        }
        pair.reverse();
    }
}

#[test]
fn rounded_times_meet_their_frames() {
    let model = sample();
    let text = "time,name,jaw_drop\n0,rest,0\n0.033333,half,0.5\n0.066667,open,1\n";
    let track = csv(&model, text).expect("a track");
    assert_eq!(track.frame_count(30.0), 3);
    for (frame, wanted) in [(0, 0.0), (1, 0.5), (2, 1.0)] {
        let time = track.frame_time(frame, 30.0);
        for how in ALL {
            // A third of a microsecond past a key is on the way to the next.
            let found = value(&model, &track, time, how, "jaw_drop");
            assert!((found - wanted).abs() < 1e-4, "{how:?} {frame}: {found}");
        }
        let key = track.key_at(time);
        assert_eq!(
            track.name(key),
            ["rest", "half", "open"].get(frame as usize).copied()
        );
    }
    let last = csv(&model, "time,jaw_drop\n0,0\n0.033333,1\n").expect("a track");
    assert_eq!(last.frame_count(30.0), 2);
}

#[test]
fn keys_a_hair_apart_give_numbers_and_far_times_an_end() {
    let model = sample();
    let track = csv(&model, "time,jaw_drop\n0,0\n1e-45,1\n2e-45,0\n1,1\n").expect("a track");
    for how in ALL {
        for time in [-1.0, 0.0, 1e-45, 1.5e-45, 1e-7, 1e-5, 0.5, 1.0, 2.0] {
            let found = value(&model, &track, time, how, "jaw_drop");
            assert!((-0.5..=1.5).contains(&found), "{how:?} {time}: {found}");
        }
    }
    let long = csv(&model, "time,jaw_drop\n-1e9,0\n1e9,1\n").expect("a track");
    assert_eq!(long.frame_count(f64::MAX), u64::MAX);
    assert_eq!(
        value(&model, &long, 0.0, Interpolation::Linear, "jaw_drop"),
        0.5
    );
}

#[test]
fn a_player_ends_with_its_first_error() {
    let model = sample();
    let track = csv(&model, "time,jaw_drop\n0,0\n1,1\n").expect("a track");
    let jaw = model.controller("jaw_drop").expect("a slider");
    let mut player =
        TrackPlayer::new(&track, Interpolation::Linear, 30.0, model.face()).hold([(jaw, f32::NAN)]);
    assert!(player.next().is_some_and(|frame| frame.is_err()));
    assert!(player.next().is_none() && player.next().is_none());
}

#[test]
fn a_quote_that_is_never_closed_does_not_swallow_a_file() {
    let model = sample();
    let text = format!("time,jaw_drop\n0,\"{}", "1\n".repeat(1 << 20));
    let error = csv(&model, &text).expect_err("an open quote");
    assert_eq!(error.line, Some(2), "{error}");
}

/// Keys of one slider in rising order, two of which may fall together.
fn keys(slider: ControllerId) -> impl Strategy<Value = Vec<Key>> {
    proptest::collection::vec((0.0..0.7_f64, -1.0..2.0_f32), 1..9).prop_map(move |steps| {
        let mut time = -0.5;
        let key = |(step, value): (f64, f32)| {
            time += if step < 0.1 { 0.0 } else { step };
            Key {
                time,
                name: None,
                sliders: vec![(slider, value)],
            }
        };
        steps.into_iter().map(key).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn tracks_pass_their_keys_and_stay_between_them(
        keys in keys(sample().controller("jaw_drop").expect("a slider")),
        part in 0.0..1.0_f64,
    ) {
        let model = sample();
        let track = PoseTrack::new(keys.clone(), &model, Rest::Zero).expect("a track");
        let at = |seconds, how| value(&model, &track, seconds, how, "jaw_drop");
        for (number, key) in keys.iter().enumerate() {
            // Of keys that fall together the last holds.
            let is_last = keys.get(number + 1).is_none_or(|next| next.time > key.time);
            if is_last {
                for how in ALL {
                    prop_assert_eq!(at(key.time, how), key.sliders[0].1);
                }
            }
        }
        for pair in keys.windows(2) {
            let between = pair[0].time + part * (pair[1].time - pair[0].time);
            if between >= pair[1].time {
                continue;
            }
            let [a, b] = [pair[0].sliders[0].1, pair[1].sliders[0].1];
            prop_assert_eq!(at(between, Interpolation::Step), a);
            let linear = at(between, Interpolation::Linear);
            prop_assert!(linear >= a.min(b) - 1e-6 && linear <= a.max(b) + 1e-6);
        }
    }

    #[test]
    fn frames_are_those_of_their_numbers(fps in 1.0..120.0_f64, seconds in 0.0..3.0_f64) {
        let model = sample();
        let text = format!("time,jaw_drop\n0,0\n{seconds},1\n");
        let track = csv(&model, &text).expect("a track");
        let count = track.frame_count(fps);
        prop_assert!(track.frame_time(count - 1, fps) <= seconds + 1e-5);
        prop_assert!(track.frame_time(count, fps) > seconds);
        let all: Vec<_> = TrackPlayer::new(&track, Interpolation::Linear, fps, model.face())
            .collect::<Result<_, _>>()
            .expect("frames");
        prop_assert_eq!(all.len() as u64, count);
        let again = TrackPlayer::new(&track, Interpolation::Linear, fps, model.face()).last();
        prop_assert_eq!(again.map(Result::ok), Some(all.last().cloned()));
    }
}

#[test]
fn catmull_rom_goes_straight_through_even_steps_and_swings_past_a_peak() {
    let model = sample();
    let straight = csv(&model, "time,jaw_drop\n0,0\n1,0.25\n2,0.5\n3,0.75\n").expect("a track");
    for tenth in 0..=30 {
        let time = f64::from(tenth) / 10.0;
        let found = value(
            &model,
            &straight,
            time,
            Interpolation::CatmullRom,
            "jaw_drop",
        );
        assert!(
            (f64::from(found) - time / 4.0).abs() < 1e-6,
            "{time}: {found}"
        );
    }
    let peak = csv(&model, "time,jaw_drop\n0,0\n1,1\n1.5,1\n3,0\n").expect("a track");
    let past = value(&model, &peak, 1.25, Interpolation::CatmullRom, "jaw_drop");
    assert!(past > 1.0, "{past}");
}

#[test]
fn the_delay_shows_and_a_frame_can_be_reached_alone() {
    let model = sample();
    let track = csv(&model, "time,jaw_drop,smile\n0,0,0\n0.1,1,1\n1,1,1\n").expect("a track");
    let play = || TrackPlayer::new(&track, Interpolation::Linear, 30.0, model.face());
    let frames: Vec<_> = play().map(|frame| frame.expect("a frame")).collect();
    let mut face = model.face();
    let lag = |number: usize, face: &mut flexion::Face| -> f32 {
        frames[number].pose(face).expect("a pose");
        let current = face.weights().to_vec();
        let delayed = &frames[number].delayed;
        let gaps = current.iter().zip(delayed).map(|(c, d)| (c - d).abs());
        gaps.fold(0.0, f32::max)
    };
    assert_eq!(lag(0, &mut face), 0.0, "a track begins still");
    assert!(
        lag(3, &mut face) > 0.2,
        "weights that rise leave the delayed behind"
    );
    assert!(lag(30, &mut face) < 0.02, "which catch up");
    // By the formula: what is left of the gap after each frame is 0.8 to the frames' length over 0.033.
    let keep = 0.8_f32.powf((1.0 / 30.0) as f32 / 0.033);
    let mut delayed = frames[3].delayed.clone();
    for frame in &frames[4..8] {
        frame.pose(&mut face).expect("a pose");
        for (delayed, current) in delayed.iter_mut().zip(face.weights()) {
            *delayed = *delayed * keep + current * (1.0 - keep);
        }
        assert_eq!(frame.delayed, delayed);
    }
    // A face in another state shows the same bits once the frame is put on it.
    let mut other = model.face();
    other.set("blink", 1.0).expect("a slider");
    other.advance(0.1);
    frames[3].pose(&mut other).expect("a pose");
    frames[3].pose(&mut face).expect("a pose");
    let [one, two] = [&mut face, &mut other].map(|face| face.deform().expect("shapes").to_vec());
    for (one, two) in one.iter().zip(&two) {
        assert_eq!(one.positions, two.positions);
    }
}

#[test]
fn held_sliders_stay_whatever_the_track_says() {
    let model = sample();
    let track = csv(&model, "time,jaw_drop\n0,0\n1,1\n").expect("a track");
    let jaw = model.controller("jaw_drop").expect("a slider");
    let player = TrackPlayer::new(&track, Interpolation::Linear, 4.0, model.face());
    for frame in player.hold([(jaw, 0.25)]) {
        assert_eq!(frame.expect("a frame").sliders[jaw.index()], 0.25);
    }
}

#[test]
fn layers_blend_add_and_leave_no_trace() {
    let model = sample();
    let [jaw, smile] = ["jaw_drop", "presser"].map(|name| model.controller(name).expect("one"));
    let base: Vec<f32> = model.controllers().iter().map(|c| c.clamp(0.3)).collect();
    let mut layers = Layers::new(&base);
    let plain = layers.sliders();
    layers
        .set("talk", LayerMode::Replace, 0.5, [(jaw, 1.0)])
        .expect("a layer");
    layers
        .set("twitch", LayerMode::Add, 0.5, [(jaw, 0.2), (smile, 0.2)])
        .expect("a layer");
    let sliders = layers.sliders();
    let close = |found: f32, wanted: f32| assert!((found - wanted).abs() < 1e-6, "{found}");
    close(sliders[jaw.index()], 0.65 + 0.1);
    close(sliders[smile.index()], 0.3 + 0.1);
    assert!(layers.set_weight("talk", 1.0).expect("a number"));
    close(layers.sliders()[jaw.index()], 1.0 + 0.1);
    assert!(layers.set_weight("twitch", 0.0).expect("a number"));
    assert_eq!(layers.sliders()[jaw.index()], 1.0);
    assert!(layers.release("talk") && !layers.release("talk"));
    assert_eq!(layers.sliders(), plain, "released without trace");
    assert!(layers.set_weight("talk", f32::NAN).is_err());
    assert!(
        !layers.set_weight("talk", 1.0).expect("a number"),
        "there is none"
    );
}

#[test]
fn a_blink_shuts_and_opens_by_the_formula() {
    assert_eq!(blink(0.0, 0.2), 0.0);
    assert_eq!(blink(-1.0, 0.2), 0.0);
    assert_eq!(blink(0.1, 0.0), 0.0);
    assert_eq!(blink(f32::NAN, 0.2), 0.0);
    let highest = (1..200)
        .map(|at| blink(0.001 * at as f32, 0.2))
        .fold(0.0, f32::max);
    assert!(highest > 0.99 && highest <= 1.0, "{highest}");
    // u = cos(pi/4), v = 2 sqrt(u), folded at 1.
    let half = 2.0 - 2.0 * std::f32::consts::FRAC_1_SQRT_2.sqrt();
    assert!((blink(0.1, 0.2) - half).abs() < 1e-6);
}
