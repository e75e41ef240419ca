//! Deltas to vertices: the product's deformer and the slow reference of the test kit on the same weights.
//!
//! | id | what is timed |
//! |---|---|
//! | `deform/one/<activity>/flexion-fp16/<face>` | one pose, deltas as in the file |
//! | `deform/one/<activity>/flexion-i16/<face>` | one pose, deltas as engines hold them |
//! | `deform/one/<activity>/next-fp16/<face>`, `…/next-i16/…` | the same into a shape that holds the pose before |
//! | `deform/one/<activity>/reference-fp16/<face>`, `…/reference-i16/…` | the same with an engine's loop |
//! | `deform/one/copy/<face>` | the limit: a copy of as many bytes as a pose writes |
//! | `deform/frames/<which>-<backend>/<face>/frames=<n>` | many frames to memory, positions and normals |
//! | `deform/frames/reference/<face>/frames=<n>` | the same with an engine's loop, frame by frame |
//! | `deform/frames/copy/<face>/frames=<n>` | the limit: a copy of what `all` writes |
//!
//! Activities are `all-active` and `six-active`. A pose is positions, normals, tangents and wrinkles of all models
//! of the face. The rate of `all-active` and `six-active` is delta rows of active flexes, that of `copy` bytes.
//! Frames are `all` vertices or those that are `flexed`; their rate is frames. Weights of frames come from the rules,
//! so that a few flexes of each are active, other ones in each frame.

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use flexion::deform::{
    Deformer, Error, FrameScratch, FrameVertices, FrameWeights, FramesMut, RampMode, Weights,
};
use flexion::{Backend, Model, Precision, Shape};
use flexion_benches::{Activity, Deltas, MEASUREMENT, SAMPLES, Subject, WARM_UP, subjects};
use flexion_testkit::rigs;

fn one_pose(criterion: &mut Criterion) {
    for subject in &subjects("deform") {
        let Some(deltas) = Deltas::of(subject) else {
            continue;
        };
        let model = subject.model();
        let converted = deltas.converted();
        for activity in Activity::BOTH {
            let weights = deltas.weights(activity);
            let rows = deltas.active_rows(&weights);
            let mut group = criterion.benchmark_group(format!("deform/one/{}", activity.name()));
            group.throughput(Throughput::Elements(rows as u64));
            let kinds = [
                ("fp16", Precision::File, &deltas),
                ("i16", Precision::Engine, &converted),
            ];
            for (kind, precision, deltas) in kinds {
                let id = |who: &str| BenchmarkId::new(format!("{who}-{kind}"), &subject.name);
                let mut product = |who, apply: Apply| {
                    product(&mut group, id(who), &model, precision, &weights, apply)
                };
                product("flexion", Deformer::apply_to);
                product("next", Deformer::apply_next);
                reference(&mut group, id("reference"), deltas, &weights);
            }
            group.finish();
        }
        copy(criterion, &subject.name, &model);
    }
}

