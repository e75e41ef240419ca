//! What `instructions.sh` counts under valgrind: one workload by name, a given number of times.
//!
//! ```text
//! instructions list                   names of the workloads
//! instructions write <folder>         writes the sample's files, which take long to sculpt under valgrind
//! instructions run <workload> <folder> <times>
//! ```
//!
//! Only what runs inside [`measured`] counts. Without one of these words, as when all benches are run, it says what
//! to use instead and ends.

use std::env;
use std::fs;
use std::hint::black_box;
use std::path::Path;

use flexion::Precision;
use flexion::deform::{RampMode, Weights};
use flexion_benches::{Activity, Deltas, Subject};
use flexion_rules::{Dialect, Evaluator, Program};
use flexion_testkit::reference::Rig;
use flexion_testkit::rigs;
use flexion_tests::bridge::with_rig;

const WORKLOADS: [&str; 7] = [
    "eval/one/arithmetic",
    "eval/one/combination",
    "eval/one/sample",
    "deform/one/all-active/fp16/sample",
    "deform/one/all-active/i16/sample",
    "deform/one/six-active/fp16/sample",
    "deform/one/six-active/i16/sample",
];

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["list"] => WORKLOADS.iter().for_each(|name| println!("{name}")),
        ["write", folder] => write(Path::new(folder)),
        ["run", workload, folder, times] => {
            run(
                workload,
                Path::new(folder),
                times.parse().expect("a number of times"),
            );
        }
        _ => eprintln!("instructions: counted by benches/instructions.sh"),
    }
}

/// Calls `pose` for each number from 0; what valgrind counts.
#[inline(never)]
fn measured(times: usize, pose: &mut dyn FnMut(usize)) {
    for time in 0..times {
        pose(time);
    }
}

fn run(workload: &str, folder: &Path, times: usize) {
    match workload.split('/').collect::<Vec<_>>()[..] {
        ["eval", "one", rig] => eval_one(&rig_named(rig, folder), times),
        ["deform", "one", activity, kind, "sample"] => {
            let activity = Activity::BOTH.into_iter().find(|a| a.name() == activity);
            let precision = match kind {
                "fp16" => Precision::File,
                "i16" => Precision::Engine,
                _ => panic!("no kind {kind}"),
            };
            let activity = activity.expect("an activity");
            deform_one(&sample(folder), activity, precision, times);
        }
        _ => panic!("no workload {workload}"),
    }
}

fn write(folder: &Path) {
    for (name, bytes) in flexion_sample::face().files() {
        fs::write(folder.join(name), bytes).expect("a folder to write to");
    }
}

fn sample(folder: &Path) -> Subject {
    Subject::open(&folder.join("face.mdl"))
}

fn rig_named(name: &str, folder: &Path) -> Rig {
    match name {
        "arithmetic" => rigs::arithmetic(),
        "combination" => rigs::combination(),
        "sample" => sample(folder).rig(),
        _ => panic!("no rig {name}"),
    }
}

fn eval_one(rig: &Rig, times: usize) {
    let poses = rigs::poses(rig, times);
    let program = with_rig(rig, |rig| Program::compile(rig, Dialect::Shipped));
    let mut evaluator = Evaluator::new(&program);
    measured(times, &mut |time| {
        black_box(evaluator.eval(&poses[time]));
    });
}

fn deform_one(subject: &Subject, activity: Activity, precision: Precision, times: usize) {
    let deltas = Deltas::of(subject).expect("a face with flexes");
    let weights = deltas.weights(activity);
    let model = subject.model();
    let deformers = model.submodels().iter().map(|s| s.deformer(precision));
    let mut deformers: Vec<_> = deformers.map(|d| (d, d.shape())).collect();
    measured(times, &mut |_| {
        for (deformer, shape) in &mut deformers {
            let weights = Weights::still(&weights);
            let posed = deformer.apply_to(weights, RampMode::Saturate, shape);
            posed.expect("a weight per descriptor");
            black_box(shape);
        }
    });
}
