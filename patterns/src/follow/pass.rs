//! All commit records that there are, worked off.

use std::collections::BTreeMap;

use table_store::{
    Condition, ETag, Entity, Filter, Operation, Properties, Query, Timestamp,
    service::{Marked, MarkedRow},
};

use super::{conclude, may_pass};
use crate::{
    Address, Error, Pending, Tables,
    outbox::{Commit, FIRST, LAST, PARKED, TRIES},
};

/// What one pass over all commit records came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pass {
    /// Commits whose rows in other partitions are now as they should be.
    pub followed: usize,
    /// Commits that are left: of entities that this handle does not know, or that failed and will be tried again.
    pub left: usize,
    /// Commits that were given up: they are parked, with the reason, until [`Tables::retry_parked`].
    pub parked: usize,
}

/// How far rows in other partitions are behind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lag {
    /// Commits that have not been followed yet.
    pub pending: usize,
    /// When the oldest of them was written.
    pub oldest: Option<Timestamp>,
    /// Commits that were given up.
    pub parked: usize,
}

/// How many records are asked for at once.
const MANY: usize = 500;

impl Tables {
    /// Follows all commits that were there at the time of the call, whoever made them: then the rows in other partitions
    /// show them. It ends also while others go on writing.
    ///
    /// A failure that may pass by itself is the error; the rest was followed all the same.
    pub fn settle(&self) -> Pending<'_, Pass> {
        Box::pin(async move {
            let mut pass = Pass::default();
            let mut failure = None;
            for record in self.marked(Marked::Commits).await? {
                match follow(self, &record).await {
                    Ok(Outcome::Followed) => pass.followed += 1,
                    Ok(Outcome::Gone) => {}
                    Ok(Outcome::Left) => pass.left += 1,
                    Ok(Outcome::Parked) => pass.parked += 1,
                    Err(error) => {
                        pass.left += 1;
                        failure.get_or_insert(error);
                    }
                }
            }
            failure.map_or(Ok(pass), Err)
        })
    }

    /// How far rows in other partitions are behind.
    pub fn lag(&self) -> Pending<'_, Lag> {
        Box::pin(async move {
            let (pending, parked) = (self.marked(Marked::Commits).await?, self.marked(Marked::Parked).await?);
            let mut lag = Lag { pending: pending.len(), oldest: None, parked: parked.len() };
            for record in &pending {
                let rows = self.read(record, None).await?;
                let written = rows.get(0).and_then(|row| row.timestamp);
                lag.oldest = [lag.oldest, written].into_iter().flatten().min();
            }
            Ok(lag)
        })
    }

    /// Takes up again the commits that were given up. How many there were.
    pub fn retry_parked(&self) -> Pending<'_, usize> {
        Box::pin(async move {
            let parked = self.marked(Marked::Parked).await?;
            for record in &parked {
                unpark(self, record).await?;
            }
            Ok(parked.len())
        })
    }

    /// The records that there are at the time of the call.
    async fn marked(&self, which: Marked) -> Result<Vec<Address>, Error> {
        if !self.service().capabilities().marks {
            return self.scan_for(which).await;
        }
        let (mut found, mut after): (Vec<Address>, Option<MarkedRow>) = (Vec::new(), None);
        loop {
            let more = self.service().marked(which, after.as_ref(), MANY).await?;
            let is_last = more.len() < MANY;
            after = more.last().cloned();
            found.extend(more.into_iter().map(|row| Address {
                table: row.table,
                partition_key: row.partition_key,
                row_key: row.row_key,
            }));
            if is_last {
                return Ok(found);
            }
        }
    }

    /// The same, by reading the tables of all known entities: what it costs grows with the tables.
    async fn scan_for(&self, which: Marked) -> Result<Vec<Address>, Error> {
        let (first, last) = match which {
            Marked::Commits => (FIRST, LAST),
            Marked::Parked => (PARKED, "!y"),
        };
        let mut found = BTreeMap::new();
        for kind in self.kinds().all() {
            let table = crate::tables::table_of(kind.design)?;
            let filter = Filter::ge("RowKey", first).and(Filter::lt("RowKey", last));
            let mut query = Query { filter: Some(filter), ..Query::default() };
            loop {
                let segment = match self.service().query(&table, query.clone()).await {
                    Err(error) if error.is_not_found() => break,
                    other => other?,
                };
                for row in &segment.rows {
                    if let (Some(partition_key), Some(row_key)) = (row.partition_key, row.row_key) {
                        let (partition_key, row_key) = (partition_key.to_owned(), row_key.to_owned());
                        let address = Address { table: table.clone(), partition_key, row_key };
                        found.insert(
                            (
                                table.folded().to_owned(),
                                address.partition_key.clone(),
                                address.row_key.clone(),
                            ),
                            address,
                        );
                    }
                }
                query.continuation = segment.continuation;
                if query.continuation.is_none() {
                    break;
                }
            }
        }
        Ok(found.into_values().collect())
    }
}

