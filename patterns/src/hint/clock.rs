use std::{fmt, sync::Arc};

use table_store::Timestamp;

/// What tells a handle whether a deadline has passed.
#[derive(Clone, Default)]
pub(crate) struct Clock(Option<Arc<dyn Fn() -> Timestamp + Send + Sync>>);

impl Clock {
    /// One that a test moves.
    pub(crate) fn by(time: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(time)))
    }

    /// Whether time passes by itself: not where a test moves it.
    pub(crate) const fn goes_on(&self) -> bool {
        self.0.is_none()
    }

    /// This machine's, unless another was given.
    pub(crate) fn now(&self) -> Timestamp {
        self.0.as_ref().map_or_else(Timestamp::now, |time| time())
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}
