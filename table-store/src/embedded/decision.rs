//! A request decided, before anything of it is written.

use super::{
    apply::{self, Outcome},
    catalog::{self, TableRow, TableState},
    core::Core,
    engine::{Read, Write},
    keys::TableId,
    meta, record,
    request::Change,
    stamps::{Stamp, Stamps},
};
use crate::{ETag, ErrorCode, Result, StorageFault, TableError, TableName, Written};

/// What an accepted request does. Nothing can refuse it any more.
#[derive(Debug, Default)]
pub(super) struct Decision {
    /// Keys of entities, each with its record, or none where it is removed.
    entities: Vec<(Vec<u8>, Option<Vec<u8>>)>,
    /// The table that it creates or deletes.
    pub(super) table: Option<TableRow>,
    /// The next table id, where it uses one up.
    next_table: Option<TableId>,
    /// The time that it uses up.
    pub(super) stamp: Option<Stamp>,
    /// What the caller is told.
    pub(super) written: Vec<Written>,
}

impl Decision {
    /// Decides on a change. It reads only: a refused request leaves no trace.
    pub(super) fn on(change: &Change, read: &dyn Read, stamps: Stamps, core: &Core) -> Result<Self> {
        match change {
            Change::Write { table, operations, transaction } => {
                let at = |index| move |error: TableError| if *transaction { error.at(index) } else { error };
                let id = live_table(read, table).map_err(at(0))?;
                let mut outcomes = Vec::with_capacity(operations.len());
                for (index, operation) in operations.iter().enumerate() {
                    let key = id.entity_key(operation.partition_key(), operation.row_key());
                    let length = core.options.key_length;
                    let outcome = apply::decide(read, id, &key, operation, length).map_err(at(index))?;
                    outcomes.push((key, outcome));
                }
                Self::write(outcomes, stamps, core)
            }
            Change::CreateTable(name) => Self::create_table(name, read),
            Change::DeleteTable(name) => Self::delete_table(name, read),
        }
    }

    /// Each entity stands once in a request, so no outcome depends on another.
    fn write(outcomes: Vec<(Vec<u8>, Outcome)>, stamps: Stamps, core: &Core) -> Result<Self> {
        let mut decision = Self::default();
        for (key, outcome) in outcomes {
            match outcome {
                Outcome::Removed => {
                    decision.entities.push((key, None));
                    decision.written.push(Written::Deleted);
                }
                Outcome::Stored(properties) => {
                    let stamp = match decision.stamp {
                        Some(stamp) => stamp,
                        None => *decision.stamp.insert(stamps.next(core.options.clock.now())?),
                    };
                    let record = record::encode(&key, stamp.time, &properties)?;
                    decision.entities.push((key, Some(record)));
                    let (etag, timestamp) = (ETag::from(stamp.time), stamp.time);
                    decision.written.push(Written::Version { etag, timestamp });
                }
            }
        }
        Ok(decision)
    }

    fn create_table(name: &TableName, read: &dyn Read) -> Result<Self> {
        match catalog::find(read, name)?.map(|row| row.state) {
            Some(TableState::Live) => return Err(ErrorCode::TableAlreadyExists.into()),
            Some(TableState::Deleted) => return Err(ErrorCode::TableBeingDeleted.into()),
            None => {}
        }
        let id = meta::next_table(read)?;
        let next = id.0.checked_add(1).map(TableId);
        let next = next.ok_or_else(|| StorageFault::Bug { what: "all table ids are used up".to_owned() })?;
        let row = TableRow { id, name: name.clone(), state: TableState::Live };
        Ok(Self { table: Some(row), next_table: Some(next), ..Self::default() })
    }

    fn delete_table(name: &TableName, read: &dyn Read) -> Result<Self> {
        match catalog::find(read, name)? {
            Some(row) if row.state == TableState::Live => {
                let row = TableRow { state: TableState::Deleted, ..row };
                Ok(Self { table: Some(row), ..Self::default() })
            }
            _ => Err(ErrorCode::ResourceNotFound.into()),
        }
    }

    /// Writes it all. An error leaves the transaction half-way: then none of it may be kept.
    pub(super) fn apply(&self, write: &mut dyn Write) -> Result<(), StorageFault> {
        for (key, record) in &self.entities {
            match record {
                Some(record) => write.put(key, record)?,
                None => write.remove(key)?,
            }
        }
        if let Some(row) = &self.table {
            catalog::put(write, row)?;
        }
        if let Some(next) = self.next_table {
            meta::put_next_table(write, next)?;
        }
        if let Some(reserve) = self.stamp.and_then(|stamp| stamp.reserve) {
            meta::put_clock(write, reserve)?;
        }
        Ok(())
    }
}

/// The id of a table as the transaction sees it.
fn live_table(read: &dyn Read, name: &TableName) -> Result<TableId> {
    match catalog::find(read, name)? {
        Some(row) if row.state == TableState::Live => Ok(row.id),
        _ => Err(ErrorCode::TableNotFound.into()),
    }
}
