//! Reading: files in memory to records and to a model that is ready to pose.
//!
//! | id | what is timed |
//! |---|---|
//! | `read/mdl/<face>`, `read/vvd/…`, `read/vtx/…` | bytes to checked records |
//! | `read/model/<face>` | all files to a model: records, rig and deltas |
//! | `read/ready/<face>` | the same and its rules compiled |
//! | `read/open/<face>` | the same from files that the system holds in memory; not the sample, which is in no file |
//! | `read/copy-mdl/<face>`, `read/copy-all/<face>` | the limit: a copy of the same bytes into warm memory |
//!
//! The rate is bytes of the files that take part. Freeing what was read is part of the time.

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use flexion::{Dialect, Model};
use flexion_benches::{MEASUREMENT, SAMPLES, Subject, WARM_UP, subjects};
use flexion_mdl::{Mdl, Vtx, Vvd};

fn read(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("read");
    for subject in &subjects("read") {
        records(&mut group, subject);
        models(&mut group, subject);
    }
    group.finish();
}

fn records(group: &mut BenchmarkGroup<'_, WallTime>, subject: &Subject) {
    let id = |work: &str| BenchmarkId::new(work, &subject.name);
    copy(group, id("copy-mdl"), &subject.mdl);
    group.bench_function(id("mdl"), |bencher| {
        bencher.iter(|| Mdl::read(&subject.mdl).expect("a sound file"));
    });
    if let Some(vvd) = &subject.vvd {
        group.throughput(Throughput::Bytes(vvd.len() as u64));
        group.bench_function(id("vvd"), |bencher| {
            bencher.iter(|| Vvd::read(vvd).expect("a sound file"));
        });
    }
    if let Some(vtx) = &subject.vtx {
        group.throughput(Throughput::Bytes(vtx.len() as u64));
        group.bench_function(id("vtx"), |bencher| {
            bencher.iter(|| Vtx::read(vtx).expect("a sound file"));
        });
    }
}

fn models(group: &mut BenchmarkGroup<'_, WallTime>, subject: &Subject) {
    let id = |work: &str| BenchmarkId::new(work, &subject.name);
    copy(group, id("copy-all"), &subject.bytes());
    group.bench_function(id("model"), |bencher| {
        bencher.iter(|| subject.model());
    });
    group.bench_function(id("ready"), |bencher| {
        bencher.iter(|| {
            let model = subject.model();
            model.program(Dialect::Shipped);
            model
        });
    });
    if let Some(path) = &subject.path {
        group.bench_function(id("open"), |bencher| {
            bencher.iter(|| {
                let model = Model::open(path).expect("sound files");
                model.program(Dialect::Shipped);
                model
            });
        });
    }
}

/// Sets the rate to these bytes and times their copy.
fn copy(group: &mut BenchmarkGroup<'_, WallTime>, id: BenchmarkId, bytes: &[u8]) {
    let mut place = vec![1; bytes.len()];
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function(id, |bencher| {
        bencher.iter(|| {
            place.copy_from_slice(std::hint::black_box(bytes));
            std::hint::black_box(&mut place);
        });
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(WARM_UP)
        .measurement_time(MEASUREMENT)
        .sample_size(SAMPLES);
    targets = read
}
criterion_main!(benches);
