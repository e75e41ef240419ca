//! A rule as a formula.
//!
//! The rule runs on the [machine](crate::machine) with values being nodes of an expression; what the engine
//! ignores is therefore not in the formula, and what it does in a roundabout way (COMBO, DOMINATE) reads as the
//! arithmetic it is. Brackets keep the order of evaluation: `a - (b - c)`, `a * (b * c)`.
//!
//! A part that is used twice (a popped slot can be) or nested too deep gets a line of its own before the
//! formula, as `$1 = …`, so the text is never longer than a small multiple of the rule.

use std::fmt::Write;

use super::{Float, Named, Names};
use crate::machine::{Bounds, Domain, Halt, Lid, Machine};
use crate::op::Opcode;
use crate::rig::{Dialect, Rig};

/// Words of formulas; a name that is one of them is quoted.
pub(super) const WORDS: &[&str] = &[
    "max",
    "min",
    "two_way_0",
    "two_way_1",
    "nway",
    "lower_eyelid",
    "upper_eyelid",
    "none",
    "inf",
    "NaN",
];

/// Nesting beyond this is cut into lines.
const MAX_NESTING: usize = 40;

/// Writes one rule as a formula; empty if there is no such rule.
///
/// | in the formula | is |
/// |---|---|
/// | `%name`, `name` | a descriptor's weight as written so far, a controller's value |
/// | `a / b` | 0 unless b > 0.0001 |
/// | `max(a, b)`, `min(a, b)` | `a < b ? b : a`, `b < a ? b : a` |
/// | `two_way_0(x)`, `two_way_1(x)` | -1..0 as 1..0, 0..1 as 0..1, clamped |
/// | `nway(f, x, r0, r1, r2, r3)` | the trapezoid r0..r3 of controller f, times controller x |
/// | `lower_eyelid(v, l, u)`, `upper_eyelid` | multi, close-lid and eyes-up-down controllers; u may be `none` |
/// | `$1` | an earlier line |
///
/// A rule that is skipped, or that takes a controller index from a computed value, has no formula; a line
/// starting with `#` says so. The [module](super) has an example.
pub fn text(rig: &Rig<'_>, rule: usize, dialect: Dialect, names: &dyn Names) -> String {
    let Some(ops) = rig.rules.get(rule) else {
        return String::new();
    };
    let bounds = Bounds::new(rig, dialect);
    let target = Named::Descriptor(names, ops.target.into());
    if let Err(reason) = bounds.descriptor(ops.target) {
        return format!("# {target}: skipped, {reason}\n");
    }
    let mut nodes = Nodes::default();
    let mut machine = Machine::new(bounds, nodes.constant(0.0));
    for (index, &op) in ops.ops.iter().enumerate() {
        if let Err(Halt::Computed) = machine.step(op, &mut nodes) {
            let name = op.opcode().map_or("", Opcode::name);
            return format!("# {target}: op {index} {name} computes which controller it reads\n");
        }
    }
    let root = machine.result();
    let mut printer = Printer::new(&nodes.nodes, names);
    printer.cut(root);
    let mut out = String::new();
    for id in 0..=root {
        if let Some(number) = printer.lines[id] {
            // Writing to a String cannot fail.
            let _ = writeln!(out, "${number} = {}", printer.node(id));
        }
    }
    let _ = writeln!(out, "{target} = {}", printer.operand(root, LOWEST));
    out
}

type Id = usize;

#[derive(Clone, Copy)]
enum Node {
    Constant(f32),
    Controller(usize),
    Descriptor(usize),
    Unary(Opcode, Id),
    Binary(Opcode, Id, Id),
    NWay {
        multi: usize,
        limits: [Id; 4],
        scaled: usize,
    },
    Eyelid(Opcode, Lid),
}

impl Node {
    fn operands(&self) -> impl Iterator<Item = Id> {
        let (ids, count) = match *self {
            Node::Unary(_, a) => ([a, 0, 0, 0], 1),
            Node::Binary(_, a, b) => ([a, b, 0, 0], 2),
            Node::NWay { limits, .. } => (limits, 4),
            _ => ([0; 4], 0),
        };
        ids.into_iter().take(count)
    }
}

/// Nodes in the order they were made: operands before what uses them.
#[derive(Default)]
struct Nodes {
    nodes: Vec<Node>,
    /// Each node's value, if it is the same in every pose.
    known: Vec<Option<f32>>,
}

impl Nodes {
    fn add(&mut self, node: Node, known: Option<f32>) -> Id {
        self.nodes.push(node);
        self.known.push(known);
        self.nodes.len() - 1
    }
}

/// How tightly an expression binds.
type Binding = u8;
const LOWEST: Binding = 0;
const SUM: Binding = 1;
const PRODUCT: Binding = 2;
const SIGN: Binding = 3;
const ATOM: Binding = 4;

struct Printer<'a> {
    nodes: &'a [Node],
    names: &'a dyn Names,
    /// The number of the line a node has for itself, if it has one.
    lines: Vec<Option<usize>>,
}

