use std::time::Duration;

/// When lines are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    /// When the first and the last that wait are so far apart.
    pub(super) every: Duration,
    /// When so many wait.
    pub(super) max_lines: usize,
}

/// When so much text waits. A blob stays small enough to be read in one piece.
pub(super) const DUE_BYTES: usize = 4 << 20;

/// What a line may take up.
pub(super) const LINE_BYTES: usize = 1 << 20;

/// What may wait while the service refuses to write.
pub(super) const FULL_BYTES: usize = 64 << 20;

impl Default for Setting {
    fn default() -> Self {
        Self { every: Duration::from_secs(60), max_lines: 1_000 }
    }
}
