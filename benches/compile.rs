//! Compiling: rules as they are in the file to a program.
//!
//! `compile/flexion/<face>`; the rate is rules. There is no baseline: engines compile nothing, they interpret. What
//! it has to be measured against is `read/model/<face>`, beside which it should not be felt.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use flexion_benches::{MEASUREMENT, SAMPLES, WARM_UP, subjects};
use flexion_rules::{Dialect, Program};
use flexion_testkit::rigs;
use flexion_tests::bridge::with_rig;

fn compile(criterion: &mut Criterion) {
    let made_up = [
        ("arithmetic".to_owned(), rigs::arithmetic()),
        ("combination".to_owned(), rigs::combination()),
    ];
    let faces = subjects("compile").into_iter();
    let faces = faces.map(|subject| (subject.name.clone(), subject.rig()));
    let mut group = criterion.benchmark_group("compile");
    for (name, rig) in made_up.into_iter().chain(faces) {
        if rig.rules.is_empty() {
            continue;
        }
        group.throughput(Throughput::Elements(rig.rules.len() as u64));
        group.bench_function(BenchmarkId::new("flexion", name), |bencher| {
            with_rig(&rig, |rig| {
                bencher.iter(|| Program::compile(rig, Dialect::Shipped));
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(WARM_UP)
        .measurement_time(MEASUREMENT)
        .sample_size(SAMPLES);
    targets = compile
}
criterion_main!(benches);
