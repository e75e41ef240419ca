//! Sets sliders of a face and shows what they do: descriptor weights, and how far vertices move.
//!
//! ```console
//! $ cargo run -p flexion-examples --example set_sliders                      # the sample face
//! $ cargo run -p flexion-examples --example set_sliders -- face.mdl smile=1  # a model of yours
//! ```
//!
//! Prints a line for each descriptor that is not 0 and one for each mesh that moved:
//!
//! ```text
//! jaw_drop = 1
//! weight AU26 = 1
//! mesh face: 2304 of 4410 vertices moved, 0.52 units at the most
//! ```

use flexion::{Face, Model, Precision};

/// What is set when nothing is asked for; the sample face has these sliders.
const SETTINGS: [&str; 2] = ["jaw_drop=1", "smile=0.8"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let model = match arguments.next() {
        Some(path) => Model::open(path)?,
        None => {
            let [(_, mdl), (_, vvd), (_, vtx)] = flexion_sample::face().files();
            Model::from_bytes(&mdl, Some(&vvd), Some(&vtx))?
        }
    };
    let mut settings: Vec<String> = arguments.collect();
    if settings.is_empty() {
        settings = SETTINGS.map(str::to_owned).into();
    }

    let mut face = model.face();
    for setting in &settings {
        let (name, value) = setting.rsplit_once('=').ok_or("a setting is NAME=VALUE")?;
        face.set(name, value.parse()?)?;
        println!("{name} = {}", face.get(name)?);
    }
    let weights = face.weights().to_vec();
    for (name, weight) in model.descriptors().iter().zip(weights) {
        if weight != 0.0 {
            println!("weight {name} = {weight}");
        }
    }
    print_movement(&model, &mut face)
}

/// Compares the pose with the vertices at rest.
fn print_movement(model: &Model, face: &mut Face) -> Result<(), Box<dyn std::error::Error>> {
    for (submodel, shape) in model.submodels().iter().zip(face.deform()?) {
        let rest = submodel.deformer(Precision::File).shape();
        for mesh in submodel.meshes() {
            let distances = mesh.vertices.clone().map(|vertex| {
                let (from, to) = (rest.positions[vertex], shape.positions[vertex]);
                let squares = (0..3).map(|axis| (to[axis] - from[axis]).powi(2));
                squares.sum::<f32>().sqrt()
            });
            let moved: Vec<f32> = distances.filter(|&distance| distance > 0.0).collect();
            if let Some(most) = moved.iter().copied().reduce(f32::max) {
                println!(
                    "mesh {}: {} of {} vertices moved, {most:.2} units at the most",
                    mesh.material,
                    moved.len(),
                    mesh.vertices.len()
                );
            }
        }
    }
    Ok(())
}
