//! What a kernel knows of the rows before a pose comes.

use crate::deltas::Deltas;
use crate::layout::Layout;
use crate::marks;

/// What one precision of a model does not share with the other.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) deltas: Deltas,
    /// A bit per rank whose sum starts with a -0 or meets a delta that is not finite.
    pub(crate) awkward: Vec<u64>,
    /// A bit per rank that has a wrinkle: most faces have none, and few flexes of others.
    pub(crate) wrinkled: Vec<u64>,
    /// Whether each flex has one.
    pub(crate) wrinkles: Vec<bool>,
}

impl Model {
    pub(crate) fn new(layout: &Layout, deltas: Deltas) -> Self {
        let mut awkward = marks::none(layout.flexed.len());
        let starts = layout.rest.iter().enumerate();
        for (rank, lanes) in starts.chain(layout.rest_tangents.iter().enumerate()) {
            if lanes
                .iter()
                .any(|lane| lane.to_bits() == (-0.0f32).to_bits())
            {
                marks::set(&mut awkward, rank);
            }
        }
        let fixed = deltas.fixed_is_finite();
        let mut wrinkled = vec![0; awkward.len()];
        let mut wrinkles = vec![false; layout.flexes.len()];
        for (flex, wrinkles) in layout.flexes.iter().zip(&mut wrinkles) {
            let rows = &deltas.by_flex[flex.rows.clone()];
            for (row, &rank) in rows.iter().zip(&layout.ranks[flex.rows.clone()]) {
                let rank = rank as usize;
                if !(fixed && deltas.halves_are_finite(row)) {
                    marks::set(&mut awkward, rank);
                }
                if deltas.has_wrinkle(row) {
                    marks::set(&mut wrinkled, rank);
                    *wrinkles = true;
                }
            }
        }
        Self {
            deltas,
            awkward,
            wrinkled,
            wrinkles,
        }
    }
}
