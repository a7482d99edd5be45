//! Reading the records of one partition.

use std::{collections::VecDeque, marker::PhantomData, time::Duration};

use table_model::{Query, RowRef, Rows, Segment, TableError, Timestamp};

use super::{
    event::{ChangeEvent, token},
    name::FeedName,
    position::Mark,
    rows::HAS_OLD,
};
use crate::{
    Error, TableEntity, Tables,
    core::{error::ChangeFeedError, spec::filter::keys_between},
};

/// Returns `None` if the table does not exist.
pub(super) fn ahead(answer: Result<Segment, TableError>) -> Result<Option<Segment>, Error> {
    match answer {
        Err(error) if error.is_not_found() => Ok(None),
        other => Ok(Some(other?)),
    }
}

/// Changes of one partition, oldest first.
#[derive(Debug)]
pub(super) struct Part<E: TableEntity> {
    pub(super) changes: Vec<ChangeEvent<E>>,
    /// The position after the last change.
    pub(super) last: Option<Mark>,
    /// `true` if the last record of the partition was read.
    pub(super) is_end: bool,
    /// The error of the next record, which cannot be decoded.
    pub(super) error: Option<Error>,
}

/// A reader of one partition.
#[derive(Debug)]
pub(super) struct Reader<'t, E> {
    tables: &'t Tables,
    feed: FeedName,
    partition_key: &'t str,
    /// Time at which the first pass began, during it.
    began: Option<Timestamp>,
    entity: PhantomData<fn() -> E>,
}

/// The rows of a record.
struct Record {
    sequence: u64,
    new: usize,
    old: Option<usize>,
    is_whole: bool,
}

impl<'t, E: TableEntity> Reader<'t, E> {
    pub(super) const fn new(
        tables: &'t Tables,
        feed: FeedName,
        partition_key: &'t str,
        began: Option<Timestamp>,
    ) -> Self {
        Self { tables, feed, partition_key, began, entity: PhantomData }
    }

    /// Reads at most `most` changes after a mark. Without a mark, the first record can have any number, unless records
    /// that did not exist when the first pass began can have been removed.
    pub(super) async fn read(&self, mark: Option<Mark>, most: usize) -> Result<Part<E>, Error> {
        // The record of the mark is read again: if it is the last one, it shows that nothing was removed.
        let first = mark.map_or(1, |mark| mark.sequence.max(1));
        let (rows, is_end) = self.rows(first, most + 1).await?;
        let mut records = self.records(&rows);
        if !is_end && records.back().is_some_and(|record| !record.is_whole) {
            records.pop_back();
        }
        let mut part = Part { changes: Vec::new(), last: None, is_end, error: None };
        let table = self.feed.table()?;
        let mut after = self.checked(mark, &rows, &mut records)?;
        for record in records {
            if part.changes.len() == most {
                part.is_end = false;
                break;
            }
            let first = if self.is_overdue() { 1 } else { record.sequence };
            let expected = after.map_or(first, |after| after + 1);
            if record.sequence != expected {
                return Err(self.expired(expected, record.sequence));
            }
            let Some(row) = rows.get(record.new) else { break };
            let old = record.old.and_then(|old| rows.get(old));
            match ChangeEvent::read(self.tables, &table, record.sequence, row, old) {
                Ok(change) => part.changes.push(change),
                Err(error) => {
                    (part.error, part.is_end) = (Some(error), false);
                    break;
                }
            }
            part.last = Some(Mark::of(record.sequence, token(row)));
            after = Some(record.sequence);
        }
        Ok(part)
    }

    /// Compares the mark with its record, and removes the record. Returns the number of the last record that was read
    /// before.
    fn checked(
        &self,
        mark: Option<Mark>,
        rows: &Rows,
        records: &mut VecDeque<Record>,
    ) -> Result<Option<u64>, Error> {
        let Some(mark) = mark else { return Ok(None) };
        if mark.sequence == 0 {
            return Ok(Some(0));
        }
        let unknown = || mark.unknown(self.feed, self.partition_key);
        // The last record is never removed.
        let first = records.front().ok_or_else(unknown)?;
        if first.sequence == mark.sequence {
            let row = rows.get(first.new);
            if row.is_none_or(|row| Mark::of(mark.sequence, token(row)) != mark) {
                return Err(unknown());
            }
            records.pop_front();
        }
        Ok(Some(mark.sequence))
    }

    /// Returns whether records can have been removed that were written after the first pass began.
    fn is_overdue(&self) -> bool {
        let keep = self.feed.design.changes.map_or(0, |changes| changes.keep);
        let is_over = |began: Timestamp| began.saturating_add(Duration::from_secs(keep)) <= self.tables.now();
        self.began.is_some_and(is_over)
    }

    /// Reads the rows from a record on. Returns whether no further row exists.
    async fn rows(&self, first: u64, most: usize) -> Result<(Rows, bool), Error> {
        let table = self.feed.table()?;
        let (from, to) = (self.feed.record(first), self.feed.last());
        let filter = keys_between(self.partition_key.to_owned(), from, to);
        // A record has two rows if it contains the previous state.
        let wanted = most * 2;
        let mut query = Query { filter: Some(filter), ..Query::default() };
        let mut rows = Rows::new();
        loop {
            let missing = (wanted - rows.len()).min(table_model::limits::SEGMENT_ENTITIES);
            query.top = Some(u32::try_from(missing).unwrap_or(u32::MAX));
            let Some(segment) = ahead(self.tables.service().query(&table, query.clone()).await)? else {
                return Ok((rows, true));
            };
            rows.append(segment.rows).map_err(|_| self.damaged(first))?;
            query.continuation = segment.continuation;
            if query.continuation.is_none() || rows.len() >= wanted {
                return Ok((rows, query.continuation.is_none()));
            }
        }
    }

    /// Groups the rows by record. A previous state without its record is left by an incomplete removal.
    fn records(&self, rows: &Rows) -> VecDeque<Record> {
        let mut records: VecDeque<Record> = VecDeque::new();
        for (number, row) in rows.iter().enumerate() {
            match row.row_key.and_then(|row_key| self.feed.parse(row_key)) {
                Some((sequence, false)) => {
                    let is_whole = row.properties.get(HAS_OLD).is_none();
                    records.push_back(Record { sequence, new: number, old: None, is_whole });
                }
                Some((sequence, true)) => {
                    if let Some(last) = records.back_mut().filter(|last| last.sequence == sequence) {
                        (last.old, last.is_whole) = (Some(number), true);
                    }
                }
                None => {}
            }
        }
        records
    }

    fn expired(&self, expected: u64, oldest: u64) -> Error {
        let (entity, partition_key) = (self.feed.design.name, self.partition_key.to_owned());
        ChangeFeedError::Expired { entity, partition_key, expected, oldest }.into()
    }

    fn damaged(&self, sequence: u64) -> Error {
        ChangeFeedError::Damaged { partition_key: self.partition_key.to_owned(), sequence }.into()
    }
}

/// Returns the mark of a partition whose last record is in its head.
pub(super) fn mark_of(row: RowRef<'_>) -> Option<Mark> {
    let (head, token) = super::rows::head(row)?;
    Some(Mark::of(head.sequence, token))
}
