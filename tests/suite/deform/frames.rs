//! Many frames at once: each has the bits of a pose on its own.

use flexion_deform::{
    Backend, Buffer, Deformer, Error, FrameScratch, FrameVertices, FrameWeights, FramesMut,
    Precision, RampMode, Weights,
};
use proptest::collection::vec;
use proptest::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::bridge::product;
use super::calls::large_model;
use super::strategies::{model, weight};
use super::{ONE, deformer, row};

/// Memory of many frames, full of NaN.
struct Memory {
    frames: usize,
    stride: usize,
    vertices: FrameVertices,
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    tangents: Vec<[f32; 4]>,
    wrinkles: Vec<f32>,
}

impl Memory {
    /// With `room` items behind the vertices of each frame.
    fn new(deformer: &Deformer, frames: usize, room: usize, vertices: FrameVertices) -> Self {
        let count = match vertices {
            FrameVertices::All => deformer.vertices(),
            FrameVertices::Flexed => deformer.flexed().len(),
        };
        let (stride, has_tangents) = (count + room, !deformer.base().tangents.is_empty());
        let items = frames * stride;
        Self {
            frames,
            stride,
            vertices,
            positions: vec![[f32::NAN; 3]; items],
            normals: vec![[f32::NAN; 3]; items],
            tangents: vec![[f32::NAN; 4]; if has_tangents { items } else { 0 }],
            wrinkles: vec![f32::NAN; items],
        }
    }

    fn lend(&mut self) -> FramesMut<'_> {
        FramesMut {
            positions: Some(&mut self.positions),
            normals: Some(&mut self.normals),
            tangents: Some(&mut self.tangents),
            wrinkles: Some(&mut self.wrinkles),
            stride: self.stride,
            vertices: self.vertices,
        }
    }

    /// Compares every frame with a pose of its own, and looks behind its vertices.
    fn assert_same(&self, deformer: &Deformer, weights: FrameWeights<'_>, mode: RampMode) {
        let all: Vec<u32> = (0..deformer.vertices() as u32).collect();
        let vertices = match self.vertices {
            FrameVertices::All => &all[..],
            FrameVertices::Flexed => deformer.flexed(),
        };
        let mut shape = deformer.shape();
        for frame in 0..self.frames {
            let row = frame * deformer.descriptors()..(frame + 1) * deformer.descriptors();
            let weights = Weights {
                current: &weights.current[row.clone()],
                delayed: &weights.delayed[row],
            };
            deformer.apply_to(weights, mode, &mut shape).unwrap();
            for at in 0..self.stride {
                let item = frame * self.stride + at;
                let vertex = vertices.get(at).map(|&vertex| vertex as usize);
                let place = format!("frame {frame} of {}, place {at}", self.frames);
                let pose = |all: &[[f32; 3]]| vertex.map_or([f32::NAN; 3], |vertex| all[vertex]);
                same(&self.positions[item], &pose(&shape.positions), &place);
                same(&self.normals[item], &pose(&shape.normals), &place);
                let wrinkle = vertex.map_or(f32::NAN, |vertex| shape.wrinkles[vertex]);
                same(&[self.wrinkles[item]], &[wrinkle], &place);
                if let Some(tangent) = self.tangents.get(item) {
                    let pose = vertex.map_or([f32::NAN; 4], |vertex| shape.tangents[vertex]);
                    same(tangent, &pose, &place);
                }
            }
        }
    }
}

/// Equal bits; a NaN equals any NaN.
fn same(frames: &[f32], pose: &[f32], place: &str) {
    for (&a, &b) in frames.iter().zip(pose) {
        let same = a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
        assert!(same, "{place}: {a:e} but the pose has {b:e}");
    }
}

