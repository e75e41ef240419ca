//! A rig to measure and poses for it.

use fidget_core::eval::MathFunction;
use flexion_benches::subjects;
use flexion_rules::{Dialect, Evaluator, Program};
use flexion_testkit::reference::Rig;
use flexion_testkit::rigs;
use flexion_tests::bridge::with_rig;

use crate::peer::{Formula, Peer};

/// Enough that no branch predictor learns a rig's poses by heart.
pub(crate) const POSES: usize = 256;

/// A rig by name, with [`POSES`] poses for it.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) rig: Rig,
    pub(crate) poses: Vec<Vec<f32>>,
}

/// The made-up rigs and those of the faces, where they have rules.
pub(crate) fn cases() -> Vec<Case> {
    let made_up = [
        ("arithmetic".to_owned(), rigs::arithmetic()),
        ("combination".to_owned(), rigs::combination()),
    ];
    let faces = subjects("eval").into_iter();
    let faces = faces.map(|subject| (subject.name.clone(), subject.rig()));
    let all = made_up.into_iter().chain(faces);
    all.filter(|(_, rig)| !rig.rules.is_empty())
        .map(|(name, rig)| Case {
            poses: rigs::poses(&rig, POSES),
            name,
            rig,
        })
        .collect()
}

impl Case {
    pub(crate) fn program(&self) -> Program {
        with_rig(&self.rig, |rig| Program::compile(rig, Dialect::Shipped))
    }

    /// The rules for fidget; without them a line says so.
    pub(crate) fn formula(&self) -> Option<Formula> {
        let formula = Formula::of(&self.rig);
        if formula.is_none() {
            eprintln!("{}: fidget has no form for a rule of it", self.name);
        }
        formula
    }

    /// The formula ready to run, its results held against the compiled program's.
    pub(crate) fn peer<F: MathFunction>(&self, formula: &Formula) -> Peer<F> {
        let mut evaluator = Evaluator::new(&self.program());
        let weights = self.poses.iter().map(|pose| evaluator.eval(pose).to_vec());
        let weights: Vec<_> = weights.collect();
        let mut peer = Peer::new(formula);
        peer.check(&self.name, &self.poses, &weights);
        peer
    }

    /// As many poses as asked, the same ones over and over.
    pub(crate) fn many(&self, poses: usize) -> impl Iterator<Item = &[f32]> {
        self.poses.iter().map(Vec::as_slice).cycle().take(poses)
    }

    /// So many poses as rows, one after another.
    pub(crate) fn rows(&self, poses: usize) -> Vec<f32> {
        self.many(poses).flatten().copied().collect()
    }

    /// So many poses as planes, `stride` floats from one to the next.
    pub(crate) fn planes(&self, poses: usize, stride: usize) -> Vec<f32> {
        let mut planes = vec![0.0; self.rig.controllers.len() * stride];
        for (pose, sliders) in self.many(poses).enumerate() {
            for (slider, &value) in sliders.iter().enumerate() {
                planes[slider * stride + pose] = value;
            }
        }
        planes
    }
}
