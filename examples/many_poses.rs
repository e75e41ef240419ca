//! Evaluates many poses at once and keeps only what is asked for: how far each slider moves the face.
//!
//! ```console
//! $ cargo run --release -p flexion-examples --example many_poses
//! $ cargo run --release -p flexion-examples --example many_poses -- path/to/face.mdl
//! ```
//!
//! Every slider goes through its range in 100 steps, which is 5,000 frames of the sample face, some 400 MB of
//! positions. They are never all there: `Model::batch` makes them a chunk at a time.

use std::process::ExitCode;

use flexion::{BatchOptions, Error, Model, Outputs};

const STEPS: usize = 100;

fn main() -> ExitCode {
    match std::env::args_os().nth(1) {
        Some(path) => Model::open(path),
        None => sample(),
    }
    .and_then(|model| sweep(&model))
    .map_or_else(
        |error| {
            eprintln!("many_poses: {error}");
            ExitCode::FAILURE
        },
        |()| ExitCode::SUCCESS,
    )
}

fn sample() -> Result<Model, Error> {
    let [(_, mdl), (_, vvd), (_, vtx)] = flexion_sample::face().files();
    Model::from_bytes(&mdl, Some(&vvd), Some(&vtx))
}

fn sweep(model: &Model) -> Result<(), Error> {
    let rest = model.face().sliders().to_vec();
    let controllers = model.controllers();
    // An iterator: no pose exists before the batch asks for it.
    let poses = (0..controllers.len() * STEPS).map(|pose| {
        let (slider, step) = (pose / STEPS, pose % STEPS);
        let mut sliders = rest.clone();
        let controller = &controllers[slider];
        let part = step as f32 / (STEPS - 1) as f32;
        sliders[slider] = controller.min + (controller.max - controller.min) * part;
        sliders
    });

    let options = BatchOptions {
        outputs: Outputs {
            positions: true,
            ..Outputs::WEIGHTS
        },
        ..BatchOptions::default()
    };
    let mut farthest = vec![0.0_f32; controllers.len()];
    let count = model.batch_with(options).run(poses, |frames| {
        for frame in 0..frames.len() {
            let slider = (frames.first() + frame) / STEPS;
            let moved = farthest_vertex(model, |submodel| frames.positions(submodel, frame));
            farthest[slider] = farthest[slider].max(moved);
        }
        Ok::<(), Error>(())
    })?;

    println!("{}: {count} poses on {}", model.name(), model.backend());
    for (controller, distance) in controllers.iter().zip(&farthest) {
        println!("{distance:8.3}  {}", controller.name);
    }
    Ok(())
}

/// The largest distance, in model units, of a vertex from where it is undeformed.
fn farthest_vertex<'a>(model: &Model, positions: impl Fn(usize) -> &'a [[f32; 3]]) -> f32 {
    let mut farthest = 0.0_f32;
    for (index, submodel) in model.submodels().iter().enumerate() {
        let rest = &submodel.deformer(flexion::Precision::File).base().positions;
        for (&[x, y, z], &[a, b, c]) in positions(index).iter().zip(rest) {
            let distance = ((x - a).powi(2) + (y - b).powi(2) + (z - c).powi(2)).sqrt();
            farthest = farthest.max(distance);
        }
    }
    farthest
}