/// Frame counts around the lanes of a vector and the frames of a tile.
fn counts(backend: Backend) -> [usize; 6] {
    let lanes = backend.lanes();
    let tile = 4 * lanes;
    [0, 1, lanes - 1, lanes, lanes + 1, 3 * tile + 5]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn frames_equal_poses(
        model in model(),
        rows in vec((vec(weight(), 5), vec(weight(), 5), any::<bool>()), 12),
        seed in any::<u64>(),
        room in 0..3usize,
        quantised in any::<bool>(),
    ) {
        let precision = if quantised { Precision::Engine } else { Precision::File };
        let deformer = product(&model, precision);
        for backend in Backend::available() {
            let deformer = deformer.with_backend(backend);
            let mut scratch = FrameScratch::default();
            for frames in counts(backend) {
                // Rows repeat in an order of their own; whole stretches of frames are still.
                let row = |frame: usize| &rows[(frame * 7 + (seed % 97) as usize) % rows.len()];
                let picked = (0..frames).map(row);
                let current = picked.clone().flat_map(|row| row.0.clone()).collect::<Vec<f32>>();
                let delayed = picked.flat_map(|row| if row.2 { &row.0 } else { &row.1 }.clone());
                let delayed = delayed.collect::<Vec<f32>>();
                let weights = FrameWeights { frames, current: &current, delayed: &delayed };
                for mode in [RampMode::Saturate, RampMode::Overdrive] {
                    for vertices in [FrameVertices::All, FrameVertices::Flexed] {
                        let mut memory = Memory::new(&deformer, frames, room, vertices);
                        deformer.apply_frames(weights, mode, memory.lend(), &mut scratch).unwrap();
                        memory.assert_same(&deformer, weights, mode);
                    }
                }
            }
        }
    }
}

/// Weights that move, and rest now and then.
fn moving(frames: usize) -> Vec<f32> {
    let weight = |at: usize| ((at as f32 * 0.37).sin() * 1.5).clamp(0.0, 1.0);
    (0..frames * 4).map(weight).collect()
}

fn pool(threads: usize) -> ThreadPool {
    let builder = ThreadPoolBuilder::new().num_threads(threads);
    builder.build().unwrap()
}

/// More output than stays in the cache, at every alignment of a frame's first vertex.
#[test]
fn large_outputs_on_any_number_of_threads_have_the_same_bits() {
    let mut model = large_model(1501);
    for flex in &mut model.flexes {
        flex.rows.retain(|row| !(200..900).contains(&row.index));
    }
    let deformer = product(&model, Precision::File);
    let frames = 100;
    let weights = moving(frames);
    let weights = FrameWeights::still(frames, &weights);
    let mode = RampMode::Saturate;
    let mut scratch = FrameScratch::default();
    for backend in Backend::available() {
        let deformer = deformer.with_backend(backend);
        for threads in [1, 2, 4] {
            let mut memory = Memory::new(&deformer, frames, 1, FrameVertices::All);
            let out = memory.lend();
            pool(threads)
                .install(|| deformer.apply_frames_parallel(weights, mode, out, &mut scratch))
                .unwrap();
            memory.assert_same(&deformer, weights, mode);
        }
    }
}

#[test]
fn what_is_not_asked_for_is_not_needed() {
    let deformer = product(&large_model(200), Precision::File);
    let weights = moving(20);
    let weights = FrameWeights::still(20, &weights);
    let mut scratch = FrameScratch::default();
    for wanted in 0..16u8 {
        let mut memory = Memory::new(&deformer, 20, 0, FrameVertices::All);
        let mut whole = Memory::new(&deformer, 20, 0, FrameVertices::All);
        let mode = RampMode::Saturate;
        deformer
            .apply_frames(weights, mode, whole.lend(), &mut scratch)
            .unwrap();
        let mut out = memory.lend();
        out.positions = out.positions.filter(|_| wanted & 1 != 0);
        out.normals = out.normals.filter(|_| wanted & 2 != 0);
        out.tangents = out.tangents.filter(|_| wanted & 4 != 0);
        out.wrinkles = out.wrinkles.filter(|_| wanted & 8 != 0);
        deformer
            .apply_frames(weights, mode, out, &mut scratch)
            .unwrap();
        let untouched = |bit: u8| wanted & bit == 0;
        if untouched(1) {
            whole.positions.fill([f32::NAN; 3]);
        }
        if untouched(2) {
            whole.normals.fill([f32::NAN; 3]);
        }
        if untouched(4) {
            whole.tangents.fill([f32::NAN; 4]);
        }
        if untouched(8) {
            whole.wrinkles.fill(f32::NAN);
        }
        let place = format!("wanted {wanted:04b}");
        let (memory, whole) = (&memory, &whole);
        same(
            memory.positions.as_flattened(),
            whole.positions.as_flattened(),
            &place,
        );
        same(
            memory.normals.as_flattened(),
            whole.normals.as_flattened(),
            &place,
        );
        same(
            memory.tangents.as_flattened(),
            whole.tangents.as_flattened(),
            &place,
        );
        same(&memory.wrinkles, &whole.wrinkles, &place);
    }
}

