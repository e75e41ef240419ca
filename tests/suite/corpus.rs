//! Real models: all read, all pose, quickly enough to inspect; the odd ones fail as they should.

use std::time::Instant;

use allocation_counter::measure;
use flexion::{Error, Model};
use flexion_testkit::corpus::{corpus, models};

#[test]
fn every_model_opens_and_poses() {
    let Some(folder) = corpus("every_model_opens_and_poses") else {
        return;
    };
    let models = models(&folder);
    assert!(models.len() >= 17, "only {} models", models.len());
    for path in models {
        let start = Instant::now();
        let model = Model::open(&path).unwrap_or_else(|error| panic!("{error}"));
        let opened = start.elapsed();
        let mut face = model.face();
        for id in model.controller_ids() {
            face.set_id(id, model.controllers()[id.index()].max)
                .expect("a slider of this model");
        }
        let weights = face.weights();
        assert!(weights.iter().all(|weight| weight.is_finite()), "{path:?}");
        if model.has_vertices() {
            let shapes = face.deform().expect("vertices");
            let positions = shapes.iter().flat_map(|shape| &shape.positions);
            assert!(
                positions.flatten().all(|value| value.is_finite()),
                "{path:?}"
            );
            let triangles = model.submodels().iter().flat_map(|submodel| {
                let count = submodel.vertex_count();
                submodel
                    .meshes()
                    .iter()
                    .flat_map(|mesh| &mesh.triangles)
                    .inspect(move |triangle| {
                        assert!(triangle.iter().all(|&vertex| (vertex as usize) < count));
                    })
            });
            assert!(triangles.count() > 0, "{path:?} has no triangles");
        }
        println!(
            "{}: opened in {opened:?}, {} controllers, {} descriptors, {} warnings",
            path.display(),
            model.controllers().len(),
            model.descriptors().len(),
            model.warnings().len()
        );
    }
}

/// The files themselves are most of what opening takes; a ready model keeps its own copy of the deltas.
#[test]
fn opening_takes_less_than_three_times_the_files() {
    let Some(folder) = corpus("opening_takes_less_than_three_times_the_files") else {
        return;
    };
    let path = folder.join("models/tf2/hwm_civilian.mdl");
    let size = |ending: &str| {
        let file = path.with_extension(ending);
        std::fs::metadata(file).expect("a file of the model").len()
    };
    let files = size("mdl") + size("vvd") + size("dx90.vtx");
    let taken = measure(|| {
        let model = Model::open(&path).unwrap_or_else(|error| panic!("{error}"));
        std::hint::black_box(model.face());
    });
    println!(
        "hwm_civilian: {} bytes at most for {files} bytes of files, with a face of its own",
        taken.bytes_max
    );
    // An evaluator's frame is 256 KiB of address space.
    assert!(
        taken.bytes_max < 3 * files + (256 << 10),
        "{taken:?} for {files} bytes"
    );
}

#[test]
fn odd_files_get_their_own_message() {
    let Some(folder) = corpus("odd_files_get_their_own_message") else {
        return;
    };
    let cases = [
        ("zero_bytes", "empty"),
        ("lfs_pointer", "git-lfs pointer"),
        ("idsq", "sequence file"),
        ("goldsrc_v10", "GoldSrc model (version 10)"),
        ("line_endings_damaged", "line endings"),
    ];
    for (name, part) in cases {
        let path = folder.join("models/odd").join(format!("{name}.mdl"));
        let error = Model::open(&path).expect_err(name);
        assert!(matches!(error, Error::File { .. }), "{error:?}");
        let message = error.to_string();
        assert!(
            message.contains(part) && message.contains(name),
            "{message}"
        );
    }
    for name in ["flexless_v45", "flexless_v46"] {
        let path = folder.join("models/odd").join(format!("{name}.mdl"));
        let model = Model::open(&path).unwrap_or_else(|error| panic!("{error}"));
        assert!(model.controllers().is_empty() && model.rules().is_empty());
    }
}
