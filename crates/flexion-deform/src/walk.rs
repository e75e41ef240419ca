//! The rows of a model by vertex: what a gather and frames walk.
//!
//! Made from the rows by flex when a pose first wants it: a face that moves little is ready without, and opening a
//! model takes a third less.

use std::ops::Range;

use crate::deltas::{BLEND, Row};
use crate::layout::{Flex, Layout};

/// A blend where a walk by vertex first meets it.
///
/// Sixteen frames make a table of all blends larger than the second-level cache. In this
/// order it is filled just before it is read, and read again soon: vertices side by side
/// share blends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Use {
    pub(crate) flex: u32,
    pub(crate) blend: u32,
}

/// Rows, blends and uses, each in the order of vertices.
#[derive(Debug)]
pub(crate) struct Walk {
    /// Where the rows of each rank start, and where those of the last end.
    starts: Vec<u32>,
    /// Grouped by vertex, each group in file order.
    pub(crate) rows: Vec<Row>,
    /// The blend of each row; numbered through all flexes.
    pub(crate) blends: Vec<u32>,
    /// The blends in the order in which they are met.
    pub(crate) uses: Vec<Use>,
    /// The use of each row.
    pub(crate) use_of: Vec<u32>,
    /// How many uses are met before each rank, and how many there are.
    pub(crate) met: Vec<u32>,
    /// The most rows that a rank has.
    pub(crate) longest: usize,
}

impl Walk {
    pub(crate) fn new(layout: &Layout, by_flex: &[Row]) -> Self {
        let ranks = &layout.ranks;
        let starts = starts(ranks, layout.flexed.len());
        let mut rows = vec![Row::default(); by_flex.len()];
        distribute(&starts, ranks, by_flex.iter().copied(), &mut rows);
        let mut blends = vec![0; by_flex.len()];
        let firsts = layout.flexes.iter().flat_map(|flex| {
            let first = flex.blends.start as u32;
            flex.rows.clone().map(move |_| first)
        });
        let blend = firsts
            .zip(by_flex)
            .map(|(first, row)| first + u32::from(row[BLEND]));
        distribute(&starts, ranks, blend, &mut blends);
        let (uses, use_of, met) = uses(&layout.flexes, &starts, &blends, layout.speeds.len());
        let counts = starts.windows(2).map(|pair| pair[1] - pair[0]);
        Self {
            longest: counts.max().unwrap_or(0) as usize,
            starts,
            rows,
            blends,
            uses,
            use_of,
            met,
        }
    }

    /// The rows of a rank.
    #[inline(always)]
    pub(crate) fn rows_of(&self, rank: usize) -> Range<usize> {
        self.starts[rank] as usize..self.starts[rank + 1] as usize
    }
}

/// Where the rows of each rank start when they are sorted by rank, and where the last end.
fn starts(ranks: &[u32], count: usize) -> Vec<u32> {
    let mut starts = vec![0u32; count + 1];
    for &rank in ranks {
        starts[rank as usize + 1] += 1;
    }
    for rank in 0..count {
        starts[rank + 1] += starts[rank];
    }
    starts
}

/// Sorts something of each row by rank; a rank keeps the order of the rows.
fn distribute<T>(starts: &[u32], ranks: &[u32], items: impl Iterator<Item = T>, out: &mut [T]) {
    let mut ends = starts.to_vec();
    for (&rank, item) in ranks.iter().zip(items) {
        let end = &mut ends[rank as usize];
        out[*end as usize] = item;
        *end += 1;
    }
}

/// Numbers blends as a walk by vertex meets them.
fn uses(
    flexes: &[Flex],
    starts: &[u32],
    blends: &[u32],
    count: usize,
) -> (Vec<Use>, Vec<u32>, Vec<u32>) {
    let mut flex_of = vec![0; count];
    for (number, flex) in flexes.iter().enumerate() {
        flex_of[flex.blends.clone()].fill(number as u32);
    }
    let mut number_of = vec![u32::MAX; count];
    let (mut uses, mut use_of, mut met) = (Vec::with_capacity(count), Vec::new(), vec![0]);
    use_of.reserve_exact(blends.len());
    met.reserve_exact(starts.len());
    for rank in starts.windows(2) {
        for &blend in &blends[rank[0] as usize..rank[1] as usize] {
            let number = &mut number_of[blend as usize];
            if *number == u32::MAX {
                *number = uses.len() as u32;
                let flex = flex_of[blend as usize];
                uses.push(Use { flex, blend });
            }
            use_of.push(*number);
        }
        met.push(uses.len() as u32);
    }
    (uses, use_of, met)
}
