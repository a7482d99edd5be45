use std::time::Duration;

/// Durability of acknowledged writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// The file is synced before a write is acknowledged: the write survives a crash of the process or the system, and
    /// a power failure. This is the default.
    #[default]
    Full,
    /// A write is acknowledged when it is visible. The file is synced after at most the specified time, by
    /// [`Store::flush`](crate::Store::flush) and when the store is closed. A crash or a disk error in between may lose
    /// the writes since the last sync; the store then has a consistent earlier state. After a disk error, the next flush
    /// or close reports it.
    Relaxed {
        /// Maximum time between a write and the start of its sync.
        at_most: Duration,
    },
}
