//! Flex by flex: the rows of each active flex go to the sums of their vertices.

use crate::backend::{Isa, Wide};
use crate::deltas::{BLEND, Codec, Lanes};
use crate::marks::Ranks;
use crate::target::{Target, Wants};

use super::finish::Group;
use super::{Chunk, Pose};

impl<T: Target> Chunk<'_, T> {
    #[inline(always)]
    pub(super) fn scatter<I: Isa, C: Codec, const TANGENTS: bool>(
        &mut self,
        isa: I,
        pose: &Pose<'_>,
        codec: C,
        wants: Wants,
    ) {
        let (layout, start) = (pose.layout, self.ranks.start);
        let ranks = self.ranks.clone();
        for rank in Ranks::new(&ranks, pose.touched) {
            self.sums[rank - start] = layout.rest[rank];
            if TANGENTS {
                self.tangent_sums[rank - start] = layout.rest_tangents[rank];
            }
        }
        for &flex in pose.active {
            if pose.model.wrinkles[flex as usize] {
                self.scatter_flex::<I, C, TANGENTS>(isa, pose, codec, flex);
            } else {
                self.scatter_flex::<I, C::Smooth, TANGENTS>(isa, pose, codec.smooth(), flex);
            }
        }
        self.put_untouched(pose);
        let mut group = Group::NONE;
        for rank in Ranks::new(&ranks, pose.touched) {
            let at = group.count;
            group.ranks[at] = rank;
            group.sums[at] = self.sums[rank - start];
            if TANGENTS {
                group.tangents[at] = self.tangent_sums[rank - start];
            }
            group.count += 1;
            if group.is_full() {
                self.put_group::<I, TANGENTS>(isa, pose, wants, &group);
                group.count = 0;
            }
        }
        self.put_group::<I, TANGENTS>(isa, pose, wants, &group);
    }

    /// Adds the rows of one flex.
    #[inline(always)]
    fn scatter_flex<I: Isa, C: Codec, const TANGENTS: bool>(
        &mut self,
        isa: I,
        pose: &Pose<'_>,
        codec: C,
        flex: u32,
    ) {
        let (layout, start, token) = (pose.layout, self.ranks.start, isa.wide());
        let flex = &layout.flexes[flex as usize];
        let range = layout.rows_within(flex, &self.ranks);
        let weights = &pose.weights[flex.blends.clone()];
        let rows = &pose.model.deltas.by_flex[range.clone()];
        let (sums, tangent_sums) = (&mut *self.sums, &mut *self.tangent_sums);
        for (row, &rank) in rows.iter().zip(&layout.ranks[range]) {
            let weight = I::Wide::splat(token, weights[usize::from(row[BLEND])]);
            let moved = codec.floats::<I::Wide>(token, row).times(weight);
            let place = rank as usize - start;
            add::<I>(isa, &mut sums[place], moved);
            if TANGENTS {
                add::<I>(isa, &mut tangent_sums[place], moved);
            }
        }
    }
}

#[inline(always)]
fn add<I: Isa>(isa: I, sums: &mut Lanes, moved: I::Wide) {
    I::Wide::load(isa.wide(), sums).plus(moved).store(sums);
}
