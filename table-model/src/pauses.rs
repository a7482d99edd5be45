//! Pauses of long work.

use std::thread;

/// Number of bytes after which other threads may run: some dozen microseconds of work.
const BYTES: usize = 32 << 10;

/// Lets other threads run during long work. A thread that was woken for a short request otherwise waits until the time
/// slice of this one ends, which takes milliseconds if the system has few processors.
#[derive(Debug, Default)]
pub struct Pauses {
    bytes: usize,
}

impl Pauses {
    /// Records that a number of bytes was processed.
    #[inline]
    pub fn after(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes >= BYTES {
            self.pause();
        }
    }

    // Out of line, so that loops over rows stay small.
    #[cold]
    #[inline(never)]
    fn pause(&mut self) {
        self.bytes = 0;
        thread::yield_now();
    }

    /// Records that a row with a number of bytes was written.
    #[inline]
    pub fn after_row(&mut self, bytes: usize) {
        // Writing a row takes as long as processing this number of bytes.
        self.after(bytes.saturating_add(512));
    }
}
