//! Why a command failed, and the exit code that says so.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// A failure with its message for people.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The library refused the model or the pose.
    Flexion(flexion::Error),
    /// A pose table is wrong: path, line, message.
    Table {
        path: PathBuf,
        line: Option<u64>,
        problem: String,
    },
    /// A file could not be read or written.
    Io { path: PathBuf, source: io::Error },
    /// Standard output could not be written.
    Stdout(io::Error),
    /// An output could not be written; [`crate::output`] knows which and says so.
    Write(io::Error),
    /// The data cannot give what was asked for.
    Data(String),
    /// The flags do not make sense together or for this model.
    Usage(String),
}

impl Failure {
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Failure + use<'_> {
        move |source| Failure::Io {
            path: path.to_owned(),
            source,
        }
    }

    /// A name or value on the command line that the model does not take.
    pub(crate) fn flag(flag: &str, error: &flexion::Error) -> Failure {
        Failure::Usage(format!("{flag}: {error}"))
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            // The variable FLEXION_BACKEND is a flag that is set elsewhere.
            Failure::Usage(_) | Failure::Flexion(flexion::Error::Backend(_)) => ExitCode::from(2),
            _ => ExitCode::from(1),
        }
    }

    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Failure::Stdout(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Flexion(error) => error.fmt(f),
            Failure::Table {
                path,
                line: Some(line),
                problem,
            } => write!(f, "{} line {line}: {problem}", path.display()),
            Failure::Table {
                path,
                line: None,
                problem,
            } => write!(f, "{}: {problem}", path.display()),
            Failure::Io { path, source } => write!(f, "{}: {source}", path.display()),
            Failure::Stdout(error) => write!(f, "standard output: {error}"),
            Failure::Write(error) => write!(f, "output: {error}"),
            Failure::Data(problem) => f.write_str(problem),
            Failure::Usage(problem) => {
                write!(f, "{problem}\n\nFor more information, try '--help'.")
            }
        }
    }
}

impl From<flexion::Error> for Failure {
    fn from(error: flexion::Error) -> Self {
        Failure::Flexion(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Write(error)
    }
}
