//! The engine alone: the bytes that the store would write, with the commits and groups of the store, and no layer
//! above.

use std::{hint::black_box, ops::Bound, path::Path, sync::Arc};

use ::redb::{Builder, Database, ReadOnlyTable, ReadableDatabase};

use crate::{
    contender::{CACHE, Contender, Load, Outcome, Reader, Writer},
    engine_file::RECORDS,
    group_commit::{Client, GroupCommit},
    order::{Order, ROWS, Seen},
    record,
};

/// Number of concurrent groups of 100 in a load, as in the bulk load of the store.
const AT_ONCE: usize = 64;
const GROUP: usize = 100;

type Put = (Vec<u8>, Vec<u8>);

pub struct BareRedb {
    writer: GroupCommit<Vec<Put>>,
    database: Arc<Database>,
    sorted: bool,
}

impl BareRedb {
    /// Opens the engine. With `sorted`, each load uses a cursor in one transaction.
    pub fn open(dir: &Path, sorted: bool) -> Outcome<Self> {
        let database = Arc::new(Builder::new().set_cache_size(CACHE).create(dir.join("orders.redb"))?);
        commit(&database, &[])?;
        let shared = Arc::clone(&database);
        let writer = GroupCommit::start(move |groups: Vec<Vec<Put>>| commit(&shared, &groups));
        Ok(Self { writer, database, sorted })
    }

    /// Loads with the committer: 100 orders per group, with many concurrent groups, like the bulk load of the store.
    fn load_in_groups(&self, orders: &[Order]) -> Outcome<Load<'_>> {
        let client = self.writer.client()?;
        let groups: Vec<Vec<Put>> =
            orders.chunks(GROUP).map(|group| group.iter().map(put).collect()).collect();
        Ok(Box::new(move || {
            let mut on_their_way = 0;
            for group in groups {
                if on_their_way == AT_ONCE {
                    client.finish()?;
                    on_their_way -= 1;
                }
                begin(&client, group)?;
                on_their_way += 1;
            }
            (0..on_their_way).try_for_each(|_| client.finish())
        }))
    }

    fn load_sorted(&self, orders: &[Order]) -> Load<'_> {
        let puts: Vec<Put> = orders.iter().map(put).collect();
        Box::new(move || {
            let mut transaction = self.database.begin_write()?;
            transaction.set_quick_repair(true);
            let mut table = transaction.open_table(RECORDS)?;
            let first = puts.first().map(|(key, _)| key.as_slice()).unwrap_or_default();
            let mut cursor = table.upper_bound_mut(Bound::Excluded(first))?;
            for (key, value) in &puts {
                cursor.insert_before(key.as_slice(), value.as_slice())?;
            }
            cursor.close()?;
            drop(table);
            Ok(transaction.commit()?)
        })
    }
}

fn put(order: &Order) -> Put {
    (record::key(order.zone, order.row), record::value(order))
}

fn begin(client: &Client<Vec<Put>>, group: Vec<Put>) -> Outcome {
    let bytes = group.iter().map(|(key, value)| key.len() + value.len()).sum();
    let operations = group.len();
    client.begin(group, operations, bytes)
}

fn commit(database: &Database, groups: &[Vec<Put>]) -> Outcome {
    let mut transaction = database.begin_write()?;
    transaction.set_quick_repair(true);
    let mut table = transaction.open_table(RECORDS)?;
    for (key, value) in groups.iter().flatten() {
        table.insert(key.as_slice(), value.as_slice())?;
    }
    drop(table);
    Ok(transaction.commit()?)
}

impl Contender for BareRedb {
    fn load(&self, orders: Vec<Order>) -> Outcome<Load<'_>> {
        if self.sorted { Ok(self.load_sorted(&orders)) } else { self.load_in_groups(&orders) }
    }

    fn writer(&self) -> Outcome<Box<dyn Writer + '_>> {
        Ok(Box::new(self.writer.client()?))
    }

    fn reader(&self) -> Outcome<Box<dyn Reader + '_>> {
        Ok(Box::new(Snapshots(&self.database)))
    }

    fn drop_table(&self) -> Outcome {
        let mut transaction = self.database.begin_write()?;
        transaction.set_quick_repair(true);
        transaction.delete_table(RECORDS)?;
        Ok(transaction.commit()?)
    }
}

