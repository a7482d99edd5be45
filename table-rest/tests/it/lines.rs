//! Lines and spans that a server logs.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper of a test fails as a test does")]

use std::{
    io,
    sync::{Arc, LazyLock, Mutex},
};

use serde_json::Value;
use tracing::{
    Dispatch,
    subscriber::{DefaultGuard, NoSubscriber},
};
use tracing_subscriber::fmt::format::FmtSpan;

/// A second subscriber, which records nothing. While there is only one, `tracing` asks the thread that creates a span or event
/// first whether anything records it, and keeps the answer for all threads.
static SECOND: LazyLock<Dispatch> = LazyLock::new(|| Dispatch::new(NoSubscriber::default()));

/// The lines and spans of this thread, which also runs the server.
#[derive(Clone, Default)]
pub(crate) struct Lines(Arc<Mutex<Vec<u8>>>);

impl Lines {
    /// Captures the lines.
    pub(crate) fn capture() -> (Self, DefaultGuard) {
        Self::start(FmtSpan::NONE)
    }

    /// Captures the lines, and the ends of spans with their fields.
    pub(crate) fn capture_spans() -> (Self, DefaultGuard) {
        Self::start(FmtSpan::CLOSE)
    }

    fn start(spans: FmtSpan) -> (Self, DefaultGuard) {
        LazyLock::force(&SECOND);
        let lines = Self::default();
        let writer = lines.clone();
        let subscriber = tracing_subscriber::fmt().json().with_span_events(spans);
        let subscriber = subscriber.with_writer(move || writer.clone()).finish();
        (lines, tracing::subscriber::set_default(subscriber))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }

    pub(crate) fn all(&self) -> Vec<Value> {
        self.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Returns the fields of the only span.
    pub(crate) fn span(&self) -> Value {
        let spans: Vec<Value> = self.all().iter().filter_map(|line| line.get("span").cloned()).collect();
        let [span] = &*spans else { panic!("{spans:?}") };
        span.clone()
    }

    /// Returns the fields of the lines with a message.
    pub(crate) fn with_message(&self, message: &str) -> Vec<Value> {
        let lines = self.all().into_iter().filter_map(|mut line| line.get_mut("fields").map(Value::take));
        lines.filter(|fields| fields.get("message").and_then(Value::as_str) == Some(message)).collect()
    }

    pub(crate) fn clear(&self) {
        self.0.lock().unwrap().clear();
    }
}

impl io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
