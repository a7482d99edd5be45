//! Time-ordered logs in blobs: append-only data that is read by time range.

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
use table_model::{
    Timestamp,
    blob::{BlobName, ContainerName},
};

use self::{place::Place, setting::Setting, spans::Span, unwritten::Unwritten, write::Writing};
use crate::{Error, Pending, Tables};

/// The log of one service: lines of text fields, each with a time, in blobs named by the hour.
///
/// Lines are buffered in memory and written together, to one blob for each hour, with a name like
/// `queue/2014/07/31/1800/000001.log`. A handle and its clones share a buffer. Another handle, or another process,
/// writes to the same log with separate blobs.
///
/// **Data loss.** A crash loses the buffered lines: at most the lines of [`every`](Self::every), by default one minute,
/// and fewer than [`max_lines`](Self::max_lines), by default 1,000. No background thread writes. The buffer is written
/// by the push that reaches a limit, so the last lines of an idle log stay in the buffer, and dropping a log discards
/// them. Call [`flush`](Self::flush) first. With [`write_through`](Self::write_through) nothing is buffered.
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
    /// The lock serializes writes of blobs.
    writing: Arc<AsyncMutex<Writing>>,
}

impl Tables {
    /// Returns the log of a service, in the container `logs`. The name is part of the blob names: it must not be empty
    /// or contain `/`.
    ///
    /// Each call returns a log with a separate buffer. To share a buffer, use clones.
    ///
    /// Nothing is validated or sent before the log is used. Then a handle without a blob service fails with
    /// [`Error::BlobsNotConfigured`], and an invalid name with [`LogError::Name`](crate::LogError::Name).
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// let log = tables.log("web");
    /// log.push("2014-08-01T09:00:00Z".parse()?, &["GET", "/index.html"]).await?;
    /// log.flush().await?;
    /// assert_eq!(log.between(..).all().await?.len(), 1);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
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
    /// Returns the log of the same service in another container than `logs`, with a separate buffer.
    #[must_use]
    pub fn container(self, container: ContainerName) -> Self {
        let place = self.place.in_container(container);
        Self { place, setting: self.setting, unwritten: Arc::default(), writing: Arc::default() }
    }

    /// Sets the maximum time span of buffered lines. Zero is [`write_through`](Self::write_through).
    ///
    /// The span is measured by the times of the lines, not by a clock: an imported log results in the same blobs that
    /// were written originally.
    #[must_use]
    pub fn every(mut self, duration: Duration) -> Self {
        self.setting.every = duration;
        self
    }

    /// Sets the maximum number of buffered lines; 0 and 1 are [`write_through`](Self::write_through).
    #[must_use]
    pub fn max_lines(mut self, lines: usize) -> Self {
        self.setting.max_lines = lines;
        self
    }

    /// Disables buffering: each push writes a blob, which is durable when it returns. Nothing is lost, and each line
    /// costs a request.
    #[must_use]
    pub fn write_through(self) -> Self {
        self.max_lines(1)
    }

    /// Adds a line. If the buffer reaches a limit ([`every`](Self::every), [`max_lines`](Self::max_lines), or 4 MiB of
    /// text), it is written before this returns.
    ///
    /// A field may contain any string. Lines can be added in any order of time; readers receive them in order.
    ///
    /// # Errors
    /// Returns [`LogError::LineTooLong`](crate::LogError::LineTooLong) or [`LogError::Full`](crate::LogError::Full) if
    /// the line was not added.
    ///
    /// After a failed write, the line is in the buffer with the others, and the next push or flush retries. Lines whose
    /// blob was written although its response was lost are not written twice.
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

    /// Writes all buffered lines. Returns the names of the blobs that were created, in order of time.
    ///
    /// When it returns, every line is durable that was pushed before the call, through any clone.
    ///
    /// # Errors
    /// Returns [`Error::BlobsNotConfigured`] on a handle without a blob service,
    /// [`LogError::Name`](crate::LogError::Name) for an invalid name, or the error of the service. The lines stay in
    /// the buffer, and the next push or flush retries.
    pub fn flush(&self) -> Pending<'_, Vec<BlobName>> {
        Box::pin(async move {
            let mut writing = self.writing.lock().await;
            writing.take_over(&mut self.waiting(), &self.place.token()?);
            writing.write_all(&self.place, |lines| self.waiting().written(lines)).await
        })
    }

    /// Returns the number of buffered lines, which a crash would lose.
    pub fn unwritten(&self) -> usize {
        self.waiting().lines()
    }

    /// Returns the lines of a time range, from all blobs of the service, written by any process.
    pub fn between(&self, times: impl RangeBounds<Timestamp>) -> LogRange {
        LogRange::new(self.place.clone(), Span::of(&times))
    }

    fn waiting(&self) -> std::sync::MutexGuard<'_, Unwritten> {
        self.unwritten.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Result with the unmodified errors of the service.
type Outcome<T> = Result<T, Error>;
