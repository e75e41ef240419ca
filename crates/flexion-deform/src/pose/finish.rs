//! From sums to finished vertices: unit normals and tangents, and their way out.

use crate::backend::{Isa, Wide};
use crate::deltas::{LANES, Lanes, WRINKLE};
use crate::target::{Target, Vertex, Wants};

use super::{Chunk, Pose};

/// Vertices that are summed and finished together, since roots and divisions are what
/// finishing costs.
pub(super) struct Group {
    pub(super) count: usize,
    pub(super) ranks: [usize; LANES],
    pub(super) sums: [Lanes; LANES],
    /// Tangents have sums of their own, in the lanes of the normal delta.
    pub(super) tangents: [Lanes; LANES],
}

impl<T: Target> Chunk<'_, T> {
    /// Writes the vertices of a group, with unit normals and tangents.
    #[inline(always)]
    pub(super) fn put_group<I: Isa, const TANGENTS: bool>(
        &mut self,
        isa: I,
        pose: &Pose<'_>,
        wants: Wants,
        group: &Group,
    ) {
        let (mut lengths, mut tangent_lengths) = ([1.0; LANES], [1.0; LANES]);
        if wants.normals {
            lengths = measure::<I>(isa, &group.sums);
        }
        if TANGENTS {
            tangent_lengths = measure::<I>(isa, &group.tangents);
        }
        for at in 0..group.count {
            let sums = &group.sums[at];
            let vertex = pose.layout.flexed[group.ranks[at]] as usize;
            let mut tangent = [0.0; 4];
            if TANGENTS {
                let [x, y, z] = divide(&group.tangents[at], tangent_lengths[at]);
                tangent = [x, y, z, pose.layout.base.tangents[vertex][3]];
            }
            let finished = Vertex {
                position: [sums[0], sums[1], sums[2]],
                normal: divide(sums, lengths[at]),
                tangent,
                wrinkle: sums[WRINKLE],
            };
            self.out.put(vertex - self.vertices.start, &finished);
        }
    }
}

impl Group {
    pub(super) const NONE: Self = Self {
        count: 0,
        ranks: [0; LANES],
        sums: [[0.0; LANES]; LANES],
        tangents: [[0.0; LANES]; LANES],
    };

    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.count == LANES
    }
}

/// What to divide the normal lanes of some sums by: their length, or 1 if they have none
/// (all zeros, or a NaN in it) and stay as they are.
#[inline(always)]
fn measure<I: Isa>(isa: I, sums: &[Lanes; LANES]) -> [f32; LANES] {
    let mut lengths = [0.0; LANES];
    for (length, &[_, _, _, x, y, z, ..]) in lengths.iter_mut().zip(sums) {
        *length = x * x + y * y + z * z;
    }
    let token = isa.wide();
    I::Wide::load(token, &lengths)
        .root_or_one(token)
        .store(&mut lengths);
    lengths
}

/// The normal lanes over the length. The fourth quotient is for the compiler, which makes
/// one division of four.
#[inline(always)]
fn divide(&[_, _, _, x, y, z, wrinkle, _]: &Lanes, length: f32) -> [f32; 3] {
    let [x, y, z, _] = [x, y, z, wrinkle].map(|lane| lane / length);
    [x, y, z]
}
