//! `flexion demo`: the sample face in each of its expressions, on one sheet.

use std::io::Write;
use std::path::Path;

use flexion::{Face, Model};
use flexion_sample::Expression;
use glam::Vec3;

use crate::args::DemoArgs;
use crate::commands::sample;
use crate::draw::{self, Mesh, Paint, Tile};
use crate::failure::Failure;
use crate::output;

/// The picture of all expressions.
const SHEET: &str = "expressions.png";
const COLUMNS: usize = 5;
/// Edge of a tile in pixels.
const TILE: u32 = 240;
/// How far heads turn to their left, in degrees: lips and brows read better than from straight
/// ahead.
const YAW: f32 = 14.0;
/// The colour of the sample's eyes.
const IRIS: Vec3 = Vec3::new(0.30, 0.46, 0.50);

pub(crate) fn run(args: &DemoArgs) -> Result<(), Failure> {
    let mut written = sample::write(&args.folder)?;
    let model = Model::open(&written[0])?;
    let mut face = model.face();
    let tiles = flexion_sample::expressions()
        .iter()
        .map(|expression| tile(&mut face, expression))
        .collect::<Result<Vec<_>, _>>()?;
    let picture = draw::sheet(&tiles, COLUMNS, TILE)
        .png()
        .map_err(|error| Failure::Data(format!("the sheet cannot be encoded: {error}")))?;
    let sheet = args.folder.join(SHEET);
    output::write(&sheet, |out| Ok(out.write_all(&picture)?))?;
    written.push(sheet);
    output::to_stdout(|out| tell(out, &model, &args.folder))
}

/// Poses the face in an expression and hands its triangles to the drawing.
fn tile(face: &mut Face, expression: &Expression) -> Result<Tile, Failure> {
    face.reset();
    for (name, value) in expression.sliders {
        face.set(name, *value)?;
    }
    let model = face.model().clone();
    let mut tile = Tile {
        meshes: Vec::new(),
        yaw: YAW,
    };
    let frames: Vec<_> = model
        .submodels()
        .iter()
        .map(|part| face.eye_frames(part))
        .collect();
    for ((part, shape), frames) in model.submodels().iter().zip(face.deform()?).zip(frames) {
        // Of the alternatives of a body part, one is shown.
        if part.index() > 0 {
            continue;
        }
        let positions: Vec<Vec3> = shape.positions.iter().map(|&at| at.into()).collect();
        let normals: Vec<Vec3> = shape.normals.iter().map(|&at| at.into()).collect();
        for mesh in part.meshes() {
            tile.meshes.push(Mesh {
                positions: positions.clone(),
                normals: normals.clone(),
                triangles: mesh.triangles.clone(),
                paint: match mesh.eyeball.and_then(|eye| frames.get(eye)) {
                    Some(frame) => Paint::Eye {
                        centre: frame.origin,
                        gaze: frame.forward,
                        iris: IRIS,
                    },
                    None => Paint::of_material(&mesh.material),
                },
            });
        }
    }
    Ok(tile)
}

/// Says what was done and what to try next.
fn tell(out: &mut dyn Write, model: &Model, folder: &Path) -> Result<(), Failure> {
    let vertices: usize = model
        .submodels()
        .iter()
        .map(flexion::Submodel::vertex_count)
        .sum();
    writeln!(
        out,
        "The sample face has {} sliders, {} rules and {vertices} vertices.",
        model.controllers().len(),
        model.rules().len(),
    )?;
    writeln!(out, "{} shows, row by row:", folder.join(SHEET).display())?;
    for row in flexion_sample::expressions().chunks(COLUMNS) {
        let names: Vec<&str> = row.iter().map(|expression| expression.name).collect();
        writeln!(out, "  {}", names.join(", "))?;
    }
    let path = |name: &str| folder.join(name).display().to_string();
    let (face, poses) = (path("face.mdl"), path("poses.csv"));
    writeln!(
        out,
        "\nTry next (cargo run --release -- ... for flexion ...):"
    )?;
    for command in [
        format!("flexion inspect {face}"),
        format!("flexion rules {face}"),
        format!("flexion eval {face} --poses {poses}"),
        format!("flexion pose {face} --set jaw_drop=1 --set smile=1 -o laugh.obj"),
    ] {
        writeln!(out, "  {command}")?;
    }
    Ok(())
}
