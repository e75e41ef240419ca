//! Oddities that engines tolerate, from every stage.

use std::fmt;

use flexion_mdl::Mdl;
use flexion_rules::Dialect;

use crate::rule::StoredRules;

/// Something odd about a model that does not keep it from working.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// In one of the files.
    File(flexion_mdl::Warning),
    /// In a rule: an op that does nothing, and why.
    Rule(flexion_rules::Finding),
    /// So many more in the rules, past the first thousand.
    MoreRules(usize),
}

/// How many findings in rules are kept one by one.
const KEPT_FINDINGS: usize = 1000;

/// All warnings of a model: those of its file, then what its rules ask for and engines ignore.
pub(crate) fn collect(mdl: &Mdl<'_>, rules: &StoredRules) -> Vec<Warning> {
    let mut warnings: Vec<Warning> = mdl.warnings.iter().copied().map(Warning::File).collect();
    let mut findings = 0;
    rules.with_rig(|rig| {
        flexion_rules::verify_each(rig, Dialect::default(), |finding| {
            findings += 1;
            if findings <= KEPT_FINDINGS {
                warnings.push(Warning::Rule(finding));
            }
        });
    });
    if findings > KEPT_FINDINGS {
        warnings.push(Warning::MoreRules(findings - KEPT_FINDINGS));
    }
    warnings
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::File(warning) => warning.fmt(f),
            Warning::Rule(finding) => finding.fmt(f),
            Warning::MoreRules(count) => write!(f, "rules: {count} more of this kind"),
        }
    }
}
