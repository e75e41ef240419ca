//! Many poses at once, in every layout and with every backend.

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Throughput};
use fidget_core::eval::MathFunction;
use fidget_core::vm::VmFunction;
use flexion_rules::{BatchEvaluator, Planes, PlanesMut};
use flexion_simd::Backend;

use crate::case::Case;
use crate::peer::Formula;

/// A block in cache, and a long take.
const LONG: [usize; 2] = [256, 4096];

/// A few faces of one frame.
const SHORT: [usize; 2] = [8, 16];

/// More than caches hold.
const LARGE: usize = 65_536;

type Group<'g> = BenchmarkGroup<'g, WallTime>;

/// The widest backend in every way; the others in two, so that they can be told apart.
pub(crate) fn many_poses(group: &mut Group<'_>, case: &Case) {
    for backend in Backend::available() {
        in_place(group, case, backend);
        rows(group, case, backend, LONG[1]);
    }
    let best = Backend::best();
    for poses in [SHORT[0], SHORT[1], LONG[0], LARGE] {
        rows(group, case, best, poses);
    }
    for poses in LONG {
        planes(group, case, best, poses);
    }
    threads(group, case, LARGE);
    copy(group, case, LARGE);
    let Some(formula) = case.formula() else {
        return;
    };
    for poses in LONG {
        peer::<VmFunction>(group, "batch-fidget-vm", case, &formula, poses);
        #[cfg(all(unix, any(target_arch = "x86_64", target_arch = "aarch64")))]
        peer::<fidget_jit::JitFunction>(group, "batch-fidget-jit", case, &formula, poses);
    }
}

/// The id of a way to run so many poses; the rate becomes poses.
fn id(group: &mut Group<'_>, way: impl Into<String>, case: &Case, poses: usize) -> BenchmarkId {
    group.throughput(Throughput::Elements(poses as u64));
    BenchmarkId::new(way, format!("{}/poses={poses}", case.name))
}

/// Rows of sliders and a place for rows of weights.
fn row_buffers(case: &Case, poses: usize) -> (Vec<f32>, Vec<f32>) {
    (case.rows(poses), vec![0.0; poses * case.rig.descriptors])
}

fn rows(group: &mut Group<'_>, case: &Case, backend: Backend, poses: usize) {
    let id = id(group, format!("batch-{backend}"), case, poses);
    let mut prepared = None;
    group.bench_function(id, |bencher| {
        let (batch, (sliders, weights)) = prepared.get_or_insert_with(|| {
            let batch = BatchEvaluator::new(&case.program(), backend);
            (batch, row_buffers(case, poses))
        });
        bencher.iter(|| {
            batch.rows(black_box(sliders), weights);
            black_box(&mut *weights);
        });
    });
}

fn planes(group: &mut Group<'_>, case: &Case, backend: Backend, poses: usize) {
    // A cache line beyond a power of two, which would make all planes compete for the same places.
    let stride = poses + 16;
    let id = id(group, format!("batch-planar-{backend}"), case, poses);
    let mut prepared = None;
    group.bench_function(id, |bencher| {
        let (batch, sliders, weights) = prepared.get_or_insert_with(|| {
            (
                BatchEvaluator::new(&case.program(), backend),
                case.planes(poses, stride),
                vec![0.0; case.rig.descriptors * stride],
            )
        });
        bencher.iter(|| {
            let values = &black_box(&*sliders)[..];
            let sliders = Planes { values, stride };
            let values = &mut weights[..];
            batch.planes(poses, sliders, PlanesMut { values, stride });
            black_box(&mut *weights);
        });
    });
}

/// Sliders stay where the last block left them but for one, so that no run is for nothing.
fn in_place(group: &mut Group<'_>, case: &Case, backend: Backend) {
    let poses = BatchEvaluator::new(&case.program(), backend).block();
    let id = id(group, format!("batch-in-place-{backend}"), case, poses);
    let mut prepared = None;
    group.bench_function(id, |bencher| {
        let batch = prepared.get_or_insert_with(|| {
            let mut batch = BatchEvaluator::new(&case.program(), backend);
            let planes = case.planes(poses, poses);
            for (slider, plane) in planes.chunks(poses).enumerate() {
                batch.sliders_mut(slider).copy_from_slice(plane);
            }
            batch
        });
        bencher.iter(|| {
            batch.sliders_mut(0)[0] = black_box(0.5);
            batch.run(poses);
            black_box(batch.weights(0)[0])
        });
    });
}

fn threads(group: &mut Group<'_>, case: &Case, poses: usize) {
    let id = id(group, "batch-threads", case, poses);
    let mut prepared = None;
    group.bench_function(id, |bencher| {
        let (batch, (sliders, weights)) = prepared.get_or_insert_with(|| {
            let batch = BatchEvaluator::new(&case.program(), Backend::best());
            (batch, row_buffers(case, poses))
        });
        bencher.iter(|| {
            batch.rows_parallel(black_box(sliders), weights);
            black_box(&mut *weights);
        });
    });
}

/// Every byte that [`rows`] reads or writes, read and written once.
fn copy(group: &mut Group<'_>, case: &Case, poses: usize) {
    let id = id(group, "batch-copy", case, poses);
    let mut prepared = None;
    group.bench_function(id, |bencher| {
        let (from, to) = prepared.get_or_insert_with(|| {
            let floats = poses * (case.rig.controllers.len() + case.rig.descriptors);
            (vec![1.0f32; floats], vec![2.0f32; floats])
        });
        bencher.iter(|| {
            to.copy_from_slice(black_box(from));
            black_box(&mut *to);
        });
    });
}

fn peer<F: MathFunction>(
    group: &mut Group<'_>,
    way: &str,
    case: &Case,
    formula: &Formula,
    poses: usize,
) {
    let id = id(group, way, case, poses);
    let mut prepared = None;
    group.bench_function(id, |bencher| {
        let (peer, planes) = prepared.get_or_insert_with(|| {
            let peer = case.peer::<F>(formula);
            let planes = peer.planes(case.many(poses));
            (peer, planes)
        });
        bencher.iter(|| peer.eval_planes(black_box(planes)));
    });
}
