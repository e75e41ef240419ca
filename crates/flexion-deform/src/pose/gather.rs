//! Vertex by vertex: all rows of each touched vertex go to a sum in a register.

use crate::backend::{Isa, Wide};
use crate::deltas::{Codec, LANES};
use crate::layout::Layout;
use crate::marks::{Ranks, is_set};
use crate::target::{Target, Wants};
use crate::walk::Walk;

use super::finish::Group;
use super::{Chunk, Pose};

impl<T: Target> Chunk<'_, T> {
    #[inline(always)]
    pub(super) fn gather<I: Isa, C: Codec, const TANGENTS: bool>(
        &mut self,
        isa: I,
        pose: &Pose<'_>,
        walk: &Walk,
        codec: C,
        wants: Wants,
    ) {
        let model = pose.model;
        let mut next = self.vertices.start;
        if pose.previous.is_some() {
            self.put_untouched(pose);
            next = self.vertices.end;
        }
        let ranks = self.ranks.clone();
        let mut group = Group::NONE;
        for rank in Ranks::new(&ranks, pose.touched) {
            let vertex = pose.layout.flexed[rank] as usize;
            if next < vertex {
                self.put_rest(pose, next..vertex);
            }
            next = next.max(vertex + 1);
            let smooth = codec.smooth();
            let [sum, tangent] = if is_set(&model.awkward, rank) {
                gather_rank::<I, C, TANGENTS, true>(isa, pose, walk, codec, rank)
            } else if is_set(&model.wrinkled, rank) {
                gather_rank::<I, C, TANGENTS, false>(isa, pose, walk, codec, rank)
            } else {
                gather_rank::<I, C::Smooth, TANGENTS, false>(isa, pose, walk, smooth, rank)
            };
            let at = group.count;
            group.ranks[at] = rank;
            sum.store(&mut group.sums[at]);
            if TANGENTS {
                tangent.store(&mut group.tangents[at]);
            }
            group.count += 1;
            if group.is_full() {
                self.put_group::<I, TANGENTS>(isa, pose, wants, &group);
                group.count = 0;
            }
        }
        self.put_group::<I, TANGENTS>(isa, pose, wants, &group);
        if next < self.vertices.end {
            self.put_rest(pose, next..self.vertices.end);
        }
    }
}

/// The sums of a rank and, if they are wanted, those of its tangent. `CHECKED`: not even a
/// weight of 0 will do for flexes that are not active.
#[inline(always)]
fn gather_rank<I: Isa, C: Codec, const TANGENTS: bool, const CHECKED: bool>(
    isa: I,
    pose: &Pose<'_>,
    walk: &Walk,
    codec: C,
    rank: usize,
) -> [I::Wide; 2] {
    let token = isa.wide();
    let [mut sum, mut tangent] = at_rest::<I, TANGENTS>(isa, pose.layout, rank);
    let rows = walk.rows_of(rank);
    let blends = &walk.blends[rows.clone()];
    for (row, &blend) in walk.rows[rows].iter().zip(blends) {
        if CHECKED && !pose.is_active[pose.layout.flex_of(blend as usize)] {
            continue;
        }
        let weight = I::Wide::splat(token, pose.weights[blend as usize]);
        let moved = codec.floats::<I::Wide>(token, row).times(weight);
        sum = sum.plus(moved);
        if TANGENTS {
            tangent = tangent.plus(moved);
        }
    }
    [sum, tangent]
}

/// What the sums of a rank start from.
#[inline(always)]
fn at_rest<I: Isa, const TANGENTS: bool>(isa: I, layout: &Layout, rank: usize) -> [I::Wide; 2] {
    let tangent = match TANGENTS {
        true => layout.rest_tangents[rank],
        false => [0.0; LANES],
    };
    let token = isa.wide();
    [
        I::Wide::load(token, &layout.rest[rank]),
        I::Wide::load(token, &tangent),
    ]
}
