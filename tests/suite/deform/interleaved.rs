//! Vertex buffers with a stride: attributes in their places, everything else untouched.

use flexion_deform::{Buffer, Error, InterleavedMut, Precision, RampMode, Scratch, Weights};

use super::bridge::{product, reference};
use super::calls::{MOVING, large_model};
use super::{ONE, deformer, row};

#[test]
fn attributes_land_in_their_places() {
    let model = large_model(300);
    let deformer = product(&model, Precision::File);
    let expected = reference(&model, Precision::File, MOVING, RampMode::Saturate);
    let mut scratch = Scratch::default();
    // Which of position, normal, tangent and wrinkle are asked for.
    for wanted in 0..16u8 {
        let place = |bit: u8, at: usize| (wanted >> bit & 1 == 1).then_some(at);
        let mut floats = vec![f32::NAN; 300 * 14];
        let out = InterleavedMut {
            floats: &mut floats,
            stride: 14,
            position: place(0, 10),
            normal: place(1, 1),
            tangent: place(2, 4),
            wrinkle: place(3, 13),
        };
        deformer
            .apply_interleaved(MOVING, RampMode::Saturate, out, &mut scratch)
            .unwrap();
        for (vertex, floats) in floats.chunks_exact(14).enumerate() {
            let mut all = [f32::NAN; 14];
            if wanted & 1 != 0 {
                all[10..13].copy_from_slice(&expected.positions[vertex]);
            }
            if wanted & 2 != 0 {
                all[1..4].copy_from_slice(&expected.normals[vertex]);
            }
            if wanted & 4 != 0 {
                all[4..8].copy_from_slice(&expected.tangents[vertex]);
            }
            if wanted & 8 != 0 {
                all[13] = expected.wrinkles[vertex];
            }
            let bits = |floats: &[f32]| floats.iter().map(|f| f.to_bits()).collect::<Vec<_>>();
            assert_eq!(
                bits(floats),
                bits(&all),
                "vertex {vertex}, wanted {wanted:04b}"
            );
        }
    }
}

#[test]
fn tangents_that_the_base_lacks_are_left_alone() {
    let mut model = large_model(70);
    model.tangents.clear();
    let mut floats = vec![5.0; 70 * 4];
    let out = InterleavedMut {
        tangent: Some(0),
        ..InterleavedMut::new(&mut floats, 4)
    };
    product(&model, Precision::File)
        .apply_interleaved(MOVING, RampMode::Saturate, out, &mut Scratch::default())
        .unwrap();
    assert!(floats.iter().all(|&float| float == 5.0));
}

#[test]
fn wrong_strides_and_lengths_are_errors_and_write_nothing() {
    let deformer = deformer(&[row(0, ONE)], Precision::File);
    let check = |position, tangent, stride, length, buffer, expected, found| {
        let mut floats = vec![f32::NAN; length];
        let out = InterleavedMut {
            position,
            tangent,
            ..InterleavedMut::new(&mut floats, stride)
        };
        let weights = Weights::still(&[1.0; 2]);
        let result =
            deformer.apply_interleaved(weights, RampMode::Saturate, out, &mut Scratch::default());
        let error = Error {
            buffer,
            expected,
            found,
        };
        assert_eq!(result, Err(error));
        assert!(floats.iter().copied().all(f32::is_nan));
    };
    check(Some(1), None, 3, 12, Buffer::Stride, 4, 3);
    check(None, Some(0), 3, 12, Buffer::Stride, 4, 3);
    check(Some(usize::MAX), None, 3, 12, Buffer::Stride, usize::MAX, 3);
    check(Some(0), None, 3, 11, Buffer::Interleaved, 12, 11);
    check(Some(0), None, 3, 13, Buffer::Interleaved, 12, 13);
}
