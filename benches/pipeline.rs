//! The whole way: sliders to vertices.
//!
//! | id | what is timed |
//! |---|---|
//! | `pipeline/one/face/<face>` | one pose of a [`flexion::Face`]: rules, eyelids, vertices |
//! | `pipeline/one/reference/<face>` | rules and vertices as engines compute them, without eyelids |
//! | `pipeline/batch-<outputs>/<face>/poses=<n>` | a batch of poses of a [`flexion::Batch`]: `weights`, positions and normals (`mesh`), or `all` |
//!
//! The first two hold deltas as engines do. Poses change from one to the next; their rate is vertices, that of
//! batches poses.

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use flexion::{BatchOptions, FaceOptions, Outputs, Precision};
use flexion_benches::{Deltas, MEASUREMENT, SAMPLES, Subject, WARM_UP, subjects};
use flexion_testkit::reference::{self, Checks, Rig};
use flexion_testkit::rigs;

/// Enough that no branch predictor learns them by heart.
const POSES: usize = 256;

fn one_pose(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("pipeline/one");
    for subject in &subjects("pipeline") {
        let Some(deltas) = Deltas::of(subject) else {
            continue;
        };
        let rig = subject.rig();
        let poses = rigs::poses(&rig, POSES);
        group.throughput(Throughput::Elements(deltas.vertices() as u64));
        face(&mut group, subject, &poses);
        engine(&mut group, &subject.name, &rig, &deltas.converted(), &poses);
    }
    group.finish();
}

fn face(group: &mut BenchmarkGroup<'_, WallTime>, subject: &Subject, poses: &[Vec<f32>]) {
    let options = FaceOptions {
        precision: Precision::Engine,
        ..FaceOptions::default()
    };
    let mut face = subject.model().face_with(options);
    let mut poses = poses.iter().cycle();
    group.bench_function(BenchmarkId::new("face", &subject.name), |bencher| {
        bencher.iter(|| {
            let pose = poses.next().expect("a pose");
            face.set_all(pose).expect("a value per slider");
            black_box(face.deform().expect("vertices"));
        });
    });
}

fn engine(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    rig: &Rig,
    deltas: &Deltas,
    poses: &[Vec<f32>],
) {
    let mut weights = vec![0.0; rig.descriptors];
    let mut shapes = deltas.shapes();
    let mut poses = poses.iter().cycle();
    group.bench_function(BenchmarkId::new("reference", name), |bencher| {
        bencher.iter(|| {
            let pose = poses.next().expect("a pose");
            reference::eval(rig, Checks::Shipped, pose, &mut weights);
            deltas.pose(&weights, &mut shapes);
            black_box(&mut shapes);
        });
    });
}

fn batches(criterion: &mut Criterion) {
    for subject in &subjects("pipeline") {
        let model = subject.model();
        let poses = rigs::poses(&subject.rig(), POSES);
        let mut group = criterion.benchmark_group("pipeline");
        group.throughput(Throughput::Elements(POSES as u64));
        for (name, outputs) in [
            ("weights", Outputs::WEIGHTS),
            ("mesh", Outputs::MESH),
            ("all", Outputs::ALL),
        ] {
            if outputs != Outputs::WEIGHTS && !model.has_vertices() {
                continue;
            }
            let mut batch = model.batch_with(BatchOptions {
                outputs,
                ..BatchOptions::default()
            });
            let id = format!("batch-{name}/{}", subject.name);
            group.bench_function(BenchmarkId::new(id, format!("poses={POSES}")), |bencher| {
                bencher.iter(|| {
                    let taken = batch.run(poses.iter(), |frames| {
                        black_box(frames);
                        Ok::<(), flexion::Error>(())
                    });
                    black_box(taken.expect("poses that fit"));
                });
            });
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(WARM_UP)
        .measurement_time(MEASUREMENT)
        .sample_size(SAMPLES);
    targets = one_pose, batches
}
criterion_main!(benches);
