//! Errors of the facade: those of the files with their path, and misuse by name.

use std::path::PathBuf;

/// Why a model could not be opened or a face could not be posed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read at all.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file was read and refused.
    #[error("{path}: {source}", path = path.display())]
    File {
        /// The file; its bare kind (`.vvd`) when the bytes came from memory.
        path: PathBuf,
        /// Structure, field, offset and what is wrong there.
        source: flexion_mdl::Error,
    },
    /// A slider that the model does not have.
    #[error("no controller is called {name:?}{}", nearest_text(nearest))]
    UnknownController {
        /// The name that was asked for.
        name: String,
        /// Names that are spelled alike, the likeliest first.
        nearest: Vec<String>,
    },
    /// A target that the model does not have.
    #[error("no descriptor is called {name:?}{}", nearest_text(nearest))]
    UnknownDescriptor {
        /// The name that was asked for.
        name: String,
        /// Names that are spelled alike, the likeliest first.
        nearest: Vec<String>,
    },
    /// A bone that the model does not have.
    #[error("no bone is called {name:?}{}", nearest_text(nearest))]
    UnknownBone {
        /// The name that was asked for.
        name: String,
        /// Names that are spelled alike, the likeliest first.
        nearest: Vec<String>,
    },
    /// A bone was put where it cannot be.
    #[error("bone {name:?} cannot be posed: {problem}")]
    BonePose {
        /// The bone.
        name: String,
        /// What is wrong with the position or rotation.
        problem: &'static str,
    },
    /// Bones that cannot move the vertices.
    #[error(transparent)]
    Bones(#[from] flexion_bones::Error),
    /// A controller number past the model's last.
    #[error("controller {index} of {count}")]
    ControllerIndex {
        /// The number that was asked for.
        index: usize,
        /// How many controllers the model has.
        count: usize,
    },
    /// Left and right were set on a slider that has no sides.
    #[error("controller {name:?} has no left and right side")]
    NotStereo {
        /// The name that was asked for.
        name: String,
    },
    /// A multi value was set on a slider that has none.
    #[error("controller {name:?} has no multi controller (it is not n-way or eyelid)")]
    NoMulti {
        /// The name that was asked for.
        name: String,
    },
    /// A slider was set to something that is no number.
    #[error("controller {name:?} cannot be set to {value}")]
    NotANumber {
        /// The name that was asked for.
        name: String,
        /// The value.
        value: f32,
    },
    /// Vertices were asked of a model that was opened without its `.vvd`.
    #[error("the model was read without its .vvd file, so it has no vertices to move")]
    NoVertices,
    /// A picture was asked of a model that was opened without its `.vtx`.
    #[cfg(feature = "render")]
    #[error("the model was read without its .vtx file, so it has no triangles to draw")]
    NoTriangles,
    /// A texture for a material that the model does not have.
    #[cfg(feature = "render")]
    #[error("no material is called {name:?}{}", nearest_text(nearest))]
    UnknownMaterial {
        /// The name that was asked for.
        name: String,
        /// Names that are spelled alike, the likeliest first.
        nearest: Vec<String>,
    },
    /// A picture that cannot be made.
    #[cfg(feature = "render")]
    #[error(transparent)]
    Render(#[from] flexion_render::Error),
    /// A row of a batch that is not one value per slider.
    #[error("pose {pose}: {found} slider values for {expected} controllers")]
    PoseLength {
        /// Which pose, the first is 0.
        pose: usize,
        /// How many sliders the model has.
        expected: usize,
        /// How many values the row has.
        found: usize,
    },
    /// A slider of a batch that is no number.
    #[error("pose {pose}: controller {name:?} cannot be NaN")]
    PoseNotANumber {
        /// Which pose, the first is 0.
        pose: usize,
        /// The slider.
        name: String,
    },
    /// Planes of sliders that are not all there.
    #[error("{found} values are not {planes} planes of {poses} poses, {stride} values apart")]
    PlaneLength {
        /// How many sliders the model has.
        planes: usize,
        /// How many poses there should be.
        poses: usize,
        /// From a plane to the next.
        stride: usize,
        /// How many values there are.
        found: usize,
    },
    /// A list of weights that is not one per descriptor.
    #[error("{found} weights for {expected} descriptors")]
    WeightCount {
        /// How many descriptors the model has.
        expected: usize,
        /// How many weights there are.
        found: usize,
    },
    /// A layer whose weight is no number.
    #[error("the weight of layer {name:?} cannot be NaN")]
    LayerWeight {
        /// The layer.
        name: String,
    },
    /// Poses that cannot be read.
    #[error(transparent)]
    Track(#[from] crate::track::TrackError),
    /// `FLEXION_BACKEND` names a backend that cannot be had.
    #[error("FLEXION_BACKEND: {0}")]
    Backend(#[from] flexion_simd::BackendError),
    /// The caller's buffers do not fit the model.
    #[error(transparent)]
    Deform(#[from] flexion_deform::Error),
}

fn nearest_text(nearest: &[String]) -> String {
    match nearest {
        [] => String::new(),
        [one] => format!("; did you mean {one:?}?"),
        [most @ .., last] => {
            let most: Vec<String> = most.iter().map(|name| format!("{name:?}")).collect();
            format!("; did you mean {} or {last:?}?", most.join(", "))
        }
    }
}
