//! The slow reference evaluator: rules as the engine runs them, op by op, nothing prepared.
//!
//! A rig and a pose go in, one weight per descriptor comes out ([`eval`]): one `match` per op, every check at run
//! time, no allocation in the loop.
//!
//! One rule, `FETCH1 0, CONST 0.5, MUL` on a slider at 1.0: the stack holds 1.0, then 1.0 and 0.5, then 0.5, whose
//! bottom becomes the weight.

/// One instruction (`mstudioflexop_t`).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Op {
    /// The opcode.
    pub code: i32,
    /// The operand's four bytes, little-endian.
    pub operand: [u8; 4],
}

impl Op {
    /// An op whose operand is an index or a count.
    pub fn index(code: i32, index: i32) -> Op {
        Op {
            code,
            operand: index.to_le_bytes(),
        }
    }

    /// An op whose operand is a float.
    pub fn value(code: i32, value: f32) -> Op {
        Op {
            code,
            operand: value.to_le_bytes(),
        }
    }
}

/// One rule (`mstudioflexrule_t`).
#[derive(Clone, PartialEq, Debug)]
pub struct Rule {
    /// The descriptor to write.
    pub flex: i32,
    /// What to run.
    pub ops: Vec<Op>,
}

/// All that rules depend on.
#[derive(Clone, PartialEq, Debug)]
pub struct Rig {
    /// Minimum and maximum of each controller.
    pub controllers: Vec<(f32, f32)>,
    /// How many descriptors there are.
    pub descriptors: usize,
    /// The rules, in the order they run in.
    pub rules: Vec<Rule>,
}

/// Whether the checks are those of the SDK of 2025; otherwise those of the engines that shipped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Checks {
    /// The engines that shipped.
    Shipped,
    /// The SDK of 2025.
    Sdk2025,
}

/// Evaluates one pose into `weights`.
///
/// # Panics
///
/// If `sliders` or `weights` is not as long as the rig says.
pub fn eval(rig: &Rig, checks: Checks, sliders: &[f32], weights: &mut [f32]) {
    assert_eq!(sliders.len(), rig.controllers.len());
    assert_eq!(weights.len(), rig.descriptors);
    weights.fill(0.0);
    for rule in &rig.rules {
        if rule.flex < 0 || rule.flex as usize >= rig.descriptors {
            continue;
        }
        weights[rule.flex as usize] = run(rig, checks, &rule.ops, sliders, weights);
    }
}

