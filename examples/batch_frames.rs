//! Renders a talking loop from code: no files but the pictures.
//!
//! ```console
//! $ cargo run --release -p flexion-examples --example batch_frames -- frames
//! ```
//!
//! Sliders come from formulas: a jaw that chatters, a smile that comes and goes as a layer, a blink now and then.
//! Frames are posed and drawn side by side; each depends on its number alone, so any of them can be made again.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use flexion::render::{Size, Software};
use flexion::{LayerMode, Layers, Model, Portrait, PortraitOptions, blink};
use rayon::prelude::*;

/// Two seconds that end where they begin.
const FRAMES: u32 = 60;
const FPS: f32 = 30.0;

type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> ExitCode {
    let folder = std::env::args_os().nth(1);
    let folder = folder.map_or_else(
        || std::env::temp_dir().join("flexion-frames"),
        PathBuf::from,
    );
    match render(&folder) {
        Ok(()) => {
            println!("{FRAMES} frames in {}", folder.display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("batch_frames: {error}");
            ExitCode::FAILURE
        }
    }
}

fn render(folder: &Path) -> Result<(), Failure> {
    let [(_, mdl), (_, vvd), (_, vtx)] = flexion_sample::face().files();
    let model = Model::from_bytes(&mdl, Some(&vvd), Some(&vtx))?;
    let portrait = Portrait::new(&model, PortraitOptions::new(Size::new(256, 256)?))?;
    std::fs::create_dir_all(folder)?;
    // A face and a renderer for each thread: both keep their buffers from frame to frame.
    (0..FRAMES).into_par_iter().try_for_each_init(
        || (model.face(), Software::default()),
        |(face, renderer), frame| {
            face.set_all(&sliders(&model, frame as f32 / FPS)?)?;
            let png = portrait.draw(face, renderer)?.to_png(&[])?;
            std::fs::write(folder.join(format!("talk_{frame:03}.png")), png)?;
            Ok(())
        },
    )
}

/// All sliders at a time in seconds.
fn sliders(model: &Model, seconds: f32) -> Result<Vec<f32>, flexion::Error> {
    let slider = |name: &str| model.controller(name);
    let wave = |hertz: f32| 0.5 - 0.5 * (std::f32::consts::TAU * hertz * seconds).cos();
    let mut layers = Layers::new(model.face().sliders());
    let jaw = (slider("jaw_drop")?, 0.7 * wave(2.5));
    let lips = (slider("funneler")?, 0.5 * wave(1.5));
    layers.set("talk", LayerMode::Add, 1.0, [jaw, lips])?;
    let smile = model.controllers_named("smile")?;
    layers.set(
        "smile",
        LayerMode::Replace,
        wave(0.5),
        smile.into_iter().map(|id| (id, 0.8)),
    )?;
    let lids = (slider("blink")?, blink(1.1 - seconds, 0.2));
    layers.set("blink", LayerMode::Add, 1.0, [lids])?;
    Ok(layers.sliders())
}
