//! What the benches share: the faces to measure, poses for them, and the engine-like baselines.
//!
//! One target per stage: `read`, `compile`, `eval`, `deform`, `pipeline` and `render`. Each measures the sample face and,
//! where `FLEXION_CORPUS` names the folder of real models, every face in it; beside each figure stands what it is
//! to be compared with, measured in the same run. The name of a face is the last part of its ids but for the
//! number of poses, so that a filter picks it from all of them:
//!
//! ```text
//! cargo bench -p flexion-benches --bench eval -- hwm_civilian
//! cargo bench -p flexion-benches -- --test        # each once, to see that it runs
//! ```
//!
//! Limits: times depend on what else the machine does, so only ratios within one run mean much. For figures that
//! do not, `instructions.sh` counts instructions.

mod deltas;
mod subject;

use std::time::Duration;

pub use deltas::{Activity, Deltas};
pub use subject::{Subject, subjects};

/// How long criterion warms up and measures: short, since the corpus has some twenty faces.
pub const WARM_UP: Duration = Duration::from_millis(300);
/// See [`WARM_UP`].
pub const MEASUREMENT: Duration = Duration::from_millis(1000);
/// See [`WARM_UP`].
pub const SAMPLES: usize = 20;
