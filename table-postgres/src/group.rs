//! Entity group transactions: one transaction of the database.

use std::{collections::HashMap, sync::Arc};

use futures_util::{future::join_all, join};
use table_model::{
    Operation, Properties, PropertiesRef, Result, StorageFault, TableName, Timestamp, Written,
    operation::Effect,
};
use tokio_postgres::types::ToSql;

use crate::{
    bounds::ordered,
    catalogue::Known,
    client::Session,
    connections::take,
    failure::Failure,
    postgres::Inner,
    read::{Stored, Tries, timestamp},
    record::{damaged, encode},
    statements::LOCK_PARTITION,
    write::{TRIES, version},
};

/// The operations of a transaction with their encoded keys.
struct Group {
    operations: Vec<Operation>,
    partition: Vec<u8>,
    rows: Vec<Vec<u8>>,
}

/// Entities to write: RowKeys and records.
#[derive(Default)]
struct Puts<'g> {
    rows: Vec<&'g [u8]>,
    records: Vec<Vec<u8>>,
}

/// Result of a transaction that was not refused.
enum Step {
    Done,
    /// The timestamp is not above that of the entity with this RowKey.
    Stale(i64, Vec<u8>),
}

impl Inner {
    /// Executes a transaction in a task of its own, so that it is completed even if the future is dropped.
    pub(crate) async fn transact(
        self: &Arc<Self>,
        table: &TableName,
        operations: &[Operation],
    ) -> Result<Vec<Written>, Failure> {
        Operation::check_transaction(operations, self.options.key_length)?;
        let group = Group {
            operations: operations.to_vec(),
            partition: ordered(operations.first().map_or("", Operation::partition_key)),
            rows: operations.iter().map(|operation| ordered(operation.row_key())).collect(),
        };
        let (inner, table) = (Arc::clone(self), table.clone());
        let task = self.runtime.spawn(async move { inner.run(&table, &group).await });
        task.await.unwrap_or_else(|error| {
            Err(Failure::Unknown(format!("The transaction was interrupted: {error}.")))
        })
    }

    async fn run(&self, table: &TableName, group: &Group) -> Result<Vec<Written>, Failure> {
        let mut tries = Tries::default();
        let stamp = loop {
            let known = self.table(table).await?;
            match self.repeat(&known, group).await {
                Ok(stamp) => break stamp,
                Err(failure @ Failure::NoTable) => tries.after(failure, self, table)?,
                Err(failure) => return Err(failure),
            }
        };
        let written = |(operation, row): (&Operation, &Vec<u8>)| match operation {
            Operation::Delete { .. } => Ok(Written::Deleted),
            _ => version((&group.partition, row), stamp),
        };
        group.operations.iter().zip(&group.rows).map(written).collect()
    }

    /// Repeats the transaction until no other writer interferes. Returns its timestamp.
    async fn repeat(&self, known: &Known, group: &Group) -> Result<i64, Failure> {
        // Timestamp and RowKey of the latest stored entity.
        let mut after = (0, Vec::new());
        let mut uniform = group.uniform(known);
        for tries in 0..TRIES {
            if tries > 0 {
                self.counts.retried();
            }
            let damaged = || damaged((&group.partition, &after.1), "its timestamp is far in the future");
            let stamp = self.stamps.above(&self.pool, after.0, damaged).await?;
            let step = match uniform.take() {
                Some(statement) => self.write_unread(known, group, statement, stamp).await,
                None => self.write_read(known, group, stamp).await,
            };
            match step {
                Ok(Step::Done) => return Ok(stamp),
                Ok(Step::Stale(stored, row)) => after = (stored, row),
                // The entities are read the next time, which finds the cause.
                Err(Failure::Exists | Failure::Stale | Failure::Again) => {}
                Err(Failure::Unknown(reason)) => {
                    self.settle_group(known, group, stamp, reason).await?;
                    return Ok(stamp);
                }
                Err(failure) => return Err(failure),
            }
        }
        Err(Failure::Again)
    }

