use std::{fmt, sync::Arc};

use azure_core::http::ClientOptions;

use super::{Backend, Clock, Lost, Retry, SystemClock};

/// How an account's clients go about it.
#[derive(Clone)]
#[non_exhaustive]
pub struct Settings {
    /// How often a request is sent again that was not done.
    pub retry: Retry,
    /// What is done about a write whose answer was lost.
    pub lost: Lost,
    /// What answers; none to go by its address.
    pub backend: Option<Backend>,
    /// Policies, transport, telemetry and logging of the pipeline below. Its `retry` is not looked at: it would send again
    /// whatever was sent.
    pub pipeline: ClientOptions,
    /// What retries go by.
    pub clock: Arc<dyn Clock>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            retry: Retry::default(),
            lost: Lost::default(),
            backend: None,
            pipeline: ClientOptions::default(),
            clock: Arc::new(SystemClock::default()),
        }
    }
}

impl Settings {
    /// Those of every client that is not told otherwise.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With other retries.
    #[must_use]
    pub fn retry(mut self, retry: Retry) -> Self {
        self.retry = retry;
        self
    }

    /// With another way to deal with lost answers.
    #[must_use]
    pub fn lost(mut self, lost: Lost) -> Self {
        self.lost = lost;
        self
    }

    /// Says what answers at the endpoints.
    #[must_use]
    pub fn backend(mut self, backend: Backend) -> Self {
        self.backend = Some(backend);
        self
    }

    /// With other options of the pipeline.
    #[must_use]
    pub fn pipeline(mut self, options: ClientOptions) -> Self {
        self.pipeline = options;
        self
    }

    /// With another clock.
    #[must_use]
    pub fn clock(mut self, clock: impl Clock + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("retry", &self.retry)
            .field("lost", &self.lost)
            .field("backend", &self.backend)
            .finish_non_exhaustive()
    }
}
