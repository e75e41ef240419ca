//! What `instructions.sh` counts under valgrind: one workload by name, with a given number of poses.
//!
//! ```text
//! instructions list                   names of the workloads
//! instructions write <folder>         writes the sample's files, which take long to sculpt under valgrind
//! instructions backend                name of the vector instructions that batches use
//! instructions run <workload> <folder> <poses>
//! ```
//!
//! A batch takes all poses at once, everything else one by one.
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
use flexion_rules::{BatchEvaluator, Dialect, Evaluator, Program};
use flexion_simd::Backend;
use flexion_testkit::reference::Rig;
use flexion_testkit::rigs;
use flexion_tests::bridge::with_rig;

const WORKLOADS: [&str; 10] = [
    "eval/one/arithmetic",
    "eval/one/combination",
    "eval/one/sample",
    "eval/batch/arithmetic",
    "eval/batch/combination",
    "eval/batch/sample",
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
        ["backend"] => println!("{}", Backend::best()),
        ["run", workload, folder, poses] => {
            let poses = poses.parse().expect("a number of poses");
            run(workload, Path::new(folder), poses);
        }
        _ => eprintln!("instructions: counted by benches/instructions.sh"),
    }
}

/// What valgrind counts.
#[inline(never)]
fn measured(work: &mut dyn FnMut()) {
    work();
}

fn run(workload: &str, folder: &Path, poses: usize) {
    match workload.split('/').collect::<Vec<_>>()[..] {
        ["eval", "one", rig] => eval_one(&rig_named(rig, folder), poses),
        ["eval", "batch", rig] => eval_batch(&rig_named(rig, folder), poses),
        ["deform", "one", activity, kind, "sample"] => {
            let activity = Activity::BOTH.into_iter().find(|a| a.name() == activity);
            let precision = match kind {
                "fp16" => Precision::File,
                "i16" => Precision::Engine,
                _ => panic!("no kind {kind}"),
            };
            let activity = activity.expect("an activity");
            deform_one(&sample(folder), activity, precision, poses);
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

fn compile(rig: &Rig) -> Program {
    with_rig(rig, |rig| Program::compile(rig, Dialect::Shipped))
}

fn eval_one(rig: &Rig, poses: usize) {
    let poses = rigs::poses(rig, poses);
    let mut evaluator = Evaluator::new(&compile(rig));
    measured(&mut || {
        for pose in &poses {
            black_box(evaluator.eval(pose));
        }
    });
}

fn eval_batch(rig: &Rig, poses: usize) {
    let sliders = rigs::poses(rig, poses).concat();
    let mut weights = vec![0.0; poses * rig.descriptors];
    let mut batch = BatchEvaluator::new(&compile(rig), Backend::best());
    measured(&mut || batch.rows(&sliders, &mut weights));
    black_box(weights);
}

fn deform_one(subject: &Subject, activity: Activity, precision: Precision, poses: usize) {
    let deltas = Deltas::of(subject).expect("a face with flexes");
    let weights = deltas.weights(activity);
    let model = subject.model();
    let deformers = model.submodels().iter().map(|s| s.deformer(precision));
    let mut deformers: Vec<_> = deformers.map(|d| (d, d.shape())).collect();
    measured(&mut || {
        for _ in 0..poses {
            for (deformer, shape) in &mut deformers {
                let weights = Weights::still(&weights);
                let posed = deformer.apply_to(weights, RampMode::Saturate, shape);
                posed.expect("a weight per descriptor");
                black_box(shape);
            }
        }
    });
}
