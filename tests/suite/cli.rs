//! The command as people run it: what it prints, where, and with which exit code.

mod bench;
mod eval;
mod failures;
mod inspect;
mod paths;
mod pose;
mod render;
mod sample;
mod sheet;

use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;

use tempfile::TempDir;

/// A folder with the sample's files, and the command run in it.
pub(crate) struct Workbench {
    folder: TempDir,
}

/// The built command.
pub(crate) fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        let built = escargot::CargoBuild::new()
            .manifest_path(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../crates/flexion-cli/Cargo.toml"
            ))
            .bin("flexion")
            // That of the tests: its crates are built by now, and it draws as fast as they do.
            .args(["--profile", "test"])
            .current_target()
            .run()
            .expect("the command builds");
        built.path().to_owned()
    })
}

impl Workbench {
    /// A new folder with `face.mdl`, its companions and `poses.csv`.
    pub(crate) fn new() -> Workbench {
        let bench = Workbench {
            folder: tempfile::tempdir().expect("a temporary folder"),
        };
        bench.ok(&["sample", "."]);
        bench
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("a text file")
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), text).expect("a file");
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        std::process::Command::new(binary())
            .args(arguments)
            .current_dir(self.folder.path())
            .output()
            .expect("the command runs")
    }

    /// Runs what must go well; returns what it printed.
    pub(crate) fn ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {errors}");
        assert_eq!(errors, "", "{arguments:?}");
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    /// Runs what must fail: exit code, one clear message on stderr with all of `parts`, nothing on
    /// stdout, no file made.
    pub(crate) fn fails(&self, code: i32, arguments: &[&str], parts: &[&str]) {
        let before = self.listing();
        let output = self.run(arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
        for part in parts {
            assert!(
                message.contains(part),
                "{arguments:?}: {part:?} is not in {message:?}"
            );
        }
        assert!(!message.contains("panicked"), "{arguments:?}: {message}");
        assert_eq!(output.stdout, b"", "{arguments:?}");
        assert_eq!(
            self.listing(),
            before,
            "{arguments:?} left something behind"
        );
    }

    pub(crate) fn listing(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).expect("a folder");
        let name = |entry: std::io::Result<std::fs::DirEntry>| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        };
        let mut names: Vec<String> = entries.map(name).collect();
        names.sort();
        names
    }
}
