//! Deltas at rest: sixteen-bit rows, grouped by flex, and the way back to floats.
//!
//! A row is eight sixteen-bit lanes and a vertex number beside it, 20 bytes in all:
//!
//! | lane | content |
//! |---|---|
//! | 0 1 2 | position delta, half float or fixed point |
//! | 3 4 5 | normal delta, likewise |
//! | 6 | wrinkle delta, fixed point |
//! | 7 | speed (low byte) and side |
//!
//! Eight lanes are one vector load and one conversion; the last two lanes are converted
//! along with the rest and the results not used. Vertex numbers are kept apart because
//! they are searched: within a flex the rows are sorted by vertex, so that the rows of
//! any range of vertices are found by bisection. The sort is stable and no flex is moved,
//! hence a vertex meets its deltas in file order.

use std::ops::Range;

use half::f16;
use half::slice::{HalfBitsSliceExt, HalfFloatSliceExt};

use crate::blend::Blend;
use crate::precision::{Encoding, Precision, quantise};
use crate::ramp::Ramp;
use crate::record::DeltaRow;

/// Lanes of a row.
pub(crate) const LANES: usize = 8;
const WRINKLE: usize = 6;
const BLEND: usize = 7;

/// The lanes of a row at rest.
pub(crate) type Row = [u16; LANES];

/// Those lanes as floats, or sums of such.
pub(crate) type Lanes = [f32; LANES];

#[inline]
pub(crate) fn position_of(&[x, y, z, ..]: &Lanes) -> [f32; 3] {
    [x, y, z]
}

#[inline]
pub(crate) fn normal_of(&[_, _, _, x, y, z, ..]: &Lanes) -> [f32; 3] {
    [x, y, z]
}

#[inline]
pub(crate) fn wrinkle_of(lanes: &Lanes) -> f32 {
    lanes[WRINKLE]
}

/// The speed and side of a row at rest.
#[inline]
pub(crate) fn blend_of(row: &Row) -> Blend {
    Blend::from_bits(row[BLEND])
}

/// What the lanes mean.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Codec {
    encoding: Encoding,
    scale: f32,
}

impl Codec {
    /// Packs a row of the file, quantised if `from` says that it has yet to be.
    fn pack(self, row: &DeltaRow, from: Encoding) -> Row {
        let [x, y, z] = row.delta;
        let [nx, ny, nz] = row.normal_delta;
        let wrinkle = row.wrinkle.cast_unsigned();
        let blend = Blend {
            speed: row.speed,
            side: row.side,
        };
        let row = [x, y, z, nx, ny, nz, wrinkle, blend.to_bits()];
        if from == self.encoding {
            row
        } else {
            quantise_row(row, self.scale)
        }
    }

    /// Converts as many rows as there are places in `out`; both have one length.
    pub(crate) fn unpack(self, rows: &[Row], out: &mut [Lanes]) {
        match self.encoding {
            Encoding::Half => {
                let halves: &[f16] = rows.as_flattened().reinterpret_cast();
                halves.convert_to_f32_slice(out.as_flattened_mut());
                for (row, out) in rows.iter().zip(out) {
                    out[WRINKLE] = self.fixed(row[WRINKLE]);
                }
            }
            Encoding::Fixed => {
                let bits = rows.as_flattened().iter();
                for (&bits, out) in bits.zip(out.as_flattened_mut()) {
                    *out = self.fixed(bits);
                }
            }
        }
    }

    fn fixed(self, bits: u16) -> f32 {
        f32::from(bits.cast_signed()) * self.scale
    }
}

/// A flex that a pose may have to apply.
#[derive(Debug, Clone)]
pub(crate) struct Flex {
    pub(crate) descriptor: usize,
    pub(crate) partner: Option<usize>,
    pub(crate) ramp: Ramp,
    /// Speed and side if all rows agree, as those of most mono flexes do: their weight is
    /// then computed once.
    pub(crate) blend: Option<Blend>,
    rows: Range<usize>,
}

/// Rows of one flex with their vertices, sorted by vertex.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) vertices: &'a [u32],
    pub(crate) lanes: &'a [Row],
}

/// All flexes of a model, in file order.
#[derive(Debug)]
pub(crate) struct Store {
    flexes: Vec<Flex>,
    vertices: Vec<u32>,
    lanes: Vec<Row>,
    file_encoding: Encoding,
    codec: Codec,
}

impl Store {
    pub(crate) fn new(file_encoding: Encoding, scale: f32, precision: Precision) -> Self {
        let encoding = match precision {
            Precision::File => file_encoding,
            Precision::Engine => Encoding::Fixed,
        };
        Self {
            flexes: Vec::new(),
            vertices: Vec::new(),
            lanes: Vec::new(),
            file_encoding,
            codec: Codec { encoding, scale },
        }
    }

    /// Appends a flex. Rows come with their vertex of the model, in file order.
    pub(crate) fn push(
        &mut self,
        descriptor: usize,
        partner: Option<usize>,
        ramp: Ramp,
        mut rows: Vec<(u32, DeltaRow)>,
    ) {
        rows.sort_by_key(|&(vertex, _)| vertex);
        let start = self.lanes.len();
        for (vertex, row) in &rows {
            self.vertices.push(*vertex);
            self.lanes.push(self.codec.pack(row, self.file_encoding));
        }
        let rows = start..self.lanes.len();
        self.flexes.push(Flex {
            descriptor,
            partner,
            ramp,
            blend: common_blend(&self.lanes[rows.clone()]),
            rows,
        });
    }

    /// The same flexes in the engine's precision.
    pub(crate) fn quantised(&self) -> Store {
        let codec = Codec {
            encoding: Encoding::Fixed,
            scale: self.codec.scale,
        };
        let lanes = self.lanes.iter();
        Store {
            flexes: self.flexes.clone(),
            vertices: self.vertices.clone(),
            lanes: match self.codec.encoding {
                Encoding::Half => lanes.map(|&row| quantise_row(row, codec.scale)).collect(),
                Encoding::Fixed => lanes.copied().collect(),
            },
            file_encoding: self.file_encoding,
            codec,
        }
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.flexes.shrink_to_fit();
        self.vertices.shrink_to_fit();
        self.lanes.shrink_to_fit();
    }

    pub(crate) fn flexes(&self) -> &[Flex] {
        &self.flexes
    }

    pub(crate) fn row_count(&self) -> usize {
        self.lanes.len()
    }

    pub(crate) fn codec(&self) -> Codec {
        self.codec
    }

    /// The rows of `flex` whose vertices lie in `range`.
    pub(crate) fn rows_within(&self, flex: &Flex, range: Range<usize>) -> Rows<'_> {
        let vertices = &self.vertices[flex.rows.clone()];
        let start = vertices.partition_point(|&v| (v as usize) < range.start);
        let end = vertices.partition_point(|&v| (v as usize) < range.end);
        Rows {
            vertices: &vertices[start..end],
            lanes: &self.lanes[flex.rows.clone()][start..end],
        }
    }
}

/// A row of halves as the engine has it after loading; wrinkle, speed and side stay.
fn quantise_row(mut row: Row, scale: f32) -> Row {
    for bits in &mut row[..WRINKLE] {
        *bits = quantise(*bits, scale);
    }
    row
}

fn common_blend(rows: &[Row]) -> Option<Blend> {
    let first = blend_of(rows.first()?);
    rows.iter()
        .all(|row| blend_of(row) == first)
        .then_some(first)
}
