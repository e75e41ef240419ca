//! The reference's model as the product takes it, and the comparison of the two.

use flexion_deform::{
    BaseVertices, Deformer, DeformerBuilder, DeltaRow, Encoding, FlexRecord, Precision, Ramp,
    RampMode, Weights,
};
use flexion_testkit::deform_reference::{Number, ReferenceModel, ReferenceRow, ReferenceShape};

use super::guarded::floats;

/// The product's deformer for the reference's model.
pub(super) fn product(model: &ReferenceModel, precision: Precision) -> Deformer {
    let base = BaseVertices {
        positions: model.positions.clone(),
        normals: model.normals.clone(),
        tangents: model.tangents.clone(),
    };
    let encoding = match model.number {
        Number::Half => Encoding::Half,
        Number::Fixed => Encoding::Fixed,
    };
    let mut builder =
        DeformerBuilder::new(base, model.numflexdesc, encoding, model.scale, precision);
    for flex in &model.flexes {
        let record = FlexRecord {
            descriptor: flex.flexdesc,
            partner: flex.flexpair,
            ramp: Ramp {
                targets: flex.targets,
            },
            first_vertex: flex.vertexoffset,
            vertex_count: flex.numvertices,
        };
        builder.flex(record, flex.rows.iter().map(product_row));
    }
    builder.build()
}

fn product_row(row: &ReferenceRow) -> DeltaRow {
    DeltaRow {
        vertex: row.index,
        speed: row.speed,
        side: row.side,
        delta: row.delta,
        normal_delta: row.ndelta,
        wrinkle: row.wrinkledelta,
    }
}

pub(super) fn reference(
    model: &ReferenceModel,
    precision: Precision,
    weights: Weights<'_>,
    mode: RampMode,
) -> ReferenceShape {
    let overdrive = mode == RampMode::Overdrive;
    let mut shape = ReferenceShape::default();
    match precision {
        Precision::File => model.pose(weights.current, weights.delayed, overdrive, &mut shape),
        Precision::Engine => {
            let model = model.converted();
            model.pose(weights.current, weights.delayed, overdrive, &mut shape);
        }
    }
    shape
}

/// Equal bits; a NaN equals any NaN.
pub(super) fn assert_same(product: &ReferenceShape, reference: &ReferenceShape) {
    assert_eq!(floats(product).count(), floats(reference).count());
    for (place, (p, r)) in floats(product).zip(floats(reference)).enumerate() {
        let same = p.to_bits() == r.to_bits() || (p.is_nan() && r.is_nan());
        assert!(same, "float {place}: {p:e} but the reference has {r:e}");
    }
}

pub(super) fn lengths(model: &ReferenceModel) -> [usize; 4] {
    let vertices = model.positions.len();
    [vertices, vertices, model.tangents.len(), vertices]
}
