//! What cannot be seen from outside: chunks of every size, pools of every size.

use super::*;
use crate::{DeformerBuilder, DeltaRow, Encoding, FlexRecord, Precision, Ramp};

const WEIGHTS: Weights<'_> = Weights {
    current: &[0.3, 0.9, 0.7],
    delayed: &[0.1, 0.95, 0.65],
};

/// Flexes over every vertex, every second, every third and so on, rows from back to front.
fn deformer(vertices: u16) -> Deformer {
    let vector = |i: u16| [3, 5, 7].map(|salt| (f32::from(i) * salt as f32).sin());
    let all: Vec<_> = (0..vertices).map(vector).collect();
    let base = BaseVertices {
        tangents: all.iter().map(|&[x, y, z]| [y, z, x, 1.0]).collect(),
        normals: all.iter().map(|&[x, y, z]| [z, x, y]).collect(),
        positions: all,
    };
    let mut builder = DeformerBuilder::new(base, 3, Encoding::Half, 0.001, Precision::File);
    for flex in 0..9u16 {
        let record = FlexRecord {
            descriptor: i32::from(flex % 3),
            partner: i32::from(flex % 2),
            ramp: Ramp::default(),
            first_vertex: 0,
            vertex_count: u32::from(vertices),
        };
        let row = |vertex: u16| DeltaRow {
            vertex,
            speed: (vertex / 3) as u8,
            side: (vertex / 5) as u8,
            delta: [3, 5, 7].map(|salt| 0x2c00 + vertex.wrapping_mul(salt) % 0x1000),
            normal_delta: [11, 13, 17].map(|salt| 0xb000 + vertex.wrapping_mul(salt) % 0x900),
            wrinkle: vertex as i16,
        };
        let rows = (0..vertices).rev().step_by(usize::from(flex) + 1);
        builder.flex(record, rows.map(row));
    }
    builder.build()
}

/// All floats of a shape as bits.
fn bits(shape: &Shape) -> Vec<u32> {
    (shape.positions.as_flattened().iter())
        .chain(shape.normals.as_flattened())
        .chain(shape.tangents.as_flattened())
        .chain(&shape.wrinkles)
        .map(|float| float.to_bits())
        .collect()
}

#[test]
fn chunks_of_any_size_give_the_same_bits() {
    for vertices in [64, 65, 127, 128, 129, 640, 1000] {
        let deformer = deformer(vertices);
        let mut whole = deformer.shape();
        let mode = RampMode::Saturate;
        deformer.apply_to(WEIGHTS, mode, &mut whole).unwrap();
        assert_ne!(bits(&whole), bits(&deformer.shape()));
        for largest in [64, 65, 128, 300, 999] {
            let mut parts = deformer.shape();
            parts.wrinkles.fill(f32::NAN);
            let (out, scratch) = parts.split();
            let (pose, chunk) = deformer.prepare(WEIGHTS, mode, out, scratch, false);
            deformer.pose_split(pose, chunk, largest);
            assert_eq!(bits(&parts), bits(&whole), "{vertices} by {largest}");
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let deformer = deformer(5000);
    let mut one = deformer.shape();
    let mode = RampMode::Saturate;
    deformer.apply_to(WEIGHTS, mode, &mut one).unwrap();
    for threads in [1, 2, 3, 4] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let mut many = deformer.shape();
        let mut scratch = Scratch::default();
        for _ in 0..20 {
            many.positions.fill([f32::NAN; 3]);
            let out = many.as_mut();
            pool.install(|| deformer.apply_parallel(WEIGHTS, mode, out, &mut scratch))
                .unwrap();
            assert_eq!(bits(&many), bits(&one), "{threads} threads");
        }
    }
}
