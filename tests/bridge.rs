//! The product's view of what the test kit makes, which knows nothing of the product.

use flexion_rules::{ControllerRange, Op, Rig, Rule};
use flexion_testkit::reference;

/// Calls `use_rig` with the product's view of a rig of the test kit.
pub fn with_rig<T>(rig: &reference::Rig, use_rig: impl FnOnce(&Rig<'_>) -> T) -> T {
    let ops: Vec<Vec<Op>> = rig
        .rules
        .iter()
        .map(|rule| {
            let op = |op: &reference::Op| Op {
                code: op.code,
                operand: op.operand,
            };
            rule.ops.iter().map(op).collect()
        })
        .collect();
    let rules: Vec<Rule<'_>> = rig
        .rules
        .iter()
        .zip(&ops)
        .map(|(rule, ops)| Rule {
            target: rule.flex,
            ops,
        })
        .collect();
    let controllers: Vec<ControllerRange> = rig
        .controllers
        .iter()
        .map(|&(min, max)| ControllerRange { min, max })
        .collect();
    use_rig(&Rig {
        controllers: &controllers,
        descriptors: rig.descriptors,
        rules: &rules,
    })
}
