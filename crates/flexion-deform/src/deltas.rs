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
//! the [`Layout`](crate::layout::Layout), which both precisions of a model share.

use half::f16;

use crate::backend::Wide;
use crate::layout::Layout;
use crate::precision::{Encoding, quantise};
use crate::record::DeltaRow;

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
    /// Grouped by vertex, each group in file order.
    pub(crate) by_vertex: Vec<Row>,
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
    pub(crate) fn new(layout: &Layout, by_flex: Vec<Row>, encoding: Encoding, scale: f32) -> Self {
        Self {
            by_vertex: layout.by_vertex(&by_flex),
            by_flex,
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
            by_vertex: rows(&self.by_vertex),
            encoding: Encoding::Fixed,
            scale: self.scale,
        }
    }

    /// Whether all lanes of a row are finite floats.
    pub(crate) fn is_finite(&self, row: &Row) -> bool {
        let fixed = |bits: u16| f32::from(bits.cast_signed()) * self.scale;
        let deltas = match self.encoding {
            Encoding::Half => row[..WRINKLE]
                .iter()
                .all(|&bits| f16::from_bits(bits).is_finite()),
            Encoding::Fixed => row[..WRINKLE].iter().all(|&bits| fixed(bits).is_finite()),
        };
        deltas && fixed(row[WRINKLE]).is_finite()
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
    fn floats<W: Wide>(self, token: W::Token, row: &Row) -> W;
}

/// Half floats; the wrinkle lane is not wanted.
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
    #[inline(always)]
    fn floats<W: Wide>(self, token: W::Token, row: &Row) -> W {
        W::halves(token, row)
    }
}

impl Codec for WrinkledHalves {
    #[inline(always)]
    fn floats<W: Wide>(self, token: W::Token, row: &Row) -> W {
        W::halves(token, row).with_wrinkle(token, Fixed { scale: self.scale }.floats(token, row))
    }
}

impl Codec for Fixed {
    #[inline(always)]
    fn floats<W: Wide>(self, token: W::Token, row: &Row) -> W {
        W::fixed(token, row, W::splat(token, self.scale))
    }
}
