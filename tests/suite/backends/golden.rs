//! Real rigs: the golden rows, in every way.

use flexion::{Dialect, Model};
use flexion_simd::Backend;
use flexion_testkit::corpus::{self, corpus};

use super::{counts, every_way, for_each_backend};

for_each_backend!(golden_rows_in_every_way);

fn golden_rows_in_every_way(backend: Backend) {
    let Some(folder) = corpus("golden_rows_in_every_way") else {
        return;
    };
    let mut rigs = 0;
    for golden in corpus::weights(&folder) {
        let model = Model::open_rules(&golden.model).unwrap_or_else(|error| panic!("{error}"));
        let sliders: Vec<Vec<f32>> = golden
            .rows
            .iter()
            .map(|row| row.sliders.iter().copied().map(f32::from_bits).collect())
            .collect();
        for dialect in [Dialect::Shipped, Dialect::Sdk2025] {
            let program = model.program(dialect);
            for count in counts(program, backend) {
                let poses: Vec<&[f32]> = (0..count).map(|i| &*sliders[i % sliders.len()]).collect();
                for (way, weights) in every_way(program, backend, &poses) {
                    let name = golden.model.display();
                    let outputs = model.descriptors().len();
                    for (pose, weights) in weights.chunks(outputs).enumerate() {
                        let bits: Vec<u32> =
                            weights.iter().map(|weight| weight.to_bits()).collect();
                        let row = &golden.rows[pose % sliders.len()];
                        assert_eq!(
                            bits, row.weights,
                            "{name} row {} {dialect}, {way}, pose {pose} of {count}",
                            row.kind
                        );
                    }
                }
            }
        }
        rigs += 1;
    }
    println!("{backend}: the golden rows of {rigs} rigs, in every way");
    assert!(rigs >= 16, "only {rigs} rigs");
}
