//! The machine that the figures are from.

use std::num::NonZero;
use std::{env, fs, thread};

use flexion::Backend;
use serde::Serialize;

/// What tells one machine from another.
#[derive(Debug, Serialize)]
pub(super) struct Machine {
    /// The processor's name, or its architecture where the system does not tell.
    pub(super) processor: String,
    pub(super) logical_cores: usize,
    /// As in `linux x86_64`.
    pub(super) system: String,
    /// The version of flexion.
    pub(super) flexion: &'static str,
    /// What a single pose is run with.
    pub(super) backend: &'static str,
    /// All that the processor has.
    pub(super) backends: Vec<&'static str>,
}

impl Machine {
    pub(super) fn this(backend: Backend) -> Machine {
        let names = fs::read_to_string("/proc/cpuinfo").ok();
        Machine {
            processor: names
                .and_then(|text| processor(&text))
                .unwrap_or_else(|| env::consts::ARCH.to_owned()),
            logical_cores: logical_cores(),
            system: format!("{} {}", env::consts::OS, env::consts::ARCH),
            flexion: env!("CARGO_PKG_VERSION"),
            backend: backend.name(),
            backends: Backend::available()
                .into_iter()
                .map(Backend::name)
                .collect(),
        }
    }
}

/// Threads that run at the same time; 1 where the system does not tell.
pub(super) fn logical_cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// The name in Linux's `/proc/cpuinfo`; ARM's has none.
fn processor(cpuinfo: &str) -> Option<String> {
    let mut lines = cpuinfo.lines().filter_map(|line| line.split_once(':'));
    let (_, name) = lines.find(|(field, _)| field.trim() == "model name")?;
    Some(name.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::processor;

    #[test]
    fn the_processor_is_the_first_with_a_name() {
        let text = "processor\t: 0\nmodel\t\t: 17\nmodel name\t: Some  CPU @ 3 GHz \n\nmodel name\t: Other\n";
        assert_eq!(processor(text).as_deref(), Some("Some CPU @ 3 GHz"));
        assert_eq!(processor("processor\t: 0\nCPU part\t: 0xd0c\n"), None);
    }
}
