use crate::{
    Tables,
    handle::clock::{MAX_REQUEST_AGE, Moment},
};

/// Age of an attempt. No request is sent for an attempt that is older than half of the time within which requests take
/// effect.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Age(Moment);

impl Age {
    /// Starts an attempt now.
    pub(crate) fn of_attempt(tables: &Tables) -> Self {
        Self(tables.clock().moment())
    }

    /// Returns `true` if a request may still be sent for this attempt. Must be called immediately before sending.
    pub(crate) fn may_send(self, tables: &Tables) -> bool {
        tables.clock().since(self.0) < MAX_REQUEST_AGE / 2
    }
}
