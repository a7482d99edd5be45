//! Writes of one entity: one statement, or a read and a conditional write for a merge.

use table_model::{
    Condition, ETag, ErrorCode, Operation, Properties, Result, TableName, Timestamp, Written,
    operation::Effect,
};

use crate::{
    bounds::ordered,
    catalogue::Known,
    connections::take,
    failure::Failure,
    postgres::Inner,
    read::{Stored, Tries, timestamp},
    record::{damaged, encode},
};

/// Number of times that a write is repeated because of other writers. Each time, another write succeeded.
pub(crate) const TRIES: usize = 1000;

/// Result of a statement.
enum Step {
    /// The write was executed.
    Done,
    /// The timestamp is not above this one.
    Stale(i64),
    /// The entity has changed since it was read.
    Again,
}

/// An operation of one entity, and its encoded keys.
struct Write<'w> {
    operation: &'w Operation,
    keys: (&'w [u8], &'w [u8]),
}

impl Inner {
    pub(crate) async fn execute(&self, table: &TableName, operation: &Operation) -> Result<Written, Failure> {
        operation.check(self.options.key_length)?;
        let (p, r) = (ordered(operation.partition_key()), ordered(operation.row_key()));
        let write = Write { operation, keys: (&p, &r) };
        let mut tries = Tries::default();
        loop {
            let known = self.table(table).await?;
            match self.write(&known, &write).await {
                // A write without a response is not repeated.
                Err(failure @ Failure::NoTable) => tries.after(failure, self, table)?,
                other => return other,
            }
        }
    }

    async fn write(&self, known: &Known, write: &Write<'_>) -> Result<Written, Failure> {
        let mut after = 0;
        for tries in 0..TRIES {
            if tries > 0 {
                self.counts.retried();
            }
            if let Operation::Delete { condition, .. } = write.operation {
                match self.delete(known, write.keys, condition).await? {
                    Step::Done => return Ok(Written::Deleted),
                    Step::Stale(_) | Step::Again => continue,
                }
            }
            let damaged = || damaged(write.keys, "its timestamp is far in the future");
            let stamp = self.stamps.above(&self.pool, after, damaged).await?;
            let step = match self.put(known, write, stamp).await {
                Err(Failure::Unknown(reason)) => {
                    self.settle(known, write.keys, stamp, reason).await?;
                    Step::Done
                }
                other => other?,
            };
            match step {
                Step::Done => return version(write.keys, stamp),
                Step::Stale(stored) => after = stored,
                Step::Again => {}
            }
        }
        Err(Failure::Again)
    }

    async fn put(&self, known: &Known, write: &Write<'_>, stamp: i64) -> Result<Step, Failure> {
        let keys = write.keys;
        match write.operation {
            Operation::Insert(entity) => match self.insert(known, keys, stamp, &entity.properties).await? {
                Step::Done => Ok(Step::Done),
                _ => Err(ErrorCode::EntityAlreadyExists.into()),
            },
            Operation::InsertOrReplace(entity) => {
                let record = encode(keys, &entity.properties)?;
                if self.row(&known.statements.upsert, keys, stamp, &record).await? {
                    return Ok(Step::Done);
                }
                let stored = self.get(known, keys).await?;
                Ok(stored.map_or(Step::Again, |stored| Step::Stale(stored.timestamp.ticks())))
            }
            Operation::Replace(entity, condition) => {
                self.replace(known, keys, stamp, &entity.properties, version_of(condition)).await
            }
            operation => {
                let stored = self.get(known, keys).await?;
                let properties = stored.as_ref().map(|stored| stored.properties(keys)).transpose()?;
                let found = stored.as_ref().zip(properties);
                let found = found.map(|(Stored { timestamp, .. }, properties)| (*timestamp, properties));
                let effect = operation.effect(found, self.options.key_length)?;
                if let (Effect::Merged(properties), Some(stored)) = (effect, &stored) {
                    let required = Some(stored.timestamp.ticks());
                    let changed = |failure| match failure {
                        Failure::Refused(error)
                            if matches!(
                                error.code(),
                                ErrorCode::UpdateConditionNotSatisfied | ErrorCode::ResourceNotFound
                            ) =>
                        {
                            Ok(Step::Again)
                        }
                        failure => Err(failure),
                    };
                    self.replace(known, keys, stamp, &properties, required).await.or_else(changed)
                } else {
                    let nothing = Properties::new();
                    let sent = operation.entity().map_or(&nothing, |entity| &entity.properties);
                    self.insert(known, keys, stamp, sent).await
                }
            }
        }
    }

