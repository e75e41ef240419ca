//! Ctrl-C and its kin: the work ends between two files.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::Failure;

static ASKED: AtomicBool = AtomicBool::new(false);

/// From now on an interrupt is noted and no longer ends the program at once.
pub(crate) fn watch() -> Result<(), Failure> {
    ctrlc::set_handler(|| ASKED.store(true, Ordering::Relaxed))
        .map_err(|error| Failure::Data(format!("interrupts cannot be watched: {error}")))
}

/// Whether somebody asked to stop.
pub(crate) fn is_asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
