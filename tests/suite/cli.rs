//! The command as people run it: what it prints, where, and with which exit code.

mod bench;
mod render;
mod sheet;

use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;

use tempfile::TempDir;

/// A folder with the sample's files, and the command run in it.
pub(crate) struct Workbench {
    folder: TempDir,
}

/// The built command.
pub(crate) fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        let built = escargot::CargoBuild::new()
            .manifest_path(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../crates/flexion-cli/Cargo.toml"
            ))
            .bin("flexion")
            // That of the tests: its crates are built by now, and it draws as fast as they do.
            .args(["--profile", "test"])
            .current_target()
            .run()
            .expect("the command builds");
        built.path().to_owned()
    })
}

impl Workbench {
    /// A new folder with `face.mdl`, its companions and `poses.csv`.
    pub(crate) fn new() -> Workbench {
        let bench = Workbench {
            folder: tempfile::tempdir().expect("a temporary folder"),
        };
        bench.ok(&["sample", "."]);
        bench
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("a text file")
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), text).expect("a file");
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        std::process::Command::new(binary())
            .args(arguments)
            .current_dir(self.folder.path())
            .output()
            .expect("the command runs")
    }

    /// Runs what must go well; returns what it printed.
    pub(crate) fn ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {errors}");
        assert_eq!(errors, "", "{arguments:?}");
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    /// Runs what must fail: exit code, one clear message on stderr with all of `parts`, nothing on
    /// stdout, no file made.
    pub(crate) fn fails(&self, code: i32, arguments: &[&str], parts: &[&str]) {
        let before = self.listing();
        let output = self.run(arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
        for part in parts {
            assert!(
                message.contains(part),
                "{arguments:?}: {part:?} is not in {message:?}"
            );
        }
        assert!(!message.contains("panicked"), "{arguments:?}: {message}");
        assert_eq!(output.stdout, b"", "{arguments:?}");
        assert_eq!(
            self.listing(),
            before,
            "{arguments:?} left something behind"
        );
    }

    pub(crate) fn listing(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).expect("a folder");
        let name = |entry: std::io::Result<std::fs::DirEntry>| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        };
        let mut names: Vec<String> = entries.map(name).collect();
        names.sort();
        names
    }
}

#[test]
fn sample_writes_its_files_and_names_them() {
    let bench = Workbench::new();
    let printed = bench.ok(&["sample", "again"]);
    let names: Vec<&str> = printed.lines().collect();
    assert_eq!(
        names,
        [
            "again/face.mdl",
            "again/face.vvd",
            "again/face.dx90.vtx",
            "again/poses.csv",
            "again/talk.csv"
        ]
    );
    for name in [
        "face.mdl",
        "face.vvd",
        "face.dx90.vtx",
        "poses.csv",
        "talk.csv",
    ] {
        let (first, second) = (bench.path(name), bench.path("again").join(name));
        assert_eq!(
            std::fs::read(first).expect("a file"),
            std::fs::read(second).expect("a file"),
            "{name} differs between two runs"
        );
    }
}

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

#[test]
fn eval_writes_weights_that_read_back() {
    let bench = Workbench::new();
    let table = bench.ok(&["eval", "face.mdl", "--poses", "poses.csv"]);
    let poses = bench.read("poses.csv").lines().count();
    assert_eq!(
        table.lines().count(),
        poses,
        "a header and a row for each pose"
    );
    let columns = table.lines().next().expect("a header").split(',').count();
    for row in table.lines().skip(1) {
        assert_eq!(row.split(',').count(), columns);
        assert!(
            row.split(',').all(|value| value.parse::<f32>().is_ok()),
            "{row}"
        );
    }
    bench.ok(&[
        "eval",
        "face.mdl",
        "--poses",
        "poses.csv",
        "-o",
        "weights.csv",
    ]);
    assert_eq!(
        bench.read("weights.csv"),
        table,
        "a file and stdout hold the same"
    );
}

#[test]
fn eval_takes_tables_as_people_write_them() {
    let bench = Workbench::new();
    bench.write("plain.csv", "jaw_drop\n0.25\n");
    let plain = bench.ok(&["eval", "face.mdl", "--poses", "plain.csv"]);
    // A byte order mark, Windows line ends, another case, blanks, labels, an empty cell at rest.
    bench.write(
        "messy.csv",
        "\u{feff}name, JAW_DROP ,blink,Time\r\nopen, 0.25 ,,0\r\n",
    );
    assert_eq!(
        bench.ok(&["eval", "face.mdl", "--poses", "messy.csv"]),
        plain
    );
    // Past the end of the range, clamped or not.
    bench.write("far.csv", "jaw_drop\n7\n");
    bench.write("end.csv", "jaw_drop\n1\n");
    let clamped = bench.ok(&["eval", "face.mdl", "--poses", "far.csv"]);
    assert_eq!(
        clamped,
        bench.ok(&["eval", "face.mdl", "--poses", "end.csv"])
    );
    assert_ne!(
        clamped,
        bench.ok(&["eval", "face.mdl", "--poses", "far.csv", "--raw"])
    );
}

