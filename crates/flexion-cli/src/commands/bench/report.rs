//! The figures, as `--json` prints them and as the tables show them.

use std::time::Duration;

use serde::Serialize;

use super::machine::Machine;
use super::measure::{Contestant, Label, medians};
use crate::failure::Failure;

/// Everything that was measured. What the model has nothing for is `None`, and a note says so.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub(super) model: ModelReport,
    pub(super) machine: Machine,
    pub(super) settings: Settings,
    pub(super) load: Load,
    pub(super) compile: Option<Compile>,
    pub(super) rules_one_pose: Option<Section>,
    pub(super) rules_many_poses: Option<Section>,
    pub(super) vertices_one_pose: Option<Section>,
    pub(super) vertices_many_poses: Option<Section>,
    pub(super) notes: Vec<&'static str>,
}

/// What the model has to work on.
#[derive(Debug, Serialize)]
pub(super) struct ModelReport {
    pub(super) path: String,
    pub(super) controllers: usize,
    pub(super) rules: usize,
    pub(super) descriptors: usize,
    pub(super) vertices: usize,
    pub(super) flexes: usize,
    pub(super) delta_rows: usize,
    /// `half floats` or `fixed point`.
    pub(super) deltas: &'static str,
}

/// How it was measured.
#[derive(Debug, Serialize)]
pub(super) struct Settings {
    pub(super) poses: usize,
    pub(super) threads: usize,
    pub(super) seconds: f64,
}

/// Opening the files, which the system holds in memory.
#[derive(Debug, Serialize)]
pub(super) struct Load {
    pub(super) milliseconds: f64,
    pub(super) megabytes_per_second: f64,
    pub(super) files: usize,
    pub(super) bytes: u64,
}

/// Rules to a program.
#[derive(Debug, Serialize)]
pub(super) struct Compile {
    pub(super) microseconds: f64,
    pub(super) rules: usize,
    pub(super) ops: usize,
    pub(super) instructions: usize,
}

/// Ways to do the same work, measured against each other.
#[derive(Debug, Serialize)]
pub(super) struct Section {
    /// Poses that are worked on at a time.
    pub(super) poses: usize,
    pub(super) rows: Vec<Row>,
}

/// One way; rates are per second.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    pub(super) name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) backend: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) threads: Option<usize>,
    pub(super) ns_per_pose: f64,
    pub(super) poses_per_second: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rules_per_second: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ns_per_vertex: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) vertices_per_second: Option<f64>,
    /// How many times as fast as the reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) speedup: Option<f64>,
    /// How many copies of the same bytes take as long.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) copies: Option<f64>,
}

/// What a pose consists of.
#[derive(Clone, Copy, Debug)]
pub(super) enum Items {
    Rules(usize),
    Vertices(usize),
}

/// The name of the slow reference's row.
pub(super) const REFERENCE: &str = "reference";

/// The name of the row that is the limit: a copy of the same bytes.
pub(super) const COPY: &str = "copy";

/// The name of the row that makes only the vertices that some flex moves.
pub(super) const MOVING: &str = "moving";

impl Section {
    /// Times all ways to do the work.
    pub(super) fn measure(
        items: Items,
        poses: usize,
        mut contestants: Vec<Contestant<'_>>,
        budget: Duration,
    ) -> Result<Section, Failure> {
        let times = medians(&mut contestants, budget)?;
        let labels: Vec<Label> = contestants.iter().map(|it| it.label).collect();
        let named = |name| labels.iter().position(|label| label.name == name);
        let time_of = |name| named(name).map(|at| times[at]);
        let (reference, copy) = (time_of(REFERENCE), time_of(COPY));
        let rows = labels.iter().zip(&times).map(|(label, &time)| {
            let mut row = Row::new(label, time);
            if label.name != COPY {
                row.speedup = reference.map(|reference| reference / time);
                row.count(label.vertices.map_or(items, Items::Vertices));
            }
            // Who makes fewer vertices has other bytes.
            if label.vertices.is_none() {
                row.copies = copy.map(|copy| time / copy);
            }
            row
        });
        Ok(Section {
            poses,
            rows: rows.collect(),
        })
    }
}

impl Row {
    fn new(label: &Label, ns_per_pose: f64) -> Row {
        Row {
            name: label.name,
            backend: label.backend.map(flexion::Backend::name),
            threads: label.threads,
            ns_per_pose,
            poses_per_second: 1e9 / ns_per_pose,
            rules_per_second: None,
            ns_per_vertex: None,
            vertices_per_second: None,
            speedup: None,
            copies: None,
        }
    }

    /// Fills in the rates of what a pose consists of.
    fn count(&mut self, items: Items) {
        match items {
            Items::Rules(rules) => {
                self.rules_per_second = Some(self.poses_per_second * rules as f64);
            }
            Items::Vertices(vertices) => {
                self.ns_per_vertex = Some(self.ns_per_pose / vertices as f64);
                self.vertices_per_second = Some(self.poses_per_second * vertices as f64);
            }
        }
    }
}
