//! Rule evaluation: the compiled program, the slow reference of the test kit and fidget on the same poses.
//!
//! | id | what is timed |
//! |---|---|
//! | `eval/one/compiled/<face>` | one pose through the compiled program |
//! | `eval/one/reference/<face>` | the same through the slow reference, which is what engines do |
//! | `eval/one/fidget-vm/<face>`, `…/fidget-jit/…` | the same formulas in fidget, interpreted and as machine code |
//! | `eval/batch-fidget-vm/<face>/poses=<n>`, `…-jit/…` | many poses of it, a plane per slider and weight |
//!
//! The rate is poses. Faces are the sample, two made-up rigs (`arithmetic`, `combination`) and the corpus.

mod peer;

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use fidget_core::eval::MathFunction;
use fidget_core::vm::VmFunction;
use flexion_benches::{MEASUREMENT, SAMPLES, WARM_UP, subjects};
use flexion_rules::{Dialect, Evaluator, Program};
use flexion_testkit::reference::{self, Checks, Rig};
use flexion_testkit::rigs;
use flexion_tests::bridge::with_rig;
use peer::{Formula, Peer};

/// Enough that no branch predictor learns a rig's poses by heart.
const POSES: usize = 256;

/// Batches: a block that stays in cache, and a long take.
const BATCHES: [usize; 2] = [256, 4096];

/// A rig by name, with poses for it.
struct Case {
    name: String,
    rig: Rig,
    poses: Vec<Vec<f32>>,
}

/// The rigs that have rules.
fn cases() -> Vec<Case> {
    let made_up = [
        ("arithmetic".to_owned(), rigs::arithmetic()),
        ("combination".to_owned(), rigs::combination()),
    ];
    let faces = subjects("eval").into_iter();
    let faces = faces.map(|subject| (subject.name.clone(), subject.rig()));
    let all = made_up.into_iter().chain(faces);
    all.filter(|(_, rig)| !rig.rules.is_empty())
        .map(|(name, rig)| Case {
            poses: rigs::poses(&rig, POSES),
            name,
            rig,
        })
        .collect()
}

impl Case {
    fn program(&self) -> Program {
        with_rig(&self.rig, |rig| Program::compile(rig, Dialect::Shipped))
    }

    /// The rules for fidget; without them a line says so.
    fn formula(&self) -> Option<Formula> {
        let formula = Formula::of(&self.rig);
        if formula.is_none() {
            eprintln!("{}: fidget has no form for a rule of it", self.name);
        }
        formula
    }

    /// The formula ready to run, its results held against the compiled program's.
    fn peer<F: MathFunction>(&self, formula: &Formula) -> Peer<F> {
        let mut evaluator = Evaluator::new(&self.program());
        let weights = self.poses.iter().map(|pose| evaluator.eval(pose).to_vec());
        let weights: Vec<_> = weights.collect();
        let mut peer = Peer::new(formula);
        peer.check(&self.name, &self.poses, &weights);
        peer
    }

    /// As many poses as asked, over and over.
    fn many(&self, poses: usize) -> Vec<Vec<f32>> {
        self.poses.iter().cycle().take(poses).cloned().collect()
    }
}

fn one_pose(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("eval/one");
    group.throughput(Throughput::Elements(1));
    for case in &cases() {
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
            continue;
        };
        one_pose_peer::<VmFunction>(&mut group, "fidget-vm", case, &formula);
        #[cfg(all(unix, any(target_arch = "x86_64", target_arch = "aarch64")))]
        one_pose_peer::<fidget_jit::JitFunction>(&mut group, "fidget-jit", case, &formula);
    }
    group.finish();
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

fn many_poses(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("eval");
    for case in &cases() {
        let Some(formula) = case.formula() else {
            continue;
        };
        batch_peer::<VmFunction>(&mut group, "batch-fidget-vm", case, &formula);
        #[cfg(all(unix, any(target_arch = "x86_64", target_arch = "aarch64")))]
        batch_peer::<fidget_jit::JitFunction>(&mut group, "batch-fidget-jit", case, &formula);
    }
    group.finish();
}

fn batch_peer<F: MathFunction>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    case: &Case,
    formula: &Formula,
) {
    for poses in BATCHES {
        let mut prepared = None;
        group.throughput(Throughput::Elements(poses as u64));
        let id = BenchmarkId::new(name, format!("{}/poses={poses}", case.name));
        group.bench_function(id, |bencher| {
            let (peer, planes) = prepared.get_or_insert_with(|| {
                let peer = case.peer::<F>(formula);
                let planes = peer.planes(&case.many(poses));
                (peer, planes)
            });
            bencher.iter(|| peer.eval_planes(black_box(planes)));
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(WARM_UP)
        .measurement_time(MEASUREMENT)
        .sample_size(SAMPLES);
    targets = one_pose, many_poses
}
criterion_main!(benches);
