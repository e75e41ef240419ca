//! Outputs that appear whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::failure::Failure;

/// Writes a file through a temporary one beside it, which is renamed when all went well.
///
/// `-` is standard output. When `write` fails, nothing is left behind and a file that was there
/// before is as it was.
pub(crate) fn write(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if path == Path::new("-") {
        return to_stdout(write);
    }
    if is_special(path) {
        let out = File::create(path).map_err(Failure::io(path))?;
        return fill(out, write).map_err(|failure| placed(failure, Failure::io(path)));
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".flexion-").suffix(".tmp");
    // The crate's default is for secrets; this is an ordinary file, subject to the umask.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder).map_err(Failure::io(path))?;
    fill(file.as_file_mut(), write).map_err(|failure| placed(failure, Failure::io(path)))?;
    file.persist(path)
        .map_err(|error| Failure::io(path)(error.error))?;
    Ok(())
}

/// Writes to standard output, buffered.
pub(crate) fn to_stdout(
    write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
) -> Result<(), Failure> {
    fill(io::stdout().lock(), write).map_err(|failure| placed(failure, Failure::Stdout))
}

/// Runs `write` on a buffer before `out`.
fn fill(
    out: impl Write,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut out = BufWriter::new(out);
    write(&mut out)?;
    out.flush().map_err(Failure::Write)
}

/// Gives a failed write its place; other failures have theirs.
fn placed(failure: Failure, place: impl FnOnce(io::Error) -> Failure) -> Failure {
    match failure {
        Failure::Write(error) => place(error),
        other => other,
    }
}

/// Whether the path is a device or a pipe, which must be written to and not replaced.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir())
}

/// Makes a folder and those above it.
pub(crate) fn make_folder(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(Failure::io(folder))
}
