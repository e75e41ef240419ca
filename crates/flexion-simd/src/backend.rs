//! Instruction sets, by name.

use std::env;
use std::fmt;
use std::str::FromStr;

use fearless_simd::{Level, Simd, f32x4, f32x8, f32x16};

use crate::lane::Lane;

/// The environment variable that [`Backend::from_env`] reads.
pub const VARIABLE: &str = "FLEXION_BACKEND";

/// An instruction set that this processor has.
///
/// | name | lanes | where |
/// |---|---|---|
/// | `scalar` | 1 | everywhere |
/// | `sse2` | 4 | every x86-64 processor |
/// | `avx2` | 8 | x86-64-v3: Haswell, Zen and later (with F16C) |
/// | `avx512` | 16 | Ice Lake, Zen 4 and later |
/// | `neon` | 4 | every 64-bit ARM processor |
///
/// A backend that exists can be run: names are checked against the processor when they are parsed. Results do not
/// depend on it in any bit.
///
/// ```
/// use flexion_simd::Backend;
///
/// let scalar: Backend = "scalar".parse()?;
/// assert_eq!(scalar, Backend::SCALAR);
/// assert!(Backend::available().contains(&Backend::best()));
/// assert!("mmx".parse::<Backend>().unwrap_err().to_string().contains("unknown backend"));
/// # Ok::<(), flexion_simd::BackendError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Backend(Set);

#[derive(Clone, Copy, Debug)]
enum Set {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Sse2(fearless_simd::x86::Sse2),
    #[cfg(target_arch = "x86_64")]
    Avx2(fearless_simd::x86::Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(fearless_simd::x86::Avx512),
    #[cfg(target_arch = "aarch64")]
    Neon(fearless_simd::aarch64::Neon),
}

/// All names, of this platform and others.
const NAMES: [&str; 5] = ["scalar", "sse2", "avx2", "avx512", "neon"];

/// A kernel with its arguments, to be run by a [`Backend`].
///
/// `run` and what it calls must be `#[inline(always)]`: only then are they compiled for the backend's instructions.
pub trait Job {
    /// What the kernel gives back.
    type Output;

    /// The kernel.
    fn run<L: Lane>(self, token: L::Token) -> Self::Output;
}

/// A backend that cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BackendError {
    /// No backend has this name.
    #[error("unknown backend {name:?}: expected one of {}", NAMES.join(", "))]
    Unknown {
        /// The name.
        name: String,
    },
    /// The processor lacks the instructions.
    #[error("backend {name}: this processor does not have it (it has {})", .available.join(", "))]
    Missing {
        /// The name.
        name: &'static str,
        /// The backends that it has.
        available: Vec<&'static str>,
    },
}

impl Backend {
    /// One pose at a time, without vectors: everywhere.
    pub const SCALAR: Backend = Backend(Set::Scalar);

    /// All backends of this processor, the narrowest first.
    pub fn available() -> Vec<Backend> {
        let mut sets = vec![Backend::SCALAR];
        let level = Level::new();
        #[cfg(target_arch = "x86_64")]
        {
            sets.extend(level.as_sse2().map(|token| Backend(Set::Sse2(token))));
            sets.extend(level.as_avx2().map(|token| Backend(Set::Avx2(token))));
            sets.extend(level.as_avx512().map(|token| Backend(Set::Avx512(token))));
        }
        #[cfg(target_arch = "aarch64")]
        sets.extend(level.as_neon().map(|token| Backend(Set::Neon(token))));
        let _ = level;
        sets
    }

    /// The widest backend of this processor.
    pub fn best() -> Backend {
        *Backend::available().last().expect("scalar at least")
    }

    /// The backend that [`FLEXION_BACKEND`](VARIABLE) names; the widest if it is not set or empty.
    ///
    /// # Errors
    ///
    /// A name that is none, or of a backend that this processor lacks.
    pub fn from_env() -> Result<Backend, BackendError> {
        match env::var_os(VARIABLE) {
            Some(name) if !name.is_empty() => name.to_string_lossy().parse(),
            _ => Ok(Backend::best()),
        }
    }

    /// The name that parses back to this backend.
    pub fn name(self) -> &'static str {
        match self.0 {
            Set::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Set::Sse2(_) => "sse2",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Set::Avx512(_) => "avx512",
            #[cfg(target_arch = "aarch64")]
            Set::Neon(_) => "neon",
        }
    }

    /// How many poses one operation works on.
    pub fn lanes(self) -> usize {
        struct Width;
        impl Job for Width {
            type Output = usize;
            #[inline(always)]
            fn run<L: Lane>(self, _: L::Token) -> usize {
                L::LANES
            }
        }
        self.run(Width)
    }

    /// The token of `fearless_simd`, for kernels over other vectors than lanes of poses; `None` for scalar.
    pub fn level(self) -> Option<Level> {
        match self.0 {
            Set::Scalar => None,
            #[cfg(target_arch = "x86_64")]
            Set::Sse2(token) => Some(token.level()),
            #[cfg(target_arch = "x86_64")]
            Set::Avx2(token) => Some(token.level()),
            #[cfg(target_arch = "x86_64")]
            Set::Avx512(token) => Some(token.level()),
            #[cfg(target_arch = "aarch64")]
            Set::Neon(token) => Some(token.level()),
        }
    }

    /// Runs a kernel, compiled for this backend.
    #[inline]
    pub fn run<J: Job>(self, job: J) -> J::Output {
        match self.0 {
            Set::Scalar => job.run::<f32>(()),
            #[cfg(target_arch = "x86_64")]
            Set::Sse2(token) => token.vectorize(
                #[inline(always)]
                || job.run::<f32x4<_>>(token),
            ),
            #[cfg(target_arch = "x86_64")]
            Set::Avx2(token) => token.vectorize(
                #[inline(always)]
                || job.run::<f32x8<_>>(token),
            ),
            #[cfg(target_arch = "x86_64")]
            Set::Avx512(token) => token.vectorize(
                #[inline(always)]
                || job.run::<f32x16<_>>(token),
            ),
            #[cfg(target_arch = "aarch64")]
            Set::Neon(token) => token.vectorize(
                #[inline(always)]
                || job.run::<f32x4<_>>(token),
            ),
        }
    }
}

/// The widest backend of this processor.
impl Default for Backend {
    fn default() -> Backend {
        Backend::best()
    }
}

impl PartialEq for Backend {
    fn eq(&self, other: &Backend) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Backend {}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Backend {
    type Err = BackendError;

    fn from_str(name: &str) -> Result<Backend, BackendError> {
        let available = Backend::available();
        if let Some(&backend) = available.iter().find(|backend| backend.name() == name) {
            return Ok(backend);
        }
        match NAMES.into_iter().find(|&known| known == name) {
            Some(name) => Err(BackendError::Missing {
                name,
                available: available.into_iter().map(Backend::name).collect(),
            }),
            None => Err(BackendError::Unknown {
                name: name.to_owned(),
            }),
        }
    }
}