/// Runs one rule and returns the bottom of its stack.
fn run(rig: &Rig, checks: Checks, ops: &[Op], x: &[f32], weights: &[f32]) -> f32 {
    let sdk = checks == Checks::Sdk2025;
    let mut stack = [0.0f32; 32];
    let mut k = 0;
    for op in ops {
        let d = i32::from_le_bytes(op.operand);
        let is_controller = |i: i32| i >= 0 && (i as usize) < x.len();
        match op.code {
            1 if k <= 31 => {
                stack[k] = f32::from_le_bytes(op.operand);
                k += 1;
            }
            2 if k <= 31 && is_controller(d) => {
                stack[k] = x[d as usize];
                k += 1;
            }
            3 if k <= 31 && d >= 0 && (d as usize) < weights.len() => {
                stack[k] = weights[d as usize];
                k += 1;
            }
            4 if k >= 2 => {
                stack[k - 2] += stack[k - 1];
                k -= 1;
            }
            5 if k >= 2 => {
                stack[k - 2] -= stack[k - 1];
                k -= 1;
            }
            6 if k >= 2 => {
                stack[k - 2] *= stack[k - 1];
                k -= 1;
            }
            7 if k >= 2 => {
                if f64::from(stack[k - 1]) > 0.0001 {
                    stack[k - 2] /= stack[k - 1];
                } else {
                    stack[k - 2] = 0.0;
                }
                k -= 1;
            }
            8 if k >= 1 => {
                stack[k - 1] = -stack[k - 1];
            }
            13 if k >= 2 => {
                if stack[k - 2] < stack[k - 1] {
                    stack[k - 2] = stack[k - 1];
                }
                k -= 1;
            }
            14 if k >= 2 => {
                if stack[k - 1] < stack[k - 2] {
                    stack[k - 2] = stack[k - 1];
                }
                k -= 1;
            }
            15 if k <= 31 && is_controller(d) => {
                stack[k] = remap(x[d as usize], -1.0, 0.0, 1.0, 0.0);
                k += 1;
            }
            16 if k <= 31 && is_controller(d) => {
                stack[k] = remap(x[d as usize], 0.0, 1.0, 0.0, 1.0);
                k += 1;
            }
            17 if k >= 5 && is_controller(d) => {
                let multi = to_int(stack[k - 1]);
                if let Some(multi) = multi
                    && is_controller(multi)
                {
                    let f = x[multi as usize];
                    let r = [stack[k - 5], stack[k - 4], stack[k - 3], stack[k - 2]];
                    let mut part = 1.0;
                    if f <= r[0] || f >= r[3] {
                        part = 0.0;
                    } else if f < r[1] {
                        part = remap(f, r[0], r[1], 0.0, 1.0);
                    } else if f > r[2] {
                        part = remap(f, r[2], r[3], 1.0, 0.0);
                    }
                    stack[k - 5] = part * x[d as usize];
                    k -= 4;
                }
            }
            18 => {
                let allowed = if sdk { is_controller(d) } else { d >= 0 };
                if allowed && k as i64 >= i64::from(d) && (d != 0 || k <= 31) {
                    let m = d as usize;
                    for i in 1..m {
                        stack[k - m] *= stack[k - m + i];
                    }
                    k = k - m + 1;
                }
            }
            19 => {
                let allowed = if sdk { is_controller(d) } else { d >= 0 };
                if allowed && k as i64 > i64::from(d) && (d != 0 || k <= 31) {
                    let m = d as usize;
                    let mut p = stack[k - m];
                    for i in 1..m {
                        p *= stack[k - m + i];
                    }
                    stack[k - m - 1] *= 1.0 - p;
                    k -= m;
                }
            }
            20 | 21 if k >= 3 && is_controller(d) => {
                let lid = [stack[k - 3], stack[k - 2], stack[k - 1]];
                if let Some(weight) = eyelid(rig, op.code, d as usize, sdk, lid, x) {
                    stack[k - 3] = weight;
                    k -= 2;
                }
            }
            _ => {}
        }
    }
    stack[0]
}

/// An eyelid op, or `None` if it does nothing.
fn eyelid(
    rig: &Rig,
    code: i32,
    multi: usize,
    sdk: bool,
    stack: [f32; 3],
    x: &[f32],
) -> Option<f32> {
    let is_controller = |i: i32| i >= 0 && (i as usize) < x.len();
    let unit = |i: usize| {
        let (min, max) = rig.controllers[i];
        remap(x[i], min, max, 0.0, 1.0)
    };
    let up_down = to_int(stack[0])?;
    let close = to_int(stack[2])?;
    if !is_controller(close) {
        return None;
    }
    if sdk && !is_controller(to_int(stack[1])?) {
        return None;
    }
    let u = if is_controller(up_down) {
        let (min, max) = rig.controllers[up_down as usize];
        remap(x[up_down as usize], min, max, -1.0, 1.0)
    } else if !sdk && up_down < 0 {
        0.0
    } else {
        return None;
    };
    let v = unit(multi);
    let l = unit(close as usize);
    Some(match code {
        20 if u > 0.0 => (1.0 - u) * (1.0 - v) * l,
        20 => (1.0 - v) * l,
        _ if u < 0.0 => (1.0 + u) * v * l,
        _ => v * l,
    })
}

/// Truncates toward 0; `None` where C's conversion is undefined.
fn to_int(value: f32) -> Option<i32> {
    let whole = f64::from(value).trunc();
    if whole >= f64::from(i32::MIN) && whole <= f64::from(i32::MAX) {
        Some(whole as i32)
    } else {
        None
    }
}

/// `RemapValClamped`.
fn remap(x: f32, a: f32, b: f32, c: f32, d: f32) -> f32 {
    if a == b {
        return if x >= b { d } else { c };
    }
    let part = (x - a) / (b - a);
    // NaN is neither above 0 nor below 1 and so becomes 0, as in the engine.
    let clamped = if part >= 1.0 {
        1.0
    } else if part > 0.0 {
        part
    } else {
        0.0
    };
    c + (d - c) * clamped
}
