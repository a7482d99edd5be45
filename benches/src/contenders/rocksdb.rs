//! RocksDB with the bytes of the store's records: a log that is synced on each commit, and its own queue of writers, which
//! syncs once for all that wait. No compression, no read without a snapshot.

use std::{hint::black_box, path::Path, sync::Arc};

use ::rocksdb::{
    BlockBasedOptions, BoundColumnFamily, Cache, ColumnFamilyDescriptor, DBCompressionType, DBWithThreadMode,
    MultiThreaded, Options, ReadOptions, WriteBatch, WriteOptions,
};

use crate::{
    contender::{CACHE, Contender, Load, Outcome, Reader, Writer},
    order::{Order, ROWS, Seen},
    record,
};

/// Rows per batch of a load.
const LOADED_AT_ONCE: usize = 50_000;
/// Name of the column family, which is dropped as a table.
const ORDERS: &str = "orders";

type Database = DBWithThreadMode<MultiThreaded>;

pub struct RocksDb(Database);

impl RocksDb {
    pub fn open(dir: &Path) -> Outcome<Self> {
        let mut blocks = BlockBasedOptions::default();
        blocks.set_block_cache(&Cache::new_lru_cache(CACHE));
        blocks.set_bloom_filter(10.0, false);
        let mut options = Options::default();
        options.create_if_missing(true);
        options.create_missing_column_families(true);
        options.set_compression_type(DBCompressionType::None);
        options.set_block_based_table_factory(&blocks);
        let orders = ColumnFamilyDescriptor::new(ORDERS, options.clone());
        Ok(Self(Database::open_cf_descriptors(&options, dir, [orders])?))
    }

    fn client(&self) -> Outcome<Client<'_>> {
        let orders = self.0.cf_handle(ORDERS).ok_or("there is no table")?;
        Ok(Client { database: &self.0, orders })
    }
}

impl Contender for RocksDb {
    fn load(&self, orders: Vec<Order>) -> Outcome<Load<'_>> {
        let client = self.client()?;
        Ok(Box::new(move || orders.chunks(LOADED_AT_ONCE).try_for_each(|some| client.put(some))))
    }

    fn writer(&self) -> Outcome<Box<dyn Writer + '_>> {
        Ok(Box::new(self.client()?))
    }

    fn reader(&self) -> Outcome<Box<dyn Reader + '_>> {
        Ok(Box::new(self.client()?))
    }

    fn drop_table(&self) -> Outcome {
        Ok(self.0.drop_cf(ORDERS)?)
    }
}

/// A client of one thread.
struct Client<'d> {
    database: &'d Database,
    orders: Arc<BoundColumnFamily<'d>>,
}

impl Client<'_> {
    fn put(&self, orders: &[Order]) -> Outcome {
        let mut batch = WriteBatch::default();
        for order in orders {
            batch.put_cf(&self.orders, record::key(order.zone, order.row), record::value(order));
        }
        let mut durable = WriteOptions::default();
        durable.set_sync(true);
        Ok(self.database.write_opt(batch, &durable)?)
    }

    /// Passes keys and records from `from` on, up to `to` if it is given, to `visit` until that returns `false`.
    fn scan(
        &self,
        from: &[u8],
        to: Option<Vec<u8>>,
        mut visit: impl FnMut(&[u8], &[u8]) -> Option<bool>,
    ) -> Outcome {
        let snapshot = self.database.snapshot();
        let mut options = ReadOptions::default();
        if let Some(to) = to {
            options.set_iterate_upper_bound(to);
        }
        let mut rows = snapshot.raw_iterator_cf_opt(&self.orders, options);
        rows.seek(from);
        while let Some((key, value)) = rows.item() {
            if !visit(key, value).ok_or("a record that is no order")? {
                break;
            }
            rows.next();
        }
        Ok(rows.status()?)
    }

    fn partition(&self, zone: u32, visit: impl FnMut(&[u8], &[u8]) -> Option<bool>) -> Outcome {
        let (from, to) = record::partition_ends(zone);
        self.scan(&from, Some(to), visit)
    }
}

impl Writer for Client<'_> {
    fn upsert(&mut self, order: Order) -> Outcome {
        self.put(&[order])
    }

    fn transact(&mut self, orders: Vec<Order>) -> Outcome {
        self.put(&orders)
    }
}

impl Reader for Client<'_> {
    fn get(&mut self, zone: u32, row: u32) -> Outcome<Seen> {
        let key = record::key(zone, row);
        let mut seen = Seen::default();
        let snapshot = self.database.snapshot();
        if let Some(value) = snapshot.get_pinned_cf(&self.orders, &key)? {
            seen.add_list(&[record::order(&key, &value).ok_or("a record that is no order")?]);
        }
        Ok(seen)
    }

    fn range(&mut self, zone: u32, first: u32, count: u32) -> Outcome<Seen> {
        let mut orders = Vec::new();
        self.scan(&record::key(zone, first), Some(record::key(zone, first + count)), |key, value| {
            orders.push(record::order(key, value)?);
            Some(true)
        })?;
        let mut seen = Seen::default();
        seen.add_list(&orders);
        Ok(seen)
    }

    fn visit(&mut self, zone: u32, first: u32, count: u32) -> Outcome<Seen> {
        let mut seen = Seen::default();
        self.scan(&record::key(zone, first), Some(record::key(zone, first + count)), |key, value| {
            black_box((key, record::values(value)?));
            seen.add(record::level(value)?);
            Some(true)
        })?;
        Ok(seen)
    }

    fn filter(&mut self, zone: u32, level: i32) -> Outcome<Seen> {
        let mut orders = Vec::new();
        self.partition(zone, |key, value| {
            if record::level(value)? == level {
                orders.push(record::order(key, value)?);
            }
            Some(true)
        })?;
        let mut seen = Seen::default();
        seen.add_list(&orders);
        Ok(seen)
    }

    fn levels(&mut self, zone: u32) -> Outcome<Seen> {
        let mut seen = Seen::default();
        self.partition(zone, |_, value| {
            seen.add(record::level(value)?);
            Some(true)
        })?;
        Ok(seen)
    }

    fn pages(&mut self) -> Outcome<Seen> {
        let (mut seen, mut from) = (Seen::default(), Vec::new());
        loop {
            let mut orders = Vec::new();
            let mut last = Vec::new();
            self.scan(&from, None, |key, value| {
                orders.push(record::order(key, value)?);
                last = key.to_vec();
                Some(orders.len() < ROWS as usize)
            })?;
            seen.add_list(&orders);
            if orders.len() < ROWS as usize {
                return Ok(seen);
            }
            // The next larger key.
            last.push(0);
            from = last;
        }
    }
}
