//! Limits of the queue service.

use std::time::Duration;

/// Maximum size of a message text in bytes: 64 KiB.
pub const MESSAGE_BYTES: usize = 64 * 1024;

/// Maximum number of messages returned by one get or peek.
pub const MESSAGES: u32 = 32;

/// Maximum visibility timeout of a message: 7 days.
pub const VISIBILITY: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Default visibility timeout of a get: 30 s.
pub const DEFAULT_VISIBILITY: Duration = Duration::from_secs(30);

/// Default time to live of a message: 7 days.
pub const DEFAULT_LIFE: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Maximum number of queues in a segment of a listing.
pub const LIST_RESULTS: usize = 5_000;
