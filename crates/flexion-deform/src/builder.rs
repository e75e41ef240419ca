//! Records in, [`Deformer`] out.
//!
//! The builder checks every index once, so that a pose need not. What an engine would
//! tolerate or step over is reported, never fatal: a row past its mesh is ignored and
//! counted, a flex whose descriptors do not exist is skipped with the reason.

use thiserror::Error as ThisError;

use crate::blend::{Blend, BlendTable};
use crate::deformer::Deformer;
use crate::deltas::{Deltas, Row, pack};
use crate::layout::{Flex, Layout};
use crate::precision::{Encoding, Precision};
use crate::record::{BaseVertices, DeltaRow, FlexRecord};

/// Collects the flexes of one model.
///
/// ```
/// use flexion_deform::*;
///
/// let base = BaseVertices {
///     positions: vec![[0.0; 3]; 4],
///     normals: vec![[0.0, 0.0, 1.0]; 4],
///     tangents: Vec::new(),
/// };
/// let mut builder = DeformerBuilder::new(base, 1, Encoding::Fixed, 0.5, Precision::File);
/// let record = FlexRecord { vertex_count: 4, ..FlexRecord::default() };
///
/// let past_the_mesh = DeltaRow { vertex: 4, ..DeltaRow::default() };
/// let outcome = builder.flex(record, [DeltaRow::default(), past_the_mesh]);
/// assert_eq!(outcome, FlexOutcome::Kept { ignored_rows: 1 });
///
/// let outcome = builder.flex(FlexRecord { descriptor: 1, ..record }, []);
/// let reason = SkipReason::DescriptorOutOfRange { index: 1, count: 1 };
/// assert_eq!(outcome, FlexOutcome::Skipped(reason));
///
/// assert_eq!(builder.build().rows(), 1);
/// ```
#[derive(Debug)]
pub struct DeformerBuilder {
    base: BaseVertices,
    descriptors: usize,
    encoding: Encoding,
    scale: f32,
    precision: Precision,
    flexes: Vec<Flex>,
    blends: BlendTable,
    speeds: Vec<f32>,
    sides: Vec<f32>,
    vertices: Vec<u32>,
    rows: Vec<Row>,
    /// Rows of the flex in progress, the order in which they shall stand, and where those of each vertex start.
    kept: Vec<DeltaRow>,
    order: Vec<u32>,
    places: Vec<u32>,
}

/// What became of a flex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlexOutcome {
    /// It takes part, all its rows but so many that name a vertex outside the mesh or the
    /// model.
    Kept {
        /// How many rows were ignored.
        ignored_rows: usize,
    },
    /// It does not take part.
    Skipped(SkipReason),
}

/// Why a flex does not take part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ThisError)]
pub enum SkipReason {
    /// [`FlexRecord::descriptor`] is not in `0..count`.
    #[error("descriptor {index} of {count}")]
    DescriptorOutOfRange {
        /// The index the flex names.
        index: i32,
        /// How many descriptors there are.
        count: usize,
    },
    /// [`FlexRecord::partner`] is not in `0..count`.
    #[error("partner descriptor {index} of {count}")]
    PartnerOutOfRange {
        /// The index the flex names.
        index: i32,
        /// How many descriptors there are.
        count: usize,
    },
}

impl DeformerBuilder {
    /// Starts a model with the vertices `base` and `descriptors` weights to come.
    ///
    /// `fixed_point_scale` is the header's `flVertAnimFixedPointScale`, or 1/4096 without
    /// its flag. Any value is accepted; 0, infinities and NaN give what the arithmetic
    /// gives with them.
    ///
    /// The number of positions is the number of vertices: normals, and tangents unless
    /// there are none, are cut or filled up with zeros to the same length.
    #[must_use]
    pub fn new(
        mut base: BaseVertices,
        descriptors: usize,
        encoding: Encoding,
        fixed_point_scale: f32,
        precision: Precision,
    ) -> Self {
        let vertices = base.positions.len();
        base.normals.resize(vertices, [0.0; 3]);
        if !base.tangents.is_empty() {
            base.tangents.resize(vertices, [0.0; 4]);
        }
        Self {
            base,
            descriptors,
            encoding,
            scale: fixed_point_scale,
            precision,
            flexes: Vec::new(),
            blends: BlendTable::default(),
            speeds: Vec::new(),
            sides: Vec::new(),
            vertices: Vec::new(),
            rows: Vec::new(),
            kept: Vec::new(),
            order: Vec::new(),
            places: Vec::new(),
        }
    }

