//! Clients that write until they are stopped.

use std::{
    collections::HashSet,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use table_model::{
    Condition, ETag, Entity, ErrorCode, Operation, Result, TableError, TableName, Written,
    queue::{GetMessages, PutMessage, QueueName},
};
use table_patterns::Tables;

use super::journal::Journal;
use crate::postgres::{Error, Outcome, upsert};

/// What the clients of a round share.
#[derive(Default)]
pub(super) struct Control {
    pub(super) stop: AtomicBool,
    /// Acknowledged writes.
    acknowledged: AtomicUsize,
}

impl Control {
    /// Waits until the writers have continued: `each` writes of each on average.
    pub(super) async fn progress(&self, writers: usize, each: usize) -> Outcome {
        let until = self.acknowledged.load(Ordering::SeqCst) + writers * each;
        let begun = Instant::now();
        while self.acknowledged.load(Ordering::SeqCst) < until {
            if begun.elapsed() > Duration::from_secs(60) {
                return Err("the writers do not continue".into());
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Ok(())
    }
}

#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// Inserts an entity each time.
    Insert,
    /// Replaces an entity in the version of the last write.
    Replace,
    /// Merges two properties into an entity.
    Merge,
    /// Writes two entities.
    Transaction,
    /// Puts a message.
    Message,
}

impl Kind {
    /// Returns how often a write stores its number.
    pub(super) const fn parts(self) -> usize {
        match self {
            Self::Merge | Self::Transaction => 2,
            Self::Insert | Self::Replace | Self::Message => 1,
        }
    }
}

pub(super) struct Writer {
    pub(super) kind: Kind,
    pub(super) partition: String,
    pub(super) journal: Journal,
    table: TableName,
    queue: QueueName,
}

impl Writer {
    pub(super) fn new(kind: Kind, partition: String, table: &TableName, queue: &QueueName) -> Self {
        Self { kind, partition, journal: Journal::default(), table: table.clone(), queue: queue.clone() }
    }

    pub(super) async fn run(mut self, tables: Tables, control: Arc<Control>) -> Result<Self, Error> {
        let (mut row, mut etag) = (0, None);
        for number in 0.. {
            if control.stop.load(Ordering::SeqCst) {
                break;
            }
            let result = self.write(&tables, row, number, etag.as_ref()).await;
            self.journal.note(row, number, &result);
            match result {
                Ok(written) => {
                    control.acknowledged.fetch_add(1, Ordering::SeqCst);
                    etag = written;
                    row += u32::from(matches!(self.kind, Kind::Insert | Kind::Message));
                }
                // It can still be executed, so the row is not used again.
                Err(error) if error.is_outcome_unknown() => (row, etag) = (row + 1, None),
                Err(error) if error.code() == ErrorCode::ServerBusy => {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(self)
    }

    async fn write(
        &self,
        tables: &Tables,
        row: u32,
        number: i64,
        etag: Option<&ETag>,
    ) -> Result<Option<ETag>, TableError> {
        let key = |part| format!("{row:06}{part}");
        let entity = |part| Entity::new(&*self.partition, key(part)).with("N", number);
        let operation = match self.kind {
            Kind::Message => {
                let message = PutMessage::new(format!("{}/{row}/{number}", self.partition));
                let queues = tables.queues().map_err(|_| ErrorCode::InternalError)?;
                return queues.put_message(&self.queue, message).await.map(|_| None);
            }
            Kind::Transaction => {
                let second = match number % 2 {
                    0 => upsert(&self.partition, &key("b"), number),
                    // Not uniform: the entities are read and locked first.
                    _ => Operation::InsertOrMerge(entity("b")),
                };
                let operations = [upsert(&self.partition, &key("a"), number), second];
                return tables.service().transact(&self.table, &operations).await.map(|_| None);
            }
            Kind::Merge => Operation::InsertOrMerge(entity("").with("M", number)),
            Kind::Insert | Kind::Replace => match etag {
                Some(etag) if matches!(self.kind, Kind::Replace) => {
                    Operation::Replace(entity(""), Condition::Matches(etag.clone()))
                }
                _ => Operation::Insert(entity("")),
            },
        };
        let written = tables.service().execute(&self.table, &operation).await?;
        Ok(match written {
            Written::Version { etag, .. } => Some(etag),
            Written::Deleted => None,
        })
    }
}

/// Receives and deletes messages.
#[derive(Default)]
pub(super) struct Receiver {
    pub(super) deleted: HashSet<String>,
    /// Messages whose deletion has an unknown outcome.
    pub(super) unknown: HashSet<String>,
}

impl Receiver {
    pub(super) async fn run(
        mut self,
        tables: Tables,
        queue: QueueName,
        control: Arc<Control>,
    ) -> Result<Self, Error> {
        let queues = tables.queues()?;
        let few = GetMessages::new().count(4);
        while !control.stop.load(Ordering::SeqCst) {
            let received = match queues.get_messages(&queue, few).await {
                Ok(received) => received,
                Err(error) if error.is_outcome_unknown() || error.code() == ErrorCode::ServerBusy => vec![],
                Err(error) => return Err(error.into()),
            };
            if received.is_empty() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            for message in received {
                if self.deleted.contains(&message.text) {
                    return Err(format!("{} was deleted, and is received", message.text).into());
                }
                match queues.delete_message(&queue, message.id, &message.pop_receipt).await {
                    Ok(()) => self.deleted.insert(message.text),
                    Err(error) if error.is_outcome_unknown() => self.unknown.insert(message.text),
                    Err(error) if error.code() == ErrorCode::ServerBusy => false,
                    Err(error) => return Err(error.into()),
                };
            }
        }
        Ok(self)
    }

    /// Checks that no deleted message is stored.
    pub(super) fn check(&self, stored: &[String]) -> Outcome {
        match stored.iter().find(|text| self.deleted.contains(*text)) {
            Some(text) => Err(format!("{text} was deleted, and is stored").into()),
            None => Ok(()),
        }
    }
}
