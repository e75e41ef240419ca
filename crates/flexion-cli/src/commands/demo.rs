//! `flexion demo`: the sample face in each of its expressions, on one sheet.

use std::io::Write;
use std::path::Path;

use flexion::render::{Sheet, Size, Software, View};
use flexion::{Model, Portrait, PortraitOptions};

use crate::args::DemoArgs;
use crate::commands::sample;
use crate::commands::sheet::{self, Tile, TilePose};
use crate::failure::Failure;
use crate::output;

/// The picture of all expressions.
const SHEET: &str = "expressions.png";
const COLUMNS: usize = 5;
/// Edge of a tile in pixels.
const TILE: u32 = 240;
/// From a little to the head's left: lips and brows read better than from straight ahead.
const VIEW: View = View::From(glam::Vec3::new(0.24, -0.97, 0.0));

pub(crate) fn run(args: &DemoArgs) -> Result<(), Failure> {
    let mut written = sample::write(&args.folder)?;
    let model = Model::open(&written[0])?;
    let tile = Size::new(TILE, TILE).map_err(flexion::Error::from)?;
    let options = PortraitOptions {
        view: VIEW,
        ..PortraitOptions::new(tile)
    };
    let background = options.background;
    let portrait = Portrait::new(&model, options)?;
    let tiles = tiles(&model)?;
    let empty = Sheet::new(tiles.len(), Some(COLUMNS), tile, background);
    let empty = empty.map_err(flexion::Error::from)?;
    let desk = || (model.face(), Software::default());
    let picture = sheet::draw(empty, &portrait, &tiles, desk)?;
    let path = args.folder.join(SHEET);
    sheet::write(&path, &picture)?;
    written.push(path);
    output::to_stdout(|out| tell(out, &model, &args.folder))
}

/// The sample's expressions by name.
fn tiles(model: &Model) -> Result<Vec<Tile>, Failure> {
    let mut face = model.face();
    let mut tiles = Vec::new();
    for expression in flexion_sample::expressions() {
        face.reset();
        for (name, value) in expression.sliders {
            face.set(name, *value)?;
        }
        tiles.push(Tile {
            label: expression.name.to_owned(),
            pose: TilePose::Sliders(face.sliders().to_vec()),
        });
    }
    Ok(tiles)
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
    writeln!(
        out,
        "{} shows {} expressions.",
        folder.join(SHEET).display(),
        flexion_sample::expressions().len(),
    )?;
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
        format!("flexion sheet {face} -o sheet.png"),
        format!("flexion render {face} --set jaw_drop=1 --set smile=1 -o laugh.png"),
        format!("flexion pose {face} --set jaw_drop=1 --set smile=1 -o laugh.obj"),
    ] {
        writeln!(out, "  {command}")?;
    }
    Ok(())
}
