//! Running compiled rules: sliders in, weights out.

mod batch;
mod block;
mod checked;
mod level;
mod planes;
mod run;
mod transpose;

pub use batch::BatchEvaluator;
pub use planes::{Planes, PlanesMut};

use crate::code::Program;

/// Runs a [`Program`], one pose at a time.
///
/// Owns the scratch memory; make one per thread and keep it. A pose allocates nothing. For many poses at once
/// [`BatchEvaluator`] is several times as fast.
///
/// ```
/// use flexion_rules::{ControllerRange, Dialect, Evaluator, Op, Program, Rig, Rule};
///
/// // descriptor 1 = max(controller 0, 0.25); descriptor 0 has no rule and stays 0
/// let ops = [Op::with_index(2, 0), Op::with_value(1, 0.25), Op::with_index(13, 0)];
/// let rig = Rig {
///     controllers: &[ControllerRange { min: -1.0, max: 1.0 }],
///     descriptors: 2,
///     rules: &[Rule { target: 1, ops: &ops }],
/// };
/// let program = Program::compile(&rig, Dialect::Shipped);
/// let mut evaluator = Evaluator::new(&program);
///
/// assert_eq!(evaluator.eval(&[0.75]), [0.0, 0.75]);
/// assert_eq!(evaluator.eval(&[-1.0]), [0.0, 0.25]);
/// ```
#[derive(Debug)]
pub struct Evaluator {
    program: Program,
    /// See [`crate::code`] for the layout. Weights that no rule writes stay 0 from the start.
    frame: Vec<level::Line<1>>,
    column: Vec<f32>,
}

impl Evaluator {
    /// An evaluator with its own scratch memory: 256 KiB of address space, of which only what the program uses
    /// is touched.
    pub fn new(program: &Program) -> Evaluator {
        Evaluator {
            program: program.clone(),
            frame: level::frame(&program.code),
            column: Vec::new(),
        }
    }

    /// The weights of all descriptors for one pose.
    ///
    /// `sliders` are in the units of each controller's own range and in file order; any float is allowed, also
    /// outside the range. They are used as they are: clamping, and the rule that a controller with
    /// `min == max` always reads `min`, belong to who sets sliders. Equal sliders give equal weights in every
    /// bit, whatever was evaluated before.
    ///
    /// # Panics
    ///
    /// If `sliders` is not one value per controller.
    pub fn eval(&mut self, sliders: &[f32]) -> &[f32] {
        let code = &*self.program.code;
        assert_eq!(
            sliders.len(),
            code.layout.controllers().len(),
            "a pose is one slider value per controller"
        );
        self.frame.as_flattened_mut()[..sliders.len()].copy_from_slice(sliders);
        level::run::<f32, 1, 1>((), code, &mut self.frame, &mut self.column);
        &self.frame.as_flattened()[code.layout.descriptors()]
    }

    /// The program that is run.
    pub fn program(&self) -> &Program {
        &self.program
    }
}

/// No pose depends on the one before, so a clone is simply a new evaluator: copying the frame would touch all of
/// its address space.
impl Clone for Evaluator {
    fn clone(&self) -> Evaluator {
        Evaluator::new(&self.program)
    }
}
