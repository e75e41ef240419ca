//! The stack machine, written once for every kind of value.
//!
//! An op and a [`Domain`] go in; the stack changes, or [`Halt`] says why it did not. The machine knows the
//! order of values on the stack, every precondition and both dialects. What a value *is* belongs to the domain:
//! a float (the checked evaluator), the place a value will have at run time (the compiler), whether it is known
//! yet (the verifier), a piece of text (the disassembler). So the four cannot disagree about what an op does.
//!
//! ```text
//!                     floats      compiler            text
//! FETCH1 3            0.25        slider 3            jaw
//! CONST 2             0.25 2      slider 3, const 2   jaw, 2
//! MUL                 0.5         temporary 0         jaw * 2
//! ```
//!
//! The stack has 32 slots, all 0 at the start of a rule. A popped slot keeps its value; COMBO 0 and DOMINATE 0
//! can see it. The rule's result is slot 0 whatever the depth.
//!
//! Which controller NWAY and the eyelid ops read comes from the stack. Where a domain does not know that value
//! yet, neither the result nor the depth after the op is known, and the machine halts with [`Halt::Computed`].

use crate::op::{Action, Opcode, Operand, Takes, canon};
use crate::rig::{Dialect, Op, Rig};
use crate::verify::Reason;

/// Slots of the stack (`float stack[32]` of the engine).
pub(crate) const DEPTH: usize = 32;

/// What the machine computes with.
pub(crate) trait Domain {
    type Value: Copy;

    fn constant(&mut self, value: f32) -> Self::Value;
    fn controller(&mut self, index: usize) -> Self::Value;
    fn descriptor(&mut self, index: usize) -> Self::Value;
    /// The value as a float, if it is known by now.
    fn known(&self, value: Self::Value) -> Option<f32>;
    fn unary(&mut self, code: Opcode, f: fn(f32) -> f32, a: Self::Value) -> Self::Value;
    fn binary(
        &mut self,
        code: Opcode,
        f: fn(f32, f32) -> f32,
        a: Self::Value,
        b: Self::Value,
    ) -> Self::Value;
    fn nway(&mut self, multi: usize, limits: [Self::Value; 4], scaled: usize) -> Self::Value;
    fn eyelid(&mut self, code: Opcode, f: fn(f32, f32, f32) -> f32, lid: Lid) -> Self::Value;
}

/// The controllers an eyelid op reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lid {
    /// The multi controller: how far the closing is shared between the lids.
    pub value: usize,
    /// How far the lid is closed.
    pub close: usize,
    /// Eyes up and down; a shipped rig may have none.
    pub up_down: Option<usize>,
}

/// Why an op did not change the stack.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Halt {
    /// It does nothing, whatever the pose.
    Nothing(Reason),
    /// It depends on a value that this domain does not know yet.
    Computed,
}

impl From<Reason> for Halt {
    fn from(reason: Reason) -> Halt {
        Halt::Nothing(reason)
    }
}

/// What exists, for the checks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub controllers: usize,
    pub descriptors: usize,
    pub dialect: Dialect,
}

impl Bounds {
    pub(crate) fn new(rig: &Rig<'_>, dialect: Dialect) -> Bounds {
        Bounds {
            controllers: rig.controllers.len(),
            descriptors: rig.descriptors,
            dialect,
        }
    }

    fn controller(&self, index: i32) -> Result<usize, Reason> {
        let count = self.controllers;
        within(index, count).ok_or(Reason::Controller { index, count })
    }

    /// A rule's target or an operand, as an index of an existing descriptor.
    pub(crate) fn descriptor(&self, index: i32) -> Result<usize, Reason> {
        let count = self.descriptors;
        within(index, count).ok_or(Reason::Descriptor { index, count })
    }

    /// How many values COMBO or DOMINATE works on. The SDK of 2025 checks the count as if it were a controller.
    fn count(&self, count: i32) -> Result<usize, Reason> {
        let limit = match self.dialect {
            Dialect::Shipped => usize::MAX,
            Dialect::Sdk2025 => self.controllers,
        };
        within(count, limit).ok_or(Reason::Count { count, limit })
    }
}

fn within(index: i32, count: usize) -> Option<usize> {
    usize::try_from(index).ok().filter(|&index| index < count)
}

/// One rule in progress.
pub(crate) struct Machine<V> {
    bounds: Bounds,
    stack: [V; DEPTH],
    depth: usize,
}

