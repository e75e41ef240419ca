//! Results that other code computed on the same input: `golden/weights` to the bit,
//! `golden/shapes` within the tolerance of an independent implementation.

use flexion::{Dialect, FaceOptions, Model, Precision};
use flexion_testkit::corpus::{self, Golden, ShapeRow, WeightRow, corpus};

/// Largest difference of a position or wrinkle, in parts of the bounding box's diagonal.
const POSITION_TOLERANCE: f32 = 2e-5;
/// Largest difference of a component of a normal.
const NORMAL_TOLERANCE: f32 = 1e-3;

fn open(golden_model: &std::path::Path) -> Model {
    Model::open(golden_model).unwrap_or_else(|error| panic!("{error}"))
}

fn sliders(row: &WeightRow) -> Vec<f32> {
    row.sliders.iter().copied().map(f32::from_bits).collect()
}

#[test]
fn weights_equal_the_reference_in_every_bit() {
    let Some(folder) = corpus("weights_equal_the_reference_in_every_bit") else {
        return;
    };
    let mut rows = 0;
    for golden in corpus::weights(&folder) {
        let model = open(&golden.model);
        for dialect in [Dialect::Shipped, Dialect::Sdk2025] {
            let mut face = model.face_with(FaceOptions {
                dialect,
                raw: true,
                ..FaceOptions::default()
            });
            for row in &golden.rows {
                face.set_all(&sliders(row)).expect("a row of sliders");
                let bits: Vec<u32> = face
                    .weights()
                    .iter()
                    .map(|weight| weight.to_bits())
                    .collect();
                assert_eq!(
                    bits,
                    row.weights,
                    "{} row {} {dialect}",
                    golden.model.display(),
                    row.kind
                );
                rows += 1;
            }
        }
    }
    println!("{rows} rows of weights equal in every bit");
    assert!(rows >= 2 * 16 * 24, "only {rows} rows");
}

#[test]
fn shapes_agree_with_an_independent_implementation() {
    let Some(folder) = corpus("shapes_agree_with_an_independent_implementation") else {
        return;
    };
    let weights = corpus::weights(&folder);
    let mut vertices = 0;
    for golden in corpus::shapes(&folder) {
        let sliders = weights.iter().find(|weights| weights.model == golden.model);
        vertices += compare(&golden, &sliders.expect("the sliders of the shapes").rows);
    }
    assert!(vertices >= 4000, "only {vertices} vertices");
}

/// Compares all vertices of one golden file and says how far they are off at the most.
fn compare(golden: &Golden<ShapeRow>, weights: &[WeightRow]) -> usize {
    let model = open(&golden.model);
    let diagonal = diagonal(&model);
    let mut worst = [0.0_f32; 2];
    let poses: std::collections::BTreeSet<(&str, bool)> = golden
        .rows
        .iter()
        .map(|row| (row.row.as_str(), row.engine))
        .collect();
    let mut seen = 0;
    for (name, engine) in poses {
        let mut face = model.face_with(FaceOptions {
            raw: true,
            precision: if engine {
                Precision::Engine
            } else {
                Precision::File
            },
            ..FaceOptions::default()
        });
        let row = weights
            .iter()
            .find(|row| row.kind == name)
            .expect("the row of sliders");
        face.set_all(&sliders(row)).expect("a row of sliders");
        let shapes = face.deform().expect("vertices");
        for row in golden
            .rows
            .iter()
            .filter(|row| row.row == name && row.engine == engine)
        {
            let submodel = model
                .submodels()
                .iter()
                .position(|s| s.body_part() == row.body_part && s.index() == row.model)
                .expect("the submodel");
            let shape = &shapes[submodel];
            let ours = shape.positions[row.vertex]
                .into_iter()
                .chain(shape.normals[row.vertex])
                .chain([shape.wrinkles[row.vertex]]);
            for (at, (ours, theirs)) in ours.zip(row.values).enumerate() {
                let (worst, off) = match at {
                    3..6 => (&mut worst[1], (ours - theirs).abs()),
                    _ => (&mut worst[0], (ours - theirs).abs() / diagonal),
                };
                assert!(
                    !off.is_nan(),
                    "{} {row:?} has {ours}",
                    golden.model.display()
                );
                *worst = worst.max(off);
            }
            seen += 1;
        }
    }
    println!(
        "{}: {seen} vertices, worst position {:.2e} of the diagonal, worst normal {:.2e}",
        golden.model.display(),
        worst[0],
        worst[1]
    );
    assert!(
        worst[0] <= POSITION_TOLERANCE,
        "{}: {worst:?}",
        golden.model.display()
    );
    assert!(
        worst[1] <= NORMAL_TOLERANCE,
        "{}: {worst:?}",
        golden.model.display()
    );
    assert_eq!(seen, golden.rows.len());
    seen
}

/// Diagonal of the box around all vertices at rest.
fn diagonal(model: &Model) -> f32 {
    let (mut low, mut high) = ([f32::MAX; 3], [f32::MIN; 3]);
    for submodel in model.submodels() {
        for position in submodel.deformer(Precision::File).shape().positions {
            for axis in 0..3 {
                low[axis] = low[axis].min(position[axis]);
                high[axis] = high[axis].max(position[axis]);
            }
        }
    }
    (0..3)
        .map(|axis| (high[axis] - low[axis]).powi(2))
        .sum::<f32>()
        .sqrt()
}
