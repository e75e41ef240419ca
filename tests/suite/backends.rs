//! Every backend, layout, number of poses and number of threads gives the same bits: those of the golden rows on
//! real rigs, those of the slow reference on made-up ones.
//!
//! A backend that this processor lacks is skipped with a line; the others are forced one after the other.

mod allocations;
mod choice;
mod golden;
mod misuse;
mod random;

use flexion_rules::{BatchEvaluator, Planes, PlanesMut, Program};
use flexion_simd::{Backend, BackendError};

/// One test for each backend of each function.
macro_rules! for_each_backend {
    ($($check:ident),* $(,)?) => {
        $(mod $check {
            #[test]
            fn scalar() {
                crate::backends::with_backend("scalar", super::$check);
            }
            #[test]
            fn sse2() {
                crate::backends::with_backend("sse2", super::$check);
            }
            #[test]
            fn avx2() {
                crate::backends::with_backend("avx2", super::$check);
            }
            #[test]
            fn avx512() {
                crate::backends::with_backend("avx512", super::$check);
            }
            #[test]
            fn neon() {
                crate::backends::with_backend("neon", super::$check);
            }
        })*
    };
}
pub(crate) use for_each_backend;

/// Calls `check` if the processor has the backend.
pub(crate) fn with_backend(name: &str, check: impl FnOnce(Backend)) {
    match name.parse() {
        Ok(backend) => check(backend),
        Err(BackendError::Missing { .. }) => eprintln!("{name}: skipped, this processor lacks it"),
        Err(error) => panic!("{error}"),
    }
}

/// Pose counts at which something ends: a vector, a line of sixteen, what level code takes, a block.
pub(crate) fn counts(program: &Program, backend: Backend) -> Vec<usize> {
    let width = backend.lanes();
    let block = BatchEvaluator::new(program, backend).block();
    let mut counts = vec![1, width - 1, width, width + 1, 16, 33, 3 * block + 5];
    counts.retain(|&count| count > 0);
    counts.sort_unstable();
    counts.dedup();
    counts
}

/// All ways to evaluate some poses, by name. `poses` has a row of sliders for each.
pub(crate) fn every_way(
    program: &Program,
    backend: Backend,
    poses: &[&[f32]],
) -> Vec<(String, Vec<f32>)> {
    let (inputs, outputs) = (program.controllers(), program.descriptors());
    let rows = poses.concat();
    let mut batch = BatchEvaluator::new(program, backend);
    // What is written over must not matter.
    let fresh = || vec![f32::NAN; outputs * poses.len()];
    let mut ways = Vec::new();

    let mut weights = fresh();
    batch.rows(&rows, &mut weights);
    ways.push(("rows".to_owned(), weights));

    // A stride longer than the planes, whose gaps stay as they are.
    let stride = poses.len() + 3;
    let mut planes = vec![f32::NAN; inputs * stride];
    for (pose, row) in poses.iter().enumerate() {
        for (slot, &value) in row.iter().enumerate() {
            planes[slot * stride + pose] = value;
        }
    }
    let sliders = Planes {
        values: &planes,
        stride,
    };
    let mut values = vec![-7.5; outputs * stride];
    batch.planes(
        poses.len(),
        sliders,
        PlanesMut {
            values: &mut values,
            stride,
        },
    );
    ways.push(("planes".to_owned(), to_rows(&values, stride, poses.len())));

    for threads in [1, 2, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(|| {
            let mut weights = fresh();
            batch.rows_parallel(&rows, &mut weights);
            ways.push((format!("rows on {threads} threads"), weights));
            let mut values = vec![-7.5; outputs * stride];
            batch.planes_parallel(
                poses.len(),
                sliders,
                PlanesMut {
                    values: &mut values,
                    stride,
                },
            );
            let weights = to_rows(&values, stride, poses.len());
            ways.push((format!("planes on {threads} threads"), weights));
        });
    }
    ways.push(("in place".to_owned(), in_place(&mut batch, poses)));
    ways
}

fn to_rows(values: &[f32], stride: usize, poses: usize) -> Vec<f32> {
    for plane in values.chunks(stride) {
        assert!(
            plane[poses..].iter().all(|&gap| gap == -7.5),
            "a gap was written"
        );
    }
    let pose = |pose| values.chunks(stride).map(move |plane| plane[pose]);
    (0..poses).flat_map(pose).collect()
}

fn in_place(batch: &mut BatchEvaluator, poses: &[&[f32]]) -> Vec<f32> {
    let mut weights = Vec::new();
    for block in poses.chunks(batch.block()) {
        for slot in 0..batch.program().controllers() {
            for (value, row) in batch.sliders_mut(slot).iter_mut().zip(block) {
                *value = row[slot];
            }
        }
        batch.run(block.len());
        for pose in 0..block.len() {
            weights
                .extend((0..batch.program().descriptors()).map(|slot| batch.weights(slot)[pose]));
        }
    }
    weights
}

/// Whether two floats are equal in every bit, any NaN being equal to any other.
pub(crate) fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}
