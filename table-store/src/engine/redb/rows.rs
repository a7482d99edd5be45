//! Rows that are written in one commit, most of them in key order.

use ::redb::{CursorError, Table};

use std::{mem, ops::Bound};

use table_model::{StorageFault, pauses::Pauses};

use super::{FileEngine, fault::Failure, transaction::Transaction};
use crate::engine::{Applied, Persist, Verdict};

/// Callback that accepts a row, or the removal of a row.
pub(crate) type PutRow<'p> = &'p mut dyn FnMut(&[u8], Option<&[u8]>) -> Result<(), StorageFault>;

/// Number of bytes that are collected before they are inserted.
const MOST_BYTES: usize = 256 << 10;
/// Number of new rows in sequence after which the next rows are collected.
const LEAST_NEW: u32 = 2;
/// The largest value of this number.
const MOST_NEW: u32 = 4_096;
/// Number of rows of a gap for which the collection was worthwhile.
const LONG: usize = 16;

impl FileEngine {
    /// Writes the rows that `fill` passes, and the position of the log, in one synced commit. If `fill` returns an error,
    /// nothing changes.
    pub(crate) fn write_rows(
        &self,
        applied: Option<Applied>,
        fill: &mut dyn FnMut(PutRow<'_>) -> Result<(), StorageFault>,
    ) -> Result<(), StorageFault> {
        let mut filled = Ok(());
        let written = self.write_with(applied, &mut |transaction| {
            let (mut rows, mut pauses) = (Rows::new(transaction), Pauses::default());
            filled = fill(&mut |key, value| {
                pauses.after_row(value.map_or(0, <[u8]>::len));
                rows.put(key, value)
            })
            .and_then(|()| rows.finish());
            if filled.is_ok() { Verdict::Commit(Persist::Now) } else { Verdict::Discard }
        });
        filled.and(written)
    }
}

/// Writes rows. New rows whose keys ascend and lie between the same two existing rows are inserted together: the pages are
/// then written once and filled completely, for a third of the instructions of single inserts.
///
/// Whether a row is new is known after its insert only, so a few rows in sequence are inserted singly first. Where this
/// expectation was wrong, more of them are.
struct Rows<'r, 't> {
    records: &'r mut Table<'t, &'static [u8], &'static [u8]>,
    /// Number of new rows that were inserted in sequence, and how many cause collecting.
    new: u32,
    least: u32,
    /// Keys and values of the collected rows, and where each of them ends.
    bytes: Vec<u8>,
    ends: Vec<[usize; 2]>,
}

impl<'r, 't> Rows<'r, 't> {
    fn new(transaction: &'r mut Transaction<'t>) -> Self {
        let records = transaction.records_mut();
        Self { records, new: 0, least: LEAST_NEW, bytes: Vec::new(), ends: Vec::new() }
    }

    fn put(&mut self, key: &[u8], value: Option<&[u8]>) -> Result<(), StorageFault> {
        self.place(key, value).map_err(Failure::into_fault)
    }

    fn finish(&mut self) -> Result<(), StorageFault> {
        self.insert_collected().map_err(Failure::into_fault)
    }

    fn place(&mut self, key: &[u8], value: Option<&[u8]>) -> Result<(), Failure> {
        let Some(value) = value else {
            self.insert_collected()?;
            self.new = 0;
            self.records.remove(key)?;
            return Ok(());
        };
        if self.last().is_some_and(|last| last >= key) {
            self.insert_collected()?;
        }
        if self.ends.is_empty() && self.new < self.least {
            let is_new = self.records.insert(key, value)?.is_none();
            self.new = if is_new { self.new.saturating_add(1) } else { 0 };
            return Ok(());
        }
        self.bytes.extend_from_slice(key);
        let end = self.bytes.len();
        self.bytes.extend_from_slice(value);
        self.ends.push([end, self.bytes.len()]);
        if self.bytes.len() < MOST_BYTES { Ok(()) } else { self.insert_collected() }
    }

    /// Returns the key of the last collected row.
    fn last(&self) -> Option<&[u8]> {
        let [key_end, _] = *self.ends.last()?;
        let start = self
            .ends
            .len()
            .checked_sub(2)
            .and_then(|before| self.ends.get(before))
            .map_or(0, |[_, end]| *end);
        self.bytes.get(start..key_end)
    }

    /// Inserts all collected rows.
    fn insert_collected(&mut self) -> Result<(), Failure> {
        while !self.ends.is_empty() {
            self.fill_gap()?;
        }
        Ok(())
    }

