//! Vertices: the whole way from sliders, one pose at a time and many.

use std::hint::black_box;
use std::time::Duration;

use flexion::{Backend, Batch, BatchOptions, FaceOptions, Outputs};
use rayon::ThreadPool;

use super::measure::Contestant;
use super::moving::Moving;
use super::report::{COPY, Items, MOVING, REFERENCE, Section};
use super::same;
use super::subject::Subject;
use crate::failure::Failure;

/// Poses of a call where each is a call of its own.
const TOGETHER: usize = 8;

/// Poses that the slow reference judges.
const JUDGED: usize = 16;

type Vertices = Vec<[f32; 3]>;

pub(super) fn one_pose(subject: &Subject, budget: Duration) -> Result<Section, Failure> {
    check_face(subject)?;
    let mut face = subject.model.face();
    let mut next = 0..;
    let contestants = vec![
        reference(subject, true),
        Contestant::new("flexion", TOGETHER, move || {
            for pose in next.by_ref().take(TOGETHER) {
                face.set_all(subject.pose(pose))?;
                black_box(face.deform()?);
            }
            Ok(())
        }),
    ];
    Section::measure(items(subject), 1, contestants, budget)
}

pub(super) fn many_poses(subject: &Subject, budget: Duration) -> Result<Section, Failure> {
    check_batches(subject)?;
    check_moving(subject)?;
    let mut contestants = vec![reference(subject, false), copy(subject)];
    for &backend in &subject.backends {
        contestants.push(batch(subject, backend, &subject.alone));
    }
    if subject.threads.current_num_threads() > 1 {
        contestants.push(batch(subject, subject.model.backend(), &subject.threads));
    }
    contestants.push(moving(subject));
    Section::measure(items(subject), subject.frames(), contestants, budget)
}

fn items(subject: &Subject) -> Items {
    Items::Vertices(subject.vertices())
}

/// Rules and an engine's loops; tangents only where the other side makes them.
fn reference(subject: &Subject, tangents: bool) -> Contestant<'_> {
    let reference = &subject.reference;
    let bare = (!tangents).then(|| reference.without_tangents());
    let mut out = reference.posed();
    let mut next = 0..;
    Contestant::new(REFERENCE, TOGETHER, move || {
        let models = bare.as_deref().unwrap_or(&reference.models);
        for pose in next.by_ref().take(TOGETHER) {
            reference.pose(models, subject.pose(pose), &mut out);
            black_box(&mut out);
        }
        Ok(())
    })
}

/// As many bytes as all frames have, read and written once.
fn copy(subject: &Subject) -> Contestant<'_> {
    let count = subject.frames() * subject.vertices() * 2;
    let (from, mut to) = (vec![[1.0_f32; 3]; count], vec![[2.0_f32; 3]; count]);
    Contestant::new(COPY, subject.frames(), move || {
        to.copy_from_slice(black_box(&from));
        black_box(&mut to);
        Ok(())
    })
}

fn batch<'a>(subject: &'a Subject, backend: Backend, pool: &'a ThreadPool) -> Contestant<'a> {
    let mut batch = new_batch(subject, backend);
    let call = move || {
        pool.install(|| {
            let poses = (0..subject.frames()).map(|pose| subject.pose(pose));
            batch.run(poses, |frames| {
                black_box(frames);
                Ok(())
            })
        })
        .map(|_| ())
    };
    let threads = pool.current_num_threads();
    Contestant::new("batch", subject.frames(), call).on(backend, threads)
}

fn moving(subject: &Subject) -> Contestant<'_> {
    let backend = subject.model.backend();
    let mut moving = Moving::new(subject, backend);
    let vertices = moving.vertices();
    Contestant::new(MOVING, subject.frames(), move || moving.run())
        .on(backend, 1)
        .of_vertices(vertices)
}

fn new_batch(subject: &Subject, backend: Backend) -> Batch {
    let model = subject.model.with_backend(backend);
    model.batch_with(BatchOptions {
        outputs: Outputs::MESH,
        frames: subject.frames(),
        ..BatchOptions::default()
    })
}

