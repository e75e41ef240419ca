//! A frame of a face, from sliders to a PNG, and how its time is split.
//!
//! | id | what is timed |
//! |---|---|
//! | `render/stage-pose/<face>` | sliders to vertices and the scene |
//! | `render/stage-fingerprint/<face>` | that, and the hash that tells whether the frame is there |
//! | `render/stage-draw/<face>` | pose and picture at 512x512, 2x2 samples a pixel |
//! | `render/stage-png/<face>` | a picture to the bytes of a PNG |
//! | `render/frames/<face>/threads=<n>` | all of it, on one thread and on all; the rate is frames |

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use flexion::render::{Size, Software};
use flexion::{Face, Portrait, PortraitOptions};
use flexion_benches::{MEASUREMENT, SAMPLES, WARM_UP, subjects};
use flexion_testkit::rigs;
use rayon::prelude::*;

/// Pixels along each side.
const SIDE: u32 = 512;
/// Frames of a round of `render/frames`.
const FRAMES: usize = 16;

fn stages(criterion: &mut Criterion) {
    for subject in &subjects("render") {
        let model = subject.model();
        let size = Size::new(SIDE, SIDE).expect("a size");
        // Models without vertices or triangles have no picture.
        let Ok(portrait) = Portrait::new(&model, PortraitOptions::new(size)) else {
            continue;
        };
        let poses = rigs::poses(&subject.rig(), FRAMES);
        let (mut face, mut renderer) = (model.face(), Software::default());
        let mut next = poses.iter().cycle();
        let mut turn = move |face: &mut Face| {
            let pose = next.next().expect("a pose");
            face.set_all(pose).expect("a value per slider");
        };
        let mut group = criterion.benchmark_group("render");
        group.throughput(Throughput::Elements(1));
        let id = |stage: &str| BenchmarkId::new(stage, &subject.name);
        group.bench_function(id("stage-pose"), |bencher| {
            bencher.iter(|| {
                turn(&mut face);
                let seen = portrait.scene(&mut face, |scene, _| black_box(scene).surfaces.len());
                black_box(seen.expect("a scene"));
            });
        });
        group.bench_function(id("stage-fingerprint"), |bencher| {
            bencher.iter(|| {
                turn(&mut face);
                let hash = portrait.scene(&mut face, |scene, size| scene.fingerprint(size, 2));
                black_box(hash.expect("a scene"));
            });
        });
        group.bench_function(id("stage-draw"), |bencher| {
            bencher.iter(|| {
                turn(&mut face);
                black_box(portrait.draw(&mut face, &mut renderer).expect("a picture"));
            });
        });
        let image = portrait.draw(&mut face, &mut renderer).expect("a picture");
        group.bench_function(id("stage-png"), |bencher| {
            bencher.iter(|| black_box(image.to_png(&[]).expect("a PNG")));
        });
        group.throughput(Throughput::Elements(FRAMES as u64));
        for threads in [1, rayon::current_num_threads()] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().expect("threads");
            let id = BenchmarkId::new(
                format!("frames/{}", subject.name),
                format!("threads={threads}"),
            );
            group.bench_function(id, |bencher| {
                bencher.iter(|| {
                    pool.install(|| {
                        poses.par_iter().for_each_init(
                            || (model.face(), Software::default()),
                            |(face, renderer), pose| {
                                face.set_all(pose).expect("a value per slider");
                                let image = portrait.draw(face, renderer).expect("a picture");
                                black_box(image.to_png(&[]).expect("a PNG"));
                            },
                        );
                    });
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
    targets = stages
}
criterion_main!(benches);
