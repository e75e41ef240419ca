//! Outputs that appear whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::failure::Failure;

/// What the names of temporary files begin and end with.
const PREFIX: &str = ".flexion-";
const SUFFIX: &str = ".tmp";
/// A temporary file that nobody has written to for so long belongs to a run that was killed: each
/// is there for the moment of one write.
const ABANDONED: Duration = Duration::from_secs(60);
/// How many symbolic links an output may lead through.
const MOST_LINKS: usize = 40;

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
    let target = resolve(path).map_err(Failure::io(path))?;
    if in_place(&target) {
        let out = File::create(&target).map_err(Failure::io(path))?;
        return fill(out, write).map_err(|failure| placed(failure, Failure::io(path)));
    }
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    // The crate's default is for secrets; this is an ordinary file, subject to the umask.
    #[cfg(unix)]
    let ordinary: fs::Permissions = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    #[cfg(unix)]
    builder.permissions(fs::metadata(&target).map_or(ordinary, |old| old.permissions()));
    let made = builder.tempfile_in(folder);
    let mut file = made.map_err(|error| Failure::io(path)(plain(error)))?;
    fill(file.as_file_mut(), write).map_err(|failure| placed(failure, Failure::io(path)))?;
    file.persist(&target)
        .map_err(|error| Failure::io(path)(plain(error.error)))?;
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

/// Refuses an output that would take the place of an input.
pub(crate) fn must_differ(output: &Path, inputs: &[&Path]) -> Result<(), Failure> {
    let Ok(output_file) = fs::canonicalize(output) else {
        return Ok(());
    };
    let is_output = |input: &&&Path| fs::canonicalize(input).is_ok_and(|it| it == output_file);
    match inputs.iter().find(is_output) {
        Some(_) => Err(Failure::Usage(format!(
            "--output {}: this would overwrite what is read",
            output.display()
        ))),
        None => Ok(()),
    }
}

/// Where a symbolic link leads, link by link, to a file that may not be there yet.
///
/// Links of the system, such as `/dev/stdout`, stand for something that is open already and are
/// not followed.
fn resolve(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        if is_system(&path) || !fs::symlink_metadata(&path).is_ok_and(|data| data.is_symlink()) {
            return Ok(path);
        }
        let link = fs::read_link(&path)?;
        path.pop();
        path.push(link);
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Whether the path must be written to and not replaced: a device, a pipe, an open file.
fn in_place(path: &Path) -> bool {
    let special = fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir());
    special || is_system(path)
}

fn is_system(path: &Path) -> bool {
    cfg!(unix)
        && ["/dev", "/proc"]
            .iter()
            .any(|folder| path.starts_with(folder))
}

/// What the system said, without the temporary file's name around it.
fn plain(error: io::Error) -> io::Error {
    let inner = error.get_ref().and_then(|wrapped| wrapped.source());
    let code = inner
        .and_then(|inner| inner.downcast_ref::<io::Error>())
        .and_then(io::Error::raw_os_error);
    code.map_or(error, io::Error::from_raw_os_error)
}

/// Takes temporary files away that killed runs have left in a folder.
pub(crate) fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_ours = name
            .to_str()
            .is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
        let modified = entry.metadata().and_then(|data| data.modified());
        let is_old = modified.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > ABANDONED));
        if is_ours && is_old {
            // What cannot be taken away harms nobody.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Makes a folder and those above it.
pub(crate) fn make_folder(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(Failure::io(folder))
}
