//! Rule evaluation: the compiled program and the slow reference of the test kit on the same poses.
//!
//! ```text
//! cargo bench -p flexion-benches --bench eval
//! cargo bench -p flexion-benches --bench eval -- eval/one/compiled
//! ```
//!
//! Ids are `eval/one/{compiled,reference}/<rig>`: one pose at a time. Times are per pose.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use flexion_rules::{Dialect, Evaluator, Program};
use flexion_testkit::reference::{self, Checks};
use flexion_testkit::rigs;
use flexion_tests::bridge::with_rig;

/// Enough that no branch predictor learns a rig's poses by heart.
const POSES: usize = 256;

/// The rigs to measure, by name. Rigs of real models join here.
fn rigs() -> Vec<(&'static str, reference::Rig)> {
    vec![
        ("arithmetic", rigs::arithmetic()),
        ("combination", rigs::combination()),
    ]
}

/// Compiles a rig of the test kit.
fn compile(rig: &reference::Rig) -> Program {
    with_rig(rig, |rig| Program::compile(rig, Dialect::Shipped))
}

fn one_pose(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("eval/one");
    group.throughput(Throughput::Elements(1));
    for (name, rig) in rigs() {
        let poses = rigs::poses(&rig, POSES);
        let mut poses = poses.iter().cycle();

        let mut evaluator = Evaluator::new(&compile(&rig));
        group.bench_function(format!("compiled/{name}"), |bencher| {
            bencher.iter(|| evaluator.eval(poses.next().expect("a pose"))[0]);
        });

        let mut weights = vec![0.0; rig.descriptors];
        group.bench_function(format!("reference/{name}"), |bencher| {
            bencher.iter(|| {
                let pose = poses.next().expect("a pose");
                reference::eval(&rig, Checks::Shipped, pose, &mut weights);
                weights[0]
            });
        });
    }
    group.finish();
}

criterion_group!(benches, one_pose);
criterion_main!(benches);
