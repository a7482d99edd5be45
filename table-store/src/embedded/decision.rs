//! A request decided, before anything of it is written.

use super::{
    apply::{self, Outcome},
    catalog::{self, TableRow, TableState},
    core::Core,
    engine::{Read, Write},
    feed,
    keys::TableId,
    meta, record,
    request::Change,
    settings::Holder,
    stamps::{Stamp, Stamps},
};
use crate::{ETag, ErrorCode, Result, StorageFault, TableError, TableName, Written};

/// What an accepted request does. Nothing can refuse it any more.
#[derive(Debug, Default)]
pub(super) struct Decision {
    /// What each of its operations leaves.
    outcomes: Vec<Outcome>,
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
    /// Decides on a change. It reads only: a refused request leaves no trace. `pending` are the changes of the catalog
    /// that are in the transaction already.
    pub(super) fn on(
        change: &mut Change,
        read: &dyn Read,
        stamps: Stamps,
        core: &Core,
        pending: &[TableRow],
    ) -> Result<Self> {
        match change {
            Change::Write { table, operations, transaction } => {
                let transaction = *transaction;
                let at = |index| move |error: TableError| if transaction { error.at(index) } else { error };
                let id = live_table(core, pending, table).map_err(at(0))?;
                for operation in operations.iter_mut() {
                    operation.set_table(id);
                }
                let all_new = apply::are_all_new(read, operations).map_err(|fault| at(0)(fault.into()))?;
                let mut outcomes = Vec::with_capacity(operations.len());
                for (index, operation) in operations.iter().enumerate() {
                    let length = core.options.key_length;
                    let decided =
                        if all_new { Ok(Outcome::AsSent) } else { apply::decide(read, operation, length) };
                    outcomes.push(decided.map_err(at(index))?);
                }
                Self::write(outcomes, stamps, core)
            }
            Change::CreateTable(name) => Self::create_table(name, read),
            Change::DeleteTable(name) => Self::delete_table(name, read),
        }
    }

    /// Each entity stands once in a request, so no outcome depends on another.
    fn write(outcomes: Vec<Outcome>, stamps: Stamps, core: &Core) -> Result<Self> {
        let stores = |outcome: &Outcome| !matches!(outcome, Outcome::Removed);
        let stamp =
            if outcomes.iter().any(stores) { Some(stamps.next(core.options.clock.now())?) } else { None };
        let written = outcomes.iter().map(|outcome| match stamp {
            Some(Stamp { time, .. }) if stores(outcome) => {
                Written::Version { etag: ETag::from(time), timestamp: time }
            }
            _ => Written::Deleted,
        });
        let written = written.collect();
        Ok(Self { outcomes, stamp, written, ..Self::default() })
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
    pub(super) fn apply(&self, change: &mut Change, write: &mut dyn Write) -> Result<(), StorageFault> {
        if let Change::Write { operations, .. } = change {
            for (operation, outcome) in operations.iter_mut().zip(&self.outcomes) {
                match (outcome, self.stamp) {
                    (Outcome::Removed, _) => {
                        write.remove(operation.key())?;
                        feed::remove(write, operation.key())?;
                    }
                    (Outcome::Merged(properties), Some(stamp)) => {
                        let record = record::encode(operation.key(), stamp.time, properties)?;
                        write.put(operation.key(), &record)?;
                        feed::put(write, operation.key(), &record)?;
                    }
                    (Outcome::AsSent, Some(stamp)) => {
                        let (key, record) = operation.sealed(stamp.time)?;
                        write.put(key, record)?;
                        feed::put(write, key, record)?;
                    }
                    (Outcome::AsSent | Outcome::Merged(_), None) => {
                        return Err(StorageFault::Bug { what: "a write has no time".to_owned() });
                    }
                }
            }
        }
        if let Some(row) = &self.table {
            catalog::put(write, row)?;
            if row.state == TableState::Deleted {
                write.remove(&Holder::table(row.id).key())?;
            }
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

/// The id of a table as the transaction sees it: what it has changed itself, else what was committed.
fn live_table(core: &Core, pending: &[TableRow], name: &TableName) -> Result<TableId> {
    match pending.iter().rfind(|row| row.name == *name) {
        Some(row) if row.state == TableState::Live => Ok(row.id),
        Some(_) => Err(ErrorCode::TableNotFound.into()),
        None => core.names.find(name),
    }
}
