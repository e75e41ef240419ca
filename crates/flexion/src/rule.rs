//! A model's rules as its author wrote them, and as text.

use flexion_rules::{ControllerRange, Dialect, Op, Program, Rig, Rule, disasm};

use crate::controller::Controller;

/// The rules as they stand in the file: targets and ops.
#[derive(Debug)]
pub(crate) struct StoredRules {
    ranges: Vec<ControllerRange>,
    descriptors: usize,
    rules: Vec<(i32, Vec<Op>)>,
}

impl StoredRules {
    pub(crate) fn new(
        controllers: &[Controller],
        descriptors: usize,
        rules: &[flexion_mdl::mdl::Rule],
    ) -> StoredRules {
        let op = |op: &flexion_mdl::mdl::Op| Op {
            code: op.code,
            operand: op.operand,
        };
        StoredRules {
            ranges: controllers
                .iter()
                .map(|controller| ControllerRange {
                    min: controller.min,
                    max: controller.max,
                })
                .collect(),
            descriptors,
            rules: rules
                .iter()
                .map(|rule| (rule.target, rule.ops.iter().map(op).collect()))
                .collect(),
        }
    }

    /// Lends the rules in the form that the rule compiler takes.
    pub(crate) fn with_rig<T>(&self, use_rig: impl FnOnce(&Rig<'_>) -> T) -> T {
        use_rig(&Rig {
            controllers: &self.ranges,
            descriptors: self.descriptors,
            rules: &self.records(),
        })
    }

    fn records(&self) -> Vec<Rule<'_>> {
        let rules = self.rules.iter();
        rules
            .map(|(target, ops)| Rule {
                target: *target,
                ops,
            })
            .collect()
    }
}

/// The rules of a model, in file order, for reading ([`crate::Model::rules`]).
///
/// ```
/// # fn main() -> Result<(), flexion::Error> {
/// # let [(_, mdl), (_, vvd), (_, vtx)] = flexion_sample::face().files();
/// # let model = flexion::Model::from_bytes(&mdl, Some(&vvd), Some(&vtx))?;
/// let rules = model.rules();
/// for rule in 0..rules.len() {
///     print!("{}", rules.text(rule)); // such as: %AU26 = jaw_drop * (1 - pucker)
/// }
/// # assert!(rules.len() > 0 && rules.text(0).starts_with('%'));
/// # Ok(())
/// # }
/// ```
pub struct Rules<'m> {
    stored: &'m StoredRules,
    records: Vec<Rule<'m>>,
    controllers: &'m [Controller],
    descriptors: &'m [String],
    programs: Box<dyn Fn(Dialect) -> &'m Program + 'm>,
}

impl<'m> Rules<'m> {
    pub(crate) fn new(
        stored: &'m StoredRules,
        controllers: &'m [Controller],
        descriptors: &'m [String],
        programs: impl Fn(Dialect) -> &'m Program + 'm,
    ) -> Rules<'m> {
        Rules {
            records: stored.records(),
            stored,
            controllers,
            descriptors,
            programs: Box::new(programs),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The descriptor that rule number `rule` writes, as the file has it: out of range when the
    /// engine skips the rule.
    ///
    /// # Panics
    ///
    /// When there is no such rule; so do the other methods.
    pub fn target(&self, rule: usize) -> i32 {
        self.records[rule].target
    }

    /// How many ops the rule has.
    pub fn op_count(&self, rule: usize) -> usize {
        self.records[rule].ops.len()
    }

    /// The rule as a formula; several lines when it needs more than one.
    pub fn text(&self, rule: usize) -> String {
        disasm::text(&self.rig(), rule, Dialect::default(), self)
    }

    /// The ops as in the file, a line each.
    pub fn ops(&self, rule: usize) -> String {
        disasm::ops(&self.rig(), rule, Dialect::default(), self)
    }

    /// The compiled code for a dialect, a line an instruction.
    pub fn code(&self, rule: usize, dialect: Dialect) -> String {
        disasm::code((self.programs)(dialect), rule, self)
    }

    fn rig(&self) -> Rig<'_> {
        Rig {
            controllers: &self.stored.ranges,
            descriptors: self.stored.descriptors,
            rules: &self.records,
        }
    }
}

impl disasm::Names for Rules<'_> {
    fn controller(&self, index: usize) -> Option<&str> {
        self.controllers
            .get(index)
            .map(|controller| controller.name.as_str())
    }

    fn descriptor(&self, index: usize) -> Option<&str> {
        self.descriptors.get(index).map(String::as_str)
    }
}
