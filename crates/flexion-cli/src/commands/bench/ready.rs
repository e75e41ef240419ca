//! From files to a model that can be posed: opening and compiling.

use std::hint::black_box;
use std::time::Duration;

use flexion::rules::{ControllerRange, Op, Program, Rig, Rule};
use flexion::{Dialect, Model};

use super::measure::{Contestant, medians};
use super::report::{Compile, Load};
use super::subject::Subject;
use crate::failure::Failure;

/// Opens the model again and again; freeing it is part of the time.
pub(super) fn load(subject: &Subject, budget: Duration) -> Result<Load, Failure> {
    let mut open = [Contestant::new("open", 1, || {
        black_box(Model::open(&subject.path)?);
        Ok(())
    })];
    let time = medians(&mut open, budget)?[0];
    let sizes = subject.file_sizes();
    let bytes: u64 = sizes.iter().sum();
    Ok(Load {
        milliseconds: time / 1e6,
        megabytes_per_second: bytes as f64 / time * 1e3,
        files: sizes.len(),
        bytes,
    })
}

/// Compiles the rules again and again.
pub(super) fn compile(subject: &Subject, budget: Duration) -> Result<Compile, Failure> {
    let rig = &subject.reference.rig;
    let controllers = rig.controllers.iter();
    let controllers: Vec<_> = controllers
        .map(|&(min, max)| ControllerRange { min, max })
        .collect();
    let ops: Vec<Vec<Op>> = rig.rules.iter().map(ops).collect();
    let rules = rig.rules.iter().zip(&ops);
    let rules: Vec<Rule<'_>> = rules
        .map(|(rule, ops)| Rule {
            target: rule.flex,
            ops,
        })
        .collect();
    let rig = Rig {
        controllers: &controllers,
        descriptors: rig.descriptors,
        rules: &rules,
    };
    let mut compile = [Contestant::new("compile", 1, || {
        black_box(Program::compile(&rig, Dialect::Shipped));
        Ok(())
    })];
    let time = medians(&mut compile, budget)?[0];
    let stats = subject.model.program(Dialect::Shipped).stats();
    Ok(Compile {
        microseconds: time / 1e3,
        rules: stats.rules,
        ops: stats.ops,
        instructions: stats.instructions,
    })
}

fn ops(rule: &flexion_reference::rules::Rule) -> Vec<Op> {
    let op = |op: &flexion_reference::rules::Op| Op {
        code: op.code,
        operand: op.operand,
    };
    rule.ops.iter().map(op).collect()
}
