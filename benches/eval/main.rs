//! Rule evaluation: the compiled program, the slow reference of the test kit and fidget on the same poses.
//!
//! | id | what is timed |
//! |---|---|
//! | `eval/one/compiled/<face>` | one pose through the compiled program |
//! | `eval/one/reference/<face>` | the same through the slow reference, which is what engines do |
//! | `eval/one/fidget-vm/<face>`, `…/fidget-jit/…` | the same formulas in fidget, interpreted and as machine code |
//! | `eval/batch-<backend>/<face>/poses=<n>` | many poses, rows in and out |
//! | `eval/batch-planar-<backend>/<face>/poses=<n>` | the same, a plane per slider and weight |
//! | `eval/batch-in-place-<backend>/<face>/poses=<n>` | a block of poses that never leaves the cache, sliders changed between |
//! | `eval/batch-threads/<face>/poses=<n>` | rows on all threads, with the widest backend |
//! | `eval/batch-fidget-vm/<face>/poses=<n>`, `…-jit/…` | planes through fidget |
//! | `eval/batch-copy/<face>/poses=<n>` | the limit: a copy of the same rows, sliders and weights |
//!
//! The rate is poses. What a batch is to be compared with besides is `eval/one/reference`, which is no faster with
//! many poses. Faces are the sample, two made-up rigs (`arithmetic`, `combination`) and the corpus.

mod batch;
mod case;
mod peer;

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use fidget_core::eval::MathFunction;
use fidget_core::vm::VmFunction;
use flexion_benches::{MEASUREMENT, SAMPLES, WARM_UP};
use flexion_rules::Evaluator;
use flexion_testkit::reference::{self, Checks};

use case::{Case, POSES};
use peer::Formula;

fn eval(criterion: &mut Criterion) {
    let cases = case::cases();
    let mut group = criterion.benchmark_group("eval/one");
    group.throughput(Throughput::Elements(1));
    for case in &cases {
        one_pose(&mut group, case);
    }
    group.finish();
    let mut group = criterion.benchmark_group("eval");
    for case in &cases {
        batch::many_poses(&mut group, case);
    }
    group.finish();
}

fn one_pose(group: &mut BenchmarkGroup<'_, WallTime>, case: &Case) {
    let mut poses = case.poses.iter().cycle();
    let mut next = || poses.next().expect("a pose");

    let mut evaluator = Evaluator::new(&case.program());
    group.bench_function(BenchmarkId::new("compiled", &case.name), |bencher| {
        bencher.iter(|| black_box(evaluator.eval(next()))[0]);
    });

    let mut weights = vec![0.0; case.rig.descriptors];
    group.bench_function(BenchmarkId::new("reference", &case.name), |bencher| {
        bencher.iter(|| {
            reference::eval(&case.rig, Checks::Shipped, next(), &mut weights);
            black_box(&weights)[0]
        });
    });

    let Some(formula) = case.formula() else {
        return;
    };
    one_pose_peer::<VmFunction>(group, "fidget-vm", case, &formula);
    #[cfg(all(unix, any(target_arch = "x86_64", target_arch = "aarch64")))]
    one_pose_peer::<fidget_jit::JitFunction>(group, "fidget-jit", case, &formula);
}

/// Formulas are made ready only for ids that the filter lets through: the machine code takes its time.
fn one_pose_peer<F: MathFunction>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    case: &Case,
    formula: &Formula,
) {
    let mut prepared = None;
    let mut at = 0;
    group.bench_function(BenchmarkId::new(name, &case.name), |bencher| {
        let (peer, poses) = prepared.get_or_insert_with(|| {
            let peer = case.peer::<F>(formula);
            let poses = case.poses.iter().map(|pose| peer.point_arguments(pose));
            let poses: Vec<_> = poses.collect();
            (peer, poses)
        });
        bencher.iter(|| {
            at = (at + 1) % POSES;
            black_box(peer.eval(&poses[at]))[0]
        });
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(WARM_UP)
        .measurement_time(MEASUREMENT)
        .sample_size(SAMPLES);
    targets = eval
}
criterion_main!(benches);
