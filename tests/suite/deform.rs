//! The deformer: cases worked by hand, then equality with the slow reference in every bit.

mod against_reference;
mod backends;
mod bridge;
mod by_hand;
mod calls;
mod frames;
mod guarded;
mod interleaved;
mod misuse;
mod next;
mod strategies;

use flexion_deform::{
    BaseVertices, Deformer, DeformerBuilder, DeltaRow, Encoding, FlexRecord, Precision, RampMode,
    Shape, Weights,
};

const SCALE: f32 = 1.0 / 4096.0;

/// Half float bits.
const ONE: u16 = 0x3c00;
const HALF: u16 = 0x3800;

fn base(vertices: usize) -> BaseVertices {
    BaseVertices {
        positions: vec![[0.0; 3]; vertices],
        normals: vec![[0.0, 0.0, 1.0]; vertices],
        tangents: vec![[1.0, 0.0, 0.0, -1.0]; vertices],
    }
}

/// One mono flex on four vertices, driven by descriptor 0 of two.
fn deformer(rows: &[DeltaRow], precision: Precision) -> Deformer {
    let mut builder = DeformerBuilder::new(base(4), 2, Encoding::Half, SCALE, precision);
    builder.flex(mono(), rows.iter().copied());
    builder.build()
}

fn mono() -> FlexRecord {
    FlexRecord {
        vertex_count: 4,
        ..FlexRecord::default()
    }
}

fn row(vertex: u16, x: u16) -> DeltaRow {
    DeltaRow {
        vertex,
        speed: 255,
        delta: [x, 0, 0],
        ..DeltaRow::default()
    }
}

fn pose(deformer: &Deformer, weights: &[f32]) -> Shape {
    let mut shape = deformer.shape();
    let weights = Weights::still(weights);
    deformer
        .apply_to(weights, RampMode::Saturate, &mut shape)
        .unwrap();
    shape
}
