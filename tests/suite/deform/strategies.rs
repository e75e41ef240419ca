//! Random models and weights, with the values that bite well represented.

use flexion_deform::Ramp;
use flexion_testkit::deform_reference::{Number, ReferenceFlex, ReferenceModel, ReferenceRow};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::{ONE, SCALE};

fn half_bits() -> impl Strategy<Value = u16> {
    let usual =
        (any::<bool>(), 0x1800u16..0x4900).prop_map(|(sign, bits)| bits | u16::from(sign) << 15);
    let awkward = select(vec![
        0, 0x8000, 1, 0x8001, 0x03ff, 0x0400, ONE, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfc01,
    ]);
    prop_oneof![20 => usual, 2 => any::<u16>(), 1 => awkward]
}

pub(super) fn weight() -> impl Strategy<Value = f32> {
    let below = 0.001f32.next_down();
    let awkward = select(vec![
        0.0,
        -0.0,
        below,
        -below,
        0.001,
        -0.001,
        1.0,
        1f32.next_down(),
        1f32.next_up(),
        -1.0,
        2.5,
        10.0,
        10.5,
        11.0,
        -10.5,
        1e-40,
        -3e38,
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
    ]);
    prop_oneof![6 => 0f32..1.0, 2 => Just(0.0), 1 => -3f32..12.0, 2 => awkward]
}

fn targets() -> impl Strategy<Value = [f32; 4]> {
    let known = select(vec![
        [0.0, 1.0, 10.0, 11.0],
        [0.0, 1.0, 1.0, 1.0],
        [1.0, 1.0, 10.0, 11.0],
        [0.0, 0.5, 0.5, 1.0],
        [0.0, 0.0, 0.0, 0.0],
        [-11.0, -10.0, -0.4, 0.1],
        [0.1, 0.6, 10.0, 11.0],
        [0.0, 1.0, 9.99, 11.0],
        [1.0, 0.0, -1.0, 3.0],
        [f32::NAN, 1.0, 2.0, 3.0],
        [f32::NEG_INFINITY, 0.0, 1.0, f32::INFINITY],
    ]);
    prop_oneof![3 => Just(Ramp::default().targets), 4 => known, 1 => prop::array::uniform4(-2f32..3.0)]
}

fn scale() -> impl Strategy<Value = f32> {
    let awkward = select(vec![
        1.0 / 1024.0,
        0.001,
        0.0,
        -0.25,
        1e-7,
        1e-38,
        1e30,
        f32::NAN,
        f32::INFINITY,
    ]);
    prop_oneof![6 => Just(SCALE), 3 => awkward]
}

fn delta_row(vertices: u16) -> impl Strategy<Value = ReferenceRow> {
    let bits = || prop::array::uniform3(half_bits());
    let byte = || prop_oneof![2 => Just(255u8), 2 => Just(0), 3 => any::<u8>()];
    (0..vertices, byte(), byte(), bits(), bits(), any::<i16>()).prop_map(
        |(index, speed, side, delta, ndelta, wrinkledelta)| ReferenceRow {
            index,
            speed,
            side,
            delta,
            ndelta,
            wrinkledelta,
        },
    )
}

/// A flex on one of two meshes (60 and 90 vertices) with rows enough for several blocks,
/// all of one speed and side or each with its own; now and then past its mesh.
fn flex() -> impl Strategy<Value = ReferenceFlex> {
    let uniform = any::<bool>();
    let mesh = select(vec![(0, 60), (60, 90), (60, 200)]);
    let rows = vec(delta_row(95), 0..140);
    (-1..6i32, -1..6i32, targets(), uniform, mesh, rows).prop_map(
        |(flexdesc, pair, targets, uniform, (vertexoffset, numvertices), mut rows)| {
            if let (true, Some(&first)) = (uniform, rows.first()) {
                for row in &mut rows {
                    (row.speed, row.side) = (first.speed, first.side);
                }
            }
            ReferenceFlex {
                flexdesc,
                flexpair: if uniform { 0 } else { pair },
                targets,
                vertexoffset,
                numvertices,
                rows,
            }
        },
    )
}

pub(super) fn model() -> impl Strategy<Value = ReferenceModel> {
    let vector = prop::array::uniform3(-1f32..1.0);
    let tangent = prop::array::uniform4(-1f32..1.0);
    let number = select(vec![Number::Half, Number::Fixed]);
    let rest = (number, scale(), vec(flex(), 0..9));
    (
        vec(vector.clone(), 150),
        vec(vector, 150),
        vec(tangent, 150),
        any::<bool>(),
        rest,
    )
        .prop_map(
            |(positions, normals, mut tangents, with_tangents, (number, scale, flexes))| {
                if !with_tangents {
                    tangents.clear();
                }
                ReferenceModel {
                    positions,
                    normals,
                    tangents,
                    numflexdesc: 5,
                    number,
                    scale,
                    flexes,
                }
            },
        )
}