impl<'a> Printer<'a> {
    fn new(nodes: &'a [Node], names: &'a dyn Names) -> Printer<'a> {
        Printer {
            nodes,
            names,
            lines: vec![None; nodes.len()],
        }
    }

    /// Decides which nodes get a line for themselves.
    fn cut(&mut self, root: Id) {
        let mut uses = vec![0usize; self.nodes.len()];
        uses[root] = 1;
        for id in (0..=root)
            .rev()
            .filter(|&id| self.nodes[id].operands().count() > 0)
        {
            if uses[id] > 0 {
                self.nodes[id]
                    .operands()
                    .for_each(|operand| uses[operand] += 1);
            }
        }
        let mut nesting = vec![0usize; self.nodes.len()];
        let mut count = 0;
        for id in 0..root {
            let deepest = self.nodes[id]
                .operands()
                .map(|operand| nesting[operand] + 1)
                .max();
            let Some(deepest) = deepest.filter(|_| uses[id] > 0) else {
                continue;
            };
            nesting[id] = deepest;
            if uses[id] > 1 || deepest > MAX_NESTING {
                nesting[id] = 0;
                count += 1;
                self.lines[id] = Some(count);
            }
        }
    }

    /// An operand where at least `binding` is needed to do without brackets.
    fn operand(&self, id: Id, binding: Binding) -> String {
        match self.lines[id] {
            Some(number) => format!("${number}"),
            None if self.binding(id) < binding => format!("({})", self.node(id)),
            None => self.node(id),
        }
    }

    fn binding(&self, id: Id) -> Binding {
        match self.nodes[id] {
            Node::Binary(Opcode::Add | Opcode::Sub, ..) => SUM,
            Node::Binary(Opcode::Mul | Opcode::Div | Opcode::Dominate, ..) => PRODUCT,
            // A negative number starts with a sign too.
            Node::Constant(value) if value.is_sign_negative() => SIGN,
            Node::Unary(Opcode::Neg, _) => SIGN,
            _ => ATOM,
        }
    }

    /// A node itself, whether or not it has a line.
    fn node(&self, id: Id) -> String {
        let controller = |index| Named::controller(self.names, index);
        match self.nodes[id] {
            Node::Constant(value) => Float(value).to_string(),
            Node::Controller(index) => controller(index).to_string(),
            Node::Descriptor(index) => Named::descriptor(self.names, index).to_string(),
            Node::Unary(Opcode::Neg, a) => format!("-{}", self.operand(a, ATOM)),
            Node::Unary(code, a) => {
                format!("{}({})", word(code), self.operand(a, LOWEST))
            }
            Node::Binary(Opcode::Dominate, a, p) => {
                format!(
                    "{} * (1 - {})",
                    self.operand(a, PRODUCT),
                    self.operand(p, PRODUCT)
                )
            }
            Node::Binary(code, a, b) => match sign(code) {
                // The left operand may bind as loosely as the operator, the right one must bind tighter.
                Some((sign, binding)) => {
                    let (a, b) = (self.operand(a, binding), self.operand(b, binding + 1));
                    format!("{a} {sign} {b}")
                }
                None => {
                    let (a, b) = (self.operand(a, LOWEST), self.operand(b, LOWEST));
                    format!("{}({a}, {b})", word(code))
                }
            },
            Node::NWay {
                multi,
                limits,
                scaled,
            } => {
                let [r0, r1, r2, r3] = limits.map(|limit| self.operand(limit, LOWEST));
                let (multi, scaled) = (controller(multi), controller(scaled));
                format!("nway({multi}, {scaled}, {r0}, {r1}, {r2}, {r3})")
            }
            Node::Eyelid(code, lid) => {
                let up_down = lid
                    .up_down
                    .map_or("none".to_owned(), |u| controller(u).to_string());
                let (value, close) = (controller(lid.value), controller(lid.close));
                format!("{}({value}, {close}, {up_down})", word(code))
            }
        }
    }
}

/// The operator of an op that is written between its operands.
fn sign(code: Opcode) -> Option<(char, Binding)> {
    match code {
        Opcode::Add => Some(('+', SUM)),
        Opcode::Sub => Some(('-', SUM)),
        Opcode::Mul => Some(('*', PRODUCT)),
        Opcode::Div => Some(('/', PRODUCT)),
        _ => None,
    }
}

/// The name of an op that is written as a function.
fn word(code: Opcode) -> &'static str {
    match code {
        Opcode::Max => "max",
        Opcode::Min => "min",
        Opcode::TwoWay0 => "two_way_0",
        Opcode::TwoWay1 => "two_way_1",
        Opcode::LowerEyelid => "lower_eyelid",
        Opcode::UpperEyelid => "upper_eyelid",
        _ => code.name(),
    }
}

impl Domain for Nodes {
    type Value = Id;

    fn constant(&mut self, value: f32) -> Id {
        self.add(Node::Constant(value), Some(value))
    }

    fn controller(&mut self, index: usize) -> Id {
        self.add(Node::Controller(index), None)
    }

    fn descriptor(&mut self, index: usize) -> Id {
        self.add(Node::Descriptor(index), None)
    }

    fn known(&self, value: Id) -> Option<f32> {
        self.known[value]
    }

    fn unary(&mut self, code: Opcode, f: fn(f32) -> f32, a: Id) -> Id {
        let known = self.known[a].map(f);
        self.add(Node::Unary(code, a), known)
    }

    fn binary(&mut self, code: Opcode, f: fn(f32, f32) -> f32, a: Id, b: Id) -> Id {
        let known = self.known[a].zip(self.known[b]).map(|(a, b)| f(a, b));
        self.add(Node::Binary(code, a, b), known)
    }

    fn nway(&mut self, multi: usize, limits: [Id; 4], scaled: usize) -> Id {
        let node = Node::NWay {
            multi,
            limits,
            scaled,
        };
        self.add(node, None)
    }

    fn eyelid(&mut self, code: Opcode, _: fn(f32, f32, f32) -> f32, lid: Lid) -> Id {
        self.add(Node::Eyelid(code, lid), None)
    }
}