#[test]
fn bad_tables_are_refused_with_their_line() {
    let bench = Workbench::new();
    let cases: [(&str, &[&str]); 8] = [
        ("", &["bad.csv", "empty"]),
        (
            "jaw_drpo\n1\n",
            &[
                "bad.csv line 1",
                "column 1",
                "jaw_drpo",
                "did you mean",
                "jaw_drop",
            ],
        ),
        (
            "jaw_drop,blink\n1,2\n1\n",
            &["bad.csv line 3", "1 fields where the header has 2"],
        ),
        (
            "jaw_drop\n1\nopen\n",
            &["bad.csv line 3", "jaw_drop", "\"open\" is not a number"],
        ),
        ("jaw_drop\nNaN\n", &["bad.csv line 2", "jaw_drop", "NaN"]),
        (
            "jaw_drop,jaw_drop\n1,1\n",
            &["bad.csv line 1", "column 2 repeats \"jaw_drop\""],
        ),
        ("jaw_drop,\n1,1\n", &["bad.csv line 1", "column 2"]),
        ("jaw_drop\n\"1\n2\n", &["bad.csv line 2"]),
    ];
    for (table, parts) in cases {
        bench.write("bad.csv", table);
        bench.fails(
            1,
            &["eval", "face.mdl", "--poses", "bad.csv", "-o", "out.csv"],
            parts,
        );
    }
    bench.write("bad.csv", b"jaw_drop\n\xff\n");
    let arguments = ["eval", "face.mdl", "--poses", "bad.csv", "-o", "out.csv"];
    bench.fails(1, &arguments, &["bad.csv line 2", "UTF-8"]);
}

#[test]
fn pose_writes_a_mesh_and_a_table() {
    let bench = Workbench::new();
    let settings = ["--set", "jaw_drop=1", "--set", "smile=1"];
    let pose = |file: &str| {
        let mut arguments = vec!["pose", "face.mdl", "-o", file];
        arguments.extend(settings);
        bench.ok(&arguments);
        bench.read(file)
    };
    let obj = pose("laugh.obj");
    let count = |start: &str| obj.lines().filter(|line| line.starts_with(start)).count();
    let vertices = count("v ");
    assert!(vertices >= 2500 && count("vn ") == vertices && count("vt ") == vertices);
    assert!(count("g ") >= 4 && count("f ") > vertices);

    let tsv = pose("laugh.tsv");
    assert_eq!(tsv.lines().count(), vertices, "a line for each vertex");
    assert!(tsv.lines().all(|line| line.split('\t').count() == 10));
    bench.ok(&["pose", "face.mdl", "-o", "rest.tsv"]);
    assert_ne!(bench.read("rest.tsv"), tsv, "the pose moves something");
}

#[test]
fn pose_options_change_the_pose() {
    let bench = Workbench::new();
    let mut seen = vec![bench.tsv(&[])];
    for arguments in [
        &["--set", "smile=1"][..],
        &["--set", "smile=1,0"],
        &["--set", "smile=1", "--precision", "engine"],
        &["--set", "smile=3", "--raw", "--overdrive"],
        &["--set", "blink=1"],
        &["--set", "blink=1", "--no-eyelids"],
        &["--look", "30,-60,90"],
        &["--poses", "poses.csv", "--row", "3"],
        &["--rest", "min"],
        &["--bone", "head=3.5,0.3,0,0,0.38,0,0.92", "--skin"],
        &["--bone", "jaw=-2,0,0"],
    ] {
        let shape = bench.tsv(arguments);
        assert!(!seen.contains(&shape), "{arguments:?} changes nothing");
        seen.push(shape);
    }
}

impl Workbench {
    fn tsv(&self, arguments: &[&str]) -> String {
        let mut all = vec!["pose", "face.mdl", "-o", "shape.tsv"];
        all.extend(arguments);
        self.ok(&all);
        self.read("shape.tsv")
    }
}

