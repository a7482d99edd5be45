use std::{
    fmt,
    io::{self, Write},
};

use table_store::{Continuation, Query, Rows, TableName, TableService, limits::SEGMENT_ENTITIES};

use crate::{
    error::CommandError,
    text::{counted, shell_word},
};

/// The pages of a query, up to a number of entities.
pub(super) struct Pages<'t> {
    tables: &'t dyn TableService,
    table: &'t TableName,
    query: Query,
    most: Option<u64>,
    read: Read,
    ended: bool,
}

/// Counts of the entities read so far.
#[derive(Debug, Default)]
pub(super) struct Read {
    /// Number of returned entities.
    returned: u64,
    /// Number of examined entities; `None` if the service does not report it.
    looked_at: Option<u64>,
    requests: u64,
    /// The continuation of the query.
    next: Option<Continuation>,
}

impl<'t> Pages<'t> {
    pub(super) fn new(
        tables: &'t dyn TableService,
        table: &'t TableName,
        query: Query,
        most: Option<u64>,
    ) -> Self {
        let looked_at = tables.capabilities().measures_reads.then_some(0);
        let read = Read { looked_at, ..Read::default() };
        Self { tables, table, query, most, read, ended: false }
    }

    /// Returns the next entities, which may be empty; `None` at the end or when the number is reached.
    pub(super) async fn next(&mut self) -> Result<Option<Rows>, CommandError> {
        let left = self.most.map(|most| most.saturating_sub(self.read.returned));
        if self.ended || left == Some(0) {
            return Ok(None);
        }
        let page = left.unwrap_or(u64::MAX).min(SEGMENT_ENTITIES as u64);
        let query = self.query.clone().top(u32::try_from(page).unwrap_or(u32::MAX));
        let segment = self.tables.query(self.table, query).await?;
        // File reads run inline in the poll; yielding lets a signal be handled.
        tokio::task::yield_now().await;
        self.read.requests += 1;
        self.read.returned += segment.rows.len() as u64;
        self.read.looked_at = self.read.looked_at.map(|count| count + segment.stats.read);
        self.ended = segment.continuation.is_none();
        self.read.next.clone_from(&segment.continuation);
        self.query.continuation = segment.continuation;
        Ok(Some(segment.rows))
    }

    pub(super) fn into_read(self) -> Read {
        self.read
    }
}

impl fmt::Display for Read {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&counted(self.returned, "entity"))?;
        if let Some(looked_at) = self.looked_at {
            write!(f, ", {looked_at} read")?;
        }
        write!(f, ", {}", counted(self.requests, "request"))?;
        match &self.next {
            Some(next) => write!(f, "\nmore entities exist: --continuation {}", shell_word(next.as_str())),
            None => Ok(()),
        }
    }
}

/// Writes to standard output. Returns `false` if the pipe is closed.
pub(super) fn write(text: &str) -> Result<bool, CommandError> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        written => Ok(written.map(|()| true)?),
    }
}