    /// Adds a flex. The order of calls is the order of the sums: meshes as in the file,
    /// and the flexes of each as in the file.
    ///
    /// A vertex may be listed twice; it then moves twice, as real files want it.
    pub fn flex(
        &mut self,
        record: FlexRecord,
        rows: impl IntoIterator<Item = DeltaRow>,
    ) -> FlexOutcome {
        let (descriptor, partner) = match self.descriptors_of(&record) {
            Ok(found) => found,
            Err(reason) => return FlexOutcome::Skipped(reason),
        };
        let mut ignored_rows = 0;
        let first = record.first_vertex;
        let vertices = self.vertices_of(&record);
        self.kept.clear();
        for row in rows {
            match u32::from(row.vertex) < vertices {
                true => self.kept.push(row),
                false => ignored_rows += 1,
            }
        }
        self.sort(vertices as usize);
        let blends = self.number_blends();
        let start = self.rows.len();
        let sorted = self.order.iter().map(|&at| &self.kept[at as usize]);
        self.vertices
            .extend(sorted.clone().map(|row| first + u32::from(row.vertex)));
        self.rows
            .extend(sorted.map(|row| pack(row, self.blends.number(Blend::of(row)))));
        self.flexes.push(Flex {
            descriptor,
            partner,
            ramp: record.ramp,
            rows: start..self.rows.len(),
            blends,
            marks: 0..0,
        });
        FlexOutcome::Kept { ignored_rows }
    }

    /// Finishes the model.
    ///
    /// # Panics
    /// If there are 2^32 rows or more.
    #[must_use]
    pub fn build(mut self) -> Deformer {
        assert!(u32::try_from(self.rows.len()).is_ok(), "too many rows");
        self.flexes.shrink_to_fit();
        self.speeds.shrink_to_fit();
        self.sides.shrink_to_fit();
        self.vertices.shrink_to_fit();
        self.rows.shrink_to_fit();
        let layout = Layout::new(
            self.base,
            self.descriptors,
            self.flexes,
            [self.speeds, self.sides],
            self.vertices,
        );
        let deltas = Deltas::new(self.rows, self.encoding, self.scale);
        let deltas = match self.precision {
            Precision::Engine if self.encoding == Encoding::Half => deltas.quantised(),
            _ => deltas,
        };
        Deformer::new(layout, deltas)
    }

    /// Numbers the blends of the flex in progress and appends their shares.
    fn number_blends(&mut self) -> std::ops::Range<usize> {
        let start = self.speeds.len();
        for blend in self.blends.collect(self.kept.iter().map(Blend::of)) {
            self.speeds.push(blend.speed());
            self.sides.push(blend.side());
        }
        start..self.speeds.len()
    }

    fn descriptors_of(&self, record: &FlexRecord) -> Result<(usize, Option<usize>), SkipReason> {
        let count = self.descriptors;
        let index = record.descriptor;
        let descriptor = self
            .in_range(index)
            .ok_or(SkipReason::DescriptorOutOfRange { index, count })?;
        let index = record.partner;
        if index == 0 {
            return Ok((descriptor, None));
        }
        let partner = self
            .in_range(index)
            .ok_or(SkipReason::PartnerOutOfRange { index, count })?;
        Ok((descriptor, Some(partner)))
    }

    fn in_range(&self, index: i32) -> Option<usize> {
        usize::try_from(index)
            .ok()
            .filter(|&index| index < self.descriptors)
    }

    /// How many vertices a flex can list: those of its mesh that the model has.
    fn vertices_of(&self, record: &FlexRecord) -> u32 {
        let model = u32::try_from(self.base.positions.len()).unwrap_or(u32::MAX);
        model
            .saturating_sub(record.first_vertex)
            .min(record.vertex_count)
    }

    /// Puts the rows of the flex in progress in order of their vertices; those of one vertex stay in file order.
    fn sort(&mut self, vertices: usize) {
        let count = self.kept.len() as u32;
        self.order.clear();
        self.order.extend(0..count);
        let vertex = |at: u32| self.kept[at as usize].vertex;
        if self.kept.is_sorted_by_key(|row| row.vertex) {
            return;
        }
        // Counting takes a step for each vertex, so it is for flexes that list many of them.
        if self.kept.len() * 8 < vertices {
            self.order.sort_unstable_by_key(|&at| (vertex(at), at));
            return;
        }
        self.places.clear();
        self.places
            .resize(usize::from(u16::MAX).min(vertices) + 1, 0);
        for row in &self.kept {
            self.places[usize::from(row.vertex)] += 1;
        }
        let mut before = 0;
        for place in &mut self.places {
            before += std::mem::replace(place, before);
        }
        for at in 0..count {
            let place = &mut self.places[usize::from(vertex(at))];
            self.order[*place as usize] = at;
            *place += 1;
        }
    }
}
