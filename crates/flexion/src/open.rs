//! Finding and reading the files of a model.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Error;

/// Endings of the index file, the one that is preferred first.
const VTX_ENDINGS: [&str; 4] = [".dx90.vtx", ".dx80.vtx", ".sw.vtx", ".vtx"];

/// One file: where it is from and what is in it.
pub(crate) struct File<'a> {
    path: PathBuf,
    bytes: Cow<'a, [u8]>,
}

/// The files of one model.
pub(crate) struct Files<'a> {
    pub(crate) mdl: File<'a>,
    pub(crate) vvd: Option<File<'a>>,
    pub(crate) vtx: Option<File<'a>>,
}

impl<'a> Files<'a> {
    /// Files that the caller holds already.
    pub(crate) fn in_memory(mdl: &'a [u8], vvd: Option<&'a [u8]>, vtx: Option<&'a [u8]>) -> Self {
        let file = |kind: &str, bytes: &'a [u8]| File {
            path: PathBuf::from(kind),
            bytes: Cow::Borrowed(bytes),
        };
        Files {
            mdl: file(".mdl", mdl),
            vvd: vvd.map(|bytes| file(".vvd", bytes)),
            vtx: vtx.map(|bytes| file(".vtx", bytes)),
        }
    }
}

impl<'a> File<'a> {
    fn read(path: PathBuf) -> Result<File<'static>, Error> {
        match fs::read(&path) {
            Ok(bytes) => Ok(File {
                path,
                bytes: Cow::Owned(bytes),
            }),
            Err(source) => Err(Error::Io { path, source }),
        }
    }

    /// Runs a parser on the bytes; its error gets the path.
    pub(crate) fn parse<'b, T>(
        &'b self,
        parser: impl FnOnce(&'b [u8]) -> Result<T, flexion_mdl::Error>,
    ) -> Result<T, Error> {
        parser(&self.bytes).map_err(|source| self.error(source))
    }

    /// An error of this file.
    pub(crate) fn error(&self, source: flexion_mdl::Error) -> Error {
        Error::File {
            path: self.path.clone(),
            source,
        }
    }
}

/// Reads a `.mdl` and nothing beside it.
pub(crate) fn read_alone(path: &Path) -> Result<Files<'static>, Error> {
    Ok(Files {
        mdl: File::read(path.to_owned())?,
        vvd: None,
        vtx: None,
    })
}

/// Reads a `.mdl` and those of its companions that are there.
pub(crate) fn read(path: &Path) -> Result<Files<'static>, Error> {
    let mdl = File::read(path.to_owned())?;
    let beside = neighbours(path);
    let find = |ending: &str| {
        let found = companion(path, &beside, ending);
        found
            .map(|name| File::read(path.with_file_name(name)))
            .transpose()
    };
    let mut vtx = None;
    for ending in VTX_ENDINGS {
        vtx = find(ending)?;
        if vtx.is_some() {
            break;
        }
    }
    Ok(Files {
        mdl,
        vvd: find(".vvd")?,
        vtx,
    })
}

/// Names of what lies in the folder of `path`; none when it cannot be listed.
fn neighbours(path: &Path) -> Vec<std::ffi::OsString> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
    names.sort();
    names
}

/// The name among `beside` that is the stem of `path` with another ending: the same case first,
/// else any.
fn companion<'n>(path: &Path, beside: &'n [std::ffi::OsString], ending: &str) -> Option<&'n OsStr> {
    let mut wanted = path.file_stem()?.to_owned();
    wanted.push(ending);
    let exact = beside.iter().find(|name| **name == wanted);
    exact
        .or_else(|| {
            beside
                .iter()
                .find(|name| name.eq_ignore_ascii_case(&wanted))
        })
        .map(|name| name.as_os_str())
}
