//! The folder of real models that some tests need, and its golden files.
//!
//! Nothing of it is part of the project. Tests take the folder from the variable
//! `FLEXION_CORPUS`; without it they say that they were skipped.

use std::fs;
use std::path::{Path, PathBuf};

/// Name of the variable that holds the folder.
pub const VARIABLE: &str = "FLEXION_CORPUS";

/// The corpus folder, or `None` after a line that says that `test` is skipped.
///
/// # Panics
///
/// When the variable is set and names no folder: a typing error must not look like a skip.
pub fn corpus(test: &str) -> Option<PathBuf> {
    let Some(folder) = std::env::var_os(VARIABLE) else {
        eprintln!("{test}: skipped, {VARIABLE} is not set");
        return None;
    };
    let folder = PathBuf::from(folder);
    assert!(
        folder.join("models").is_dir(),
        "{VARIABLE} is {}, which has no folder models",
        folder.display()
    );
    Some(folder)
}

/// All `.mdl` files of the corpus that are meant to be read, sorted.
pub fn models(corpus: &Path) -> Vec<PathBuf> {
    let mut models: Vec<PathBuf> = ["gmod", "hl2", "l4d", "tf2"]
        .iter()
        .flat_map(|game| fs::read_dir(corpus.join("models").join(game)).expect("a game's folder"))
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "mdl"))
        .collect();
    models.sort();
    models
}

/// One row of `golden/weights`: sliders and the weights that the reference made of them.
#[derive(Clone, Debug)]
pub struct WeightRow {
    /// What the row is there for, such as `mid` or `outside`.
    pub kind: String,
    /// Bits of the sliders, in controller order.
    pub sliders: Vec<u32>,
    /// Bits of the weights, in descriptor order.
    pub weights: Vec<u32>,
}

/// One line of `golden/shapes`: a vertex of a pose.
#[derive(Clone, Debug)]
pub struct ShapeRow {
    /// The `kind` or number of the row of `golden/weights`.
    pub row: String,
    /// Whether the deltas were quantised as engines do at load.
    pub engine: bool,
    /// Number of the body part.
    pub body_part: usize,
    /// Number of the model in the body part.
    pub model: usize,
    /// Number of the vertex in the model.
    pub vertex: usize,
    /// Position x y z, normal x y z, wrinkle.
    pub values: [f32; 7],
}

/// A golden file: the model that it is about, and its rows.
#[derive(Clone, Debug)]
pub struct Golden<R> {
    /// Path of the model.
    pub model: PathBuf,
    /// The rows.
    pub rows: Vec<R>,
}

/// Reads all of `golden/weights`.
pub fn weights(corpus: &Path) -> Vec<Golden<WeightRow>> {
    golden(corpus, "weights", |fields| WeightRow {
        kind: fields[1].to_owned(),
        sliders: bits(fields[2]),
        weights: bits(fields[3]),
    })
}

/// Reads all of `golden/shapes`.
pub fn shapes(corpus: &Path) -> Vec<Golden<ShapeRow>> {
    golden(corpus, "shapes", |fields| ShapeRow {
        row: fields[0].to_owned(),
        engine: match fields[1] {
            "file" => false,
            "engine" => true,
            other => panic!("precision {other}"),
        },
        body_part: fields[2].parse().expect("a number"),
        model: fields[3].parse().expect("a number"),
        vertex: fields[4].parse().expect("a number"),
        values: std::array::from_fn(|at| fields[5 + at].parse().expect("a float")),
    })
}

fn golden<R>(corpus: &Path, kind: &str, row: impl Fn(&[&str]) -> R) -> Vec<Golden<R>> {
    let folder = corpus.join("golden").join(kind);
    let entries = fs::read_dir(&folder).expect("a golden folder");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "tsv"))
        .collect();
    files.sort();
    let read = |path: &PathBuf| {
        let text = fs::read_to_string(path).expect("a golden file");
        let model = text
            .lines()
            .find_map(|line| line.strip_prefix("#file\t"))
            .expect("the line #file");
        let rows = text
            .lines()
            .filter(|line| !line.starts_with('#') && !line.is_empty())
            .map(|line| row(&line.split('\t').collect::<Vec<_>>()))
            .collect();
        Golden {
            model: corpus.join("models").join(model),
            rows,
        }
    };
    files.iter().map(read).collect()
}

/// Eight hexadecimal digits a value.
pub fn bits(text: &str) -> Vec<u32> {
    assert!(text.len().is_multiple_of(8), "bits come in eights: {text}");
    (0..text.len() / 8)
        .map(|at| u32::from_str_radix(&text[at * 8..at * 8 + 8], 16).expect("hexadecimal"))
        .collect()
}
