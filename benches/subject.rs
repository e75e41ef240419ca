//! A face to measure: its files, and its rules as the slow reference takes them.

use std::fs;
use std::path::{Path, PathBuf};

use flexion::Model;
use flexion_mdl::Mdl;
use flexion_testkit::corpus::{corpus, models};
use flexion_testkit::reference::{Op, Rig, Rule};

/// A model by name, read to memory.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The last part of ids: `sample`, or the name of the file without its ending.
    pub name: String,
    /// Where its `.mdl` is; the sample is in no file.
    pub path: Option<PathBuf>,
    /// Bytes of the `.mdl`.
    pub mdl: Vec<u8>,
    /// Bytes of the `.vvd`, where there is one.
    pub vvd: Option<Vec<u8>>,
    /// Bytes of the `.dx90.vtx`, where there is one.
    pub vtx: Option<Vec<u8>>,
}

/// The sample face and the models of the corpus; without a corpus a line on stderr says so.
///
/// # Panics
///
/// When a file of the corpus cannot be read.
pub fn subjects(bench: &str) -> Vec<Subject> {
    let mut subjects = vec![Subject::sample()];
    if let Some(folder) = corpus(&format!("{bench}, real models")) {
        subjects.extend(models(&folder).iter().map(|path| Subject::open(path)));
    }
    subjects
}

impl Subject {
    /// The sample face.
    pub fn sample() -> Subject {
        let [(_, mdl), (_, vvd), (_, vtx)] = flexion_sample::face().files();
        Subject {
            name: "sample".to_owned(),
            path: None,
            mdl,
            vvd: Some(vvd),
            vtx: Some(vtx),
        }
    }

    /// A `.mdl` with what lies beside it.
    ///
    /// # Panics
    ///
    /// When the `.mdl` cannot be read.
    pub fn open(path: &Path) -> Subject {
        let stem = path.file_stem().expect("a model's name");
        Subject {
            name: stem.to_string_lossy().into_owned(),
            path: Some(path.to_owned()),
            mdl: fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())),
            vvd: fs::read(path.with_extension("vvd")).ok(),
            vtx: fs::read(path.with_extension("dx90.vtx")).ok(),
        }
    }

    /// The three files one after another: what a copy of them has to move.
    pub fn bytes(&self) -> Vec<u8> {
        let companions = [&self.vvd, &self.vtx].into_iter().flatten();
        companions.fold(self.mdl.clone(), |bytes, more| [&bytes[..], more].concat())
    }

    /// The model as the product opens it.
    ///
    /// # Panics
    ///
    /// When the files are damaged.
    pub fn model(&self) -> Model {
        Model::from_bytes(&self.mdl, self.vvd.as_deref(), self.vtx.as_deref())
            .unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    /// The `.mdl` as records.
    ///
    /// # Panics
    ///
    /// When it is damaged.
    pub fn records(&self) -> Mdl<'_> {
        Mdl::read(&self.mdl).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    /// The rules as the slow reference takes them.
    pub fn rig(&self) -> Rig {
        let mdl = self.records();
        let rule = |rule: &flexion_mdl::mdl::Rule| Rule {
            flex: rule.target,
            ops: rule
                .ops
                .iter()
                .map(|op| Op {
                    code: op.code,
                    operand: op.operand,
                })
                .collect(),
        };
        Rig {
            controllers: mdl.controllers.iter().map(|c| (c.min, c.max)).collect(),
            descriptors: mdl.descriptors.len(),
            rules: mdl.rules.iter().map(rule).collect(),
        }
    }
}
