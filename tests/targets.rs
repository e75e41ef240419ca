//! What a fuzz target does with its bytes.
//!
//! The targets under `fuzz` call these on bytes that a fuzzer makes up; the suite replays the
//! finds, which are kept under `regressions`, on stable Rust. Each panics when something is wrong.

use std::sync::OnceLock;

use flexion::render::{Size, Software};
use flexion::{Model, Portrait, PortraitOptions};
use flexion_mdl::{FileKind, Mdl, Vtx, Vvd, layout};
use flexion_rules::{Dialect, Evaluator, Program, disasm, verify};
use flexion_testkit::reference::{self, Checks, Op, Rig, Rule};

use crate::bridge::with_rig;

/// Reads a `.mdl`; what reads must write, and read again to the same.
pub fn mdl(bytes: &[u8]) {
    let listed = layout(bytes, FileKind::Mdl);
    let Ok(read) = Mdl::read(bytes) else {
        return;
    };
    assert!(
        listed.error.is_none(),
        "the layout has an error and the reader has not"
    );
    if let Ok(written) = read.write() {
        let again = Mdl::read(&written).expect("what was written reads");
        assert_eq!(
            format!("{:?}", without_warnings(again)),
            format!("{:?}", without_warnings(read))
        );
    }
}

/// Warnings may differ: those of the length, and the offsets of the others.
fn without_warnings(mut mdl: Mdl<'_>) -> Mdl<'_> {
    mdl.warnings.clear();
    mdl
}

/// Reads a `.vvd`, as [`mdl`].
pub fn vvd(bytes: &[u8]) {
    if let Ok(read) = Vvd::read(bytes)
        && let Ok(written) = read.write()
    {
        let again = Vvd::read(&written).expect("what was written reads");
        assert_eq!(format!("{again:?}"), format!("{read:?}"));
    }
}

/// Reads a `.vtx`, as [`mdl`].
pub fn vtx(bytes: &[u8]) {
    if let Ok(read) = Vtx::read(bytes)
        && let Ok(written) = read.write()
    {
        let again = Vtx::read(&written).expect("what was written reads");
        assert_eq!(format!("{again:?}"), format!("{read:?}"));
    }
}

/// Opens a `.mdl` with the sample's companions, poses it, its bones too, and draws it.
pub fn pipeline(bytes: &[u8]) {
    // Sculpting the sample takes a thousand times longer than reading it.
    static COMPANIONS: OnceLock<[(&str, Vec<u8>); 3]> = OnceLock::new();
    let sample = COMPANIONS.get_or_init(|| flexion_sample::face().files());
    let [_, (_, mut vvd), (_, mut vtx)] = sample.clone();
    if let Some(checksum) = bytes.get(8..12) {
        // Where vertexFileHeader_t and OptimizedModel::FileHeader_t have theirs.
        vvd[8..12].copy_from_slice(checksum);
        vtx[16..20].copy_from_slice(checksum);
    }
    let Ok(model) = Model::from_bytes(bytes, Some(&vvd), Some(&vtx))
        .or_else(|_| Model::from_bytes(bytes, Some(&vvd), None))
    else {
        return;
    };
    let rules = model.rules();
    for rule in 0..rules.len() {
        assert!(!rules.text(rule).is_empty());
    }
    let mut face = model.face();
    for id in model.controller_ids() {
        face.set_id(id, 1.0).expect("a slider of this model");
    }
    face.advance(0.1);
    face.advance(0.1);
    face.deform().expect("a model with vertices");
    face.pose_bones(|pose| {
        for bone in 0..model.skeleton().bones().len() {
            pose.local_mut(bone).position *= 1.5;
        }
    });
    face.swing(0.1);
    face.swing(0.1);
    face.skin().expect("a model with vertices");
    if model.has_triangles() {
        let size = Size::new(24, 24).expect("a size");
        let portrait = Portrait::new(&model, PortraitOptions::new(size)).expect("triangles");
        let image = portrait.draw(&mut face, &mut Software::new(1));
        assert_eq!(image.expect("a picture").pixels.len(), 3 * 24 * 24);
    }
}

/// Makes a rig and a pose of the bytes; compiled rules must give the slow reference's bits.
pub fn rules(bytes: &[u8]) {
    let (rig, sliders) = rig_of(bytes);
    for (dialect, checks) in [
        (Dialect::Shipped, Checks::Shipped),
        (Dialect::Sdk2025, Checks::Sdk2025),
    ] {
        let mut expected = vec![f32::NAN; rig.descriptors];
        reference::eval(&rig, checks, &sliders, &mut expected);
        with_rig(&rig, |rig| {
            let program = Program::compile(rig, dialect);
            let mut evaluator = Evaluator::new(&program);
            for (ours, theirs) in evaluator.eval(&sliders).iter().zip(&expected) {
                let same = ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan();
                assert!(same, "{ours:?} instead of {theirs:?}, {dialect}");
            }
            for finding in verify(rig, dialect) {
                assert!(!finding.to_string().is_empty());
            }
            for rule in 0..rig.rules.len() {
                let names = disasm::Lists::default();
                disasm::text(rig, rule, dialect, &names);
                disasm::ops(rig, rule, dialect, &names);
                disasm::code(&program, rule, &names);
            }
        });
    }
}

/// A small rig from bytes: counts, ranges and sliders, then rules until the bytes end.
fn rig_of(bytes: &[u8]) -> (Rig, Vec<f32>) {
    let mut bytes = bytes.iter().copied();
    let mut byte = || bytes.next().unwrap_or_default();
    let controllers = usize::from(byte() % 8);
    let descriptors = usize::from(byte() % 8);
    let rule_count = usize::from(byte() % 16);
    let mut word = || [byte(), byte(), byte(), byte()];
    let mut float = || f32::from_le_bytes(word());
    let ranges = (0..controllers).map(|_| (float(), float())).collect();
    let sliders = (0..controllers).map(|_| float()).collect();
    let rules = (0..rule_count)
        .map(|_| {
            let [target, ops, ..] = word();
            let op = |_| {
                let [code, small, ..] = word();
                // Half of the operands are small integers, the other half anything.
                let operand = if code & 0x80 == 0 {
                    i32::from(small.cast_signed()).to_le_bytes()
                } else {
                    word()
                };
                Op {
                    code: i32::from(code & 0x7f) % 24,
                    operand,
                }
            };
            Rule {
                flex: i32::from(target.cast_signed()) % 9,
                ops: (0..ops % 48).map(op).collect(),
            }
        })
        .collect();
    let rig = Rig {
        controllers: ranges,
        descriptors,
        rules,
    };
    (rig, sliders)
}
