//! The sample face and the demo.

use super::Workbench;

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
fn demo_draws_its_sheet() {
    let bench = Workbench::new();
    let printed = bench.ok(&["demo", "show"]);
    let sheet = std::fs::read(bench.path("show/expressions.png")).expect("a picture");
    assert_eq!(&sheet[..8], b"\x89PNG\r\n\x1a\n");
    for part in ["expressions.png", "flexion inspect", "flexion pose"] {
        assert!(printed.contains(part), "{part}");
    }
}
