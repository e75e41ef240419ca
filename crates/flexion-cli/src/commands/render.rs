//! `flexion render`: poses over time as numbered pictures, or as one picture or animation.
//!
//! A frame's pixels depend on the track and its number alone: not on threads, shards, the frames
//! that are made or their order. Each PNG carries a fingerprint of what it shows, so that a run
//! which was interrupted goes on where it was, and one with another face or light does not.

mod destination;
mod manifest;
mod work;

use flexion::{BoneTrack, ControllerId, Face, Key, Model, PoseTrack, TrackPlayer};

use crate::args::RenderArgs;
use crate::commands::pose;
use crate::failure::Failure;
use crate::interrupt;
use crate::output;
use crate::poses;
use destination::Destination;
use work::{Frames, Studio};

pub(crate) fn run(args: &RenderArgs) -> Result<(), Failure> {
    let model = Model::open(&args.model)?;
    let bones = bones(args, &model)?;
    let track = track(args, &model, bones.as_ref())?;
    let portrait = args.picture.portrait(&model, args.size)?;
    let fps = args.fps.get();
    let frames = Frames::new(track.frame_count(fps), args.frames, args.shard)?;
    let destination = Destination::new(args, &frames)?;
    check_outputs(args, &destination)?;
    let mut face = model.face_with(args.face.options());
    let held = held(args, &mut face)?;
    pose::pose_bones(&args.bone, &mut face)?;
    let mut player = TrackPlayer::new(&track, args.interpolate, fps, face).hold(held);
    if let Some(bones) = &bones {
        player = player.bones(bones);
    }
    if args.jiggle {
        player = player.jiggle();
    }
    let studio = Studio {
        args,
        portrait: &portrait,
        frames: &frames,
    };
    interrupt::watch()?;
    match &destination {
        Destination::Folder(folder) => {
            output::make_folder(folder.path())?;
            output::sweep(folder.path());
            manifest::remove(folder, args)?;
            let made = studio.files(player, folder)?;
            manifest::write(folder, args, &model, &frames, &made)
        }
        Destination::Picture(path) => studio.picture(player, path),
        Destination::Animation(path, format) => studio.animation(player, path, *format),
    }
}

/// The track of `--bones`, which must not have a bone that `--bone` holds.
fn bones(args: &RenderArgs, model: &Model) -> Result<Option<BoneTrack>, Failure> {
    let Some(path) = &args.bones else {
        return Ok(None);
    };
    let track = poses::bones(path, model, args.fps.get())?;
    for setting in &args.bone {
        if model
            .bone(&setting.name)
            .is_ok_and(|bone| track.moves(bone))
        {
            let problem = format!("--bone {}: --bones moves it too", setting.name);
            return Err(Failure::Usage(problem));
        }
    }
    Ok(Some(track))
}

/// The track of `--poses`; without it one at rest, as long as the bones move.
fn track(
    args: &RenderArgs,
    model: &Model,
    bones: Option<&BoneTrack>,
) -> Result<PoseTrack, Failure> {
    let rest = args.face.sliders.rest.into();
    match &args.poses {
        Some(path) => poses::track(path, model, rest, args.fps.get()),
        None => {
            let times = bones.map_or([0.0; 2], |bones| [bones.start(), bones.end()]);
            let key = |time| Key {
                time,
                name: None,
                sliders: Vec::new(),
            };
            PoseTrack::new(times.map(key), model, rest)
                .map_err(|error| Failure::Data(error.to_string()))
        }
    }
}

/// What `--set` holds, as sliders and values that `face` takes.
fn held(args: &RenderArgs, face: &mut Face) -> Result<Vec<(ControllerId, f32)>, Failure> {
    let mut held = Vec::new();
    for setting in &args.set {
        pose::apply(setting, face)?;
        held.extend(pose::sliders(setting, face.model())?);
    }
    Ok(held)
}

/// Refuses outputs that would take the place of inputs.
fn check_outputs(args: &RenderArgs, destination: &Destination) -> Result<(), Failure> {
    let mut inputs = args.picture.inputs(&args.model, args.poses.as_deref());
    inputs.extend(args.bones.as_deref());
    match destination {
        Destination::Folder(folder) => match inputs.iter().find(|path| folder.holds(path)) {
            Some(input) => Err(Failure::Usage(format!(
                "--output {}: a frame would overwrite {}, which is read",
                args.output.display(),
                input.display()
            ))),
            None => Ok(()),
        },
        Destination::Picture(path) | Destination::Animation(path, _) => {
            output::must_differ(path, &inputs)
        }
    }
}
