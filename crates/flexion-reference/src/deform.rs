//! The slow reference deformer: one loop, one row at a time.
//!
//! Rows in the file's own layout and descriptor weights go in, the vertices of one model
//! come out ([`ReferenceModel::pose`]). Every half float is converted when a pose needs it,
//! as an engine's loop does, on half floats ([`Number::Half`]) as on fixed point
//! ([`Number::Fixed`], which [`ReferenceModel::converted`] makes as an engine does when it
//! loads a model).
//!
//! One row: delta `0x3c00` (1.0), speed 255, side 0, weight 0.5 → `position += 1.0 * 0.5`.

/// What the bits of a delta are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    /// Half floats.
    Half,
    /// `i16 * scale`.
    Fixed,
}

/// One vertanim with a wrinkle delta; 0 where the file has none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReferenceRow {
    /// Vertex of the mesh.
    pub index: u16,
    /// 255: current weights, 0: delayed ones.
    pub speed: u8,
    /// 0: descriptor, 255: partner.
    pub side: u8,
    /// Bits of the position delta.
    pub delta: [u16; 3],
    /// Bits of the normal delta.
    pub ndelta: [u16; 3],
    /// Wrinkle delta in multiples of the scale.
    pub wrinkledelta: i16,
}

/// One flex and what it needs of its mesh.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReferenceFlex {
    /// Descriptor.
    pub flexdesc: i32,
    /// Partner of a stereo pair, or 0.
    pub flexpair: i32,
    /// `target0..3`.
    pub targets: [f32; 4],
    /// First vertex of the mesh in the model.
    pub vertexoffset: u32,
    /// Vertices of the mesh.
    pub numvertices: u32,
    /// In file order.
    pub rows: Vec<ReferenceRow>,
}

/// One model with all its flexes in file order.
#[derive(Debug, Clone, PartialEq)]
pub struct ReferenceModel {
    /// One per vertex.
    pub positions: Vec<[f32; 3]>,
    /// One per vertex.
    pub normals: Vec<[f32; 3]>,
    /// One per vertex or none.
    pub tangents: Vec<[f32; 4]>,
    /// Number of descriptors.
    pub numflexdesc: usize,
    /// What the deltas are.
    pub number: Number,
    /// Unit of fixed-point numbers.
    pub scale: f32,
    /// In file order: of the meshes, then of their flexes.
    pub flexes: Vec<ReferenceFlex>,
}

/// Posed vertices. Kept by the caller so that a bench measures the loop alone.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReferenceShape {
    /// One per vertex.
    pub positions: Vec<[f32; 3]>,
    /// One per vertex.
    pub normals: Vec<[f32; 3]>,
    /// One per vertex or none.
    pub tangents: Vec<[f32; 4]>,
    /// One per vertex.
    pub wrinkles: Vec<f32>,
    /// Which vertices a flex touched.
    pub touched: Vec<bool>,
}

impl ReferenceModel {
    /// The model as an engine holds it: half floats turned into fixed point.
    #[must_use]
    pub fn converted(&self) -> Self {
        let mut model = self.clone();
        if model.number == Number::Half {
            model.number = Number::Fixed;
            for row in model.flexes.iter_mut().flat_map(|flex| &mut flex.rows) {
                for bits in row.delta.iter_mut().chain(&mut row.ndelta) {
                    *bits = fixed_from_half(*bits, self.scale);
                }
            }
        }
        model
    }

    /// Poses the model. `current` and `delayed` hold a weight per descriptor; `overdrive`
    /// lets weights pass flexes with the default start.
    pub fn pose(
        &self,
        current: &[f32],
        delayed: &[f32],
        overdrive: bool,
        shape: &mut ReferenceShape,
    ) {
        shape.positions.clone_from(&self.positions);
        shape.normals.clone_from(&self.normals);
        shape.tangents.clone_from(&self.tangents);
        shape.wrinkles.clear();
        shape.wrinkles.resize(self.positions.len(), 0.0);
        shape.touched.clear();
        shape.touched.resize(self.positions.len(), false);
        for flex in &self.flexes {
            self.add_flex(flex, current, delayed, overdrive, shape);
        }
        for vertex in 0..self.positions.len() {
            if shape.touched[vertex] {
                normalise(&mut shape.normals[vertex]);
                if let Some([xyz @ .., _]) = shape.tangents.get_mut(vertex) {
                    normalise(xyz);
                }
            }
        }
    }

