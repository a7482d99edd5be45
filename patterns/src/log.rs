//! Logs by time, in blobs: what is written all the time, never changed, and read by spans of time.

mod hour;
mod line;
mod place;
mod read;
mod setting;
mod spans;
mod unwritten;
mod write;

pub use line::LogLine;
pub use read::{LogRange, LogStream};

use std::{
    ops::RangeBounds,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use futures_util::lock::Mutex as AsyncMutex;
use table_store::{
    Timestamp,
    blob::{BlobName, ContainerName},
};

use self::{place::Place, setting::Setting, spans::Span, unwritten::Unwritten, write::Writing};
use crate::{Error, Pending, Tables};

/// The log of one service: lines of text fields, each with a time, in blobs named by the hour.
///
/// Lines wait in memory and are written together: a blob for each hour that they are of, named like
/// `queue/2014/07/31/1800/000001.log`. A handle and its clones share what waits; another handle, or process, writes
/// the same log with blobs of its own.
///
/// **What a crash may lose** is what waits: at most the lines of [`every`](Self::every), a minute if nothing else is
/// said, and fewer than [`max_lines`](Self::max_lines), 1,000. There is no thread that writes: the push that finds the
/// lines due does, so a log that falls silent keeps its last lines waiting, and one that is dropped drops them. Call
/// [`flush`](Self::flush) before. [`write_through`](Self::write_through) lets nothing wait.
///
/// ```
/// # use table_patterns::prelude::*;
/// # use std::time::Duration;
/// # fn main() -> Result<()> {
/// # pollster::block_on(async {
/// let tables = Tables::in_memory()?;
/// let log = tables.log("queue").every(Duration::from_secs(60)).max_lines(1000);
/// log.push("2014-07-31T18:00:01Z".parse()?, &["POST", "/orders", "201"]).await?;
/// let written = log.flush().await?;
/// assert_eq!(written[0].as_str(), "queue/2014/07/31/1800/000001.log");
///
/// let six: Timestamp = "2014-07-31T18:00:00Z".parse()?;
/// let seven = six.saturating_add(Duration::from_secs(3600));
/// let mut lines = tables.log("queue").between(six..seven).stream();
/// while let Some(line) = lines.try_next().await? {
///     assert_eq!(line.fields, ["POST", "/orders", "201"]);
/// }
/// # Ok(())
/// # })
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Log {
    place: Place,
    setting: Setting,
    unwritten: Arc<Mutex<Unwritten>>,
    /// Whoever holds it writes, one blob after the other.
    writing: Arc<AsyncMutex<Writing>>,
}

impl Tables {
    /// The log of a service, in the container `logs`. The name goes into blob names: it is not empty and holds no `/`.
    ///
    /// Each call gives a log with lines of its own; those who push together share one, or its clones.
    ///
    /// Nothing is checked or sent before it is used: then it is [`Error::NoBlobs`] for a handle without a blob service,
    /// and [`LogError::Name`](crate::LogError::Name) for a name that cannot be.
    pub fn log(&self, service: impl Into<String>) -> Log {
        Log {
            place: Place::new(self.clone(), service.into()),
            setting: Setting::default(),
            unwritten: Arc::default(),
            writing: Arc::default(),
        }
    }
}

impl Log {
    /// The log of the same service in another container than `logs`. It shares no lines with this one.
    #[must_use]
    pub fn container(self, container: ContainerName) -> Self {
        let place = self.place.in_container(container);
        Self { place, setting: self.setting, unwritten: Arc::default(), writing: Arc::default() }
    }

    /// Writes when the times of the lines that wait are so far apart. Zero is [`write_through`](Self::write_through).
    ///
    /// The times are those of the lines, not of a clock: a log that is read in from elsewhere becomes the blobs that it
    /// would have become then.
    #[must_use]
    pub fn every(mut self, duration: Duration) -> Self {
        self.setting.every = duration;
        self
    }

    /// Writes when so many lines wait; 0 and 1 are [`write_through`](Self::write_through).
    #[must_use]
    pub fn max_lines(mut self, lines: usize) -> Self {
        self.setting.max_lines = lines;
        self
    }

    /// Lets nothing wait: each push is a blob, on disk when it returns. Nothing is lost, and each line costs a request.
    #[must_use]
    pub fn write_through(self) -> Self {
        self.max_lines(1)
    }

    /// Adds a line. If that makes what waits due ([`every`](Self::every), [`max_lines`](Self::max_lines), or 4 MiB of
    /// text), it is written before this returns.
    ///
    /// Any text may be a field. Lines may come in any order of time; readers find them in order.
    ///
    /// # Errors
    /// [`LogError::LineTooLong`](crate::LogError::LineTooLong) and [`LogError::Full`](crate::LogError::Full): the line
    /// was not added. If writing fails the line was added: it waits with the others, and the next push or flush tries
    /// again. Lines whose blob was written although its answer was lost are not written twice.
    pub fn push<T: AsRef<str>>(&self, at: Timestamp, fields: &[T]) -> Pending<'_, ()> {
        let line = line::encode(at, fields);
        Box::pin(async move {
            self.place.check()?;
            let due = self.waiting().push(at, &line?, &self.setting)?;
            if due {
                self.flush().await?;
            }
            Ok(())
        })
    }

    /// Writes all that waits. The names of the blobs that it made, in the order of time.
    ///
    /// When it returns, every line is on disk that was pushed before it was called, by whichever clone.
    pub fn flush(&self) -> Pending<'_, Vec<BlobName>> {
        Box::pin(async move {
            let mut writing = self.writing.lock().await;
            writing.take_over(&mut self.waiting(), &self.place.token()?);
            writing.write_all(&self.place, |lines| self.waiting().written(lines)).await
        })
    }

    /// How many lines are not written: what would be lost now.
    pub fn unwritten(&self) -> usize {
        self.waiting().lines()
    }

    /// The lines of a span of time, from all blobs of the service, whoever wrote them.
    pub fn between(&self, times: impl RangeBounds<Timestamp>) -> LogRange {
        LogRange::new(self.place.clone(), Span::of(&times))
    }

    fn waiting(&self) -> std::sync::MutexGuard<'_, Unwritten> {
        self.unwritten.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Every failure of the service, as it is.
type Outcome<T> = Result<T, Error>;
