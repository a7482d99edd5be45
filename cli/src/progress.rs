//! The progress of a long command, on standard error and only if it is a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A status line that changes while a command runs, and is removed at the end.
#[derive(Debug)]
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Creates the progress of reading a file: processed and remaining bytes, and a message.
    pub(crate) fn of_bytes(total: u64) -> Self {
        Self::new(
            ProgressBar::new(total),
            "{wide_bar} {percent:>3} %  {bytes} of {total_bytes}  {msg}  {eta} left",
        )
    }

    /// Creates the progress of an operation without a total.
    pub(crate) fn of_unknown() -> Self {
        Self::new(ProgressBar::no_length(), "{spinner} {prefix}{msg}")
    }

    /// Sets a text before the message.
    pub(crate) fn of(self, whole: String) -> Self {
        self.0.set_prefix(whole);
        self
    }

    fn new(bar: ProgressBar, template: &str) -> Self {
        // The templates are constants; an invalid one would be replaced by a default.
        let bar = bar.with_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(bar)
    }

    /// Sets the position.
    pub(crate) fn at(&self, position: u64) {
        self.0.set_position(position);
    }

    pub(crate) fn say(&self, words: String) {
        self.0.set_message(words);
    }

    /// Sets a count, and shows its rate per second.
    pub(crate) fn count(&self, count: u64, what: &str) {
        let seconds = self.0.elapsed().as_secs().max(1);
        self.0.set_message(format!("{count} {what}, {}/s", count / seconds));
    }

    /// Writes a permanent line to standard error.
    pub(crate) fn note(&self, line: impl std::fmt::Display) {
        self.0.suspend(|| eprintln!("{line}"));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
