//! Engine keys: table id, PartitionKey, a zero byte, RowKey, encoded so that byte order equals the order of the
//! service.
//!
//! Texts are encoded in the [order](push_ordered) of the service. Keys contain no control characters, so 00 can terminate
//! the PartitionKey, and 01 is above all its RowKeys.

use std::borrow::Cow;

use table_model::{
    key::{ordered_text, push_ordered},
    plan::{Cut, KeyRange},
};

/// Id of the table that contains a record. Ids of deleted tables are not reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TableId(pub(crate) u32);

impl TableId {
    /// Metadata of the store.
    pub(crate) const META: Self = Self(0);
    /// The catalog of tables.
    pub(crate) const CATALOG: Self = Self(1);
    /// Ranges of records that must be removed.
    pub(crate) const LEFTOVERS: Self = Self(2);
    /// The queues.
    pub(crate) const QUEUES: Self = Self(3);
    /// The messages of queues.
    pub(crate) const MESSAGES: Self = Self(4);
    /// Access policies, and the properties of the services.
    pub(crate) const SETTINGS: Self = Self(5);
    /// Outbox index: the rows of all tables that workers must find.
    pub(crate) const OUTBOX: Self = Self(15);
    /// The first user table. The ids in between are reserved.
    pub(crate) const FIRST: Self = Self(16);

    /// Returns the common prefix of the keys of the table, which is also their lower bound.
    pub(crate) const fn prefix(self) -> [u8; 4] {
        self.0.to_be_bytes()
    }

    /// Returns the upper bound of the keys of the table, exclusive.
    pub(crate) fn end(self) -> Vec<u8> {
        match self.0.checked_add(1) {
            Some(next) => next.to_be_bytes().to_vec(),
            // Above every key of the last table: no string contains a byte FF.
            None => vec![0xff; 5],
        }
    }

    /// Returns the key of a record that is not an entity.
    pub(crate) fn key(self, rest: &[u8]) -> Vec<u8> {
        [&self.prefix(), rest].concat()
    }

    /// Returns the key of an entity.
    pub(crate) fn entity_key(self, partition_key: &str, row_key: &str) -> Vec<u8> {
        let mut key = Vec::with_capacity(4 + partition_key.len() + 1 + row_key.len());
        key.extend_from_slice(&self.prefix());
        push_ordered(&mut key, partition_key);
        key.push(ROW);
        push_ordered(&mut key, row_key);
        key
    }

    /// Returns the bounds of a range of the plan.
    pub(crate) fn range(self, range: &KeyRange) -> (Vec<u8>, Vec<u8>) {
        (self.place(&range.lower), self.place(&range.upper))
    }

    fn place(self, cut: &Cut) -> Vec<u8> {
        match cut {
            Cut::Start => self.prefix().to_vec(),
            Cut::Before(partition_key, row_key) => self.entity_key(partition_key, row_key),
            Cut::After(partition_key, row_key) => {
                let mut key = self.entity_key(partition_key, row_key);
                key.push(0);
                key
            }
            Cut::AfterPartition(partition_key) => {
                let mut key = self.prefix().to_vec();
                push_ordered(&mut key, partition_key);
                key.push(AFTER_PARTITION);
                key
            }
            Cut::End => self.end(),
        }
    }
}

/// Separator of PartitionKey and RowKey.
const ROW: u8 = 0;
/// Bound after a PartitionKey: above all its rows, below every longer PartitionKey.
const AFTER_PARTITION: u8 = 1;
/// Splits the key of an entity into PartitionKey and RowKey. Returns `None` for other keys.
pub(crate) fn split(key: &[u8]) -> Option<(Cow<'_, str>, Cow<'_, str>)> {
    let texts = key.get(4..)?;
    let end = texts.iter().position(|byte| *byte == ROW)?;
    Some((ordered_text(texts.get(..end)?)?, ordered_text(texts.get(end + 1..)?)?))
}

/// PartitionKey of consecutive records. It is decoded once for all records that share it.
#[derive(Debug, Default)]
pub(crate) struct PartitionRun {
    /// Start of the engine keys, up to the byte that terminates the PartitionKey. Empty before the first record.
    start: Vec<u8>,
    partition_key: String,
}

