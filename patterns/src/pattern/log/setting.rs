use std::time::Duration;

/// Limits that trigger writing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    /// Maximum time between the first and the last waiting line.
    pub(super) every: Duration,
    /// Maximum number of waiting lines.
    pub(super) max_lines: usize,
}

/// Number of waiting bytes that triggers writing. It keeps a blob small enough to be read as a whole.
pub(super) const DUE_BYTES: usize = 4 << 20;

/// Maximum size of a line, in bytes.
pub(super) const LINE_BYTES: usize = 1 << 20;

/// Maximum number of waiting bytes while writing fails.
pub(super) const FULL_BYTES: usize = 64 << 20;

impl Default for Setting {
    fn default() -> Self {
        Self { every: Duration::from_secs(60), max_lines: 1_000 }
    }
}