/// How the product poses a shape.
type Apply = fn(&Deformer, Weights<'_>, RampMode, &mut Shape) -> Result<(), Error>;

fn product(
    group: &mut BenchmarkGroup<'_, WallTime>,
    id: BenchmarkId,
    model: &Model,
    precision: Precision,
    weights: &[f32],
    apply: Apply,
) {
    let deformers = model.submodels().iter().map(|s| s.deformer(precision));
    let mut deformers: Vec<_> = deformers.map(|d| (d, d.shape())).collect();
    let weights = Weights::still(weights);
    group.bench_function(id, |bencher| {
        bencher.iter(|| {
            for (deformer, shape) in &mut deformers {
                apply(deformer, weights, RampMode::Saturate, shape)
                    .expect("a weight per descriptor");
                black_box(shape);
            }
        });
    });
}

fn reference(
    group: &mut BenchmarkGroup<'_, WallTime>,
    id: BenchmarkId,
    deltas: &Deltas,
    weights: &[f32],
) {
    let mut shapes = deltas.shapes();
    group.bench_function(id, |bencher| {
        bencher.iter(|| {
            deltas.pose(weights, &mut shapes);
            black_box(&mut shapes);
        });
    });
}

fn copy(criterion: &mut Criterion, name: &str, model: &Model) {
    let shapes = model.submodels().iter();
    let shapes = shapes.map(|submodel| submodel.deformer(Precision::File).shape());
    let floats = |shape: Shape| {
        let vertices = shape.positions.len();
        vertices * 3 + shape.normals.len() * 3 + shape.tangents.len() * 4 + shape.wrinkles.len()
    };
    let from = vec![1.0f32; shapes.map(floats).sum()];
    let mut to = vec![2.0f32; from.len()];
    let mut group = criterion.benchmark_group("deform/one");
    group.throughput(Throughput::Bytes(size_of_val(&from[..]) as u64));
    group.bench_function(BenchmarkId::new("copy", name), |bencher| {
        bencher.iter(|| {
            to.copy_from_slice(black_box(&from));
            black_box(&mut to);
        });
    });
    group.finish();
}

/// Frames of a call: some 30 MB of output for most faces, more than caches hold.
const FRAMES: usize = 256;

fn many_frames(criterion: &mut Criterion) {
    for subject in &subjects("deform") {
        let Some(deltas) = Deltas::of(subject) else {
            continue;
        };
        let model = subject.model();
        let weights = weights_of_frames(subject, &model);
        let mut group = criterion.benchmark_group("deform/frames");
        group.throughput(Throughput::Elements(FRAMES as u64));
        let id = |who: String| {
            BenchmarkId::new(
                format!("{who}/{}", subject.name),
                format!("frames={FRAMES}"),
            )
        };
        for backend in Backend::available() {
            for (which, vertices) in [
                ("all", FrameVertices::All),
                ("flexed", FrameVertices::Flexed),
            ] {
                let id = id(format!("{which}-{backend}"));
                frames(
                    &mut group,
                    id,
                    &model.with_backend(backend),
                    vertices,
                    &weights,
                );
            }
        }
        let mut shapes = deltas.shapes();
        group.bench_function(id("reference".to_owned()), |bencher| {
            bencher.iter(|| {
                for weights in weights.chunks_exact(model.descriptors().len()) {
                    deltas.pose(weights, &mut shapes);
                    black_box(&mut shapes);
                }
            });
        });
        let from = vec![[1.0_f32; 3]; 2 * FRAMES * deltas.vertices()];
        let mut to = from.clone();
        group.bench_function(id("copy".to_owned()), |bencher| {
            bencher.iter(|| {
                to.copy_from_slice(black_box(&from));
                black_box(&mut to);
            });
        });
        group.finish();
    }
}

/// The weights of many poses, one after another.
fn weights_of_frames(subject: &Subject, model: &Model) -> Vec<f32> {
    let mut face = model.face();
    let mut weights = Vec::new();
    for pose in rigs::poses(&subject.rig(), FRAMES) {
        face.set_all(&pose).expect("a value per slider");
        weights.extend_from_slice(face.weights());
    }
    weights
}

fn frames(
    group: &mut BenchmarkGroup<'_, WallTime>,
    id: BenchmarkId,
    model: &Model,
    vertices: FrameVertices,
    weights: &[f32],
) {
    let mut parts: Vec<_> = model
        .submodels()
        .iter()
        .map(|submodel| {
            let deformer = submodel
                .deformer(Precision::File)
                .with_backend(model.backend());
            let stride = match vertices {
                FrameVertices::All => deformer.vertices(),
                FrameVertices::Flexed => deformer.flexed().len(),
            };
            let buffer = vec![[0.0_f32; 3]; FRAMES * stride];
            (deformer, stride, buffer.clone(), buffer)
        })
        .collect();
    let weights = FrameWeights::still(FRAMES, weights);
    let mut scratch = FrameScratch::default();
    group.bench_function(id, |bencher| {
        bencher.iter(|| {
            for (deformer, stride, positions, normals) in &mut parts {
                let out = FramesMut {
                    positions: Some(positions),
                    normals: Some(normals),
                    stride: *stride,
                    vertices,
                    ..FramesMut::default()
                };
                deformer
                    .apply_frames(weights, RampMode::Saturate, out, &mut scratch)
                    .expect("buffers that fit");
                black_box((positions, normals));
            }
        });
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(WARM_UP)
        .measurement_time(MEASUREMENT)
        .sample_size(SAMPLES);
    targets = one_pose, many_frames
}
criterion_main!(benches);