    fn add_flex(
        &self,
        flex: &ReferenceFlex,
        current: &[f32],
        delayed: &[f32],
        overdrive: bool,
        shape: &mut ReferenceShape,
    ) {
        let exists = |index: i32| index >= 0 && (index as usize) < self.numflexdesc;
        if !exists(flex.flexdesc) || (flex.flexpair != 0 && !exists(flex.flexpair)) {
            return;
        }
        let w1 = ramp(flex.targets, current[flex.flexdesc as usize], overdrive);
        let w2 = ramp(flex.targets, delayed[flex.flexdesc as usize], overdrive);
        let (mut w3, mut w4) = (w1, w2);
        if flex.flexpair != 0 {
            w3 = ramp(flex.targets, current[flex.flexpair as usize], overdrive);
            w4 = ramp(flex.targets, delayed[flex.flexpair as usize], overdrive);
        }
        let small = |w: f32| w > -0.001 && w < 0.001;
        if small(w1) && small(w2) && small(w3) && small(w4) {
            return;
        }
        for row in &flex.rows {
            if u32::from(row.index) >= flex.numvertices {
                continue;
            }
            let vertex = flex.vertexoffset as usize + row.index as usize;
            if vertex >= self.positions.len() {
                continue;
            }
            let s = row.speed as f32 * (1.0 / 255.0);
            let b = row.side as f32 * (1.0 / 255.0);
            let w = (w1 * s + (1.0 - s) * w2) * (1.0 - b) + b * (w3 * s + (1.0 - s) * w4);
            self.add_row(row, vertex, w, shape);
        }
    }

    fn add_row(&self, row: &ReferenceRow, vertex: usize, w: f32, shape: &mut ReferenceShape) {
        shape.touched[vertex] = true;
        for axis in 0..3 {
            let delta = self.number(row.delta[axis]);
            let ndelta = self.number(row.ndelta[axis]);
            shape.positions[vertex][axis] += delta * w;
            shape.normals[vertex][axis] += ndelta * w;
            if let Some(tangent) = shape.tangents.get_mut(vertex) {
                tangent[axis] += ndelta * w;
            }
        }
        shape.wrinkles[vertex] += row.wrinkledelta as f32 * self.scale * w;
    }

    fn number(&self, bits: u16) -> f32 {
        match self.number {
            Number::Half => half(bits),
            Number::Fixed => bits as i16 as f32 * self.scale,
        }
    }
}

/// A weight on the ramp of a flex.
fn ramp(targets: [f32; 4], w: f32, overdrive: bool) -> f32 {
    let [t0, t1, t2, t3] = targets;
    if overdrive && t0 == 0.0 && t1 == 1.0 && t2 >= 10.0 {
        return w;
    }
    if w <= t0 || w >= t3 {
        return 0.0;
    }
    if w < t1 {
        return (w - t0) / (t1 - t0);
    }
    if w > t2 {
        return (t3 - w) / (t3 - t2);
    }
    1.0
}

fn normalise(vector: &mut [f32; 3]) {
    let [x, y, z] = *vector;
    let length = (x * x + y * y + z * z).sqrt();
    if length > 0.0 {
        *vector = [x / length, y / length, z / length];
    }
}

/// Half float bits to f32, by the definition of the format. Exact: a half's eleven
/// significant bits and its powers of two all exist in f32.
///
/// Assembled from bits, as an engine does it, so that a bench against this loop is fair.
#[must_use]
pub fn half(bits: u16) -> f32 {
    let sign = u32::from(bits & 0x8000) << 16;
    let exponent = u32::from(bits >> 10 & 0x1f);
    let mantissa = u32::from(bits & 0x3ff);
    let magnitude = match exponent {
        0 => return (mantissa as f32 / 16_777_216.0).copysign(f32::from_bits(sign)),
        31 => 0xff << 23 | mantissa << 13,
        _ => (exponent + 112) << 23 | mantissa << 13,
    };
    f32::from_bits(sign | magnitude)
}

/// What an engine makes of a half when it loads a model: infinities become the largest
/// half, NaN becomes 0; the quotient is cut toward 0 and keeps sixteen bits, 0 if no i32
/// holds it.
fn fixed_from_half(bits: u16, scale: f32) -> u16 {
    let value = match half(bits) {
        value if value.is_nan() => 0.0,
        value if value == f32::INFINITY => 65504.0,
        value if value == f32::NEG_INFINITY => -65504.0,
        value => value,
    };
    let whole = f64::from(value / scale).trunc();
    if (-2147483648.0..=2147483647.0).contains(&whole) {
        (whole as i64 & 0xffff) as u16
    } else {
        0
    }
}
