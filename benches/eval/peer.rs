//! The best peer: the same rules as a formula of fidget, which runs it as bytecode or as machine code.
//!
//! All descriptors are outputs of one function of all sliders, so that fidget shares sub-expressions over all of
//! them, as Flexion's compiler does. Where an op has no node of its own it takes the form that costs fidget least:
//! ramps are `max(min(…))`, not conditions. That changes results by a few roundings, which [`Peer::check`] allows
//! for and no more. An NWAY with limits that are the same has a step in it, which is a comparison; a controller
//! number that the rules compute has no form at all, and such a rig has no peer.

use fidget_core::context::{BadNode, Context, Node};
use fidget_core::eval::{BulkEvaluator, Function, MathFunction, Tape, TracingEvaluator};
use fidget_core::var::Var;
use flexion_testkit::reference::{Op, Rig};

/// How far a weight may be off, of 1 or of itself if it is larger.
const TOLERANCE: f32 = 1e-4;

/// A rig as a formula.
pub(crate) struct Formula {
    context: Context,
    sliders: Vec<Var>,
    weights: Vec<Node>,
}

impl Formula {
    /// Translates the rules; `None` when one of them has no form.
    pub(crate) fn of(rig: &Rig) -> Option<Formula> {
        let mut context = Context::new();
        let sliders: Vec<Var> = rig.controllers.iter().map(|_| Var::new()).collect();
        let x = sliders.iter().map(|&slider| context.var(slider)).collect();
        let zero = context.constant(0.0);
        let mut weights = vec![zero; rig.descriptors];
        let mut translator = Translator { rig, context, x };
        for rule in &rig.rules {
            if rule.flex >= 0 && (rule.flex as usize) < rig.descriptors {
                let weight = translator.rule(&rule.ops, &weights)?;
                weights[rule.flex as usize] = weight.expect("nodes of this context");
            }
        }
        Some(Formula {
            context: translator.context,
            sliders,
            weights,
        })
    }
}

/// A formula ready to run, either way: `F` is the virtual machine or the native compiler.
pub(crate) struct Peer<F: Function> {
    /// Where each argument of the function stands among the sliders.
    arguments: Vec<usize>,
    weights: usize,
    point: F::PointEval,
    point_tape: <F::PointEval as TracingEvaluator>::Tape,
    bulk: F::FloatSliceEval,
    bulk_tape: <F::FloatSliceEval as BulkEvaluator>::Tape,
}

impl<F: MathFunction> Peer<F> {
    pub(crate) fn new(formula: &Formula) -> Peer<F> {
        let function = F::new(&formula.context, &formula.weights).expect("nodes of its context");
        let point_tape = function.point_tape(F::TapeStorage::default());
        let mut arguments = vec![0; point_tape.vars().len()];
        for (slider, variable) in formula.sliders.iter().enumerate() {
            if let Some(argument) = point_tape.vars().get(variable) {
                arguments[argument] = slider;
            }
        }
        Peer {
            arguments,
            weights: formula.weights.len(),
            point: F::new_point_eval(),
            point_tape,
            bulk: F::new_float_slice_eval(),
            bulk_tape: function.float_slice_tape(F::TapeStorage::default()),
        }
    }

    /// A pose's sliders in the order of the arguments; fidget drops those that no rule reads.
    pub(crate) fn point_arguments(&self, pose: &[f32]) -> Vec<f32> {
        self.arguments.iter().map(|&slider| pose[slider]).collect()
    }

