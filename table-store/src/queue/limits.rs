//! The queue service's limits.

use std::time::Duration;

/// Most bytes of a message's text: 64 KiB.
pub const MESSAGE_BYTES: usize = 64 * 1024;

/// Most messages that are got or peeked at at once.
pub const MESSAGES: u32 = 32;

/// Longest time for which a message is made invisible: 7 days.
pub const VISIBILITY: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// How long a message that was got is invisible if nothing else is asked for: 30 s.
pub const DEFAULT_VISIBILITY: Duration = Duration::from_secs(30);

/// How long a message lives if nothing else is asked for: 7 days.
pub const DEFAULT_LIFE: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Most queues of a listing.
pub const LIST_RESULTS: usize = 5_000;
