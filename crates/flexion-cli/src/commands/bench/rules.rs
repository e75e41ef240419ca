//! Rules: one pose at a time, and rows of many.

use std::cell::RefCell;
use std::hint::black_box;
use std::time::Duration;

use flexion::rules::{BatchEvaluator, Evaluator, Program};
use flexion::{Backend, Dialect};
use flexion_reference::rules::{self, Checks};

use super::measure::Contestant;
use super::report::{COPY, Items, REFERENCE, Section};
use super::same;
use super::subject::Subject;
use crate::failure::Failure;

/// Poses of a call where each is a call of its own.
const TOGETHER: usize = 64;

/// Poses that the slow reference judges.
const JUDGED: usize = 4096;

pub(super) fn one_pose(subject: &Subject, budget: Duration) -> Result<Section, Failure> {
    let mut evaluator = Evaluator::new(program(subject));
    let mut next = 0..;
    let contestants = vec![
        reference(subject),
        Contestant::new("flexion", TOGETHER, move || {
            for pose in next.by_ref().take(TOGETHER) {
                black_box(evaluator.eval(subject.pose(pose)));
            }
            Ok(())
        }),
    ];
    Section::measure(items(subject), 1, contestants, budget)
}

pub(super) fn many_poses(subject: &Subject, budget: Duration) -> Result<Section, Failure> {
    check(subject)?;
    // All write to the same place, so that it is as warm for one as for the other.
    let weights = RefCell::new(vec![0.0; subject.poses * subject.reference.rig.descriptors]);
    let mut contestants = vec![reference(subject), copy(subject)];
    for &backend in &subject.backends {
        contestants.push(rows(subject, backend, &weights));
    }
    if subject.threads.current_num_threads() > 1 {
        contestants.push(rows_on_threads(subject, &weights));
    }
    for &backend in &subject.backends {
        contestants.push(in_place(subject, backend));
    }
    Section::measure(items(subject), subject.poses, contestants, budget)
}

fn items(subject: &Subject) -> Items {
    Items::Rules(subject.reference.rig.rules.len())
}

fn program(subject: &Subject) -> &Program {
    subject.model.program(Dialect::Shipped)
}

fn reference(subject: &Subject) -> Contestant<'_> {
    let rig = &subject.reference.rig;
    let mut weights = vec![0.0; rig.descriptors];
    let mut next = 0..;
    Contestant::new(REFERENCE, TOGETHER, move || {
        for pose in next.by_ref().take(TOGETHER) {
            rules::eval(rig, Checks::Shipped, subject.pose(pose), &mut weights);
            black_box(&mut weights);
        }
        Ok(())
    })
}

/// Every byte that rows in and out consist of, read and written once.
fn copy(subject: &Subject) -> Contestant<'_> {
    let rig = &subject.reference.rig;
    let floats = subject.poses * (rig.controllers.len() + rig.descriptors);
    let (from, mut to) = (vec![1.0_f32; floats], vec![2.0_f32; floats]);
    Contestant::new(COPY, subject.poses, move || {
        to.copy_from_slice(black_box(&from));
        black_box(&mut to);
        Ok(())
    })
}

fn rows<'a>(
    subject: &'a Subject,
    backend: Backend,
    weights: &'a RefCell<Vec<f32>>,
) -> Contestant<'a> {
    let mut batch = BatchEvaluator::new(program(subject), backend);
    let call = move || {
        let weights = &mut *weights.borrow_mut();
        batch.rows(black_box(&subject.rows), weights);
        black_box(weights);
        Ok(())
    };
    Contestant::new("rows", subject.poses, call).on(backend, 1)
}

fn rows_on_threads<'a>(subject: &'a Subject, weights: &'a RefCell<Vec<f32>>) -> Contestant<'a> {
    let backend = subject.model.backend();
    let batch = BatchEvaluator::new(program(subject), backend);
    let call = move || {
        let weights = &mut *weights.borrow_mut();
        let rows = black_box(&subject.rows);
        subject
            .threads
            .install(|| batch.rows_parallel(rows, weights));
        black_box(weights);
        Ok(())
    };
    Contestant::new("rows", subject.poses, call).on(backend, subject.threads.current_num_threads())
}

/// A block of poses that never leaves the cache; a slider changes between, so that no run is for nothing.
fn in_place(subject: &Subject, backend: Backend) -> Contestant<'_> {
    let mut batch = BatchEvaluator::new(program(subject), backend);
    let poses = batch.block();
    fill(&mut batch, subject, 0, poses);
    let mut first = 0;
    let call = move || {
        first = (first + 1) % subject.poses;
        if let Some(&value) = subject.pose(first).first() {
            batch.sliders_mut(0)[0] = black_box(value);
        }
        batch.run(poses);
        black_box(batch.weights(0));
        Ok(())
    };
    Contestant::new("in place", poses, call).on(backend, 1)
}

/// Puts poses into the block, from one on.
fn fill(batch: &mut BatchEvaluator, subject: &Subject, first: usize, poses: usize) {
    for slider in 0..subject.model.controllers().len() {
        let plane = batch.sliders_mut(slider);
        for (at, value) in plane.iter_mut().take(poses).enumerate() {
            *value = subject.pose(first + at)[slider];
        }
    }
}

/// Holds every way against one pose at a time, and that against the slow reference.
fn check(subject: &Subject) -> Result<(), Failure> {
    let count = subject.reference.rig.descriptors;
    let mut evaluator = Evaluator::new(program(subject));
    let mut expected = Vec::with_capacity(subject.poses * count);
    for pose in 0..subject.poses {
        expected.extend_from_slice(evaluator.eval(subject.pose(pose)));
    }
    let wrong = |pose: usize, descriptor: usize, found: f32, wanted: f32, who: &str| {
        Failure::Data(format!(
            "{who}: pose {pose}, descriptor {:?} is {found:?} where it should be {wanted:?}; nothing was measured",
            subject.model.descriptors()[descriptor],
        ))
    };
    let equal = |found: &[f32], who: &str| {
        let mut pairs = found.iter().zip(&expected).enumerate();
        match pairs.find(|(_, (found, wanted))| !same(**found, **wanted)) {
            Some((at, (&found, &wanted))) => Err(wrong(at / count, at % count, found, wanted, who)),
            None => Ok(()),
        }
    };
    let mut weights = vec![0.0; subject.poses.min(JUDGED) * count];
    for (pose, weights) in weights.chunks_exact_mut(count).enumerate() {
        let rig = &subject.reference.rig;
        rules::eval(rig, Checks::Shipped, subject.pose(pose), weights);
    }
    equal(&weights, "the slow reference beside one pose")?;
    weights.resize(subject.poses * count, 0.0);
    for &backend in &subject.backends {
        let mut batch = BatchEvaluator::new(program(subject), backend);
        batch.rows(&subject.rows, &mut weights);
        equal(&weights, &format!("rows, {backend}"))?;
        let threads = &subject.threads;
        threads.install(|| batch.rows_parallel(&subject.rows, &mut weights));
        equal(&weights, &format!("rows on threads, {backend}"))?;
        let poses = batch.block().min(subject.poses);
        fill(&mut batch, subject, 0, poses);
        batch.run(poses);
        let block = (0..poses).flat_map(|pose| {
            let batch = &batch;
            (0..count).map(move |descriptor| batch.weights(descriptor)[pose])
        });
        equal(&block.collect::<Vec<_>>(), &format!("in place, {backend}"))?;
    }
    Ok(())
}
