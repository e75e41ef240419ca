//! Exit codes, and nothing half-written.

use super::{Workbench, binary};

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
