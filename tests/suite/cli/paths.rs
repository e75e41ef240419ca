//! Which files are read, and where outputs land.

use super::Workbench;

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
