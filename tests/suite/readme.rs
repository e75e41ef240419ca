//! README is true: its commands run as written, and its two first commands are the ones that must
//! pass.

use std::fs;
use std::path::Path;

use crate::cli::Workbench;

fn text(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    fs::read_to_string(root.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Commands in README's console blocks, without the prompt.
fn commands() -> Vec<String> {
    let readme = text("README.md");
    let mut commands = Vec::new();
    let mut inside = false;
    for line in readme.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if inside && let Some(command) = line.strip_prefix("$ ") {
            commands.push(command.to_owned());
        }
    }
    commands
}

#[test]
fn the_two_commands_come_first_and_are_what_lands() {
    let commands = commands();
    assert_eq!(commands[0], "cargo run --release -- demo");
    assert_eq!(commands[1], "cargo test --workspace");
    let ci = text(".ci/run");
    assert!(ci.contains("cargo run --release --locked -- demo"));
    assert!(ci.contains("cargo test --workspace --locked"));
}

#[test]
fn every_command_of_the_readme_runs() {
    let bench = Workbench::new();
    let mut ran = 0;
    for command in commands() {
        if let Some(arguments) = command.strip_prefix("flexion ") {
            let arguments: Vec<&str> = arguments.split(' ').collect();
            bench.ok(&arguments);
            ran += 1;
        }
    }
    assert!(ran >= 7, "only {ran} commands of the README were found");
    for file in [
        "weights.csv",
        "laugh.obj",
        "third.tsv",
        "show/expressions.png",
    ] {
        assert!(bench.path(file).is_file(), "{file} was not written");
    }
}

#[test]
fn the_stated_rust_version_is_the_one_that_is_checked() {
    let manifest = text("Cargo.toml");
    let stated = manifest
        .lines()
        .find_map(|line| line.strip_prefix("rust-version = "))
        .expect("a rust-version")
        .trim_matches('"');
    assert!(text("README.md").contains(&format!("stable Rust ({stated} or newer)")));
}
