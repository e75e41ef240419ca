//! `flexion render`: frames and animations, resumed, in shards, and what it refuses.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::BufReader;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::{Workbench, binary};

const TRACK: &str = "time,jaw_drop,smile,eyes_rightleft\n0,0,0,0\n0.2,1,0,20\n0.4,0,1,-20\n";
/// What makes frames quick.
const SMALL: [&str; 2] = ["--size", "48x40"];

fn workbench() -> Workbench {
    let bench = Workbench::new();
    bench.write("track.csv", TRACK);
    bench
}

fn render<'a>(output: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["render", "face.mdl", "-o", output], &SMALL[..], more].concat()
}

fn track<'a>(output: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    render(output, &[&["--poses", "track.csv"], more].concat())
}

/// All files of a folder but manifests.
fn frames(bench: &Workbench, folder: &str) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(bench.path(folder)).expect("a folder");
    entries
        .map(|entry| entry.expect("an entry"))
        .filter(|entry| {
            entry
                .path()
                .extension()
                .is_none_or(|ending| ending != "json")
        })
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, fs::read(entry.path()).expect("a file"))
        })
        .collect()
}

fn size(bench: &Workbench, file: &str) -> (u32, u32, Option<u32>) {
    let file = BufReader::new(File::open(bench.path(file)).expect("a file"));
    let reader = png::Decoder::new(file).read_info().expect("a PNG");
    let info = reader.info();
    (
        info.width,
        info.height,
        info.animation_control.map(|control| control.num_frames),
    )
}

#[test]
fn a_track_becomes_numbered_frames_and_a_manifest() {
    let bench = workbench();
    bench.ok(&track("out", &[]));
    let made = frames(&bench, "out");
    let names: Vec<&str> = made.keys().map(String::as_str).collect();
    assert_eq!(names.len(), 13);
    assert_eq!(
        (names[0], names[12]),
        ("frame_00000.png", "frame_00012.png")
    );
    assert_eq!(size(&bench, "out/frame_00003.png"), (48, 40, None));
    let manifest: serde_json::Value =
        serde_json::from_str(&bench.read("out/frames.json")).expect("JSON");
    assert_eq!(manifest["count"], 13);
    assert_eq!(manifest["size"], serde_json::json!([48, 40]));
    assert_eq!(manifest["pattern"], "frame_%05d.png");
    let distinct: std::collections::BTreeSet<_> = made.values().collect();
    assert_eq!(distinct.len(), 13, "every frame moves");
}

#[test]
fn shards_threads_ranges_and_patterns_make_the_same_frames() {
    let bench = workbench();
    bench.ok(&track("whole", &["--threads", "1"]));
    let whole = frames(&bench, "whole");
    for shard in ["1/3", "3/3", "2/3"] {
        bench.ok(&track("shards", &["--shard", shard, "--threads", "2"]));
    }
    assert_eq!(frames(&bench, "shards"), whole);
    assert!(bench.path("shards/frames.2-of-3.json").is_file());
    bench.ok(&track("part/%03d.png", &["--frames", "4-6"]));
    let part = frames(&bench, "part");
    assert_eq!(part.len(), 3);
    assert_eq!(
        part["005.png"], whole["frame_00005.png"],
        "the delay is that of the whole"
    );
    bench.ok(&track("end", &["--frames", "11-"]));
    assert_eq!(frames(&bench, "end").len(), 2);
    bench.ok(&track("one.png", &["--frames", "5"]));
    assert_eq!(size(&bench, "one.png"), (48, 40, None));
}

