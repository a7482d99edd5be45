//! Clock of the store.

use std::fmt::Debug;

use table_model::Timestamp;

/// Source of the current time. It may stop or move backwards; the store's timestamps still increase.
///
/// ```
/// use table_store::{Clock, OpenOptions, Timestamp};
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
/// # Ok::<(), table_store::OpenError>(())
/// ```
pub trait Clock: Debug + Send + Sync + 'static {
    /// Returns the current time.
    fn now(&self) -> Timestamp;
}

/// The system clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}
