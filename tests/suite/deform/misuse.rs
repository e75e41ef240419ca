//! Buffers of wrong lengths.

use flexion_deform::{Buffer, Error, Precision, RampMode, Scratch, Shape, Weights};

use super::guarded::Guarded;
use super::{ONE, deformer, row};

#[test]
fn wrong_lengths_are_errors_and_write_nothing() {
    let deformer = deformer(&[row(0, ONE)], Precision::File);
    // Lengths of: current, delayed, positions, normals, tangents, wrinkles.
    let right = [2, 2, 4, 4, 4, 4];
    let buffers = [
        Buffer::CurrentWeights,
        Buffer::DelayedWeights,
        Buffer::Positions,
        Buffer::Normals,
        Buffer::Tangents,
        Buffer::Wrinkles,
    ];
    for (place, buffer) in buffers.into_iter().enumerate() {
        for wrong in [0, right[place] - 1, right[place] + 1] {
            let mut lengths = right;
            lengths[place] = wrong;
            let mut out = Guarded::new(lengths[2..].try_into().unwrap());
            let (current, delayed) = (vec![1.0; lengths[0]], vec![1.0; lengths[1]]);
            let weights = Weights {
                current: &current,
                delayed: &delayed,
            };
            let error = Error {
                buffer,
                expected: right[place],
                found: wrong,
            };
            let result = deformer.apply(weights, RampMode::Saturate, out.lend());
            assert_eq!(result, Err(error));
            let result = deformer.apply_parallel(
                weights,
                RampMode::Saturate,
                out.lend(),
                &mut Scratch::default(),
            );
            assert_eq!(result, Err(error));
            out.assert_untouched();
        }
    }
    let error = deformer
        .apply_to(
            Weights::still(&[]),
            RampMode::Saturate,
            &mut Shape::default(),
        )
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "current weights: expected 2 items, found 0"
    );
}