#[test]
fn more_frames_allocate_nothing() {
    let deformer = product(&large_model(1000), Precision::File);
    let weights = moving(300);
    let mut memory = Memory::new(&deformer, 300, 0, FrameVertices::All);
    let mut scratch = FrameScratch::default();
    let mut pose = |frames: usize| {
        let weights = FrameWeights::still(frames, &weights[..frames * 4]);
        let out = FramesMut {
            positions: Some(&mut memory.positions[..frames * 1000]),
            normals: Some(&mut memory.normals[..frames * 1000]),
            stride: 1000,
            ..FramesMut::default()
        };
        deformer
            .apply_frames(weights, RampMode::Saturate, out, &mut scratch)
            .unwrap();
    };
    let first = allocation_counter::measure(|| pose(1));
    assert!(first.count_total > 0, "the counter counts");
    assert!(first.bytes_max < 1 << 20, "whatever the number of frames");
    let again = allocation_counter::measure(|| {
        pose(300);
        pose(17);
    });
    assert_eq!(again.count_total, 0);
}

#[test]
fn wrong_lengths_are_errors_and_write_nothing() {
    let deformer = deformer(&[row(0, ONE)], Precision::File);
    // Lengths of: current, delayed, positions, normals, tangents, wrinkles; three frames of
    // four vertices and one item more.
    let right = [6, 6, 15, 15, 15, 15];
    let buffers = [
        Buffer::CurrentWeights,
        Buffer::DelayedWeights,
        Buffer::Positions,
        Buffer::Normals,
        Buffer::Tangents,
        Buffer::Wrinkles,
    ];
    let run = |lengths: [usize; 6], stride: usize| {
        let mut memory = Memory {
            frames: 3,
            stride,
            vertices: FrameVertices::All,
            positions: vec![[f32::NAN; 3]; lengths[2]],
            normals: vec![[f32::NAN; 3]; lengths[3]],
            tangents: vec![[f32::NAN; 4]; lengths[4]],
            wrinkles: vec![f32::NAN; lengths[5]],
        };
        let (current, delayed) = (vec![1.0; lengths[0]], vec![1.0; lengths[1]]);
        let weights = FrameWeights {
            frames: 3,
            current: &current,
            delayed: &delayed,
        };
        let (mode, scratch) = (RampMode::Saturate, &mut FrameScratch::default());
        let one = deformer.apply_frames(weights, mode, memory.lend(), scratch);
        let many = deformer.apply_frames_parallel(weights, mode, memory.lend(), scratch);
        assert_eq!(one, many);
        let written = memory.positions.as_flattened().iter().any(|f| !f.is_nan());
        assert_eq!(written, one.is_ok(), "written just when there is no error");
        one
    };
    assert_eq!(run(right, 5), Ok(()));
    for (place, buffer) in buffers.into_iter().enumerate() {
        for wrong in [0, right[place] - 1, right[place] + 1] {
            let mut lengths = right;
            lengths[place] = wrong;
            let error = Error {
                buffer,
                expected: right[place],
                found: wrong,
            };
            assert_eq!(run(lengths, 5), Err(error));
        }
    }
    let error = Error {
        buffer: Buffer::Stride,
        expected: 4,
        found: 3,
    };
    assert_eq!(run([6, 6, 9, 9, 9, 9], 3), Err(error));
}
