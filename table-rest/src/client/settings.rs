use std::{fmt, sync::Arc};

use azure_core::http::ClientOptions;

use super::{Backend, Clock, Lost, Retry, SystemClock};
use crate::TraceContext;

/// Settings of the clients of an account.
#[derive(Clone)]
#[non_exhaustive]
pub struct Settings {
    /// The retry policy for requests that were not done.
    pub retry: Retry,
    /// Handling of writes whose response was lost.
    pub lost: Lost,
    /// The backend; `None` detects it from the address.
    pub backend: Option<Backend>,
    /// Policies, transport, telemetry and logging of the underlying pipeline. Its `retry` option is ignored, because it
    /// would retry every request.
    pub pipeline: ClientOptions,
    /// The clock of retries.
    pub clock: Arc<dyn Clock>,
    /// Returns the trace of the request that is being sent. `None` sends no trace.
    pub trace: Option<Arc<dyn Fn() -> Option<TraceContext> + Send + Sync>>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            retry: Retry::default(),
            lost: Lost::default(),
            backend: None,
            pipeline: ClientOptions::default(),
            clock: Arc::new(SystemClock::default()),
            trace: None,
        }
    }
}

impl Settings {
    /// Returns the default settings.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the retry policy.
    #[must_use]
    pub fn retry(mut self, retry: Retry) -> Self {
        self.retry = retry;
        self
    }

    /// Sets the handling of lost responses.
    #[must_use]
    pub fn lost(mut self, lost: Lost) -> Self {
        self.lost = lost;
        self
    }

    /// Sets the backend of the endpoints.
    #[must_use]
    pub fn backend(mut self, backend: Backend) -> Self {
        self.backend = Some(backend);
        self
    }

    /// Sets the options of the pipeline.
    #[must_use]
    pub fn pipeline(mut self, options: ClientOptions) -> Self {
        self.pipeline = options;
        self
    }

    /// Sends the headers `traceparent` and `tracestate`. `trace` is called for each attempt, in the span of the caller, and
    /// returns the current trace; with OpenTelemetry, from the span context of `tracing::Span::current()`.
    ///
    /// ```
    /// use table_rest::{TraceContext, client::Settings};
    ///
    /// let settings = Settings::new().trace(|| TraceContext::new(0x4bf9_2f35, 0xf067, true));
    /// ```
    #[must_use]
    pub fn trace(mut self, trace: impl Fn() -> Option<TraceContext> + Send + Sync + 'static) -> Self {
        self.trace = Some(Arc::new(trace));
        self
    }

    /// Sets the clock.
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
