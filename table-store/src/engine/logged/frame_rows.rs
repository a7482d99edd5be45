//! Rows of recovered frames, in the buffers of the frames.

use std::collections::BTreeMap;

use super::{
    changes::Change,
    frame::{self, change_len},
};

/// The newest version of each row of some frames, in key order. Nothing is copied: a row is a place in its frame.
pub(super) struct FrameRows {
    frames: Vec<RecoveredFrame>,
    rows: Vec<Row>,
}

/// The changes of a frame that can be decoded.
#[derive(Debug)]
pub(super) struct RecoveredFrame {
    pub(super) sequence: u64,
    pub(super) changes: Vec<u8>,
}

#[derive(Clone, Copy)]
struct Row {
    /// Index of the frame.
    frame: u32,
    /// Offset of the change in the frame.
    at: u32,
}

/// A row, and a part of its key that nearly always tells the order of two rows, without a read of their keys.
struct Sorted {
    start: Start,
    row: Row,
}

/// The table of a key, and its next bytes after the prefix that all keys of this table share; zeros after a shorter key.
/// The order of two different values is that of the keys.
type Start = (u64, u64, u64);

/// Length of the id of a table at the start of a key.
const ID_BYTES: usize = 4;

impl FrameRows {
    /// Sorts the rows of frames that are in the order of their numbers.
    pub(super) fn new(frames: Vec<RecoveredFrame>) -> Self {
        let mut sorted = Vec::new();
        let mut prefixes = Prefixes::default();
        for (frame, RecoveredFrame { changes, .. }) in (0_u32..).zip(&frames) {
            let mut at = 0;
            let _ = frame::decode(changes, |key, value| {
                prefixes.add(key);
                let row = Row { frame, at: u32::try_from(at).unwrap_or(u32::MAX) };
                sorted.push(Sorted { start: Start::default(), row });
                at += change_len(key, value);
            });
        }
        prefixes.finish();
        let key = |row: Row| row.change(&frames).0;
        for Sorted { start, row } in &mut sorted {
            *start = prefixes.start(key(*row));
        }
        sorted.sort_unstable_by(|one, other| {
            let keys = || key(one.row).cmp(key(other.row));
            one.start.cmp(&other.start).then_with(keys).then(other.row.frame.cmp(&one.row.frame))
        });
        sorted.dedup_by(|later, first| later.start == first.start && key(later.row) == key(first.row));
        let rows = sorted.into_iter().map(|sorted| sorted.row).collect();
        Self { frames, rows }
    }

    /// Returns the number of rows.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns the row at an index with the number of its frame.
    pub(super) fn get(&self, index: usize) -> Option<(&[u8], u64, Change<'_>)> {
        self.rows.get(index).map(|row| self.row(*row))
    }

    /// Returns the index of the first row that is not before the position that `is_before` compares with.
    pub(super) fn lower_bound(&self, is_before: impl Fn(&[u8], u64) -> bool) -> usize {
        self.rows.partition_point(|row| {
            let (key, sequence, _) = self.row(*row);
            is_before(key, sequence)
        })
    }

    fn row(&self, row: Row) -> (&[u8], u64, Change<'_>) {
        let (key, value) = row.change(&self.frames);
        (key, row.frame(&self.frames).map_or(0, |frame| frame.sequence), value)
    }
}

impl Row {
    fn frame(self, frames: &[RecoveredFrame]) -> Option<&RecoveredFrame> {
        frames.get(self.frame as usize)
    }

    fn change(self, frames: &[RecoveredFrame]) -> (&[u8], Change<'_>) {
        let changes = self.frame(frames).and_then(|frame| frame.changes.get(self.at as usize..));
        changes.and_then(frame::first).map_or((&[], None), |(change, _)| change)
    }
}

/// The prefixes that all keys of a table share. Most keys have the table of the key before them.
#[derive(Default)]
struct Prefixes<'k> {
    of: BTreeMap<&'k [u8], &'k [u8]>,
    table: &'k [u8],
    prefix: &'k [u8],
}

