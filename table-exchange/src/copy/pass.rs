use std::{mem, pin::pin};

use futures_util::{
    StreamExt,
    future::{Either, select},
    stream::FuturesUnordered,
};
use table_model::{Operation, Pending, Result, RowRef, limits::TRANSACTION_OPERATIONS};

use super::{Copied, Difference, DifferenceKind, TableCopy};
use crate::send::{concurrency, send};

/// Maximum size in bytes of the entities in flight.
const BYTES_AT_ONCE: usize = 16 << 20;

/// A pass over a table: differences become transactions, of which several are in flight.
pub(super) struct Pass<'c> {
    copy: TableCopy<'c>,
    pub(super) copied: Copied,
    /// Consecutive differences of one partition that are not sent yet.
    batch: Vec<Operation>,
    batch_bytes: usize,
    sent: FuturesUnordered<Pending<'c, Sent>>,
    bytes_in_flight: usize,
    most_in_flight: usize,
}

/// A transaction that was sent.
struct Sent {
    bytes: usize,
    resolved: u64,
    remaining: Vec<Difference>,
}

impl<'c> Pass<'c> {
    pub(super) fn new(copy: &TableCopy<'c>) -> Self {
        Self {
            copy: *copy,
            copied: Copied::default(),
            batch: Vec::new(),
            batch_bytes: 0,
            sent: FuturesUnordered::new(),
            bytes_in_flight: 0,
            most_in_flight: concurrency(copy.to),
        }
    }

    /// Compares an entity of both sides.
    pub(super) async fn row(&mut self, source: Option<RowRef<'_>>, target: Option<RowRef<'_>>) -> Result<()> {
        if let Some(source) = source {
            self.copied.read += 1;
            self.copied.newest = self.copied.newest.max(source.timestamp);
        }
        let Some(operation) = TableCopy::operation(source, target) else { return Ok(()) };
        let kind = DifferenceKind::of(&operation);
        self.copied.count(kind, 1);
        if self.copy.writes && (kind != DifferenceKind::Extra || self.copy.deletes_extra) {
            return self.push(operation).await;
        }
        self.copied.list(Difference::of(&operation, kind, None));
        Ok(())
    }

    async fn push(&mut self, operation: Operation) -> Result<()> {
        let bytes = operation.size();
        let is_full = self.batch.len() >= TRANSACTION_OPERATIONS
            || self.batch_bytes + bytes >= self.copy.to.capabilities().transaction_bytes
            || self.batch.first().is_some_and(|first| first.partition_key() != operation.partition_key());
        if is_full {
            self.send().await?;
        }
        self.batch.push(operation);
        self.batch_bytes += bytes;
        Ok(())
    }

    /// Sends the batch, as soon as few enough others are in flight.
    async fn send(&mut self) -> Result<()> {
        if self.batch.is_empty() {
            return Ok(());
        }
        let (operations, bytes) = (mem::take(&mut self.batch), mem::take(&mut self.batch_bytes));
        while self.sent.len() >= self.most_in_flight
            || !self.sent.is_empty() && self.bytes_in_flight + bytes > BYTES_AT_ONCE
        {
            self.completed().await?;
        }
        self.bytes_in_flight += bytes;
        let copy = self.copy;
        self.sent.push(Box::pin(async move { transfer(copy, operations, bytes).await }));
        Ok(())
    }

    /// Waits for one transaction.
    async fn completed(&mut self) -> Result<()> {
        let Some(sent) = self.sent.next().await else { return Ok(()) };
        self.count(sent?);
        Ok(())
    }

    fn count(&mut self, Sent { bytes, resolved, remaining }: Sent) {
        self.bytes_in_flight = self.bytes_in_flight.saturating_sub(bytes);
        self.copied.resolved += resolved;
        for difference in remaining {
            self.copied.list(difference);
        }
    }

    /// Waits for a read while the transactions in flight proceed.
    pub(super) async fn during<T>(&mut self, read: impl Future<Output = T>) -> Result<T> {
        let mut read = pin!(read);
        loop {
            if self.sent.is_empty() {
                return Ok(read.await);
            }
            match select(read.as_mut(), self.sent.next()).await {
                Either::Left((done, _)) => return Ok(done),
                Either::Right((None, _)) => {}
                Either::Right((Some(sent), _)) => self.count(sent?),
            }
        }
    }

    /// Sends the last batch, and waits for all transactions.
    pub(super) async fn finish(mut self) -> Result<Copied> {
        self.send().await?;
        while !self.sent.is_empty() {
            self.completed().await?;
        }
        Ok(self.copied)
    }
}

/// Writes operations of one partition, and repeats those that a concurrent change at the target prevented.
async fn transfer(copy: TableCopy<'_>, operations: Vec<Operation>, bytes: usize) -> Result<Sent> {
    let outcome = send(copy.to, copy.table, &operations).await?;
    let (mut resolved, mut remaining) = (outcome.written, Vec::new());
    for (index, error) in outcome.rejected {
        let Some(operation) = operations.get(index) else { continue };
        match copy.settle(operation, error).await? {
            None => resolved += 1,
            Some(difference) => remaining.push(difference),
        }
    }
    Ok(Sent { bytes, resolved, remaining })
}
