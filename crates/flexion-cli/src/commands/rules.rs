//! `flexion rules`: what the rules say, at each stage of their compilation.

use flexion::Model;

use crate::args::{RulesArgs, Stage};
use crate::failure::Failure;
use crate::output;

pub(crate) fn run(args: &RulesArgs) -> Result<(), Failure> {
    let model = Model::open_rules(&args.model)?;
    let only = match &args.rule {
        Some(name) => Some(
            model
                .descriptor(name)
                .map_err(|error| Failure::flag("--rule", &error))?,
        ),
        None => None,
    };
    let rules = model.rules();
    output::to_stdout(|out| {
        for rule in 0..rules.len() {
            let target = usize::try_from(rules.target(rule)).ok();
            if only.is_some() && only != target {
                continue;
            }
            let text = match args.stage {
                Stage::Text => rules.text(rule),
                Stage::Ops => rules.ops(rule),
                Stage::Code => rules.code(rule, args.dialect.dialect),
            };
            write!(out, "{text}")?;
        }
        Ok(())
    })
}
