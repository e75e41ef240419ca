//! What can be wrong with a pose table or a pose track.

/// Why poses could not be read, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{problem}", place(*line))]
pub struct TrackError {
    /// Line of the text, the first is 1; none where the whole is wrong.
    pub line: Option<u64>,
    /// What is wrong there: column, name, value.
    pub problem: String,
}

fn place(line: Option<u64>) -> String {
    line.map_or_else(String::new, |line| format!("line {line}: "))
}

impl TrackError {
    pub(crate) fn at(line: u64, problem: impl Into<String>) -> TrackError {
        TrackError {
            line: Some(line),
            problem: problem.into(),
        }
    }

    pub(crate) fn whole(problem: impl Into<String>) -> TrackError {
        TrackError {
            line: None,
            problem: problem.into(),
        }
    }
}

/// Text from a file as an error shows it: quoted, and not longer than a line.
pub(crate) fn shown(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}
