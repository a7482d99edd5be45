use std::{cell::Cell, sync::Arc};

use ::redb::{ReadableTable, Table};

use super::{Records, fault::Failure};
use crate::{
    StorageFault,
    embedded::engine::{Read, Visit, Write},
};

/// A view of one commit.
pub(super) struct Snapshot {
    records: Arc<Records>,
    stale: Cell<bool>,
}

impl Snapshot {
    pub(super) fn new(records: Arc<Records>) -> Self {
        Self { records, stale: Cell::new(false) }
    }

    /// Whether a read failed only because the file must be opened again.
    pub(super) fn is_stale(&self) -> bool {
        self.stale.get()
    }

    fn report<T>(&self, outcome: Result<T, Failure>) -> Result<T, StorageFault> {
        outcome.map_err(|failure| {
            self.stale.set(self.stale.get() || failure.is_stale());
            failure.into_fault()
        })
    }
}

impl Read for Snapshot {
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool, StorageFault> {
        self.report(get(&*self.records, key, visit))
    }

    fn scan(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), StorageFault> {
        self.report(scan(&*self.records, from, to, visit))
    }
}

/// The one writing transaction.
pub(super) struct Transaction<'t> {
    records: Table<'t, &'static [u8], &'static [u8]>,
}

impl<'t> Transaction<'t> {
    pub(super) fn new(records: Table<'t, &'static [u8], &'static [u8]>) -> Self {
        Self { records }
    }
}

impl Read for Transaction<'_> {
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool, StorageFault> {
        get(&self.records, key, visit).map_err(Failure::into_fault)
    }

    fn scan(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), StorageFault> {
        scan(&self.records, from, to, visit).map_err(Failure::into_fault)
    }
}

impl Write for Transaction<'_> {
    fn put(&mut self, key: &[u8], value: &[u8]) -> Result<(), StorageFault> {
        self.records.insert(key, value).map(drop).map_err(|error| Failure::from(error).into_fault())
    }

    fn remove(&mut self, key: &[u8]) -> Result<(), StorageFault> {
        self.records.remove(key).map(drop).map_err(|error| Failure::from(error).into_fault())
    }
}

fn get(
    records: &impl ReadableTable<&'static [u8], &'static [u8]>,
    key: &[u8],
    visit: &mut dyn FnMut(&[u8]),
) -> Result<bool, Failure> {
    let value = records.get(key)?;
    if let Some(value) = &value {
        visit(value.value());
    }
    Ok(value.is_some())
}

fn scan(
    records: &impl ReadableTable<&'static [u8], &'static [u8]>,
    from: &[u8],
    to: &[u8],
    visit: Visit<'_>,
) -> Result<(), Failure> {
    if from >= to {
        return Ok(());
    }
    for entry in records.range::<&[u8]>(from..to)? {
        let (key, value) = entry?;
        let key = key.value();
        // Pages that lead to the wrong place show records that are sound, but not those that were asked for.
        if key < from || key >= to {
            return Err(Failure::damaged("a scan came upon a record outside of its range"));
        }
        if visit(key, value.value()).is_break() {
            break;
        }
    }
    Ok(())
}