#[test]
fn frames_that_are_there_and_match_are_kept() {
    let bench = workbench();
    bench.ok(&track("out", &[]));
    let whole = frames(&bench, "out");
    let stamp = |name: &str| {
        let data = fs::metadata(bench.path("out").join(name)).expect("a file");
        data.modified().expect("a time")
    };
    let (gone, damaged, kept) = ("frame_00002.png", "frame_00007.png", "frame_00009.png");
    let before = stamp(kept);
    fs::remove_file(bench.path("out").join(gone)).expect("a file");
    bench.write(&format!("out/{damaged}"), &whole[damaged][..60]);
    std::thread::sleep(Duration::from_millis(20));
    bench.ok(&track("out", &[]));
    assert_eq!(frames(&bench, "out"), whole);
    assert_eq!(stamp(kept), before, "it was made again");
    bench.ok(&track("out", &["--overwrite"]));
    assert!(stamp(kept) > before, "it was kept");
    // Only what another pose shows is made again.
    bench.write("track.csv", TRACK.replace("0.4,0,1", "0.4,1,1"));
    let before = stamp("frame_00000.png");
    bench.ok(&track("out", &[]));
    assert_eq!(stamp("frame_00000.png"), before);
    assert_ne!(
        frames(&bench, "out")["frame_00012.png"],
        whole["frame_00012.png"]
    );
    // And all of them under another light.
    bench.ok(&track("out", &["--view", "side"]));
    assert!(stamp("frame_00000.png") > before);
}

#[test]
fn what_killed_runs_left_is_swept_away() {
    let bench = workbench();
    fs::create_dir(bench.path("out")).expect("a folder");
    for name in [
        "out/.flexion-old.tmp",
        "out/.flexion-new.tmp",
        "out/mine.tmp",
    ] {
        bench.write(name, "half a frame");
        if !name.contains("new") {
            let file = File::options()
                .write(true)
                .open(bench.path(name))
                .expect("a file");
            let hour = Duration::from_secs(3600);
            file.set_modified(std::time::SystemTime::now() - hour)
                .expect("a time");
        }
    }
    bench.ok(&track("out", &[]));
    let there = |name: &str| bench.path("out").join(name).exists();
    assert!(!there(".flexion-old.tmp"));
    assert!(there(".flexion-new.tmp"), "another run may be writing it");
    assert!(there("mine.tmp"));
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_whole_files_and_goes_on() {
    let bench = workbench();
    bench.write("long.csv", "frame,jaw_drop\n0,0\n600,1\n");
    let arguments = [
        "render", "face.mdl", "--poses", "long.csv", "--size", "96x96", "-o",
    ];
    let whole = [&arguments[..], &["whole"]].concat();
    let parts = [&arguments[..], &["parts"]].concat();
    let mut child = Command::new(binary())
        .args(&parts)
        .current_dir(bench.path("."))
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    while !bench.path("parts/frame_00003.png").exists() {
        std::thread::sleep(Duration::from_millis(2));
    }
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.expect("kill runs").success());
    let status = child.wait().expect("an end");
    let mut said = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().expect("stderr"), &mut said)
        .expect("text");
    assert_eq!(status.code(), Some(1), "{said}");
    assert!(said.contains("interrupted"), "{said}");
    assert!(!bench.path("parts/frames.json").exists());
    let some = frames(&bench, "parts");
    assert!(some.len() < 601, "all {} frames", some.len());
    bench.ok(&whole);
    let all = frames(&bench, "whole");
    for (name, bytes) in &some {
        assert_eq!(bytes, &all[name], "{name}");
    }
    bench.ok(&parts);
    assert_eq!(frames(&bench, "parts"), all);
}

#[test]
fn animations_hold_all_frames_in_one_file() {
    let bench = workbench();
    bench.ok(&track("face.apng", &[]));
    assert_eq!(size(&bench, "face.apng"), (48, 40, Some(13)));
    bench.ok(&track("face.gif", &["--background", "transparent"]));
    let gif = fs::read(bench.path("face.gif")).expect("a file");
    assert!(gif.starts_with(b"GIF89a"));
    bench.ok(&track("named.bin", &["--format", "apng", "--threads", "1"]));
    let [one, two] =
        ["face.apng", "named.bin"].map(|name| fs::read(bench.path(name)).expect("one"));
    assert_eq!(one, two);
    // To a pipe too.
    let output = bench.run(&track(
        "-",
        &["--format", "gif", "--background", "transparent"],
    ));
    assert!(output.status.success());
    assert_eq!(output.stdout, gif);
}

