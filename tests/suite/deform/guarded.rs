//! Output buffers that tell when something else is written.

use flexion_deform::ShapeMut;
use flexion_testkit::deform_reference::ReferenceShape;

/// Buffers full of NaN with more NaN before and behind what is lent.
pub(super) struct Guarded {
    lengths: [usize; 4],
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    tangents: Vec<[f32; 4]>,
    wrinkles: Vec<f32>,
}

const GUARD: usize = 8;

impl Guarded {
    pub(super) fn new(lengths: [usize; 4]) -> Self {
        let [positions, normals, tangents, wrinkles] = lengths.map(|length| length + 2 * GUARD);
        Self {
            lengths,
            positions: vec![[f32::NAN; 3]; positions],
            normals: vec![[f32::NAN; 3]; normals],
            tangents: vec![[f32::NAN; 4]; tangents],
            wrinkles: vec![f32::NAN; wrinkles],
        }
    }

    pub(super) fn lend(&mut self) -> ShapeMut<'_> {
        let [positions, normals, tangents, wrinkles] = self.lengths;
        ShapeMut {
            positions: &mut self.positions[GUARD..][..positions],
            normals: &mut self.normals[GUARD..][..normals],
            tangents: Some(&mut self.tangents[GUARD..][..tangents]),
            wrinkles: Some(&mut self.wrinkles[GUARD..][..wrinkles]),
        }
    }

    pub(super) fn shape(&mut self) -> ReferenceShape {
        let lent = self.lend();
        ReferenceShape {
            positions: lent.positions.to_vec(),
            normals: lent.normals.to_vec(),
            tangents: lent.tangents.unwrap().to_vec(),
            wrinkles: lent.wrinkles.unwrap().to_vec(),
            touched: Vec::new(),
        }
    }

    /// The guards, or everything if `lengths` is zeroed.
    pub(super) fn assert_guards(&self) {
        let [positions, normals, tangents, wrinkles] = self.lengths;
        let guards = (outside(&self.positions, positions).flatten())
            .chain(outside(&self.normals, normals).flatten())
            .chain(outside(&self.tangents, tangents).flatten())
            .chain(outside(&self.wrinkles, wrinkles));
        assert!(guards.copied().all(f32::is_nan), "written past the end");
    }

    pub(super) fn assert_untouched(mut self) {
        let shape = self.shape();
        assert!(floats(&shape).all(f32::is_nan), "written despite an error");
        self.assert_guards();
    }
}

fn outside<T>(items: &[T], length: usize) -> impl Iterator<Item = &T> {
    items[..GUARD].iter().chain(&items[GUARD + length..])
}

pub(super) fn floats(shape: &ReferenceShape) -> impl Iterator<Item = f32> {
    (shape.positions.iter().flatten())
        .chain(shape.normals.iter().flatten())
        .chain(shape.tangents.iter().flatten())
        .chain(&shape.wrinkles)
        .copied()
}
