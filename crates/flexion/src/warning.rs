//! Oddities that engines tolerate, from every stage.

use std::fmt;

/// Something odd about a model that does not keep it from working.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// In one of the files.
    File(flexion_mdl::Warning),
    /// In a rule: an op that does nothing, and why.
    Rule(flexion_rules::Finding),
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::File(warning) => warning.fmt(f),
            Warning::Rule(finding) => finding.fmt(f),
        }
    }
}