#[test]
fn one_pose_is_one_picture() {
    let bench = workbench();
    bench.ok(&render("smile.png", &["--set", "smile=1"]));
    bench.ok(&render("rest.png", &["--set", "smile=0"]));
    let [one, two] = ["smile.png", "rest.png"].map(|name| fs::read(bench.path(name)).expect("one"));
    assert_ne!(one, two);
    bench.ok(&track("held", &["--set", "smile=1", "--frames", "0"]));
    assert!(frames(&bench, "held").contains_key("frame_00000.png"));
    bench.write("poses.json", r#"{"poses": [{"sliders": {"smile": 1}}]}"#);
    bench.ok(&render("json.png", &["--poses", "poses.json"]));
    assert_eq!(fs::read(bench.path("json.png")).expect("one"), one);
}

#[test]
fn wrong_usage_is_refused() {
    let bench = workbench();
    let cases: &[(&str, &[&str], &str)] = &[
        ("x.png", &["--poses", "track.csv"], "13 frames"),
        ("x%d%d.png", &["--poses", "track.csv"], "pattern"),
        ("x%s.png", &["--poses", "track.csv"], "pattern"),
        ("x%05d.jpg", &["--poses", "track.csv"], "pattern"),
        ("x%99d.png", &["--poses", "track.csv"], "pattern"),
        (
            "x.gif",
            &["--poses", "track.csv", "--shard", "1/2"],
            "--shard",
        ),
        ("-", &["--poses", "track.csv"], "--format"),
        (
            "x",
            &["--poses", "track.csv", "--frames", "5-13"],
            "0 to 12",
        ),
        (
            "x",
            &["--poses", "track.csv", "--frames", "5-3"],
            "ends before",
        ),
        ("x", &["--poses", "track.csv", "--shard", "3/2"], "I/N"),
        ("x", &["--poses", "track.csv", "--shard", "0/2"], "I/N"),
        ("x", &["--poses", "track.csv", "--fps", "0"], "0.1 to 1000"),
        (
            "x",
            &["--poses", "track.csv", "--fps", "NaN"],
            "0.1 to 1000",
        ),
        (
            "x",
            &["--set", "smile=1", "--size", "20000x20000"],
            "20000x20000",
        ),
        ("x", &["--set", "smile=1", "--size", "0x5"], "0x5"),
        ("x", &["--set", "smile=1", "--size", "5"], "WIDTHxHEIGHT"),
        (
            "x",
            &["--set", "smile=1", "--view", "0,0,0"],
            "unknown view",
        ),
        ("x", &["--set", "smile=1", "--zoom", "0"], "0.01"),
        (
            "x",
            &["--set", "smile=1", "--background", "#12"],
            "unknown colour",
        ),
        (
            "x",
            &["--set", "smile=1", "--background", "#ééé"],
            "unknown colour",
        ),
        ("x", &["--set", "smile=1", "--antialias", "9"], "antialias"),
        ("x", &["--set", "smlie=1"], "did you mean \"smile\""),
        ("x", &["--set", "smile=NaN"], "NaN"),
        ("x", &["--set", "smile=1", "--texture", "face"], "NAME=FILE"),
        (
            "x",
            &["--set", "smile=1", "--interpolate", "cubic"],
            "catmull-rom",
        ),
        ("x", &[], "--poses"),
    ];
    for (output, more, part) in cases {
        let arguments = ["render", "face.mdl", "-o", output];
        bench.fails(2, &[&arguments[..], more].concat(), &[part]);
    }
}

#[test]
fn bad_data_is_refused_and_leaves_nothing() {
    let bench = workbench();
    bench.write("wrong.csv", "time,jaw_drop,smlie\n0,0,0\n");
    bench.write("nan.csv", "time,jaw_drop\n0,0\n\n1,nan\n");
    bench.write("empty.csv", "");
    bench.write("no.png", "no picture");
    fs::copy(bench.path("face.mdl"), bench.path("bare.mdl")).expect("a copy");
    let poses = |file: &'static str| render("x", &["--poses", file]);
    bench.fails(
        1,
        &poses("wrong.csv"),
        &["wrong.csv line 1", "column 3", "smile"],
    );
    bench.fails(1, &poses("nan.csv"), &["nan.csv line 4", "jaw_drop", "NaN"]);
    bench.fails(1, &poses("empty.csv"), &["empty.csv line 1", "empty"]);
    bench.fails(1, &poses("none.csv"), &["none.csv", "No such file"]);
    let texture = |text: &'static str| render("x", &["--set", "smile=1", "--texture", text]);
    bench.fails(1, &texture("hair=no.png"), &["no.png", "cannot be read"]);
    bench.fails(1, &texture("hair=none.png"), &["none.png", "No such file"]);
    bench.ok(&render("tile.png", &["--set", "smile=1"]));
    bench.fails(
        2,
        &texture("hiar=tile.png"),
        &["hiar", "did you mean \"hair\""],
    );
    let bare = ["render", "bare.mdl", "--set", "smile=1", "-o", "x.png"];
    bench.fails(1, &bare, &[".vvd"]);
    // Nor may a frame take the place of what is read.
    let eats = render(
        "tile.png",
        &["--set", "smile=1", "--texture", "hair=tile.png"],
    );
    bench.fails(2, &eats, &["overwrite"]);
    fs::rename(bench.path("tile.png"), bench.path("frame_00001.png")).expect("a new name");
    let eats = track("frame_%05d.png", &["--texture", "hair=frame_00001.png"]);
    bench.fails(2, &eats, &["overwrite"]);
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let bench = workbench();
    fs::create_dir(bench.path("shut")).expect("a folder");
    let mode = |mode: u32| {
        let permissions = fs::Permissions::from_mode(mode);
        fs::set_permissions(bench.path("shut"), permissions).expect("permissions");
    };
    mode(0o555);
    // Whoever is root may write anywhere.
    if fs::write(bench.path("shut/probe"), "").is_ok() {
        eprintln!("a_folder_that_cannot_be_written_is_told: skipped, permissions do not bind here");
    } else {
        bench.fails(1, &track("shut", &[]), &["shut", "denied"]);
    }
    mode(0o755);
    bench.write("file", "");
    bench.fails(1, &track("file/below", &[]), &["file/below"]);
}

/// A shake of the head.
const SHAKE: &str = "time,bone,rx\n0,head,0\n0.1,head,30\n0.3,head,-30\n0.4,head,0\n";

#[test]
fn bones_move_what_is_drawn_and_shards_make_the_same() {
    let bench = workbench();
    bench.write("shake.csv", SHAKE);
    bench.ok(&render("still", &["--set", "smile=0"]));
    bench.ok(&render("turned", &["--bone", "head=3.5,0.3,0,0.5,0,0,1"]));
    assert_ne!(frames(&bench, "still"), frames(&bench, "turned"));

    let shake = ["--bones", "shake.csv", "--jiggle"];
    bench.ok(&render("whole", &shake));
    let whole = frames(&bench, "whole");
    assert_eq!(whole.len(), 13, "as long as the bones move");
    assert_ne!(whole["frame_00003.png"], whole["frame_00009.png"]);
    for shard in ["1/2", "2/2"] {
        bench.ok(&render(
            "parts",
            &[&shake[..], &["--shard", shard]].concat(),
        ));
    }
    assert_eq!(frames(&bench, "parts"), whole);
    bench.ok(&track("talking", &shake));
    assert_ne!(
        frames(&bench, "talking"),
        whole,
        "sliders move beside bones"
    );
    bench.ok(&track("late", &[&shake[..], &["--no-delay"]].concat()));
    assert_ne!(frames(&bench, "late"), frames(&bench, "talking"));
}

#[test]
fn wrong_bones_are_refused() {
    let bench = workbench();
    bench.write("shake.csv", SHAKE);
    bench.write("wrong.csv", "time,bone,rx\n0,head,0\n\n1,hand,5\n");
    let bones = |more: &[&'static str]| render("out", more);
    bench.fails(
        1,
        &bones(&["--bones", "wrong.csv"]),
        &["wrong.csv", "line 4", "hand"],
    );
    bench.fails(1, &bones(&["--bones", "none.csv"]), &["none.csv"]);
    bench.fails(2, &bones(&["--bone", "hand=1,2,3"]), &["--bone", "hand"]);
    bench.fails(
        2,
        &bones(&["--bone", "Head=1,2,3", "--bones", "shake.csv"]),
        &["--bone", "--bones"],
    );
    bench.fails(2, &bones(&["--jiggle"]), &["--poses"]);
    assert!(!bench.path("out").exists());
}