    async fn insert(
        &self,
        known: &Known,
        keys: (&[u8], &[u8]),
        stamp: i64,
        properties: &Properties,
    ) -> Result<Step, Failure> {
        let record = encode(keys, properties)?;
        let inserted = self.row(&known.statements.insert, keys, stamp, &record).await?;
        Ok(if inserted { Step::Done } else { Step::Again })
    }

    /// Executes a statement that returns a row if it has written.
    async fn row(
        &self,
        text: &str,
        keys: (&[u8], &[u8]),
        stamp: i64,
        record: &[u8],
    ) -> Result<bool, Failure> {
        let client = take(&self.pool).await?;
        let statement = client.prepare_cached(text).await?;
        Ok(client.query_opt(&statement, &[&keys.0, &keys.1, &stamp, &record]).await?.is_some())
    }

    async fn replace(
        &self,
        known: &Known,
        keys: (&[u8], &[u8]),
        stamp: i64,
        properties: &Properties,
        required: Option<i64>,
    ) -> Result<Step, Failure> {
        let record = encode(keys, properties)?;
        let client = take(&self.pool).await?;
        let statement = client.prepare_cached(&known.statements.replace).await?;
        let row = client.query_one(&statement, &[&keys.0, &keys.1, &stamp, &record, &required]).await?;
        outcome(row.get(0), row.get(1), required, stamp)
    }

    async fn delete(
        &self,
        known: &Known,
        keys: (&[u8], &[u8]),
        condition: &Condition,
    ) -> Result<Step, Failure> {
        let required = version_of(condition);
        let client = take(&self.pool).await?;
        let statement = client.prepare_cached(&known.statements.delete).await?;
        let row = client.query_one(&statement, &[&keys.0, &keys.1, &required]).await?;
        outcome(row.get(0), row.get(1), required, i64::MAX)
    }

    /// Finds out whether a write without a response was executed: an entity with its timestamp proves it. Without one, it
    /// may still be executed.
    ///
    /// The entity is written again instead of read: a primary also shows commits that its synchronous standby does not have,
    /// if their connections ended while they waited. A later commit is on the standby only after those.
    pub(crate) async fn settle(
        &self,
        known: &Known,
        keys: (&[u8], &[u8]),
        stamp: i64,
        reason: String,
    ) -> Result<(), Failure> {
        self.drop_idle();
        match self.confirm(known, keys, stamp).await {
            Ok(true) => Ok(()),
            _ => Err(Failure::Unknown(reason)),
        }
    }

    async fn confirm(&self, known: &Known, keys: (&[u8], &[u8]), stamp: i64) -> Result<bool, Failure> {
        let client = take(&self.pool).await?;
        let statement = client.prepare_cached(&known.statements.confirm).await?;
        Ok(client.query_opt(&statement, &[&keys.0, &keys.1, &stamp]).await?.is_some())
    }
}

/// Returns the outcome of a conditional statement from the version before it.
fn outcome(is_done: bool, before: Option<i64>, required: Option<i64>, stamp: i64) -> Result<Step, Failure> {
    match before {
        _ if is_done => Ok(Step::Done),
        None => Err(ErrorCode::ResourceNotFound.into()),
        Some(before) if required.is_some_and(|required| required != before) => {
            Err(ErrorCode::UpdateConditionNotSatisfied.into())
        }
        Some(before) if before >= stamp => Ok(Step::Stale(before)),
        // Another writer was faster.
        Some(_) => Ok(Step::Again),
    }
}

/// Returns the required version. No entity has a version below 0.
fn version_of(condition: &Condition) -> Option<i64> {
    match condition {
        Condition::Exists => None,
        Condition::Matches(etag) => {
            let version = etag.timestamp().filter(|version| ETag::from(*version) == *etag);
            Some(version.map_or(-1, Timestamp::ticks))
        }
    }
}

/// Returns the result of a write with this timestamp.
pub(crate) fn version(keys: (&[u8], &[u8]), stamp: i64) -> Result<Written, Failure> {
    let timestamp = timestamp(keys, stamp)?;
    Ok(Written::Version { etag: ETag::from(timestamp), timestamp })
}
