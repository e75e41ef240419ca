//! Finds of the fuzz targets, replayed: `regressions/TARGET/*` are the inputs.

use std::fs;
use std::path::Path;

use flexion_tests::targets;

/// A fuzz target's function.
type Target = fn(&[u8]);

#[test]
fn old_finds_stay_fixed() {
    let targets: [(&str, Target); 5] = [
        ("mdl", targets::mdl),
        ("vvd", targets::vvd),
        ("vtx", targets::vtx),
        ("rules", targets::rules),
        ("pipeline", targets::pipeline),
    ];
    for (name, target) in targets {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("regressions")
            .join(name);
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
        let mut replayed = 0;
        for entry in entries {
            let path = entry.expect("an entry").path();
            println!("{}", path.display());
            target(&fs::read(&path).expect("a find"));
            replayed += 1;
        }
        assert!(replayed > 0, "{folder:?} is empty");
    }
}
