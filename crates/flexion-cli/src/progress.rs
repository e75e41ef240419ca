//! Progress of long work, on a terminal only.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar on stderr that counts to `total`; nothing where stderr is no terminal.
pub(crate) fn bar(total: u64, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(total);
    let template = format!("{{bar:30}} {{pos}} of {{len}} {what}, {{per_sec}}, {{eta}} left");
    // The template is ours and a test draws it; the plain bar would do as well.
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar
}