/// What became of one record.
pub(super) enum Outcome {
    Followed,
    /// Somebody else was faster.
    Gone,
    Left,
    Parked,
}

/// Works off one record. An error may pass by itself.
pub(super) async fn follow(tables: &Tables, record: &Address) -> Result<Outcome, Error> {
    let rows = tables.read(record, None).await?;
    let Some(row) = rows.get(0) else { return Ok(Outcome::Gone) };
    let failure = match Commit::read(&record.table, row) {
        Ok(None) => return Ok(Outcome::Gone),
        Ok(Some(commit)) => match conclude(tables, &commit).await {
            Ok(()) => return Ok(Outcome::Followed),
            Err(Error::UnknownEntity { .. }) => return Ok(Outcome::Left),
            Err(error) if may_pass(&error) => return Err(error),
            Err(error) => (commit.tries, error),
        },
        Err(error) => (TRIES, error),
    };
    let (tries, error) = failure;
    let (etag, properties) = (row.etag.clone(), row.properties.to_properties());
    give_up(tables, record, etag, properties, tries + 1, &error).await
}

/// Notes a failure that will not pass by itself; after some of them the record is parked.
async fn give_up(
    tables: &Tables,
    record: &Address,
    etag: ETag,
    mut properties: Properties,
    tries: i32,
    error: &Error,
) -> Result<Outcome, Error> {
    properties.set("_tries", tries);
    properties.set("_err", error.to_string().chars().take(1_000).collect::<String>());
    let entity = |row_key: String, properties| Entity {
        partition_key: record.partition_key.clone(),
        row_key,
        properties,
    };
    let condition = Condition::Matches(etag);
    if tries < TRIES {
        let noted = Operation::Merge(entity(record.row_key.clone(), properties), condition);
        return lost_or(tables.execute(&record.table, &noted).await.map(drop), Outcome::Left);
    }
    let parked = record.row_key.replacen(FIRST, PARKED, 1);
    let delete = Operation::Delete {
        partition_key: record.partition_key.clone(),
        row_key: record.row_key.clone(),
        condition,
    };
    let moved = [delete, Operation::Insert(entity(parked, properties))];
    let moved = tables.service().transact(&record.table, &moved).await;
    lost_or(moved.map(drop).map_err(Error::from), Outcome::Parked)
}

/// Makes a commit record of a parked one.
async fn unpark(tables: &Tables, record: &Address) -> Result<(), Error> {
    let rows = tables.read(record, None).await?;
    let Some(row) = rows.get(0) else { return Ok(()) };
    let mut properties = row.properties.to_properties();
    properties.remove("_tries");
    properties.remove("_err");
    let entity = Entity {
        partition_key: record.partition_key.clone(),
        row_key: record.row_key.replacen(PARKED, FIRST, 1),
        properties,
    };
    let delete = Operation::Delete {
        partition_key: record.partition_key.clone(),
        row_key: record.row_key.clone(),
        condition: Condition::Matches(row.etag.clone()),
    };
    let moved = tables.service().transact(&record.table, &[delete, Operation::Insert(entity)]).await;
    lost_or(moved.map(drop).map_err(Error::from), Outcome::Left).map(drop)
}

/// Somebody else was faster: no failure.
fn lost_or(result: Result<(), Error>, outcome: Outcome) -> Result<Outcome, Error> {
    match result {
        Ok(()) => Ok(outcome),
        Err(error) if error.is_conflict() || error.is_not_found() => Ok(Outcome::Gone),
        Err(error) => Err(error),
    }
}