#[test]
fn wrong_usage_exits_with_2() {
    let bench = Workbench::new();
    let pose = |more: &[&'static str]| [&["pose", "face.mdl", "-o", "out.obj"], more].concat();
    bench.fails(2, &[], &["Usage"]);
    bench.fails(2, &["nonsense"], &["nonsense"]);
    bench.fails(2, &pose(&["--set", "jaw_drop"]), &["NAME=VALUE"]);
    bench.fails(
        2,
        &pose(&["--set", "jaw_drop=wide"]),
        &["wide", "not a number"],
    );
    bench.fails(
        2,
        &pose(&["--set", "jaw_drpo=1"]),
        &["--set", "did you mean", "jaw_drop"],
    );
    bench.fails(2, &pose(&["--set", "jaw_drop=NaN"]), &["--set", "NaN"]);
    bench.fails(
        2,
        &pose(&["--set", "jaw_drop=1,1"]),
        &["jaw_drop", "left and right"],
    );
    bench.fails(2, &pose(&["--look", "1,2"]), &["X,Y,Z"]);
    bench.fails(2, &pose(&["--bone", "jaw=1,2"]), &["NAME=PX,PY,PZ"]);
    bench.fails(2, &pose(&["--bone", "jaw"]), &["NAME=PX,PY,PZ"]);
    bench.fails(2, &pose(&["--bone", "jaw=1,2,x"]), &["\"x\""]);
    bench.fails(
        2,
        &pose(&["--bone", "jew=1,2,3"]),
        &["--bone", "did you mean", "jaw"],
    );
    bench.fails(2, &pose(&["--bone", "jaw=1,inf,3"]), &["--bone", "finite"]);
    bench.fails(
        2,
        &pose(&["--bone", "jaw=0,0,0,0,0,0,0"]),
        &["--bone", "no length"],
    );
    bench.fails(2, &pose(&["--row", "1"]), &["--poses"]);
    bench.fails(2, &pose(&["--poses", "poses.csv", "--row", "0"]), &["0"]);
    bench.fails(2, &pose(&["--precision", "best"]), &["best"]);
    bench.fails(2, &["pose", "face.mdl", "-o", "out.png"], &[".obj or .tsv"]);
}

#[test]
fn failed_work_exits_with_1_and_leaves_nothing() {
    let bench = Workbench::new();
    bench.fails(1, &["inspect", "missing.mdl"], &["missing.mdl"]);
    bench.write("text.mdl", "not a model at all");
    bench.fails(1, &["inspect", "text.mdl"], &["text.mdl", "@0x0"]);
    let row = [
        "pose",
        "face.mdl",
        "--poses",
        "poses.csv",
        "--row",
        "9999",
        "-o",
        "out.obj",
    ];
    bench.fails(1, &row, &["poses.csv", "9999"]);
    bench.fails(
        1,
        &["pose", "face.mdl", "-o", "no/such/out.obj"],
        &["no/such/out.obj"],
    );

    let (neck, head) = ("neck=3e38,3e38,3e38", "head=3e38,3e38,3e38");
    let far = ["--bone", neck, "--bone", head, "--skin"];
    bench.fails(
        1,
        &[&["pose", "face.mdl", "-o", "out.obj"][..], &far].concat(),
        &["face.mdl", "vertex", "bone is far"],
    );

    std::fs::copy(bench.path("face.mdl"), bench.path("alone.mdl")).expect("a copy");
    bench.fails(
        1,
        &["pose", "alone.mdl", "-o", "out.obj"],
        &["alone.mdl", ".vvd"],
    );
    bench.ok(&["eval", "alone.mdl", "--poses", "poses.csv"]);

    let mut other = std::fs::read(bench.path("face.vvd")).expect("a file");
    other[8] ^= 1;
    bench.write("alone.vvd", other);
    bench.fails(
        1,
        &["pose", "alone.mdl", "-o", "out.obj"],
        &["alone.vvd", "checksum"],
    );
}

#[test]
fn companions_are_found_in_any_case() {
    let bench = Workbench::new();
    for (from, to) in [
        ("face.mdl", "Loud.mdl"),
        ("face.vvd", "LOUD.VVD"),
        ("face.dx90.vtx", "loud.Dx90.vtx"),
    ] {
        std::fs::copy(bench.path(from), bench.path(to)).expect("a copy");
    }
    bench.ok(&["pose", "Loud.mdl", "-o", "loud.obj"]);
    bench.ok(&["pose", "face.mdl", "-o", "face.obj"]);
    assert_eq!(bench.read("loud.obj"), bench.read("face.obj"));
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let bench = Workbench::new();
    let mut child = std::process::Command::new(binary())
        .args(["inspect", "face.mdl", "--json"])
        .current_dir(bench.folder.path())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the command runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the command ends");
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(output.stderr, b"");
}

#[test]
fn demo_draws_its_sheet() {
    let bench = Workbench::new();
    let printed = bench.ok(&["demo", "show"]);
    let sheet = std::fs::read(bench.path("show/expressions.png")).expect("a picture");
    assert_eq!(&sheet[..8], b"\x89PNG\r\n\x1a\n");
    for part in ["expressions.png", "flexion inspect", "flexion pose"] {
        assert!(printed.contains(part), "{part}");
    }
}

#[test]
fn outputs_never_take_the_place_of_inputs() {
    let bench = Workbench::new();
    let eval = ["eval", "face.mdl", "--poses", "poses.csv", "-o"];
    for input in ["face.mdl", "./poses.csv"] {
        let before = std::fs::read(bench.path(input)).expect("a file");
        bench.fails(
            2,
            &[&eval[..], &[input]].concat(),
            &["--output", "overwrite"],
        );
        assert_eq!(std::fs::read(bench.path(input)).expect("a file"), before);
    }
}

#[cfg(unix)]
#[test]
fn outputs_go_through_symbolic_links() {
    let bench = Workbench::new();
    bench.write("real.tsv", "old");
    std::os::unix::fs::symlink("real.tsv", bench.path("link.tsv")).expect("a link");
    std::os::unix::fs::symlink("later.tsv", bench.path("dangling.tsv")).expect("a link");
    std::os::unix::fs::symlink("/proc/self/fd/1", bench.path("out.tsv")).expect("a link");
    bench.ok(&["pose", "face.mdl", "-o", "link.tsv"]);
    bench.ok(&["pose", "face.mdl", "-o", "dangling.tsv"]);
    let printed = bench.ok(&["pose", "face.mdl", "-o", "out.tsv"]);
    for link in ["link.tsv", "dangling.tsv", "out.tsv"] {
        let data = std::fs::symlink_metadata(bench.path(link)).expect("the link");
        assert!(data.is_symlink(), "{link} was replaced");
    }
    assert_eq!(bench.read("real.tsv"), printed);
    assert_eq!(bench.read("later.tsv"), printed);
    let piped = bench.ok(&["pose", "face.mdl", "--format", "tsv", "-o", "-"]);
    assert_eq!(piped, printed);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure_and_not_a_panic() {
    let bench = Workbench::new();
    let full = || {
        std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .expect("the full device")
    };
    let run = |arguments: &[&str], stdout: std::process::Stdio| {
        let mut command = std::process::Command::new(binary());
        command.args(arguments).current_dir(bench.folder.path());
        command.stdout(stdout).stderr(full());
        command.status().expect("the command runs").code()
    };
    assert_eq!(run(&["inspect", "missing.mdl"], full().into()), Some(1));
    assert_eq!(run(&["rules", "face.mdl"], full().into()), Some(1));
    let unknown = ["pose", "face.mdl", "-o", "x.obj", "--set", "zz=1"];
    assert_eq!(run(&unknown, std::process::Stdio::null()), Some(2));
    let arguments = [
        "eval",
        "face.mdl",
        "--poses",
        "poses.csv",
        "-o",
        "/dev/full",
    ];
    bench.fails(1, &arguments, &["/dev/full"]);
}

#[test]
fn companions_matter_only_to_what_needs_them() {
    let bench = Workbench::new();
    std::fs::remove_file(bench.path("face.dx90.vtx")).expect("the file goes");
    bench.fails(
        1,
        &["pose", "face.mdl", "-o", "x.obj"],
        &["face.mdl", ".vtx"],
    );
    bench.ok(&["pose", "face.mdl", "-o", "x.tsv"]);

    let mut vertices = std::fs::read(bench.path("face.vvd")).expect("a file");
    // The first vertex's position, after a header of 64 bytes and 16 of bone weights.
    vertices[80..84].copy_from_slice(&f32::NAN.to_le_bytes());
    bench.write("face.vvd", &vertices);
    bench.fails(
        1,
        &["pose", "face.mdl", "-o", "y.tsv"],
        &["face.mdl", "vertex 0", "NaN"],
    );

    bench.write("face.vvd", "");
    bench.fails(
        1,
        &["pose", "face.mdl", "-o", "y.tsv"],
        &["face.vvd", "empty"],
    );
    bench.ok(&["eval", "face.mdl", "--poses", "poses.csv"]);
    bench.ok(&["rules", "face.mdl"]);
}