impl PartitionRun {
    /// Splits the key of an entity like [`split`].
    pub(crate) fn split<'k>(&'k mut self, key: &'k [u8]) -> Option<(&'k str, Cow<'k, str>)> {
        let row_key = match key.strip_prefix(self.start.as_slice()) {
            Some(row_key) if !self.start.is_empty() => row_key,
            _ => self.enter(key)?,
        };
        Some((&self.partition_key, ordered_text(row_key)?))
    }

    /// Returns `true` if the key of an entity has the PartitionKey of the run.
    pub(crate) fn contains(&self, key: &[u8]) -> bool {
        !self.start.is_empty() && key.starts_with(&self.start)
    }

    /// Returns the PartitionKey of the run.
    pub(crate) fn partition_key(&self) -> &str {
        &self.partition_key
    }

    /// Starts the run of another PartitionKey. Returns the encoded RowKey.
    fn enter<'k>(&mut self, key: &'k [u8]) -> Option<&'k [u8]> {
        let end = key.get(4..)?.iter().position(|byte| *byte == ROW)?;
        let (start, row_key) = key.split_at_checked(4 + end + 1)?;
        let partition_key = ordered_text(key.get(4..4 + end)?)?;
        self.partition_key.clear();
        self.partition_key.push_str(&partition_key);
        self.start.clear();
        self.start.extend_from_slice(start);
        Some(row_key)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use table_model::key::compare;

    const TABLE: TableId = TableId(0x0102_0304);

    fn key_text() -> impl Strategy<Value = String> {
        // Characters on both sides of the surrogates, and few distinct characters so that common prefixes are frequent.
        let characters: Vec<char> =
            "!ab~\u{a0}\u{7ff}\u{800}\u{d7ff}\u{e000}\u{ffff}\u{10000}\u{10ffff}".chars().collect();
        prop::collection::vec(prop::sample::select(characters), 0..5).prop_map(String::from_iter)
    }

    fn cut() -> impl Strategy<Value = Cut> {
        prop_oneof![
            Just(Cut::Start),
            Just(Cut::End),
            (key_text(), key_text()).prop_map(|(p, r)| Cut::Before(p, r)),
            (key_text(), key_text()).prop_map(|(p, r)| Cut::After(p, r)),
            key_text().prop_map(Cut::AfterPartition),
        ]
    }

    proptest! {
        #[test]
        fn bytes_sort_as_the_service_does(p in key_text(), r in key_text(), q in key_text(), s in key_text()) {
            let expected = compare(&p, &q).then_with(|| compare(&r, &s));
            prop_assert_eq!(TABLE.entity_key(&p, &r).cmp(&TABLE.entity_key(&q, &s)), expected);
        }

        #[test]
        fn places_sort_as_cuts_do(a in cut(), b in cut()) {
            prop_assert_eq!(TABLE.place(&a).cmp(&TABLE.place(&b)), a.cmp(&b), "{:?} {:?}", a, b);
        }

        #[test]
        fn a_key_splits_into_its_texts(p in key_text(), r in key_text()) {
            let key = TABLE.entity_key(&p, &r);
            let (partition_key, row_key) = split(&key).unwrap();
            prop_assert_eq!((partition_key.as_ref(), row_key.as_ref()), (p.as_str(), r.as_str()));
        }

        #[test]
        fn no_bytes_make_splitting_panic(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let _ = split(&bytes);
        }

        #[test]
        fn a_run_splits_every_key_like_a_single_split(
            keys in prop::collection::vec((key_text(), key_text()), 1..12),
            damaged in prop::collection::vec(any::<u8>(), 0..8),
            at in 0_usize..12,
        ) {
            let mut keys: Vec<Vec<u8>> = keys.iter().map(|(p, r)| TABLE.entity_key(p, r)).collect();
            keys.insert(at.min(keys.len()), damaged);
            let mut run = PartitionRun::default();
            for key in &keys {
                let split = split(key);
                let expected = split.as_ref().map(|(p, r)| (&**p, &**r));
                let found = run.split(key);
                prop_assert_eq!(found.as_ref().map(|(p, r)| (*p, &**r)), expected);
            }
        }
    }

    #[test]
    fn tables_do_not_overlap() {
        for table in [TableId(0), TableId(255), TableId(0xffff_fffe), TableId(u32::MAX)] {
            let last = table.entity_key("\u{10ffff}\u{ffff}", "\u{ffff}");
            assert!(table.prefix().as_slice() < last.as_slice() && last < table.end());
        }
        assert_eq!(TableId(7).end(), TableId(8).prefix());
    }
}
