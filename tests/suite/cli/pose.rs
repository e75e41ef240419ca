//! One pose as a mesh or a table.

use super::Workbench;

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
