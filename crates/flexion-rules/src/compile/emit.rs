//! Operations to instructions: what a value is to the compiler, and what each op emits.

use super::{Compiler, WidePlace};
use crate::code::{Affine, Binary, Eyelid, Instr, NWay, Scaled, Unary};
use crate::machine::{Domain, Lid};
use crate::op::{Opcode, canon};
use crate::rig::ControllerRange;

/// An operand of an affine instruction.
#[derive(Clone, Copy)]
enum Term {
    Place(WidePlace),
    Constant(f32),
    /// The summand that changes nothing: x + -0 is x for every x, while -0 + 0 would be 0.
    Zero,
}

impl From<WidePlace> for Term {
    fn from(place: WidePlace) -> Term {
        Term::Place(place)
    }
}

impl From<f32> for Term {
    fn from(value: f32) -> Term {
        Term::Constant(value)
    }
}

impl Compiler<'_> {
    /// Emits `a * 1 + -0`: an instruction for what is elsewhere in the frame.
    pub(super) fn copy(&mut self, a: WidePlace) {
        self.affine(a, 1.0, Term::Zero);
    }

    /// Emits `a * b + c`.
    fn affine(&mut self, a: WidePlace, b: impl Into<Term>, c: impl Into<Term>) -> WidePlace {
        let [b, c] = [b.into(), c.into()].map(|term| match term {
            Term::Place(place) => place,
            Term::Constant(value) => self.constant(value),
            Term::Zero => self.constant(-0.0),
        });
        let [a, b, c] = [a, b, c].map(|place| self.place(place));
        let (value, dst) = self.temporary();
        self.instrs.push(Instr::Affine(Affine { dst, a, b, c }));
        value
    }

    fn scaled(&mut self, controller: usize) -> Scaled {
        let ControllerRange { min, max } = self.ranges[controller];
        let [min, max] = [min, max].map(|end| self.constant(end));
        Scaled {
            place: self.place(controller),
            min: self.place(min),
            max: self.place(max),
        }
    }
}

impl Domain for Compiler<'_> {
    type Value = WidePlace;

    fn constant(&mut self, value: f32) -> WidePlace {
        let next = self.constants.len();
        let index = *self.interned.entry(value.to_bits()).or_insert(next);
        if index == next {
            self.constants.push(value);
            self.check_room();
        }
        self.layout.constants + index
    }

    fn controller(&mut self, index: usize) -> WidePlace {
        index
    }

    fn descriptor(&mut self, index: usize) -> WidePlace {
        if !self.written[index] {
            return self.constant(0.0);
        }
        self.touched[index] = self.segment();
        self.layout.descriptors + index
    }

    fn known(&self, value: WidePlace) -> Option<f32> {
        let index = value.checked_sub(self.layout.constants)?;
        self.constants.get(index).copied()
    }

    fn unary(&mut self, code: Opcode, f: fn(f32) -> f32, a: WidePlace) -> WidePlace {
        if let Some(a) = self.known(a) {
            return self.constant(f(a));
        }
        if code == Opcode::Neg {
            return self.affine(a, -1.0, Term::Zero);
        }
        let a = self.place(a);
        let (value, dst) = self.temporary();
        self.instrs.push(match code {
            Opcode::TwoWay0 => Instr::TwoWay0(Unary { dst, a }),
            Opcode::TwoWay1 => Instr::TwoWay1(Unary { dst, a }),
            _ => unreachable!("{code} is no function of one value"),
        });
        value
    }

    fn binary(
        &mut self,
        code: Opcode,
        f: fn(f32, f32) -> f32,
        a: WidePlace,
        b: WidePlace,
    ) -> WidePlace {
        if let (Some(a), Some(b)) = (self.known(a), self.known(b)) {
            return self.constant(f(a, b));
        }
        let instr = match code {
            Opcode::Add => return self.affine(a, 1.0, b),
            Opcode::Sub => return self.affine(b, -1.0, a),
            Opcode::Mul => return self.affine(a, b, Term::Zero),
            Opcode::Dominate => {
                let one = self.constant(1.0);
                let rest = self.binary(Opcode::Sub, canon::sub, one, b);
                return self.affine(a, rest, Term::Zero);
            }
            Opcode::Div => Instr::Div,
            Opcode::Max => Instr::Max,
            Opcode::Min => Instr::Min,
            _ => unreachable!("{code} is no function of two values"),
        };
        let [a, b] = [a, b].map(|place| self.place(place));
        let (value, dst) = self.temporary();
        self.instrs.push(instr(Binary { dst, a, b }));
        value
    }

    fn nway(&mut self, multi: usize, limits: [WidePlace; 4], scaled: usize) -> WidePlace {
        let [multi, scaled] = [multi, scaled].map(|place| self.place(place));
        let limits = limits.map(|limit| self.place(limit));
        let (value, dst) = self.temporary();
        self.instrs
            .push(Instr::NWay(self.drafts.nways.len() as u32));
        self.drafts.nways.push(NWay {
            dst,
            multi,
            limits,
            scaled,
        });
        value
    }

    fn eyelid(&mut self, code: Opcode, _: fn(f32, f32, f32) -> f32, lid: Lid) -> WidePlace {
        let [lid_value, close] = [lid.value, lid.close].map(|index| self.scaled(index));
        let up_down = lid.up_down.map(|index| self.scaled(index));
        let (value, dst) = self.temporary();
        let entry = self.drafts.eyelids.len() as u32;
        self.drafts.eyelids.push(Eyelid {
            dst,
            value: lid_value,
            close,
            up_down,
        });
        self.instrs.push(match code {
            Opcode::LowerEyelid => Instr::LowerEyelid(entry),
            Opcode::UpperEyelid => Instr::UpperEyelid(entry),
            _ => unreachable!("{code} is no eyelid op"),
        });
        value
    }
}
