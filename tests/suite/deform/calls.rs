//! Every way to call gives the same bits, whatever the memory held before.

use flexion_deform::{Precision, Ramp, RampMode, Scratch, Shape, ShapeMut, Weights};
use flexion_testkit::deform_reference::{
    Number, ReferenceFlex, ReferenceModel, ReferenceRow, ReferenceShape,
};

use super::SCALE;
use super::bridge::{assert_same, lengths, product, reference};
use super::guarded::Guarded;

/// Many vertices, so that threads split them; a vertex is on several flexes, whose rows
/// run from back to front.
pub(super) fn large_model(vertices: u16) -> ReferenceModel {
    let angle = |i: u32, of: u32| (i * of % 997) as f32;
    let vector = |i: u32| [angle(i, 3).sin(), angle(i, 5).cos(), angle(i, 7).sin()];
    let all: Vec<[f32; 3]> = (0..u32::from(vertices)).map(vector).collect();
    let row = |flex: u16, index: u16| {
        let bits = |salt: u16| 0x2800 + (index.wrapping_mul(salt).wrapping_add(flex) % 0x1400);
        ReferenceRow {
            index,
            speed: if flex.is_multiple_of(2) {
                255
            } else {
                index as u8
            },
            side: if flex.is_multiple_of(3) {
                0
            } else {
                (index / 8) as u8
            },
            delta: [bits(3), bits(5) | 0x8000, bits(7)],
            ndelta: [bits(11), bits(13), bits(17) | 0x8000],
            wrinkledelta: index as i16,
        }
    };
    let flex = |flex: u16| ReferenceFlex {
        flexdesc: i32::from(flex % 4),
        flexpair: i32::from(flex % 3),
        targets: Ramp::default().targets,
        vertexoffset: 0,
        numvertices: u32::from(vertices),
        rows: (flex..vertices)
            .step_by(usize::from(flex) + 1)
            .rev()
            .map(|index| row(flex, index))
            .collect(),
    };
    ReferenceModel {
        tangents: all.iter().map(|&[x, y, z]| [y, z, x, 1.0]).collect(),
        normals: all.iter().map(|&[x, y, z]| [z, x, y]).collect(),
        positions: all,
        numflexdesc: 4,
        number: Number::Half,
        scale: SCALE,
        flexes: (0..24).map(flex).collect(),
    }
}

pub(super) const MOVING: Weights<'_> = Weights {
    current: &[0.3, 0.9, 0.0004, 0.7],
    delayed: &[0.1, 0.95, 0.2, 0.65],
};

#[test]
fn every_call_gives_the_same_bits() {
    for vertices in [0, 1, 63, 64, 65, 1023, 1024, 1025, 2049, 5000] {
        let model = large_model(vertices);
        let deformer = product(&model, Precision::File);
        let expected = reference(&model, Precision::File, MOVING, RampMode::Saturate);
        let mode = RampMode::Saturate;
        let mut scratch = Scratch::default();
        let mut out = Guarded::new(lengths(&model));

        deformer.apply(MOVING, mode, out.lend()).unwrap();
        assert_same(&out.shape(), &expected);
        let mut out = Guarded::new(lengths(&model));
        for _ in 0..3 {
            deformer
                .apply_parallel(MOVING, mode, out.lend(), &mut scratch)
                .unwrap();
            out.assert_guards();
            assert_same(&out.shape(), &expected);
        }
        let mut only_needed = Guarded::new(lengths(&model));
        let lent = ShapeMut {
            tangents: None,
            wrinkles: None,
            ..only_needed.lend()
        };
        deformer
            .apply_parallel(MOVING, mode, lent, &mut scratch)
            .unwrap();
        let only_needed = only_needed.shape();
        assert_eq!(only_needed.positions, expected.positions);
        assert_eq!(only_needed.normals, expected.normals);
        let unwanted = only_needed
            .wrinkles
            .iter()
            .chain(only_needed.tangents.as_flattened());
        assert!(unwanted.copied().all(f32::is_nan));
    }
}

#[test]
fn scratch_and_shape_serve_one_deformer_after_another() {
    let models = [large_model(700), large_model(3), large_model(1500)];
    let mut bare = large_model(80);
    bare.tangents.clear();
    let mut shape = Shape::default();
    for model in models.iter().chain([&bare, &models[0]]) {
        let deformer = product(model, Precision::Engine);
        deformer
            .apply_to(MOVING, RampMode::Overdrive, &mut shape)
            .unwrap();
        let posed = ReferenceShape {
            positions: shape.positions.clone(),
            normals: shape.normals.clone(),
            tangents: shape.tangents.clone(),
            wrinkles: shape.wrinkles.clone(),
            touched: Vec::new(),
        };
        let expected = reference(model, Precision::Engine, MOVING, RampMode::Overdrive);
        assert_same(&posed, &expected);
    }
}

#[test]
fn posing_again_allocates_nothing() {
    let model = large_model(2000);
    let deformer = product(&model, Precision::File);
    let (mut shape, mut scratch) = (deformer.shape(), Scratch::default());
    let mut out = Guarded::new(lengths(&model));
    let mode = RampMode::Saturate;
    let mut pose = |weights| {
        deformer.apply_to(weights, mode, &mut shape).unwrap();
        deformer
            .apply_with(weights, mode, out.lend(), &mut scratch)
            .unwrap();
    };
    let first = allocation_counter::measure(|| pose(MOVING));
    assert!(first.count_total > 0, "the counter counts");
    let again = allocation_counter::measure(|| {
        pose(Weights::still(&[0.0; 4]));
        pose(MOVING);
    });
    assert_eq!(again.count_total, 0);
}

#[test]
fn a_deformer_is_shared_between_threads() {
    let model = large_model(300);
    let deformer = product(&model, Precision::File);
    let expected = reference(&model, Precision::File, MOVING, RampMode::Saturate);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let (deformer, expected) = (deformer.clone(), &expected);
            scope.spawn(move || {
                let mut shape = deformer.shape();
                deformer
                    .apply_to(MOVING, RampMode::Saturate, &mut shape)
                    .unwrap();
                assert_eq!(shape.positions, expected.positions);
            });
        }
    });
}