impl<'k> Prefixes<'k> {
    fn add(&mut self, key: &'k [u8]) {
        let table = table(key);
        if self.of.is_empty() || table != self.table {
            self.finish();
            self.prefix = self.of.get(table).copied().unwrap_or(key);
            self.table = table;
            self.of.insert(table, self.prefix);
        }
        if !key.starts_with(self.prefix) {
            let len = self.prefix.iter().zip(key).take_while(|(one, other)| one == other).count();
            self.prefix = self.prefix.get(..len).unwrap_or_default();
        }
    }

    /// Records the prefix of the last table.
    fn finish(&mut self) {
        if let Some(prefix) = self.of.get_mut(self.table) {
            *prefix = self.prefix;
        }
    }

    fn start(&mut self, key: &'k [u8]) -> Start {
        let table = table(key);
        if table != self.table {
            self.table = table;
            self.prefix = self.of.get(table).copied().unwrap_or_default();
        }
        let mut words = [[0; 8]; 3];
        let [id, rest] = [table, key.get(self.prefix.len()..).unwrap_or_default()];
        let places = words.as_flattened_mut().split_at_mut_checked(ID_BYTES).unwrap_or_default();
        copy(id, places.0);
        copy(rest, places.1);
        let [first, second, third] = words.map(u64::from_be_bytes);
        (first, second, third)
    }
}

fn table(key: &[u8]) -> &[u8] {
    key.get(..ID_BYTES).unwrap_or(key)
}

fn copy(from: &[u8], into: &mut [u8]) {
    let len = from.len().min(into.len());
    if let (Some(into), Some(from)) = (into.get_mut(..len), from.get(..len)) {
        into.copy_from_slice(from);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{super::tests::Dice, *};

    #[test]
    fn the_newest_versions_are_in_key_order() {
        for (seed, prefix) in (1..40).zip(["", "a", "one\0a prefix of many bytes"].into_iter().cycle()) {
            let mut dice = Dice(seed);
            let (mut frames, mut expected) = (Vec::new(), BTreeMap::new());
            for sequence in 0..dice.roll(12) {
                let mut changes = Vec::new();
                let mut rows = BTreeMap::new();
                for _ in 0..dice.roll(40) {
                    // Also keys that differ by zeros at the end, or behind the bytes that are compared first.
                    let len = usize::try_from(dice.roll(3) * 9).unwrap();
                    let table = &[0, 0, 0, 1, 0, 0, 0, 2][usize::try_from(dice.roll(2)).unwrap() * 4..];
                    let mut key = if dice.roll(9) == 0 {
                        Vec::new()
                    } else {
                        [&table[..4], prefix.as_bytes(), &vec![0; len]].concat()
                    };
                    (0..dice.roll(4)).for_each(|_| key.push(u8::try_from(dice.roll(3) * 100).unwrap()));
                    let value = (dice.roll(4) > 0).then(|| vec![7; usize::try_from(dice.roll(30)).unwrap()]);
                    rows.insert(key, value);
                }
                for (key, value) in rows {
                    frame::encode_change(&key, value.as_deref(), &mut changes);
                    expected.insert(key, (sequence, value));
                }
                frames.push(RecoveredFrame { sequence, changes });
            }
            let rows = FrameRows::new(frames);
            let found = (0..rows.len()).filter_map(|index| rows.get(index));
            let expected: Vec<_> = expected
                .iter()
                .map(|(key, (sequence, value))| (&key[..], *sequence, value.as_deref()))
                .collect();
            assert_eq!(found.collect::<Vec<_>>(), expected, "seed {seed}");
            assert_eq!(rows.get(rows.len()), None);
            for (index, (key, ..)) in expected.iter().enumerate() {
                assert_eq!(rows.lower_bound(|found, _| found < *key), index);
            }
        }
    }
}
