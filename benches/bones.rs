//! Bones of a face: the pass over the skeleton, and the vertices that follow it.
//!
//! | id | what is timed |
//! |---|---|
//! | `bones/place/<face>` | a turned head: the forward pass with procedural bones, no time passing |
//! | `bones/step/<face>` | the same, and a sixtieth of a second for what jiggles |
//! | `bones/skin/<face>` | sliders and a turned head to skinned vertices |
//! | `bones/poses/<face>/threads=<n>` | skeletons placed for many poses, on one thread and on all; the rate is poses |

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use flexion::Model;
use flexion::bones::SkeletonPose;
use flexion_benches::{MEASUREMENT, SAMPLES, WARM_UP, subjects};
use flexion_testkit::rigs;
use glam::Quat;
use rayon::prelude::*;

/// Poses of a round of `bones/poses`.
const POSES: usize = 1024;

/// Turns the bone of the head, or the last that is no root, a little further each time.
fn turn(model: &Model, pose: &mut SkeletonPose, number: usize) {
    let bones = model.skeleton().bones();
    let is_head = |name: &str| name.to_ascii_lowercase().contains("head");
    let head = bones.iter().position(|bone| is_head(&bone.name));
    let bone = head.unwrap_or(bones.len() - 1);
    let angle = (number % 64) as f32 / 64.0 - 0.5;
    pose.local_mut(bone).rotation = bones[bone].rotation * Quat::from_rotation_x(angle);
}

fn bones(criterion: &mut Criterion) {
    for subject in &subjects("bones") {
        let model = subject.model();
        let skeleton = model.skeleton();
        if skeleton.bones().is_empty() {
            continue;
        }
        let mut group = criterion.benchmark_group("bones");
        let id = |stage: &str| BenchmarkId::new(stage, &subject.name);
        group.throughput(Throughput::Elements(skeleton.bones().len() as u64));
        let (mut pose, mut number) = (skeleton.pose(), 0);
        group.bench_function(id("place"), |bencher| {
            bencher.iter(|| {
                number += 1;
                turn(&model, &mut pose, number);
                skeleton.place(&mut pose);
                black_box(pose.world());
            });
        });
        group.bench_function(id("step"), |bencher| {
            bencher.iter(|| {
                number += 1;
                turn(&model, &mut pose, number);
                skeleton.step(&mut pose, 1.0 / 60.0);
                black_box(pose.world());
            });
        });
        if model.has_vertices() {
            let poses = rigs::poses(&subject.rig(), 16);
            let mut face = model.face();
            group.throughput(Throughput::Elements(1));
            group.bench_function(id("skin"), |bencher| {
                bencher.iter(|| {
                    number += 1;
                    let sliders = &poses[number % poses.len()];
                    face.set_all(sliders).expect("a value per slider");
                    face.pose_bones(|pose| turn(&model, pose, number));
                    black_box(face.skin().expect("vertices"));
                });
            });
        }
        group.throughput(Throughput::Elements(POSES as u64));
        for threads in [1, rayon::current_num_threads()] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().expect("threads");
            let id = BenchmarkId::new(
                format!("poses/{}", subject.name),
                format!("threads={threads}"),
            );
            group.bench_function(id, |bencher| {
                let place = |pose: &mut SkeletonPose, number: usize| {
                    turn(&model, pose, number);
                    skeleton.place(pose);
                    black_box(pose.world());
                };
                let all = || {
                    let numbers = (0..POSES).into_par_iter();
                    numbers.for_each_init(|| skeleton.pose(), place);
                };
                bencher.iter(|| pool.install(all));
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
    targets = bones
}
criterion_main!(benches);