    /// The same for many poses: a plane per argument.
    pub(crate) fn planes<'p>(&self, poses: impl Iterator<Item = &'p [f32]>) -> Vec<Vec<f32>> {
        let mut planes = vec![Vec::new(); self.arguments.len()];
        for pose in poses {
            for (plane, &slider) in planes.iter_mut().zip(&self.arguments) {
                plane.push(pose[slider]);
            }
        }
        planes
    }

    /// The weights of one pose.
    pub(crate) fn eval(&mut self, arguments: &[f32]) -> &[f32] {
        let (weights, _) = self
            .point
            .eval(&self.point_tape, arguments)
            .expect("an argument per slider");
        weights
    }

    /// Runs many poses and returns the first pose's last weight, to be looked at.
    pub(crate) fn eval_planes(&mut self, planes: &[Vec<f32>]) -> f32 {
        let weights = self
            .bulk
            .eval(&self.bulk_tape, planes)
            .expect("planes of one length");
        weights[self.weights - 1][0]
    }

    /// Holds both ways to run against the weights that Flexion gives for `poses`.
    ///
    /// # Panics
    ///
    /// When a weight is off by more than [`TOLERANCE`]: what is compared must be the same function.
    pub(crate) fn check(&mut self, face: &str, poses: &[Vec<f32>], expected: &[Vec<f32>]) {
        let close = |a: f32, b: f32| (a - b).abs() <= TOLERANCE * b.abs().max(1.0);
        for (pose, expected) in poses.iter().zip(expected) {
            let arguments = self.point_arguments(pose);
            for (at, (&weight, &wanted)) in self.eval(&arguments).iter().zip(expected).enumerate() {
                assert!(
                    close(weight, wanted),
                    "{face}: %{at} = {weight} not {wanted}"
                );
            }
        }
        let planes = self.planes(poses.iter().map(Vec::as_slice));
        let weights = self
            .bulk
            .eval(&self.bulk_tape, &planes)
            .expect("planes of one length");
        for (pose, expected) in expected.iter().enumerate() {
            for (at, &wanted) in expected.iter().enumerate() {
                let weight = weights[at][pose];
                assert!(
                    close(weight, wanted),
                    "{face}: %{at} = {weight} not {wanted}, in bulk"
                );
            }
        }
    }
}

/// What rules become.
struct Translator<'r> {
    rig: &'r Rig,
    context: Context,
    x: Vec<Node>,
}

