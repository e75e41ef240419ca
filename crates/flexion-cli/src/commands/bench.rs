//! `flexion bench`: the figures of a user's own model on a user's own machine.
//!
//! ```text
//! files ─► Subject ─┬─► ready: open, compile
//!                   ├─► rules: one pose, many poses          ─► Report ─► tables or JSON
//!                   └─► vertices: one pose, many poses
//! ```
//!
//! Every section first holds the results of all its ways against each other and against the slow reference, bit by
//! bit; figures of wrong results would mean nothing. Then [`measure`] times the ways in turns.
//!
//! Limits: a share of the budget is a wish. What takes longer than its turn still gets its rounds.

mod machine;
mod measure;
mod moving;
mod ready;
mod reference;
mod report;
mod rules;
mod subject;
mod table;
mod vertices;

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use crate::args::BenchArgs;
use crate::failure::Failure;
use crate::output;
use machine::Machine;
use report::{Report, Settings};
use subject::Subject;

pub(crate) fn run(args: &BenchArgs) -> Result<(), Failure> {
    let subject = Subject::open(args)?;
    let report = measure_all(&subject, args.seconds)?;
    output::to_stdout(|out| {
        if args.json {
            serde_json::to_writer_pretty(&mut *out, &report).map_err(io::Error::from)?;
            Ok(writeln!(out)?)
        } else {
            table::write(out, &report)
        }
    })
}

fn measure_all(subject: &Subject, seconds: f64) -> Result<Report, Failure> {
    let progress = Progress::new();
    // Parts of the budget; many poses have the most ways.
    let share = |part: f64| Duration::from_secs_f64(seconds * part);
    let mut report = Report {
        model: subject.report(),
        machine: Machine::this(subject.model.backend()),
        settings: Settings {
            poses: subject.poses,
            threads: subject.threads.current_num_threads(),
            seconds,
        },
        load: {
            progress.say("opening");
            ready::load(subject, share(0.08))?
        },
        compile: None,
        rules_one_pose: None,
        rules_many_poses: None,
        vertices_one_pose: None,
        vertices_many_poses: None,
        notes: Vec::new(),
    };
    if subject.has_rules() {
        progress.say("compiling");
        report.compile = Some(ready::compile(subject, share(0.04))?);
        progress.say("rules, one pose");
        report.rules_one_pose = Some(rules::one_pose(subject, share(0.13))?);
        progress.say("rules, many poses");
        report.rules_many_poses = Some(rules::many_poses(subject, share(0.3))?);
    } else {
        report
            .notes
            .push("The model has no rules: they were left out.");
    }
    if subject.has_flexes() {
        progress.say("vertices, one pose");
        report.vertices_one_pose = Some(vertices::one_pose(subject, share(0.15))?);
        progress.say("vertices, many poses");
        report.vertices_many_poses = Some(vertices::many_poses(subject, share(0.3))?);
    } else if subject.model.has_vertices() {
        let note = "The model has no flexes: vertices were left out.";
        report.notes.push(note);
    } else {
        let note = "The model has no .vvd file beside it: vertices were left out.";
        report.notes.push(note);
    }
    Ok(report)
}

/// Equal in every bit; any NaN equals any other, since which one an operation makes is the processor's business.
fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

/// A line on stderr that says what is going on, if a person may be watching; gone at the end.
struct Progress(bool);

impl Progress {
    fn new() -> Progress {
        Progress(io::stderr().is_terminal())
    }

    fn say(&self, what: &str) {
        self.show(&format!("measuring: {what}"));
    }

    fn show(&self, line: &str) {
        if self.0 {
            // A terminal that is gone is no reason to stop. The line before is erased first.
            let _ = write!(io::stderr(), "\r\x1b[K{line}");
            let _ = io::stderr().flush();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.show("");
    }
}
