//! What is measured: a model, its files, poses for it, and the ways to run them.

use std::fs;
use std::path::{Path, PathBuf};

use flexion::mdl::Mdl;
use flexion::{Backend, Controller, Model, Precision, Submodel};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::machine::logical_cores;
use super::reference::Reference;
use super::report::ModelReport;
use crate::args::BenchArgs;
use crate::failure::Failure;

/// Memory that poses may take.
const MOST_BYTES: u64 = 4 << 30;

/// Bytes of vertices that are made at a time: those of a [`flexion::Batch`] with default options.
const CHUNK: usize = 32 << 20;

/// Bytes of a vertex: position and normal.
const VERTEX: usize = 24;

/// A model and everything that its measuring needs.
pub(super) struct Subject {
    pub(super) path: PathBuf,
    /// With the backend for single poses.
    pub(super) model: Model,
    pub(super) mdl: Vec<u8>,
    pub(super) reference: Reference,
    /// Backends for many poses.
    pub(super) backends: Vec<Backend>,
    pub(super) poses: usize,
    /// Poses, a row of sliders each.
    pub(super) rows: Vec<f32>,
    /// One thread.
    pub(super) alone: ThreadPool,
    /// As many threads as asked for.
    pub(super) threads: ThreadPool,
}

impl Subject {
    pub(super) fn open(args: &BenchArgs) -> Result<Subject, Failure> {
        let mut model = Model::open(&args.model)?;
        let backends = match args.backend {
            Some(backend) => vec![backend],
            None => Backend::available(),
        };
        if let Some(backend) = args.backend {
            model = model.with_backend(backend);
        }
        let poses = args.poses as usize;
        must_fit(&model, poses)?;
        let mdl = fs::read(&args.model).map_err(Failure::io(&args.model))?;
        let records = Mdl::read(&mdl).map_err(|source| flexion::Error::File {
            path: args.model.clone(),
            source,
        })?;
        let threads = args.threads.map_or_else(logical_cores, |n| n as usize);
        Ok(Subject {
            path: args.model.clone(),
            reference: Reference::new(&records, &model),
            backends,
            poses,
            rows: random_rows(model.controllers(), poses),
            alone: pool(1)?,
            threads: pool(threads)?,
            model,
            mdl,
        })
    }

    /// The sliders of a pose; past the last it starts over.
    pub(super) fn pose(&self, pose: usize) -> &[f32] {
        let sliders = self.model.controllers().len();
        &self.rows[pose % self.poses * sliders..][..sliders]
    }

    pub(super) fn has_rules(&self) -> bool {
        let rig = &self.reference.rig;
        !rig.rules.is_empty() && rig.descriptors > 0
    }

    /// Whether something can move.
    pub(super) fn has_flexes(&self) -> bool {
        self.vertices() > 0 && self.deformers().any(|deformer| deformer.flexes() > 0)
    }

    pub(super) fn vertices(&self) -> usize {
        self.model
            .submodels()
            .iter()
            .map(Submodel::vertex_count)
            .sum()
    }

    /// Frames of vertices that are made at a time.
    pub(super) fn frames(&self) -> usize {
        let fit = CHUNK / (self.vertices() * VERTEX).max(1);
        fit.clamp(16, 4096).min(self.poses)
    }

    /// Sizes of the files that the model was opened from.
    pub(super) fn file_sizes(&self) -> Vec<u64> {
        let mut sizes = vec![self.mdl.len() as u64];
        if self.model.has_vertices() {
            sizes.extend(companion(&self.path, &[".vvd"]));
        }
        if self.model.has_triangles() {
            let endings = [".dx90.vtx", ".dx80.vtx", ".sw.vtx", ".vtx"];
            sizes.extend(companion(&self.path, &endings));
        }
        sizes
    }

    pub(super) fn report(&self) -> ModelReport {
        let records = self.reference.models.first();
        let fixed = records.is_some_and(|m| m.number == flexion_reference::deform::Number::Fixed);
        ModelReport {
            path: self.path.display().to_string(),
            controllers: self.model.controllers().len(),
            rules: self.reference.rig.rules.len(),
            descriptors: self.reference.rig.descriptors,
            vertices: self.vertices(),
            flexes: self.deformers().map(|deformer| deformer.flexes()).sum(),
            delta_rows: self.deformers().map(|deformer| deformer.rows()).sum(),
            deltas: match fixed {
                true => "fixed point",
                false => "half floats",
            },
        }
    }

    /// One for each submodel.
    pub(super) fn deformers(&self) -> impl Iterator<Item = &flexion::deform::Deformer> {
        let submodels = self.model.submodels().iter();
        submodels.map(|submodel| submodel.deformer(Precision::File))
    }
}

fn pool(threads: usize) -> Result<ThreadPool, Failure> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| Failure::Data(format!("{threads} threads: {error}")))
}

/// Refuses more poses than memory should be taken for: their rows, the weights once as they are and once as they
/// should be, and a copy of both.
fn must_fit(model: &Model, poses: usize) -> Result<(), Failure> {
    let floats = 2 * model.controllers().len() + 4 * model.descriptors().len();
    let bytes = poses as u64 * 4 * floats.max(1) as u64;
    if bytes <= MOST_BYTES {
        return Ok(());
    }
    let most = MOST_BYTES / (4 * floats as u64);
    Err(Failure::Usage(format!(
        "--poses {poses}: this would take {} GiB; up to {most} poses of this model fit in {} GiB",
        bytes.div_ceil(1 << 30),
        MOST_BYTES >> 30,
    )))
}

/// Poses that are the same in every run: a third of the sliders at rest, the others anywhere in their range.
fn random_rows(controllers: &[Controller], poses: usize) -> Vec<f32> {
    let mut state = 3_u64;
    let mut below = |end: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % end
    };
    let mut rows = Vec::with_capacity(poses * controllers.len());
    for _ in 0..poses {
        rows.extend(controllers.iter().map(|controller| {
            let value = match below(3) {
                0 => controller.clamp(0.0),
                _ => controller.at(below(1001) as f32 / 1000.0),
            };
            // A damaged range may not hold a number at all.
            if value.is_nan() { 0.0 } else { value }
        }));
    }
    rows
}

/// Size of the first file beside `path` with its name and one of the endings, in this case or any other.
fn companion(path: &Path, endings: &[&str]) -> Option<u64> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let beside: Vec<_> = fs::read_dir(folder).ok()?.flatten().collect();
    endings.iter().find_map(|ending| {
        let mut name = path.file_stem()?.to_owned();
        name.push(ending);
        let exact = beside.iter().find(|entry| entry.file_name() == name);
        let found = exact.or_else(|| {
            let mut beside = beside.iter();
            beside.find(|entry| entry.file_name().eq_ignore_ascii_case(&name))
        });
        // Through a link, as opening it goes.
        fs::metadata(found?.path()).ok().map(|data| data.len())
    })
}
