use std::cell::Cell;

use ::redb::{ReadableTable, Table};

use table_model::StorageFault;

use super::{Records, fault::Failure};
use crate::{
    checksum,
    engine::{Read, Visit, Write},
};

/// Snapshot of one commit.
pub(crate) struct Snapshot<'r> {
    records: &'r Records,
    stale: Cell<bool>,
    failed: Cell<bool>,
}

impl<'r> Snapshot<'r> {
    pub(super) fn new(records: &'r Records) -> Self {
        Self { records, stale: Cell::new(false), failed: Cell::new(false) }
    }

    /// Returns whether a read failed only because the file must be reopened.
    pub(crate) fn is_stale(&self) -> bool {
        self.stale.get()
    }

    /// Returns whether a read failed for any reason.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed.get()
    }

    fn report<T>(&self, outcome: Result<T, Failure>) -> Result<T, StorageFault> {
        outcome.map_err(|failure| {
            self.stale.set(self.stale.get() || failure.is_stale());
            self.failed.set(true);
            failure.into_fault()
        })
    }
}

impl Read for Snapshot<'_> {
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool, StorageFault> {
        self.report(get(self.records, key, visit))
    }

    fn scan(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), StorageFault> {
        self.report(scan(self.records, from, to, visit))
    }

    fn get_whole(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool, StorageFault> {
        self.report(get_whole(self.records, key, visit))
    }

    fn scan_whole(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), StorageFault> {
        self.report(scan_whole(self.records, from, to, visit))
    }

    fn scan_back(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), StorageFault> {
        self.report(scan_back(self.records, from, to, visit))
    }
}

/// The write transaction.
pub(super) struct Transaction<'t> {
    records: Table<'t, &'static [u8], &'static [u8]>,
}

impl<'t> Transaction<'t> {
    pub(super) fn new(records: Table<'t, &'static [u8], &'static [u8]>) -> Self {
        Self { records }
    }

    pub(super) fn records_mut(&mut self) -> &mut Table<'t, &'static [u8], &'static [u8]> {
        &mut self.records
    }
}

impl Read for Transaction<'_> {
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool, StorageFault> {
        get(&self.records, key, visit).map_err(Failure::into_fault)
    }

    fn scan(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), StorageFault> {
        scan(&self.records, from, to, visit).map_err(Failure::into_fault)
    }

    fn get_whole(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool, StorageFault> {
        get_whole(&self.records, key, visit).map_err(Failure::into_fault)
    }

    fn scan_whole(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), StorageFault> {
        scan_whole(&self.records, from, to, visit).map_err(Failure::into_fault)
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
        if key < from || key >= to {
            return Err(misplaced());
        }
        if visit(key, value.value()).is_break() {
            break;
        }
    }
    Ok(())
}

/// Reads a value and verifies its neighbors if it is not found: a record with a damaged key is adjacent to the end of
/// the search.
fn get_whole(
    records: &impl ReadableTable<&'static [u8], &'static [u8]>,
    key: &[u8],
    visit: &mut dyn FnMut(&[u8]),
) -> Result<bool, Failure> {
    let found = get(records, key, visit)?;
    if !found {
        verify_before(records, key)?;
        if let Some((next, value)) = records.range::<&[u8]>(key..)?.next().transpose()? {
            verify_end(key, next.value(), value.value())?;
        }
    }
    Ok(found)
}

/// Scans a range and verifies the record after it. The engine ends a scan at the first key outside of the range, so a
/// misplaced record would end it early. The scan therefore uses an open range and verifies the record at which it
/// stops.
fn scan_whole(
    records: &impl ReadableTable<&'static [u8], &'static [u8]>,
    from: &[u8],
    to: &[u8],
    visit: Visit<'_>,
) -> Result<(), Failure> {
    if from >= to {
        return Ok(());
    }
    verify_before(records, from)?;
    for entry in records.range::<&[u8]>(from..)? {
        let (key, value) = entry?;
        let (key, value) = (key.value(), value.value());
        if !(from..to).contains(&key) {
            return verify_end(to, key, value);
        }
        if visit(key, value).is_break() {
            break;
        }
    }
    Ok(())
}

/// Scans a range like [`scan_whole`], descending.
fn scan_back(
    records: &impl ReadableTable<&'static [u8], &'static [u8]>,
    from: &[u8],
    to: &[u8],
    visit: Visit<'_>,
) -> Result<(), Failure> {
    if from >= to {
        return Ok(());
    }
    if let Some((end, value)) = records.range::<&[u8]>(to..)?.next().transpose()? {
        verify_end(to, end.value(), value.value())?;
    }
    for entry in records.range::<&[u8]>(..to)?.rev() {
        let (key, value) = entry?;
        let (key, value) = (key.value(), value.value());
        if key >= to {
            return Err(misplaced());
        }
        if key < from {
            checksum::unseal(key, value)?;
            break;
        }
        if visit(key, value).is_break() {
            break;
        }
    }
    Ok(())
}

/// Verifies the last record before a key.
fn verify_before(
    records: &impl ReadableTable<&'static [u8], &'static [u8]>,
    key: &[u8],
) -> Result<(), Failure> {
    let Some((before, value)) = records.range::<&[u8]>(..key)?.next_back().transpose()? else {
        return Ok(());
    };
    checksum::unseal(before.value(), value.value())?;
    if before.value() < key { Ok(()) } else { Err(misplaced()) }
}

/// Verifies the first record at or after a key, at which a scan up to that key ends.
fn verify_end(key: &[u8], end: &[u8], value: &[u8]) -> Result<(), Failure> {
    checksum::unseal(end, value)?;
    if end >= key { Ok(()) } else { Err(misplaced()) }
}

/// Creates the fault for damaged inner pages: they lead to sound records, but not to the requested ones.
fn misplaced() -> Failure {
    Failure::damaged("a scan returned a record outside its range")
}
