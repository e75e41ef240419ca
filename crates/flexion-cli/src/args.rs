//! The flags, as they are typed.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

use crate::setting::Setting;

/// Facial poses of Source models: sliders in, weights and vertices out.
#[derive(Debug, Parser)]
#[command(name = "flexion", version, about, max_term_width = 100)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show what a model's face is made of: sliders, targets, rules, flexes, eyeballs, warnings
    Inspect(InspectArgs),
    /// Print the rules, as text, as ops or as compiled code
    Rules(RulesArgs),
    /// Turn a table of slider poses into a table of descriptor weights
    Eval(EvalArgs),
    /// Write the posed face as an OBJ mesh or as a table of vertices
    Pose(PoseArgs),
    /// Draw the face: one pose, or poses over time as frames or as an animation
    Render(Box<RenderArgs>),
    /// Draw all that a face can do on one labelled sheet
    Sheet(Box<SheetArgs>),
    /// Measure a model on this machine: reading, rules and vertices, beside a slow reference that
    /// works as engines do and beside copies of the same memory
    Bench(BenchArgs),
    /// Write the sample face and a table of its expressions
    Sample(SampleArgs),
    /// Pose the sample face in each of its expressions and draw them on one sheet
    Demo(DemoArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct InspectArgs {
    /// The .mdl file
    pub(crate) model: PathBuf,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RulesArgs {
    /// The .mdl file
    pub(crate) model: PathBuf,
    /// Only the rules of this descriptor
    #[arg(long, value_name = "NAME")]
    pub(crate) rule: Option<String>,
    /// What to print
    #[arg(long, value_enum, default_value_t = Stage::Text)]
    pub(crate) stage: Stage,
    #[command(flatten)]
    pub(crate) dialect: DialectArg,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Stage {
    /// Formulas, one per rule
    Text,
    /// The stack machine's ops, as in the file
    Ops,
    /// The compiled bytecode
    Code,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct DialectArg {
    /// Which generation of engines the rules follow: shipped or sdk2025
    #[arg(long, default_value_t)]
    pub(crate) dialect: flexion::Dialect,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SliderArgs {
    /// Let values outside a slider's range (and NaN) reach the rules
    #[arg(long)]
    pub(crate) raw: bool,
    /// Where sliders that are not set stand: at 0 held to their range, or at their lower end
    #[arg(long, value_enum, default_value_t = RestArg::Zero)]
    pub(crate) rest: RestArg,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum RestArg {
    Zero,
    Min,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct EvalArgs {
    /// The .mdl file
    pub(crate) model: PathBuf,
    /// CSV table: a header of controller names, then a row for each pose ('-' for stdin)
    #[arg(long, value_name = "FILE")]
    pub(crate) poses: PathBuf,
    #[command(flatten)]
    pub(crate) sliders: SliderArgs,
    #[command(flatten)]
    pub(crate) dialect: DialectArg,
    /// Where the weights go [default: stdout]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// How a face is evaluated, for commands that show one.
#[derive(Debug, ClapArgs)]
pub(crate) struct FaceArgs {
    #[command(flatten)]
    pub(crate) sliders: SliderArgs,
    #[command(flatten)]
    pub(crate) dialect: DialectArg,
    /// Let weights above 1 exaggerate and negative ones invert
    #[arg(long)]
    pub(crate) overdrive: bool,
    /// The deltas as in the file, or quantised as engines do at load: file or engine
    #[arg(long, default_value_t)]
    pub(crate) precision: flexion::Precision,
    /// A point in model space for the eyes to look at
    #[arg(long, value_name = "X,Y,Z", value_parser = crate::setting::point, allow_hyphen_values = true)]
    pub(crate) look: Option<glam::Vec3>,
    /// Leave the lids to the rules alone
    #[arg(long)]
    pub(crate) no_eyelids: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct PoseArgs {
    /// The .mdl file
    pub(crate) model: PathBuf,
    /// Set a slider in its own units, or both sides of a pair: --set smile=1, --set smile=0.2,0.9
    #[arg(long, value_name = "NAME=VALUE", allow_hyphen_values = true)]
    pub(crate) set: Vec<Setting>,
    /// Take the pose from a CSV table, before any --set
    #[arg(long, value_name = "FILE", requires = "row")]
    pub(crate) poses: Option<PathBuf>,
    /// Which row of the table, the first is 1
    #[arg(long, value_name = "N", requires = "poses", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) row: Option<u64>,
    /// Put a bone somewhere in its parent's space: a position in model units and a quaternion, by
    /// default the one it has; the sliders that the skeleton drives follow
    #[arg(
        long,
        value_name = "NAME=PX,PY,PZ[,QX,QY,QZ,QW]",
        allow_hyphen_values = true
    )]
    pub(crate) bone: Vec<crate::setting::BoneSetting>,
    /// Move the vertices to where their bones stand
    #[arg(long)]
    pub(crate) skin: bool,
    #[command(flatten)]
    pub(crate) face: FaceArgs,
    /// Write every alternative of each body part into the OBJ, not only the first
    #[arg(long)]
    pub(crate) all_models: bool,
    /// What to write: a mesh with a group for each material, or a line for each vertex (bodypart,
    /// model, vertex, position x y z, normal x y z, wrinkle) [default: by the output's ending]
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// Where the mesh goes ('-' for stdout); the ending chooses the format: .obj or .tsv
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum Format {
    Obj,
    Tsv,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct BenchArgs {
    /// The .mdl file
    pub(crate) model: PathBuf,
    /// How many poses a batch has; vertices are made of as many as fit in 32 MiB
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) poses: u32,
    /// How many threads the lines with threads use [default: one for each logical core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) threads: Option<u32>,
    /// Only this backend (scalar, sse2, avx2, avx512, neon) instead of all that the processor has
    #[arg(long, value_name = "B")]
    pub(crate) backend: Option<flexion::Backend>,
    /// How long it may take, about; large models need a little more
    #[arg(long, value_name = "S", default_value_t = 10.0, value_parser = crate::setting::seconds)]
    pub(crate) seconds: f64,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RenderArgs {
    /// The .mdl file
    pub(crate) model: PathBuf,
    /// Poses over time: CSV (a header of controller names, `time` in seconds or `frame`, `name`),
    /// or JSON where the file is called .json ('-' for CSV from stdin)
    #[arg(long, value_name = "FILE", required_unless_present_any = ["set", "bone", "bones"])]
    pub(crate) poses: Option<PathBuf>,
    /// Hold a slider in all frames; without --poses, the one frame to render
    #[arg(long, value_name = "NAME=VALUE", allow_hyphen_values = true)]
    pub(crate) set: Vec<Setting>,
    /// Hold a bone in its parent's space in all frames; vertices follow their bones
    #[arg(
        long,
        value_name = "NAME=PX,PY,PZ[,QX,QY,QZ,QW]",
        allow_hyphen_values = true
    )]
    pub(crate) bone: Vec<crate::setting::BoneSetting>,
    /// Bones over time, a CSV: `time` in seconds or `frame`, `bone`, `px`, `py`, `pz` and `qx` to
    /// `qw` in the parent's space, or `rx`, `ry`, `rz` in degrees from the bind pose
    #[arg(long, value_name = "FILE")]
    pub(crate) bones: Option<PathBuf>,
    /// Let bones jiggle that have springs; without, they stand where they would come to rest
    /// without weight
    #[arg(long)]
    pub(crate) jiggle: bool,
    /// Frames a second, 0.1 to 1000
    #[arg(long, value_name = "N", default_value = "30")]
    pub(crate) fps: flexion::render::FrameRate,
    /// How sliders get from pose to pose: step, linear or catmull-rom
    #[arg(long, value_name = "HOW", default_value_t)]
    pub(crate) interpolate: flexion::Interpolation,
    /// Let slow flexes follow at once, instead of as they do over time
    #[arg(long)]
    pub(crate) no_delay: bool,
    /// Size of the pictures, in pixels
    #[arg(long, value_name = "WxH", default_value = "512x512", value_parser = crate::picture::size)]
    pub(crate) size: flexion::render::Size,
    /// Only these frames, the first is 0: A, A-B or A- (to the end)
    #[arg(long, value_name = "A-B")]
    pub(crate) frames: Option<crate::setting::FrameRange>,
    /// Only every Nth frame, beginning with the Ith: a part of the work for each of N machines
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<crate::setting::Shard>,
    #[command(flatten)]
    pub(crate) picture: crate::picture::PictureArgs,
    #[command(flatten)]
    pub(crate) face: FaceArgs,
    /// What to write [default: by the output's ending, png for a folder]
    #[arg(long, value_enum)]
    pub(crate) format: Option<PictureFormat>,
    /// Make frames again that are there and show what was asked for
    #[arg(long)]
    pub(crate) overwrite: bool,
    /// How many threads work [default: one for each logical core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) threads: Option<u32>,
    /// A folder (of frame_00000.png and so on), a pattern such as out/%04d.png, one picture (.png)
    /// or an animation (.apng, .gif); '-' writes one picture or an animation to stdout
    #[arg(short, long, value_name = "DIR_OR_FILE")]
    pub(crate) output: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum PictureFormat {
    Png,
    Apng,
    Gif,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SheetArgs {
    /// The .mdl file
    pub(crate) model: PathBuf,
    /// CSV table of poses, one for each tile ('-' for stdin)
    #[arg(long, value_name = "FILE")]
    pub(crate) poses: Option<PathBuf>,
    /// What each tile shows [default: pose with --poses, else controller]
    #[arg(long, value_enum)]
    pub(crate) by: Option<By>,
    /// How many tiles a row has [default: about as many as there are rows]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) columns: Option<u32>,
    /// Size of a tile without its label, in pixels
    #[arg(long, value_name = "WxH", default_value = "192x192", value_parser = crate::picture::size)]
    pub(crate) tile: flexion::render::Size,
    #[command(flatten)]
    pub(crate) picture: crate::picture::PictureArgs,
    #[command(flatten)]
    pub(crate) face: FaceArgs,
    /// Where the sheet goes, a PNG ('-' for stdout)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum By {
    /// The face at rest, then each controller at those ends of its range that are not its rest
    Controller,
    /// The face at rest, then each descriptor at 1, the others as at rest
    Descriptor,
    /// Each row of --poses
    Pose,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SampleArgs {
    /// The folder; made if it is not there
    pub(crate) folder: PathBuf,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct DemoArgs {
    /// The folder; made if it is not there
    #[arg(default_value = "flexion-demo")]
    pub(crate) folder: PathBuf,
}

impl FaceArgs {
    /// The options of a face that these flags ask for.
    pub(crate) fn options(&self) -> flexion::FaceOptions {
        flexion::FaceOptions {
            precision: self.precision,
            ramp_mode: if self.overdrive {
                flexion::RampMode::Overdrive
            } else {
                flexion::RampMode::Saturate
            },
            eyelids: !self.no_eyelids,
            ..self.sliders.face_options(&self.dialect)
        }
    }
}

impl SliderArgs {
    /// The options of a face that these flags ask for.
    pub(crate) fn face_options(&self, dialect: &DialectArg) -> flexion::FaceOptions {
        flexion::FaceOptions {
            dialect: dialect.dialect,
            raw: self.raw,
            rest: self.rest.into(),
            ..flexion::FaceOptions::default()
        }
    }

    /// How pose tables are read for such a face.
    pub(crate) fn table_options(&self) -> flexion::TableOptions {
        flexion::TableOptions {
            rest: self.rest.into(),
            raw: self.raw,
        }
    }
}

impl From<RestArg> for flexion::Rest {
    fn from(rest: RestArg) -> flexion::Rest {
        match rest {
            RestArg::Zero => flexion::Rest::Zero,
            RestArg::Min => flexion::Rest::Min,
        }
    }
}