impl Writer for Client<Vec<Put>> {
    fn upsert(&mut self, order: Order) -> Outcome {
        begin(self, vec![put(&order)])?;
        self.finish()
    }

    fn transact(&mut self, orders: Vec<Order>) -> Outcome {
        begin(self, orders.iter().map(put).collect())?;
        self.finish()
    }
}

/// Reads with one snapshot per request, as a service must.
struct Snapshots<'d>(&'d Database);

impl Snapshots<'_> {
    fn records(&self) -> Outcome<ReadOnlyTable<&'static [u8], &'static [u8]>> {
        Ok(self.0.begin_read()?.open_table(RECORDS)?)
    }

    fn scan(&self, from: &[u8], to: &[u8], mut visit: impl FnMut(&[u8]) -> Option<()>) -> Outcome {
        for entry in self.records()?.range::<&[u8]>(from..to)? {
            let (key, value) = entry?;
            touch(key.value());
            visit(value.value()).ok_or("a record without a level")?;
        }
        Ok(())
    }
}

impl Reader for Snapshots<'_> {
    fn get(&mut self, zone: u32, row: u32) -> Outcome<Seen> {
        let mut seen = Seen::default();
        if let Some(value) = self.records()?.get(record::key(zone, row).as_slice())? {
            touch(value.value());
            seen.add(record::level(value.value()).ok_or("a record without a level")?);
        }
        Ok(seen)
    }

    fn range(&mut self, zone: u32, first: u32, count: u32) -> Outcome<Seen> {
        let (from, to) = (record::key(zone, first), record::key(zone, first + count));
        let mut seen = Seen::default();
        self.scan(&from, &to, |value| {
            touch(value);
            record::level(value).map(|level| seen.add(level))
        })?;
        Ok(seen)
    }

    fn filter(&mut self, zone: u32, wanted: i32) -> Outcome<Seen> {
        let (from, to) = record::partition_ends(zone);
        let mut seen = Seen::default();
        self.scan(&from, &to, |value| {
            let level = record::level(value)?;
            if level == wanted {
                touch(value);
                seen.add(level);
            }
            Some(())
        })?;
        Ok(seen)
    }

    fn levels(&mut self, zone: u32) -> Outcome<Seen> {
        let (from, to) = record::partition_ends(zone);
        let mut seen = Seen::default();
        self.scan(&from, &to, |value| record::level(value).map(|level| seen.add(level)))?;
        Ok(seen)
    }

    fn pages(&mut self) -> Outcome<Seen> {
        let mut seen = Seen::default();
        let mut last = None;
        loop {
            let from = last.as_deref().map_or(Bound::Unbounded, Bound::Excluded);
            let mut page_end = None;
            let records = self.records()?;
            for (nth, entry) in
                records.range::<&[u8]>((from, Bound::Unbounded))?.take(ROWS as usize).enumerate()
            {
                let (key, value) = entry?;
                touch(value.value());
                seen.add(record::level(value.value()).ok_or("a record without a level")?);
                page_end = (nth + 1 == ROWS as usize).then(|| key.value().to_vec());
            }
            match page_end {
                Some(end) => last = Some(end),
                None => return Ok(seen),
            }
        }
    }
}

/// Reads every byte.
fn touch(bytes: &[u8]) {
    let (words, rest) = bytes.as_chunks::<8>();
    let words = words.iter().fold(0, |sum: u64, word| sum.wrapping_add(u64::from_ne_bytes(*word)));
    black_box(rest.iter().fold(words, |sum, byte| sum.wrapping_add(u64::from(*byte))));
}
