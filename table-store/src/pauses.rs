//! Pauses of long work.

use std::thread;

/// Number of bytes after which other threads may run: some dozen microseconds of work.
const BYTES: usize = 32 << 10;

/// The cost of writing a row beside its bytes, in bytes that are processed in the same time.
pub(crate) const WRITTEN_ROW: usize = 512;

/// Lets other threads run during long work. A thread that was woken for a short request otherwise waits until the time
/// slice of this one ends, which takes milliseconds if the system has few processors.
#[derive(Debug, Default)]
pub(crate) struct Pauses {
    bytes: usize,
}

impl Pauses {
    /// Records that a number of bytes was processed.
    #[inline]
    pub(crate) fn after(&mut self, bytes: usize) {
        self.bytes += bytes;
        if self.bytes >= BYTES {
            self.bytes = 0;
            thread::yield_now();
        }
    }
}
