//! Decision on a request before any write.

use table_model::{ETag, ErrorCode, Result, StorageFault, TableError, TableName, Written, operation::Effect};

use crate::{
    account::Holder,
    apply,
    catalog::{self, TableRow, TableState},
    core::Core,
    engine::{Read, Write},
    keys::TableId,
    meta, outbox_index, record,
    request::Change,
    reserved_names::Resource,
    timestamps::{Stamp, Stamps},
};

/// Effects of an accepted request, which can no longer be rejected.
#[derive(Debug, Default)]
pub(crate) struct Decision {
    /// Outcome of each operation.
    outcomes: Vec<Effect>,
    /// Records of the catalog: the table that the request creates or deletes. Before a created one, the deleted table that
    /// had its name, under another name.
    pub(crate) tables: Vec<TableRow>,
    /// Next table id, if the request uses one.
    next_table: Option<TableId>,
    /// Timestamp used by the request.
    pub(crate) stamp: Option<Stamp>,
    /// Result for the caller.
    pub(crate) written: Vec<Written>,
}

impl Decision {
    /// Decides a change. Only reads, so a rejected request changes nothing. `pending` contains the catalog changes that
    /// are already in the transaction.
    pub(crate) fn on(
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
                        if all_new { Ok(Effect::AsSent) } else { apply::decide(read, operation, length) };
                    outcomes.push(decided.map_err(at(index))?);
                }
                Self::write(outcomes, stamps, core)
            }
            Change::CreateTable(name) => Self::create_table(name, read, core),
            Change::DeleteTable(name) => Self::delete_table(name, read, core),
        }
    }

    /// Each entity occurs at most once in a request, so the outcomes are independent.
    fn write(outcomes: Vec<Effect>, stamps: Stamps, core: &Core) -> Result<Self> {
        let stores = |outcome: &Effect| !matches!(outcome, Effect::Removed);
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

    fn create_table(name: &TableName, read: &dyn Read, core: &Core) -> Result<Self> {
        let found = catalog::find(read, name)?;
        if found.as_ref().is_some_and(|row| row.state == TableState::Live) {
            return Err(ErrorCode::TableAlreadyExists.into());
        }
        if core.is_reserved(Resource::Table, name.folded()) {
            return Err(ErrorCode::TableBeingDeleted.into());
        }
        let moved = found.as_ref().map(|row| catalog::moved(read, row)).transpose()?;
        let id = meta::next_table(read)?;
        let next = id.0.checked_add(1).map(TableId);
        let next = next.ok_or_else(|| StorageFault::Bug { what: "no table ids are left".to_owned() })?;
        let row = TableRow { id, name: name.clone(), state: TableState::Live };
        let tables = moved.into_iter().chain([row]).collect();
        Ok(Self { tables, next_table: Some(next), ..Self::default() })
    }

    fn delete_table(name: &TableName, read: &dyn Read, core: &Core) -> Result<Self> {
        match catalog::find(read, name)? {
            Some(row) if row.state == TableState::Live => {
                core.reserve(Resource::Table, name.folded());
                let row = TableRow { state: TableState::Deleted, ..row };
                Ok(Self { tables: vec![row], ..Self::default() })
            }
            _ => Err(ErrorCode::ResourceNotFound.into()),
        }
    }

    /// Writes all effects. After an error the transaction is incomplete and must be discarded.
    pub(crate) fn apply(&self, change: &mut Change, write: &mut dyn Write) -> Result<(), StorageFault> {
        if let Change::Write { operations, .. } = change {
            for (operation, outcome) in operations.iter_mut().zip(&self.outcomes) {
                match (outcome, self.stamp) {
                    (Effect::Removed, _) => {
                        write.remove(operation.key())?;
                        outbox_index::remove(write, operation.key())?;
                    }
                    (Effect::Merged(properties), Some(stamp)) => {
                        let record = record::encode(operation.key(), stamp.time, properties)?;
                        write.put(operation.key(), &record)?;
                        outbox_index::put(write, operation.key(), &record)?;
                    }
                    (Effect::AsSent, Some(stamp)) => {
                        let (key, record) = operation.sealed(stamp.time)?;
                        write.put(key, record)?;
                        outbox_index::put(write, key, record)?;
                    }
                    (Effect::AsSent | Effect::Merged(_), None) => {
                        return Err(StorageFault::Bug { what: "a write has no timestamp".to_owned() });
                    }
                }
            }
        }
        for row in &self.tables {
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

/// Returns the id of a table as seen by the transaction: from its pending changes, otherwise from the committed
/// catalog.
fn live_table(core: &Core, pending: &[TableRow], name: &TableName) -> Result<TableId> {
    match pending.iter().rfind(|row| row.name == *name) {
        Some(row) if row.state == TableState::Live => Ok(row.id),
        Some(_) => Err(ErrorCode::TableNotFound.into()),
        None => core.names.find(name),
    }
}