    /// Executes a transaction whose operations depend on no stored entity in one round trip.
    async fn write_unread(
        &self,
        known: &Known,
        group: &Group,
        text: &str,
        stamp: i64,
    ) -> Result<Step, Failure> {
        let mut puts = Puts::default();
        for (operation, row) in group.operations.iter().zip(&group.rows) {
            if let Some(entity) = operation.entity() {
                puts.add(&group.partition, row, &entity.properties)?;
            }
        }
        let session = Session::new(take(&self.pool).await?);
        let lock = session.prepare_cached(LOCK_PARTITION).await?;
        let write = session.prepare_cached(text).await?;
        let (table, partition) = group.lock_keys(known);
        let keys: [&(dyn ToSql + Sync); 2] = [&table, &partition];
        let params: [&(dyn ToSql + Sync); 4] = [&group.partition, &stamp, &puts.rows, &puts.records];
        let (begun, locked, written, committed) = join!(
            session.batch_execute("BEGIN"),
            session.query(&lock, &keys),
            session.execute(&write, &params),
            session.batch_execute("COMMIT"),
        );
        begun?;
        locked?;
        let written = written.map(drop);
        committed?;
        session.finish();
        written.map(|()| Step::Done)
    }

    /// Executes a transaction in two round trips: the first one reads and locks the entities.
    async fn write_read(&self, known: &Known, group: &Group, stamp: i64) -> Result<Step, Failure> {
        let session = Session::new(take(&self.pool).await?);
        let lock = session.prepare_cached(LOCK_PARTITION).await?;
        let read = session.prepare_cached(&known.statements.lock_rows).await?;
        let (table, partition) = group.lock_keys(known);
        let keys: [&(dyn ToSql + Sync); 2] = [&table, &partition];
        let rows: [&(dyn ToSql + Sync); 2] = [&group.partition, &group.rows];
        let (begun, locked, found) =
            join!(session.batch_execute("BEGIN"), session.query(&lock, &keys), session.query(&read, &rows),);
        begun?;
        let found = match locked.and(found) {
            Ok(found) => found,
            Err(failure) => return end(session, Err(failure)).await,
        };
        let mut stored = HashMap::new();
        for row in &found {
            let key: &[u8] = row.get(0);
            let timestamp = timestamp((&group.partition, key), row.get(1))?;
            stored.insert(key, Stored { timestamp, record: row.get(2) });
        }
        let highest = stored.iter().map(|(row, stored)| (stored.timestamp.ticks(), row.to_vec())).max();
        let writes = match Writes::decide(group, &stored, self) {
            Ok(writes) => writes,
            Err(failure) => return end(session, Err(failure)).await,
        };
        if let Some((highest, row)) = highest.filter(|(highest, _)| *highest >= stamp) {
            return end(session, Ok(Step::Stale(highest, row))).await;
        }
        writes.send(session, known, group, stamp).await
    }

    /// Finds out whether a transaction without a response was executed, by the first entity that it has written.
    async fn settle_group(
        &self,
        known: &Known,
        group: &Group,
        stamp: i64,
        reason: String,
    ) -> Result<(), Failure> {
        let puts = |operation: &Operation| operation.entity().is_some();
        match group.operations.iter().position(puts).and_then(|at| group.rows.get(at)) {
            Some(row) => self.settle(known, (&group.partition, row), stamp, reason).await,
            None => Err(Failure::Unknown(reason)),
        }
    }
}

/// Ends a transaction without changes.
async fn end<T>(session: Session, result: Result<T, Failure>) -> Result<T, Failure> {
    if session.batch_execute("ROLLBACK").await.is_ok() {
        session.finish();
    }
    result
}

