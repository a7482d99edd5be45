use std::{
    fmt,
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use futures_core::stream::{FusedStream, Stream as FuturesStream};
use table_model::RowRef;

use super::{
    RunStats,
    batch::Batch,
    fetch::{Fetch, MOST_SKIPPED, Start},
};
use crate::{Cursor, Error, Pending, SkippedRow, Source, core::error::DecodeError};

/// Function that decodes a row.
pub(super) type Read<T> = Box<dyn Fn(Source<'_>, RowRef<'_>) -> Result<T, DecodeError> + Send + Sync>;

/// A pending request and the run it belongs to.
type Request = Pin<Box<dyn Future<Output = (Box<Fetch>, Result<Batch, Error>)> + Send>>;

/// Stream of the items of a query. It owns all its data, so it can be stored in a struct.
///
/// It implements [`Stream`](futures_core::Stream). Use [`try_next`](Self::try_next) without a combinator library. A row
/// that cannot be decoded is an error item, and the next rows follow. The error of a request ends the stream.
///
/// ```
/// # use table_patterns::prelude::*;
/// # #[derive(TableEntity, Clone, Debug)]
/// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
/// # struct Employee { department: String, id: u32, age: i32 }
/// # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
/// # fn main() -> Result<()> {
/// # pollster::block_on(async {
/// # let tables = Tables::in_memory()?;
/// # tables.bulk().insert_all(&[employee(1), employee(2), employee(3)]).run().await?.into_result()?;
/// let mut employees = Employee::rows("Sales").stream(&tables);
/// while let Some(employee) = employees.try_next().await? {
///     if employee.id == 2 {
///         break;
///     }
/// }
/// let rest = employees.cursor(); // after the second
/// assert!(rest.is_some());
/// # Ok(())
/// # })
/// # }
/// ```
pub struct Stream<T> {
    state: State,
    rows: Batch,
    /// Start of the pending request.
    asked: Option<Start>,
    stats: RunStats,
    /// Rows that were left out.
    skipped: Vec<SkippedRow>,
    read: Read<T>,
}

enum State {
    Ready(Box<Fetch>),
    Waiting(Request),
    Done,
}

impl<T> Stream<T> {
    pub(super) fn new(fetch: Fetch, read: Read<T>) -> Self {
        let stats = fetch.stats();
        Self {
            state: State::Ready(Box::new(fetch)),
            rows: Batch::default(),
            asked: None,
            stats,
            skipped: Vec::new(),
            read,
        }
    }

    /// Returns a cursor to the item after the last returned item, or `None` at the end.
    pub fn cursor(&self) -> Option<Cursor> {
        match &self.state {
            State::Ready(fetch) => match self.rows.peek() {
                Some((table, row)) => fetch.start_at_row(table, row)?.cursor(),
                None => fetch.start()?.cursor(),
            },
            State::Waiting(_) => self.asked.as_ref()?.cursor(),
            State::Done => None,
        }
    }

    /// Returns the statistics of the run so far.
    pub const fn stats(&self) -> RunStats {
        self.stats
    }

    /// Returns the rows that were left out because of a [`RowPolicy`](crate::RowPolicy), up to 1,000. The
    /// [`stats`](Self::stats) contain their number.
    pub fn skipped(&self) -> &[SkippedRow] {
        &self.skipped
    }

    /// Returns the next item, or `None` at the end.
    ///
    /// # Errors
    /// Returns [`Error::Decode`] if a row cannot be decoded, [`Error::Service`] if a request fails, and the error of an
    /// invalid query. The stream continues after [`Error::Decode`], and ends after other errors.
    pub fn try_next(&mut self) -> Pending<'_, Option<T>>
    where
        T: Send,
    {
        Box::pin(async move {
            std::future::poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await.transpose()
        })
    }

    /// Returns the next item from the buffered rows.
    fn next_at_hand(&mut self) -> Option<Result<T, Error>> {
        let State::Ready(fetch) = &mut self.state else { return None };
        while let Some((table, row)) = self.rows.peek() {
            let item = fetch.item(table, row, &mut &*self.read);
            self.rows.advance();
            match item {
                Ok(None) => {
                    self.stats = fetch.stats();
                    self.skipped.append(&mut fetch.take_skipped());
                    self.skipped.truncate(MOST_SKIPPED);
                }
                // The next rows can be read.
                Err(error) => return Some(Err(error)),
                Ok(Some(item)) => {
                    let spent = fetch.give();
                    self.stats = fetch.stats();
                    if spent {
                        self.end();
                    }
                    return Some(Ok(item));
                }
            }
        }
        None
    }

    fn end(&mut self) {
        self.state = State::Done;
        self.rows = Batch::default();
    }
}

impl<T> FuturesStream for Stream<T> {
    type Item = Result<T, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some(item) = self.next_at_hand() {
                return Poll::Ready(Some(item));
            }
            match std::mem::replace(&mut self.state, State::Done) {
                State::Ready(fetch) if fetch.is_done() => {
                    self.stats = fetch.stats();
                    self.end();
                    return Poll::Ready(None);
                }
                State::Ready(mut fetch) => {
                    self.asked = fetch.start();
                    self.state = State::Waiting(Box::pin(async move {
                        let rows = fetch.rows().await;
                        (fetch, rows)
                    }));
                }
                State::Waiting(mut request) => match request.as_mut().poll(context) {
                    Poll::Pending => {
                        self.state = State::Waiting(request);
                        return Poll::Pending;
                    }
                    Poll::Ready((fetch, rows)) => {
                        self.stats = fetch.stats();
                        self.state = State::Ready(fetch);
                        match rows {
                            Ok(rows) => self.rows = rows,
                            Err(error) => {
                                self.end();
                                return Poll::Ready(Some(Err(error)));
                            }
                        }
                    }
                },
                State::Done => return Poll::Ready(None),
            }
        }
    }
}

impl<T> FusedStream for Stream<T> {
    fn is_terminated(&self) -> bool {
        matches!(self.state, State::Done)
    }
}

impl<T> Unpin for Stream<T> {}

impl<T> fmt::Debug for Stream<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream")
            .field("cursor", &self.cursor())
            .field("stats", &self.stats)
            .finish_non_exhaustive()
    }
}
