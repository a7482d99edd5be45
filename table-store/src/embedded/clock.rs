//! Where the store takes the time from.

use std::fmt::Debug;

use crate::Timestamp;

/// A source of the time. It may stand still or step back: timestamps rise all the same.
///
/// ```
/// use table_store::{Timestamp, embedded::{Clock, OpenOptions}};
///
/// #[derive(Debug)]
/// struct Standing;
///
/// impl Clock for Standing {
///     fn now(&self) -> Timestamp {
///         Timestamp::UNIX_EPOCH
///     }
/// }
///
/// let store = OpenOptions::new().clock(Standing).in_memory()?;
/// # Ok::<(), table_store::embedded::OpenError>(())
/// ```
pub trait Clock: Debug + Send + Sync + 'static {
    /// The time now.
    fn now(&self) -> Timestamp;
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}
