//! Flags of commands that make pictures.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use clap::{Args as ClapArgs, ValueEnum};
use flexion::render::{Background, Size, Software, Texture, View};
use flexion::{Model, Portrait, PortraitOptions, Show};

use crate::failure::Failure;

#[derive(Debug, ClapArgs)]
pub(crate) struct PictureArgs {
    /// From where: front, three-quarter, side or a direction in model space X,Y,Z
    #[arg(long, default_value_t, allow_hyphen_values = true)]
    pub(crate) view: View,
    /// How much larger than what shows the whole face
    #[arg(long, value_name = "F", default_value_t = 1.0, value_parser = zoom)]
    pub(crate) zoom: f32,
    /// Behind the face: #rrggbb or transparent
    #[arg(long, value_name = "COLOUR", default_value_t)]
    pub(crate) background: Background,
    /// A PNG for a material of the model
    #[arg(long, value_name = "NAME=FILE.png")]
    pub(crate) texture: Vec<TextureFile>,
    /// What to show
    #[arg(long, value_enum, default_value_t = ShowArg::Face)]
    pub(crate) show: ShowArg,
    /// Samples a pixel along each axis
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=4))]
    pub(crate) antialias: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum ShowArg {
    /// Skin, eyes and hair
    Face,
    /// Where wrinkles compress (blue) and stretch (red)
    Wrinkle,
    /// How far vertices have moved
    Displacement,
    /// Normals as colours
    Normals,
    /// The edges of the triangles
    Wire,
}

/// `NAME=FILE.png`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TextureFile {
    pub(crate) material: String,
    pub(crate) path: PathBuf,
}

impl FromStr for TextureFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once('=') {
            Some((material, path)) if !material.is_empty() && !path.is_empty() => Ok(TextureFile {
                material: material.to_owned(),
                path: path.into(),
            }),
            _ => Err("expected NAME=FILE.png".to_owned()),
        }
    }
}

/// `WIDTHxHEIGHT`.
pub(crate) fn size(text: &str) -> Result<Size, String> {
    let parts = text.split_once(['x', 'X']);
    let side = |text: &str| text.trim().parse::<u32>().ok();
    let (width, height) = parts
        .and_then(|(width, height)| Some((side(width)?, side(height)?)))
        .ok_or("expected WIDTHxHEIGHT in pixels, such as 512x512")?;
    Size::new(width, height).map_err(|error| error.to_string())
}

fn zoom(text: &str) -> Result<f32, String> {
    match text.trim().parse() {
        Ok(zoom) if (0.01..=1000.0).contains(&zoom) => Ok(zoom),
        _ => Err("expected a number from 0.01 to 1000".to_owned()),
    }
}

impl PictureArgs {
    /// Gets a model ready to be drawn at a size.
    pub(crate) fn portrait(&self, model: &Model, size: Size) -> Result<Portrait, Failure> {
        let mut textures = BTreeMap::new();
        for TextureFile { material, path } in &self.texture {
            let file = File::open(path).map_err(Failure::io(path))?;
            let texture = Texture::from_png(BufReader::new(file))
                .map_err(|error| Failure::Data(format!("{}: {error}", path.display())))?;
            textures.insert(material.clone(), Arc::new(texture));
        }
        let options = PortraitOptions {
            view: self.view,
            zoom: self.zoom,
            background: self.background,
            show: self.show.into(),
            textures,
            ..PortraitOptions::new(size)
        };
        Portrait::new(model, options).map_err(|error| match error {
            flexion::Error::UnknownMaterial { .. } => Failure::flag("--texture", &error),
            _ => error.into(),
        })
    }

    /// All files that a picture of a model is made of.
    pub(crate) fn inputs<'a>(&'a self, model: &'a Path, poses: Option<&'a Path>) -> Vec<&'a Path> {
        let textures = self.texture.iter().map(|texture| texture.path.as_path());
        std::iter::once(model)
            .chain(poses)
            .chain(textures)
            .collect()
    }

    /// A renderer of the quality that was asked for.
    pub(crate) fn renderer(&self) -> Software {
        Software::new(self.antialias)
    }
}

impl From<ShowArg> for Show {
    fn from(show: ShowArg) -> Show {
        match show {
            ShowArg::Face => Show::Face,
            ShowArg::Wrinkle => Show::Wrinkle,
            ShowArg::Displacement => Show::Displacement,
            ShowArg::Normals => Show::Normals,
            ShowArg::Wire => Show::Wire,
        }
    }
}
