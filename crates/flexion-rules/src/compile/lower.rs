//! What an op's value is to the compiler: a value of the graph.

use super::Compiler;
use super::graph::{Operation, Value};
use crate::machine::{Domain, Lid};
use crate::op::Opcode;
use crate::rig::ControllerRange;

impl Compiler<'_> {
    fn scaled(&mut self, operation: Operation, controller: usize) -> Value {
        let ControllerRange { min, max } = self.ranges[controller];
        let x = self.graph.controller(controller);
        let [min, max] = [min, max].map(|end| self.graph.constant(end));
        self.graph.apply(operation, &[x, min, max])
    }
}

impl Domain for Compiler<'_> {
    type Value = Value;

    fn constant(&mut self, value: f32) -> Value {
        self.graph.constant(value)
    }

    fn controller(&mut self, index: usize) -> Value {
        self.graph.controller(index)
    }

    fn descriptor(&mut self, index: usize) -> Value {
        self.weights[index]
    }

    fn known(&self, value: Value) -> Option<f32> {
        self.graph.known(value)
    }

    fn unary(&mut self, code: Opcode, _: fn(f32) -> f32, a: Value) -> Value {
        let operation = match code {
            Opcode::Neg => Operation::Neg,
            Opcode::TwoWay0 => Operation::TwoWay0,
            Opcode::TwoWay1 => Operation::TwoWay1,
            _ => unreachable!("{code} is no function of one value"),
        };
        self.graph.apply(operation, &[a])
    }

    fn binary(&mut self, code: Opcode, _: fn(f32, f32) -> f32, a: Value, b: Value) -> Value {
        let operation = match code {
            Opcode::Add => Operation::Add,
            Opcode::Sub => Operation::Sub,
            Opcode::Mul => Operation::Mul,
            Opcode::Div => Operation::Div,
            Opcode::Max => Operation::Max,
            Opcode::Min => Operation::Min,
            Opcode::Dominate => {
                let one = self.graph.constant(1.0);
                let rest = self.graph.apply(Operation::Sub, &[one, b]);
                return self.graph.apply(Operation::Mul, &[a, rest]);
            }
            _ => unreachable!("{code} is no function of two values"),
        };
        self.graph.apply(operation, &[a, b])
    }

    /// Two operations, so that shapes of one slider that differ in what they scale share the trapezoid.
    fn nway(&mut self, multi: usize, [r0, r1, r2, r3]: [Value; 4], scaled: usize) -> Value {
        let [multi, scaled] = [multi, scaled].map(|index| self.graph.controller(index));
        let part = self
            .graph
            .apply(Operation::Trapezoid, &[multi, r0, r1, r2, r3]);
        self.graph.apply(Operation::Mul, &[part, scaled])
    }

    fn eyelid(&mut self, code: Opcode, _: fn(f32, f32, f32) -> f32, lid: Lid) -> Value {
        let operation = match code {
            Opcode::LowerEyelid => Operation::LowerEyelid,
            Opcode::UpperEyelid => Operation::UpperEyelid,
            _ => unreachable!("{code} is no eyelid op"),
        };
        let value = self.scaled(Operation::Unit, lid.value);
        let close = self.scaled(Operation::Unit, lid.close);
        let up_down = match lid.up_down {
            Some(index) => self.scaled(Operation::SignedUnit, index),
            None => self.graph.constant(0.0),
        };
        self.graph.apply(operation, &[value, close, up_down])
    }
}