impl Group {
    /// Returns the statement that executes all operations, if they are all of a kind that depends on no stored entity.
    fn uniform<'k>(&self, known: &'k Known) -> Option<&'k str> {
        let all = |kind: fn(&Operation) -> bool| self.operations.iter().all(kind);
        if all(|operation| matches!(operation, Operation::Insert(_))) {
            return Some(&known.statements.insert_all);
        }
        all(|operation| matches!(operation, Operation::InsertOrReplace(_)))
            .then_some(known.statements.upsert_all.as_str())
    }

    /// Returns the lock of the partition. Two partitions with the same lock only wait for each other.
    fn lock_keys(&self, known: &Known) -> (i32, i32) {
        (known.id.cast_signed(), crc32c::crc32c(&self.partition).cast_signed())
    }
}

impl<'g> Puts<'g> {
    fn add(&mut self, partition: &[u8], row: &'g [u8], properties: &Properties) -> Result<(), StorageFault> {
        self.records.push(encode((partition, row), properties)?);
        self.rows.push(row);
        Ok(())
    }
}

/// The writes of a transaction whose entities are locked.
#[derive(Default)]
struct Writes<'g> {
    inserted: Puts<'g>,
    replaced: Puts<'g>,
    deleted: Vec<&'g [u8]>,
}

impl<'g> Writes<'g> {
    /// Decides all operations. Each entity occurs once, so they are independent.
    fn decide(group: &'g Group, stored: &HashMap<&[u8], Stored>, inner: &Inner) -> Result<Self, Failure> {
        let mut writes = Self::default();
        for (index, (operation, row)) in group.operations.iter().zip(&group.rows).enumerate() {
            let keys = (group.partition.as_slice(), row.as_slice());
            let found = stored.get(row.as_slice());
            let is_read = matches!(operation, Operation::Merge(..) | Operation::InsertOrMerge(_));
            let properties = match found {
                Some(found) if is_read => Some(found.properties(keys)?),
                // A damaged record can be replaced and deleted.
                Some(_) => PropertiesRef::new(0, &[]),
                None => None,
            };
            let version: Option<(Timestamp, PropertiesRef<'_>)> =
                found.zip(properties).map(|(found, properties)| (found.timestamp, properties));
            let effect =
                operation.effect(version, inner.options.key_length).map_err(|error| error.at(index))?;
            let puts = if found.is_some() { &mut writes.replaced } else { &mut writes.inserted };
            match (effect, operation.entity()) {
                (Effect::AsSent, Some(entity)) => puts.add(keys.0, row, &entity.properties)?,
                (Effect::Merged(properties), _) => puts.add(keys.0, row, &properties)?,
                (Effect::AsSent, None) => {}
                (Effect::Removed, _) => writes.deleted.push(row),
            }
        }
        Ok(writes)
    }

    /// Sends the writes and the commit in one round trip. Entities that did not exist are not locked: if another writer has
    /// inserted one, the transaction fails and is repeated.
    async fn send(self, session: Session, known: &Known, group: &Group, stamp: i64) -> Result<Step, Failure> {
        let statements = &known.statements;
        let mut requests: Vec<(_, Vec<&(dyn ToSql + Sync)>)> = Vec::new();
        for (text, puts) in
            [(&statements.insert_all, &self.inserted), (&statements.replace_all, &self.replaced)]
        {
            if !puts.rows.is_empty() {
                let params: Vec<&(dyn ToSql + Sync)> =
                    vec![&group.partition, &stamp, &puts.rows, &puts.records];
                requests.push((session.prepare_cached(text).await?, params));
            }
        }
        if !self.deleted.is_empty() {
            let statement = session.prepare_cached(&statements.delete_all).await?;
            requests.push((statement, vec![&group.partition, &self.deleted]));
        }
        let sent = join_all(requests.iter().map(|(statement, params)| session.execute(statement, params)));
        let (written, committed) = join!(sent, session.batch_execute("COMMIT"));
        // After a failure, the database rejects the following statements; the first one is the cause.
        let written = written.into_iter().try_for_each(|written| written.map(drop));
        committed?;
        session.finish();
        written.map(|()| Step::Done)
    }
}
