//! Deltas at rest: sixteen-bit rows, and the way back to floats.
//!
//! A row is eight sixteen-bit lanes:
//!
//! | lane | content |
//! |---|---|
//! | 0 1 2 | position delta, half float or fixed point |
//! | 3 4 5 | normal delta, likewise |
//! | 6 | wrinkle delta, fixed point |
//! | 7 | number of its speed and side among those of its flex |
//!
//! Eight lanes are one vector load and one conversion; the last lane is converted along
//! with the rest and the result not used. Which rows belong to which flex and vertex is in
//! the [`Layout`], which both precisions of a model share.

use std::sync::OnceLock;

use crate::backend::Wide;
use crate::layout::Layout;
use crate::precision::{Encoding, quantise};
use crate::record::DeltaRow;
use crate::walk::Walk;

/// Lanes of a row.
pub(crate) const LANES: usize = 8;
/// Its first lane for the normal.
pub(crate) const NORMAL: usize = 3;
/// Its lane for the wrinkle.
pub(crate) const WRINKLE: usize = 6;
/// Its lane for the number of the speed and side.
pub(crate) const BLEND: usize = 7;

/// The lanes of a row at rest.
pub(crate) type Row = [u16; LANES];

/// Those lanes as floats, or sums of such.
pub(crate) type Lanes = [f32; LANES];

/// The rows of a model.
#[derive(Debug)]
pub(crate) struct Deltas {
    /// Grouped by flex in file order, each group sorted by vertex.
    pub(crate) by_flex: Vec<Row>,
    by_vertex: OnceLock<Walk>,
    pub(crate) encoding: Encoding,
    pub(crate) scale: f32,
}

/// Packs a row of the file with the number of its blend.
pub(crate) fn pack(row: &DeltaRow, blend: u16) -> Row {
    let [x, y, z] = row.delta;
    let [nx, ny, nz] = row.normal_delta;
    [x, y, z, nx, ny, nz, row.wrinkle.cast_unsigned(), blend]
}

impl Deltas {
    /// Takes the rows by flex.
    pub(crate) fn new(by_flex: Vec<Row>, encoding: Encoding, scale: f32) -> Self {
        Self {
            by_flex,
            by_vertex: OnceLock::new(),
            encoding,
            scale,
        }
    }

    /// The same rows as an engine has them after loading.
    pub(crate) fn quantised(&self) -> Self {
        let rows = |rows: &[Row]| match self.encoding {
            Encoding::Half => rows
                .iter()
                .map(|&row| quantise_row(row, self.scale))
                .collect(),
            Encoding::Fixed => rows.to_vec(),
        };
        Self {
            by_flex: rows(&self.by_flex),
            by_vertex: OnceLock::new(),
            encoding: Encoding::Fixed,
            scale: self.scale,
        }
    }

    /// The same rows by vertex, made on first use and kept.
    pub(crate) fn walk(&self, layout: &Layout) -> &Walk {
        self.by_vertex
            .get_or_init(|| Walk::new(layout, &self.by_flex))
    }

    /// Whether every fixed-point number is a finite float.
    pub(crate) fn fixed_is_finite(&self) -> bool {
        // None is farther from 0 than the least.
        (f32::from(i16::MIN) * self.scale).is_finite()
    }

    /// Whether a row's wrinkle, as a float, may be anything but 0.
    pub(crate) fn has_wrinkle(&self, row: &Row) -> bool {
        row[WRINKLE] != 0 || !self.scale.is_finite()
    }

    /// Whether a row's lanes of halves are finite floats, if it has such.
    pub(crate) fn halves_are_finite(&self, row: &Row) -> bool {
        const EXPONENT: u16 = 0x7c00;
        let not_finite = |bits: u16| bits & EXPONENT == EXPONENT;
        let deltas = row[..WRINKLE].iter();
        self.encoding == Encoding::Fixed || !deltas.fold(false, |any, &bits| any | not_finite(bits))
    }
}

/// Wrinkle and blend stay.
fn quantise_row(mut row: Row, scale: f32) -> Row {
    for bits in &mut row[..WRINKLE] {
        *bits = quantise(*bits, scale);
    }
    row
}

/// How the lanes of a row become floats; a type for each way, so that kernels are compiled
/// for it.
pub(crate) trait Codec: Copy {
    /// The same for rows whose wrinkle is 0, which is 0 in either notation.
    type Smooth: Codec;

    fn smooth(self) -> Self::Smooth;
    fn floats<W: Wide>(self, token: W::Token, row: &Row) -> W;
}

/// Half floats; the wrinkle lane is 0 or not wanted.
#[derive(Clone, Copy)]
pub(crate) struct Halves;

/// Half floats beside a fixed-point wrinkle lane.
#[derive(Clone, Copy)]
pub(crate) struct WrinkledHalves {
    pub(crate) scale: f32,
}

/// Fixed point throughout.
#[derive(Clone, Copy)]
pub(crate) struct Fixed {
    pub(crate) scale: f32,
}

impl Codec for Halves {
    type Smooth = Self;

    #[inline(always)]
    fn smooth(self) -> Self {
        self
    }

    #[inline(always)]
    fn floats<W: Wide>(self, token: W::Token, row: &Row) -> W {
        W::halves(token, row)
    }
}

impl Codec for WrinkledHalves {
    type Smooth = Halves;

    #[inline(always)]
    fn smooth(self) -> Halves {
        Halves
    }

    #[inline(always)]
    fn floats<W: Wide>(self, token: W::Token, row: &Row) -> W {
        W::halves(token, row).with_wrinkle(token, Fixed { scale: self.scale }.floats(token, row))
    }
}

impl Codec for Fixed {
    type Smooth = Self;

    #[inline(always)]
    fn smooth(self) -> Self {
        self
    }

    #[inline(always)]
    fn floats<W: Wide>(self, token: W::Token, row: &Row) -> W {
        W::fixed(token, row, W::splat(token, self.scale))
    }
}
