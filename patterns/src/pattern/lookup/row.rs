//! Conversion of list changes to operations. Each list is read once and written once per transaction.

use table_model::{Condition, ETag, Operation, Properties};

use super::{ListChange, ListChanges};
use crate::{
    Address, Error, Tables,
    core::{
        error::{DecodeError, RowError},
        list::{Ids, SPILLED},
        proof::is_derived_list,
        reserved::{NO_DERIVED_TOKEN, TRANSACTION},
        row::{foreign, is_of_other_type},
    },
    design::{Design, Index},
    pattern::index::{IndexRow, IndexRows},
    write::{Write, at},
};

/// The changes of one list, and the index of the write that they are assigned to: the first write with such a change.
struct Changes {
    owner: usize,
    changes: Vec<ListChange>,
}

/// The list row.
#[derive(Clone, Default)]
pub(crate) struct Own {
    pub(crate) etag: Option<ETag>,
    pub(crate) ids: Ids,
    is_spilled: bool,
}

/// Reads the lists that the writes change, and converts the changes to operations. The result is valid while no
/// concurrent writer changes these lists.
pub(crate) async fn settle(tables: &Tables, writes: &mut [Write]) -> Result<(), Error> {
    for Changes { owner, changes } in by_list(writes) {
        let Some(first) = changes.first().map(ListChange::member) else { continue };
        let (index, list) = (first.index, first.list.clone());
        let design = writes.get(owner).and_then(|write| write.design);
        let own = Own::read(tables, design, index, &list).await?;
        let operations = own.change(index, list, changes);
        if let Some(own) = writes.get_mut(owner).and_then(Write::change_mut::<IndexRows>) {
            own.rows.extend(operations.into_iter().map(|operation| IndexRow::new(index, operation)));
        }
    }
    Ok(())
}

/// Moves the changes out of the writes, grouped by list.
fn by_list(writes: &mut [Write]) -> Vec<Changes> {
    let mut lists: Vec<Changes> = Vec::new();
    for (owner, write) in writes.iter_mut().enumerate() {
        let Some(ListChanges(changes)) = write.change_mut() else { continue };
        for change in std::mem::take(changes) {
            let is_it = |other: &ListChange| other.member().list == change.member().list;
            match lists.iter_mut().find(|list| list.changes.first().is_some_and(is_it)) {
                Some(list) => list.changes.push(change),
                None => lists.push(Changes { owner, changes: vec![change] }),
            }
        }
    }
    lists
}

impl Own {
    /// Returns the operation that removes members from the list row, conditional on the ETag that was read.
    pub(crate) fn without(self, index: &'static Index, list: &Address, gone: &[String]) -> Option<Operation> {
        let mut ids = self.ids;
        for id in gone {
            ids.remove(id);
        }
        let condition = Condition::Matches(self.etag?);
        let Address { partition_key, row_key, .. } = list.clone();
        if ids.is_empty() {
            return Some(Operation::Delete { partition_key, row_key, condition });
        }
        let mut properties = Properties::with_capacity(1);
        properties.push_new(index.ids()?, ids.text());
        Some(at(list.clone(), properties, |entity| Operation::Merge(entity, condition)))
    }

    /// Reads the list row.
    ///
    /// # Errors
    /// Returns [`Error::Decode`] if the row belongs to another entity type than `design`, or is no list.
    pub(crate) async fn read(
        tables: &Tables,
        design: Option<&'static Design>,
        index: &'static Index,
        list: &Address,
    ) -> Result<Self, Error> {
        let rows = tables.read(list, None).await?;
        let (Some(row), Some(property)) = (rows.get(0), index.ids()) else { return Ok(Self::default()) };
        if design.is_some_and(|design| is_of_other_type(design, row)) {
            return Err(foreign(index.name, row, (&list.partition_key, &list.row_key)).into());
        }
        let refuse = |problem| DecodeError {
            entity: index.name,
            partition_key: list.partition_key.clone(),
            row_key: list.row_key.clone(),
            problem: Box::new(problem),
        };
        let ids = Ids::read(property, row.properties).map_err(|error| refuse(RowError::Property(error)))?;
        if !is_derived_list(index, row) {
            return Err(refuse(RowError::NotDerived { index: index.name }).into());
        }
        Ok(Self { etag: Some(row.etag.clone()), ids, is_spilled: row.properties.get(SPILLED).is_some() })
    }

    /// Returns the operations of the changes: an operation on the list row, if it changes, and an operation for each
    /// member with a separate row.
    fn change(self, index: &'static Index, list: Address, changes: Vec<ListChange>) -> Vec<Operation> {
        let (mut ids, mut is_spilled, mut is_relied_on) = (self.ids.clone(), self.is_spilled, false);
        let mut operations = Vec::new();
        let mut common = Properties::new();
        for change in changes {
            match change {
                ListChange::Add(member) => {
                    common = member.row.properties.clone();
                    if ids.contains(&member.id) {
                        // The entity was in the list when the list was read. It may be deleted, and removed from the
                        // list, before this transaction is sent. The list must therefore be unchanged.
                        is_relied_on = true;
                    } else if is_spilled || !ids.insert(&member.id) {
                        is_spilled = true;
                        operations.push(at(member.row.address, member.row.properties, Operation::Insert));
                    }
                }
                ListChange::Remove(member) => {
                    if !ids.remove(&member.id) && !member.is_other_row {
                        let Address { partition_key, row_key, .. } = member.row.address;
                        let condition = Condition::Exists;
                        operations.push(Operation::Delete { partition_key, row_key, condition });
                    }
                }
            }
        }
        if ids != self.ids || is_spilled != self.is_spilled || is_relied_on {
            let mut properties = Properties::new();
            properties.set(index.ids().unwrap_or_default(), ids.text());
            if is_spilled {
                properties.set(SPILLED, true);
            }
            properties.set(TRANSACTION, NO_DERIVED_TOKEN);
            for (name, value) in common {
                properties.set(name, value);
            }
            operations.push(self.write(list, properties, ids.is_empty()));
        }
        operations
    }

    /// Writes the list row, conditional on the ETag that was read. An empty list is deleted.
    fn write(self, list: Address, properties: Properties, is_empty: bool) -> Operation {
        match self.etag {
            None => at(list, properties, Operation::Insert),
            Some(etag) if is_empty => {
                let Address { partition_key, row_key, .. } = list;
                Operation::Delete { partition_key, row_key, condition: Condition::Matches(etag) }
            }
            Some(etag) => at(list, properties, |row| Operation::Merge(row, Condition::Matches(etag))),
        }
    }
}
