//! How far a long command is, on standard error and only where that is a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A line that changes while a command works, and goes when it is done.
#[derive(Debug)]
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Of a file that is read: bytes done and left, and whatever is said beside them.
    pub(crate) fn of_bytes(total: u64) -> Self {
        Self::new(
            ProgressBar::new(total),
            "{wide_bar} {percent:>3} %  {bytes} of {total_bytes}  {msg}  {eta} left",
        )
    }

    /// Of what has no end that is known.
    pub(crate) fn of_unknown() -> Self {
        Self::new(ProgressBar::no_length(), "{spinner} {msg}")
    }

    fn new(bar: ProgressBar, template: &str) -> Self {
        // The templates are constants; a default stands in for one that is not understood.
        let bar = bar.with_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(bar)
    }

    /// Where it is.
    pub(crate) fn at(&self, position: u64) {
        self.0.set_position(position);
    }

    pub(crate) fn say(&self, words: String) {
        self.0.set_message(words);
    }

    /// How many of something there are, and how many come in a second.
    pub(crate) fn count(&self, count: u64, what: &str) {
        let seconds = self.0.elapsed().as_secs().max(1);
        self.0.set_message(format!("{count} {what}, {}/s", count / seconds));
    }

    /// Writes a line to standard error that stays.
    pub(crate) fn note(&self, line: impl std::fmt::Display) {
        self.0.suspend(|| eprintln!("{line}"));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
