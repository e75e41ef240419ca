//! `flexion sheet`: what a face can do, on one labelled sheet.

use std::collections::HashMap;

use flexion::render::{Image, Sheet, Software};
use flexion::{ControllerId, Face, Model, Portrait};
use rayon::prelude::*;

use crate::args::{By, SheetArgs};
use crate::failure::Failure;
use crate::output;
use crate::poses::PoseFile;
use crate::progress;

/// What one tile of a sheet shows.
pub(crate) struct Tile {
    pub(crate) label: String,
    pub(crate) pose: TilePose,
}

/// How the face of a tile is posed; what is not said is at rest.
pub(crate) enum TilePose {
    Rest,
    Controller(ControllerId, f32),
    Descriptor(usize),
    Sliders(Vec<f32>),
}

pub(crate) fn run(args: &SheetArgs) -> Result<(), Failure> {
    let inputs = args.picture.inputs(&args.model, args.poses.as_deref());
    output::must_differ(&args.output, &inputs)?;
    let model = Model::open(&args.model)?;
    let tiles = tiles(args, &model)?;
    let portrait = args.picture.portrait(&model, args.tile)?;
    let columns = args.columns.map(|columns| columns as usize);
    let sheet = Sheet::new(tiles.len(), columns, args.tile, args.picture.background)
        .map_err(|error| Failure::Usage(format!("{} tiles: {error}", tiles.len())))?;
    let face = || {
        let mut face = model.face_with(args.face.options());
        face.look_at(args.face.look);
        (face, args.picture.renderer())
    };
    let image = draw(sheet, &portrait, &tiles, face)?;
    write(&args.output, &image)
}

/// Draws all tiles, each on any thread, with a face and a renderer that `desk` makes.
pub(crate) fn draw(
    mut sheet: Sheet,
    portrait: &Portrait,
    tiles: &[Tile],
    desk: impl Fn() -> (Face, Software) + Sync,
) -> Result<Image, Failure> {
    let bar = progress::bar(tiles.len() as u64, "tiles");
    let pictures: Vec<Image> = tiles
        .par_iter()
        .map_init(&desk, |(face, renderer), tile| {
            pose(face, &tile.pose)?;
            let picture = portrait.draw(face, renderer);
            bar.inc(1);
            picture
        })
        .collect::<Result<_, _>>()?;
    bar.finish_and_clear();
    for (number, (picture, tile)) in pictures.iter().zip(tiles).enumerate() {
        sheet.place(number, picture, &tile.label);
    }
    Ok(sheet.into_image())
}

/// Writes a picture as a PNG.
pub(crate) fn write(path: &std::path::Path, image: &Image) -> Result<(), Failure> {
    let png = image.to_png(&[]);
    let png = png.map_err(|error| Failure::Data(error.to_string()))?;
    output::write(path, |out| Ok(out.write_all(&png)?))
}

fn pose(face: &mut Face, pose: &TilePose) -> Result<(), flexion::Error> {
    let target = face.target();
    face.reset();
    face.look_at(target);
    match pose {
        TilePose::Rest => Ok(()),
        TilePose::Controller(id, value) => face.set_id(*id, *value),
        TilePose::Sliders(sliders) => face.set_all(sliders),
        TilePose::Descriptor(descriptor) => {
            let mut weights = face.weights().to_vec();
            weights[*descriptor] = 1.0;
            face.hold_weights(Some(&weights))
        }
    }
}

fn tiles(args: &SheetArgs, model: &Model) -> Result<Vec<Tile>, Failure> {
    let by = args.by.unwrap_or(match args.poses {
        Some(_) => By::Pose,
        None => By::Controller,
    });
    match (by, &args.poses) {
        (By::Pose, Some(_)) => by_pose(args, model),
        (By::Pose, None) => Err(Failure::Usage("--by pose needs --poses".to_owned())),
        (_, Some(_)) => Err(Failure::Usage("--poses goes with --by pose".to_owned())),
        (By::Controller, None) => Ok(by_controller(args, model)),
        (By::Descriptor, None) => Ok(by_descriptor(model)),
    }
}

fn at_rest() -> Tile {
    Tile {
        label: "neutral".to_owned(),
        pose: TilePose::Rest,
    }
}

fn by_controller(args: &SheetArgs, model: &Model) -> Vec<Tile> {
    let rest = model.face_with(args.face.options());
    let names = numbered(
        model
            .controllers()
            .iter()
            .map(|controller| &*controller.name),
    );
    let mut tiles = vec![at_rest()];
    for ((id, name), &rest) in model.controller_ids().zip(names).zip(rest.sliders()) {
        let controller = &model.controllers()[id.index()];
        let ends = [controller.min, controller.max];
        let moved: Vec<f32> = ends.into_iter().filter(|&end| end != rest).collect();
        for &value in &moved {
            tiles.push(Tile {
                // Fully up is what a name alone says.
                label: if moved == [controller.max] {
                    name.clone()
                } else {
                    format!("{name} {value}")
                },
                pose: TilePose::Controller(id, value),
            });
        }
    }
    tiles
}

fn by_descriptor(model: &Model) -> Vec<Tile> {
    let names = numbered(model.descriptors().iter().map(String::as_str));
    let tile = |(number, label): (usize, String)| Tile {
        label,
        pose: TilePose::Descriptor(number),
    };
    let tiles = names.into_iter().enumerate().map(tile);
    std::iter::once(at_rest()).chain(tiles).collect()
}

fn by_pose(args: &SheetArgs, model: &Model) -> Result<Vec<Tile>, Failure> {
    let Some(path) = &args.poses else {
        return Ok(Vec::new());
    };
    let mut table = PoseFile::open(path, model, args.face.sliders.table_options())?;
    let mut face = model.face_with(args.face.options());
    let mut tiles = Vec::new();
    while let Some(labels) = table.next_pose(&mut face)? {
        let number = tiles.len() + 1;
        tiles.push(Tile {
            label: labels
                .name
                .or(labels.time)
                .or(labels.frame)
                .unwrap_or(number.to_string()),
            pose: TilePose::Sliders(face.sliders().to_vec()),
        });
    }
    if tiles.is_empty() {
        return Err(Failure::Data(format!(
            "{}: there is no pose",
            path.display()
        )));
    }
    Ok(tiles)
}

/// Names of which the second of a kind is `name#2`.
pub(crate) fn numbered<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let number = |name: &str| {
        let count = seen.entry(name.to_ascii_lowercase()).or_default();
        *count += 1;
        match *count {
            1 => name.to_owned(),
            n => format!("{name}#{n}"),
        }
    };
    names.map(number).collect()
}