/// Holds a face against the slow reference, which knows nothing of eyelids.
fn check_face(subject: &Subject) -> Result<(), Failure> {
    let mut face = subject.model.face_with(FaceOptions {
        eyelids: false,
        ..FaceOptions::default()
    });
    let reference = &subject.reference;
    let mut out = reference.posed();
    for pose in 0..subject.poses.min(JUDGED) {
        reference.pose(&reference.models, subject.pose(pose), &mut out);
        face.set_all(subject.pose(pose))?;
        for (shape, wanted) in face.deform()?.iter().zip(&out.shapes) {
            let who = "one pose beside the slow reference";
            equal(&shape.positions, &wanted.positions, pose, who)?;
            equal(&shape.normals, &wanted.normals, pose, who)?;
        }
    }
    Ok(())
}

/// Holds batches of every backend, on one thread and on many, against one pose at a time.
fn check_batches(subject: &Subject) -> Result<(), Failure> {
    let mut face = subject.model.face();
    let mut expected: Vec<Vec<(Vertices, Vertices)>> = Vec::new();
    for pose in 0..subject.frames() {
        face.set_all(subject.pose(pose))?;
        let shapes = face.deform()?.iter();
        let shapes = shapes.map(|shape| (shape.positions.clone(), shape.normals.clone()));
        expected.push(shapes.collect());
    }
    for &backend in &subject.backends {
        for pool in [&subject.alone, &subject.threads] {
            let who = format!("batch, {backend}, threads {}", pool.current_num_threads());
            let mut batch = new_batch(subject, backend);
            pool.install(|| {
                let poses = (0..subject.frames()).map(|pose| subject.pose(pose));
                batch.run(poses, |frames| {
                    for frame in 0..frames.len() {
                        let pose = frames.first() + frame;
                        for (index, (positions, normals)) in expected[pose].iter().enumerate() {
                            equal(frames.positions(index, frame), positions, pose, &who)?;
                            equal(frames.normals(index, frame), normals, pose, &who)?;
                        }
                    }
                    Ok::<(), Failure>(())
                })
            })?;
        }
    }
    Ok(())
}

/// Holds what moves against one pose at a time without eyelids.
fn check_moving(subject: &Subject) -> Result<(), Failure> {
    let mut face = subject.model.face_with(FaceOptions {
        eyelids: false,
        ..FaceOptions::default()
    });
    let mut moving = Moving::new(subject, subject.model.backend());
    moving.run()?;
    for pose in 0..subject.frames() {
        face.set_all(subject.pose(pose))?;
        for (shape, part) in face.deform()?.iter().zip(&moving.parts) {
            let flexed = part.deformer.flexed();
            let of_frame = |all: &Vertices| all[pose * flexed.len()..][..flexed.len()].to_vec();
            let wanted = |all: &Vertices| {
                flexed
                    .iter()
                    .map(|&v| all[v as usize])
                    .collect::<Vertices>()
            };
            let who = "moving vertices only";
            equal(
                &of_frame(&part.positions),
                &wanted(&shape.positions),
                pose,
                who,
            )?;
            equal(&of_frame(&part.normals), &wanted(&shape.normals), pose, who)?;
        }
    }
    Ok(())
}

fn equal(found: &[[f32; 3]], wanted: &[[f32; 3]], pose: usize, who: &str) -> Result<(), Failure> {
    let differs = |(a, b): (&[f32; 3], &[f32; 3])| !a.iter().zip(b).all(|(&a, &b)| same(a, b));
    match found.iter().zip(wanted).position(differs) {
        Some(vertex) => Err(Failure::Data(format!(
            "{who}: pose {pose}, vertex {vertex} is {:?} where it should be {:?}; nothing was measured",
            found[vertex], wanted[vertex],
        ))),
        None if found.len() != wanted.len() => Err(Failure::Data(format!(
            "{who}: pose {pose} has {} vertices where it should have {}; nothing was measured",
            found.len(),
            wanted.len(),
        ))),
        None => Ok(()),
    }
}