    /// Inserts the collected rows that lie in the gap at the first key together, and the next one singly. The others are
    /// placed again, and may be collected again.
    fn fill_gap(&mut self) -> Result<(), Failure> {
        let (bytes, ends) = (mem::take(&mut self.bytes), mem::take(&mut self.ends));
        let mut rows = parts(&bytes, &ends);
        let Some((first, _)) = rows.clone().next() else { return Ok(()) };
        let mut cursor = self.records.upper_bound_mut(Bound::Excluded(first))?;
        let (mut count, mut other) = (0, None);
        for (key, value) in rows.by_ref() {
            match cursor.insert_before(key, value) {
                Ok(()) => count += 1,
                Err(CursorError::UnorderedKey) => {
                    other = Some((key, value));
                    break;
                }
                Err(error) => return Err(error.into()),
            }
        }
        cursor.close()?;
        if let Some(other) = other {
            if count < LONG {
                self.least = self.least.saturating_mul(2).min(MOST_NEW);
            }
            self.new = 0;
            return std::iter::once(other)
                .chain(rows)
                .try_for_each(|(key, value)| self.place(key, Some(value)));
        }
        self.least = LEAST_NEW;
        Ok(())
    }
}

/// Iterates over collected rows.
fn parts<'b>(bytes: &'b [u8], ends: &'b [[usize; 2]]) -> impl Iterator<Item = (&'b [u8], &'b [u8])> + Clone {
    let mut start = 0;
    ends.iter().map(move |&[key_end, end]| {
        let row =
            (bytes.get(start..key_end).unwrap_or_default(), bytes.get(key_end..end).unwrap_or_default());
        start = end;
        row
    })
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, ops::ControlFlow, sync::Arc};

    use super::*;
    use crate::{
        MemoryDisk,
        engine::{Engine, logged_tests::Dice},
        keys::TableId,
    };

    type Row = (Vec<u8>, Option<Vec<u8>>);

    /// Returns rows of one of the orders that a commit can have.
    fn rows(dice: &mut Dice) -> Vec<Row> {
        let (first, count) = (dice.roll(5_000), 1 + dice.roll(300));
        let (step, order, len) = (1 + dice.roll(3), dice.roll(5), 1 + dice.roll(400));
        let row = |dice: &mut Dice, nth: u64| {
            let number = match order {
                0 | 1 => first + nth * step,
                2 => first + (count - nth) * step,
                3 => dice.roll(5_000),
                // Two sequences, one after the other.
                _ => first + nth * step % (1 + count / 2),
            };
            let is_removed = dice.roll(if order == 1 { 40 } else { 8 }) == 0;
            let value = vec![u8::try_from(dice.roll(256)).unwrap(); usize::try_from(len).unwrap()];
            (format!("{number:06}").into_bytes(), (!is_removed).then_some(value))
        };
        (0..count).map(|nth| row(dice, nth)).collect()
    }

    fn stored(engine: &FileEngine) -> BTreeMap<Vec<u8>, Vec<u8>> {
        let mut rows = BTreeMap::new();
        engine
            .read(&mut |read| {
                read.scan(&[], &TableId(u32::MAX).end(), &mut |key, value| {
                    rows.insert(key.to_vec(), value.to_vec());
                    ControlFlow::Continue(())
                })
                .unwrap();
            })
            .unwrap();
        rows
    }

    #[test]
    fn rows_in_any_order_have_the_results_of_a_map() {
        let mut dice = Dice(11);
        let engine = FileEngine::create(Arc::new(MemoryDisk::new()), 1 << 20, true).unwrap();
        let mut expected = BTreeMap::new();
        for commit in 0..150 {
            let rows = rows(&mut dice);
            let put = |put: PutRow<'_>| rows.iter().try_for_each(|(key, value)| put(key, value.as_deref()));
            engine.write_rows(None, &mut |each| put(each)).unwrap();
            for (key, value) in rows {
                match value {
                    Some(value) => expected.insert(key, value),
                    None => expected.remove(&key),
                };
            }
            assert!(stored(&engine) == expected, "commit {commit}");
        }
        let failed = engine.write_rows(None, &mut |put| {
            (0..100_u64).try_for_each(|number| put(&number.to_be_bytes(), Some(&[7; 100])))?;
            Err(StorageFault::Closed)
        });
        assert!(failed.is_err() && stored(&engine) == expected, "a commit that failed changes nothing");
    }
}
