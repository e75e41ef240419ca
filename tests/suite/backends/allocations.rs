//! Batches allocate nothing once they have seen a pose.

use allocation_counter::measure;
use flexion_rules::{BatchEvaluator, Dialect, Planes, PlanesMut};
use flexion_simd::Backend;
use flexion_testkit::rigs;

use super::for_each_backend;
use crate::programs::compile;

for_each_backend!(nothing_in_steady_state);

fn nothing_in_steady_state(backend: Backend) {
    let rig = rigs::combination();
    let program = compile(&rig, Dialect::Shipped);
    let mut batch = BatchEvaluator::new(&program, backend);
    let poses = 700;
    let sliders = rigs::poses(&rig, poses).concat();
    let mut weights = vec![0.0; poses * program.descriptors()];
    let (inputs, outputs) = (program.controllers(), program.descriptors());
    batch.rows(&sliders[..inputs], &mut weights[..outputs]);
    let allocations = measure(|| {
        for count in [1, 8, 16, 700] {
            batch.rows(&sliders[..count * inputs], &mut weights[..count * outputs]);
        }
        let sliders = Planes {
            values: &sliders,
            stride: poses,
        };
        let values = &mut weights[..];
        batch.planes(
            poses,
            sliders,
            PlanesMut {
                values,
                stride: poses,
            },
        );
        batch.sliders_mut(0).fill(0.25);
        batch.run(7);
    });
    assert_eq!(allocations.count_total, 0, "{allocations:?}");
}