impl Translator<'_> {
    /// The weight that a rule gives; `None` when it has no form.
    fn rule(&mut self, ops: &[Op], weights: &[Node]) -> Option<Result<Node, BadNode>> {
        let mut stack = [self.context.constant(0.0); 32];
        let mut depth = 0;
        for op in ops {
            match self.op(op, &mut stack, depth, weights)? {
                Ok(next) => depth = next,
                Err(error) => return Some(Err(error)),
            }
        }
        Some(Ok(stack[0]))
    }

    /// Runs an op on nodes and returns the new depth, as the slow reference does on floats.
    fn op(
        &mut self,
        op: &Op,
        stack: &mut [Node; 32],
        k: usize,
        weights: &[Node],
    ) -> Option<Result<usize, BadNode>> {
        let index = i32::from_le_bytes(op.operand);
        let controller = self.controller(index);
        Some(match op.code {
            1..=3 | 15 | 16 if k <= 31 => {
                let pushed = match op.code {
                    1 => Ok(Some(self.context.constant(f32::from_le_bytes(op.operand)))),
                    2 => Ok(controller),
                    3 => Ok(usize::try_from(index)
                        .ok()
                        .and_then(|i| weights.get(i).copied())),
                    15 => controller.map(|x| self.two_way(x, -1.0)).transpose(),
                    _ => controller.map(|x| self.two_way(x, 1.0)).transpose(),
                };
                pushed.map(|pushed| match pushed {
                    Some(node) => {
                        stack[k] = node;
                        k + 1
                    }
                    None => k,
                })
            }
            4..=7 | 13 | 14 if k >= 2 => {
                self.binary(op.code, stack[k - 2], stack[k - 1])
                    .map(|node| {
                        stack[k - 2] = node;
                        k - 1
                    })
            }
            8 if k >= 1 => self.context.neg(stack[k - 1]).map(|node| {
                stack[k - 1] = node;
                k
            }),
            17 if k >= 5 && controller.is_some() => {
                let Some(multi) = self.constant_controller(stack[k - 1])? else {
                    return Some(Ok(k));
                };
                let mut limits = [0.0; 4];
                for (limit, &node) in limits.iter_mut().zip(&stack[k - 5..]) {
                    *limit = self.context.get_const(node).ok()?;
                }
                let shape = controller.expect("just looked at");
                self.n_way(shape, multi, limits).map(|node| {
                    stack[k - 5] = node;
                    k - 4
                })
            }
            18 | 19 => self.product(op.code, index, stack, k),
            20 | 21 if k >= 3 && controller.is_some() => {
                let close = self.constant_controller(stack[k - 1])?;
                let up_down = self.context.get_const(stack[k - 3]).ok()? as i32;
                let known = up_down < 0 || self.controller(up_down).is_some();
                let Some(close) = close.filter(|_| known) else {
                    return Some(Ok(k));
                };
                self.eyelid(op.code, index as usize, close, up_down)
                    .map(|node| {
                        stack[k - 3] = node;
                        k - 2
                    })
            }
            _ => Ok(k),
        })
    }

    fn controller(&self, index: i32) -> Option<Node> {
        usize::try_from(index)
            .ok()
            .and_then(|i| self.x.get(i).copied())
    }

    /// The slider whose number a node is, if there is one; `None` when the number is not constant.
    fn constant_controller(&self, node: Node) -> Option<Option<usize>> {
        let index = self.context.get_const(node).ok()? as i32;
        Some(self.controller(index).map(|_| index as usize))
    }

    /// `value` held to 0..1.
    fn clamp(&mut self, value: Node) -> Result<Node, BadNode> {
        let below = self.context.min(value, 1.0)?;
        self.context.max(below, 0.0)
    }

    /// One half of a two-way slider.
    fn two_way(&mut self, x: Node, sign: f32) -> Result<Node, BadNode> {
        let side = self.context.mul(x, sign)?;
        self.clamp(side)
    }

    fn binary(&mut self, code: i32, a: Node, b: Node) -> Result<Node, BadNode> {
        let context = &mut self.context;
        match code {
            4 => context.add(a, b),
            5 => context.sub(a, b),
            6 => context.mul(a, b),
            7 => match context.get_const(b) {
                Ok(divisor) if f64::from(divisor) > 0.0001 => context.div(a, b),
                Ok(_) => Ok(context.constant(0.0)),
                Err(_) => {
                    let quotient = context.div(a, b)?;
                    let condition = context.less_than(0.0001, b)?;
                    context.if_nonzero_else(condition, quotient, 0.0)
                }
            },
            13 => context.max(a, b),
            _ => context.min(a, b),
        }
    }

    /// `shape` times the trapezoid of `limits` over the slider `multi`.
    fn n_way(&mut self, shape: Node, multi: usize, limits: [f32; 4]) -> Result<Node, BadNode> {
        let f = self.x[multi];
        let [r0, r1, r2, r3] = limits;
        let rise = if r0 < r1 {
            let above = self.context.sub(f, r0)?;
            self.context.div(above, r1 - r0)?
        } else {
            self.context.less_than(r0, f)?
        };
        let fall = if r2 < r3 {
            let below = self.context.sub(r3, f)?;
            self.context.div(below, r3 - r2)?
        } else {
            self.context.less_than(f, r3)?
        };
        let part = self.context.min(rise, fall)?;
        let part = self.clamp(part)?;
        self.context.mul(part, shape)
    }

    /// COMBO, the product of the topmost `count`, or DOMINATE, which takes from 1 what it multiplies with.
    fn product(
        &mut self,
        code: i32,
        count: i32,
        stack: &mut [Node; 32],
        k: usize,
    ) -> Result<usize, BadNode> {
        let Ok(m) = usize::try_from(count) else {
            return Ok(k);
        };
        let enough = if code == 18 { k >= m } else { k > m };
        if !enough || (m == 0 && k > 31) {
            return Ok(k);
        }
        let mut product = stack[k - m];
        for &factor in &stack[(k - m + 1).min(k)..k] {
            product = self.context.mul(product, factor)?;
        }
        if code == 18 {
            stack[k - m] = product;
            return Ok(k - m + 1);
        }
        let rest = self.context.sub(1.0, product)?;
        stack[k - m - 1] = self.context.mul(stack[k - m - 1], rest)?;
        Ok(k - m)
    }

    fn eyelid(
        &mut self,
        code: i32,
        multi: usize,
        close: usize,
        up_down: i32,
    ) -> Result<Node, BadNode> {
        let v = self.unit(multi)?;
        let lid = self.unit(close)?;
        let up = match self.controller(up_down) {
            Some(_) => {
                let unit = self.unit(up_down as usize)?;
                let doubled = self.context.mul(unit, 2.0)?;
                self.context.sub(doubled, 1.0)?
            }
            None => self.context.constant(0.0),
        };
        let (share, off) = if code == 20 {
            let down = self.context.max(up, 0.0)?;
            (self.context.sub(1.0, v)?, self.context.sub(1.0, down)?)
        } else {
            let down = self.context.min(up, 0.0)?;
            (v, self.context.add(1.0, down)?)
        };
        let product = self.context.mul(off, share)?;
        self.context.mul(product, lid)
    }

    /// A slider as a part of its range.
    fn unit(&mut self, controller: usize) -> Result<Node, BadNode> {
        let (min, max) = self.rig.controllers[controller];
        let x = self.x[controller];
        if min == max {
            let below = self.context.less_than(x, max)?;
            return self.context.not(below);
        }
        let above = self.context.sub(x, min)?;
        let part = self.context.div(above, max - min)?;
        self.clamp(part)
    }
}