impl<V: Copy> Machine<V> {
    /// A fresh stack; `zero` is the domain's 0.
    pub(crate) fn new(bounds: Bounds, zero: V) -> Machine<V> {
        Machine {
            bounds,
            stack: [zero; DEPTH],
            depth: 0,
        }
    }

    /// The rule's result if it ended here.
    pub(crate) fn result(&self) -> V {
        self.stack[0]
    }

    /// Runs one op. On `Err` the stack is as before.
    pub(crate) fn step<D>(&mut self, op: Op, domain: &mut D) -> Result<(), Halt>
    where
        D: Domain<Value = V>,
    {
        let code = op.opcode().ok_or(Reason::Unknown)?;
        let count = match code.operand() {
            Operand::Count => self.bounds.count(op.index())?,
            _ => 0,
        };
        let base = self.room(code, count)?;
        let value = match code.action() {
            Action::Nothing => return Err(Reason::Inert.into()),
            Action::Constant => domain.constant(op.value()),
            Action::Controller => domain.controller(self.bounds.controller(op.index())?),
            Action::Descriptor => domain.descriptor(self.bounds.descriptor(op.index())?),
            Action::OfController(f) => {
                let x = domain.controller(self.bounds.controller(op.index())?);
                domain.unary(code, f, x)
            }
            Action::Unary(f) => domain.unary(code, f, self.stack[base]),
            Action::Binary(f) => domain.binary(code, f, self.stack[base], self.stack[base + 1]),
            Action::NWay => {
                let scaled = self.bounds.controller(op.index())?;
                let multi = self.index(base + 4, domain)?;
                let multi = self.bounds.controller(multi)?;
                let [r0, r1, r2, r3] = [0, 1, 2, 3].map(|i| self.stack[base + i]);
                domain.nway(multi, [r0, r1, r2, r3], scaled)
            }
            Action::Combo => self.product(base, count, domain),
            Action::Dominate(f) => {
                if count == 0 && self.depth == DEPTH {
                    return Err(Reason::StackFull.into());
                }
                let p = self.product(base + 1, count, domain);
                domain.binary(code, f, self.stack[base], p)
            }
            Action::Eyelid(f) => {
                let value = self.bounds.controller(op.index())?;
                let lid = self.lid(value, base, domain)?;
                domain.eyelid(code, f, lid)
            }
        };
        self.stack[base] = value;
        self.depth = base + 1;
        Ok(())
    }

    /// Checks that the op's values are there and its result has room; returns the slot of the deepest value.
    fn room(&self, code: Opcode, count: usize) -> Result<usize, Reason> {
        let need = match code.takes() {
            Takes::Values(need) => need,
            Takes::Count => count,
            Takes::CountAndOne => count.saturating_add(1),
        };
        let have = self.depth;
        let base = have
            .checked_sub(need)
            .ok_or(Reason::Underflow { need, have })?;
        if base + code.leaves() > DEPTH {
            return Err(Reason::StackFull);
        }
        Ok(base)
    }

    /// The product of `count` slots from `first` up, multiplied from the deepest; for none, the slot itself.
    fn product<D>(&self, first: usize, count: usize, domain: &mut D) -> V
    where
        D: Domain<Value = V>,
    {
        let mut product = self.stack[first];
        for i in 1..count {
            let next = self.stack[first + i];
            product = domain.binary(Opcode::Mul, canon::mul, product, next);
        }
        product
    }

    /// A slot as an index.
    fn index<D>(&self, slot: usize, domain: &D) -> Result<i32, Halt>
    where
        D: Domain<Value = V>,
    {
        let value = domain.known(self.stack[slot]).ok_or(Halt::Computed)?;
        Ok(canon::int(value).ok_or(Reason::NotAnIndex { value })?)
    }

    /// The stack holds eyes-up-down, blink, close-lid. Blink is only checked, and only by the SDK of 2025.
    fn lid<D>(&self, value: usize, base: usize, domain: &D) -> Result<Lid, Halt>
    where
        D: Domain<Value = V>,
    {
        let close = self.bounds.controller(self.index(base + 2, domain)?)?;
        let up_down = self.index(base, domain)?;
        let up_down = match self.bounds.dialect {
            Dialect::Shipped if up_down < 0 => None,
            _ => Some(self.bounds.controller(up_down)?),
        };
        if self.bounds.dialect == Dialect::Sdk2025 {
            self.bounds.controller(self.index(base + 1, domain)?)?;
        }
        Ok(Lid {
            value,
            close,
            up_down,
        })
    }
}
