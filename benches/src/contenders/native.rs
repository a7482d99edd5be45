//! `native_db`: typed Rust entities on redb 2, with group commit in front. It commits with one sync, and checks the
//! complete file after a crash; its API has no other option.

use std::{
    hint::black_box,
    path::Path,
    sync::{Arc, LazyLock},
};

use native_db::{Builder, Database, Models, ToKey, native_db, transaction::RTransaction};
use native_model::{Model, native_model};
use serde::{Deserialize, Serialize};

use crate::{
    contender::{CACHE, Contender, Load, Outcome, Reader, Writer},
    group_commit::GroupCommit,
    order::{Order, ROWS, Seen},
};

/// Rows per transaction of a load.
const LOADED_AT_ONCE: usize = 50_000;

#[derive(Serialize, Deserialize, Clone, Debug)]
#[native_model(id = 1, version = 1)]
#[native_db]
struct Kept {
    /// Partition and row, in the order of the service.
    #[primary_key]
    key: String,
    title: String,
    city: String,
    units: i64,
    level: i32,
    price: f64,
    placed: i64,
    paid: bool,
    note: String,
}

impl From<Order> for Kept {
    fn from(order: Order) -> Self {
        Self {
            key: key(order.zone, order.row),
            title: order.title,
            city: order.city,
            units: order.units,
            level: order.level,
            price: order.price,
            placed: order.placed.ticks(),
            paid: order.paid,
            note: order.note,
        }
    }
}

fn key(zone: u32, row: u32) -> String {
    format!("{}/{}", Order::partition_key(zone), Order::row_key(row))
}

static MODELS: LazyLock<Models> = LazyLock::new(|| {
    let mut models = Models::new();
    // The only model is valid; otherwise, opening would return the error.
    let _ = models.define::<Kept>();
    models
});

pub struct NativeDb {
    writer: GroupCommit<Vec<Order>>,
    database: Arc<Database<'static>>,
}

impl NativeDb {
    pub fn open(dir: &Path) -> Outcome<Self> {
        let database =
            Arc::new(Builder::new().set_cache_size(CACHE).create(&MODELS, dir.join("orders.native"))?);
        let shared = Arc::clone(&database);
        let writer = GroupCommit::start(move |groups: Vec<Vec<Order>>| {
            let transaction = shared.rw_transaction()?;
            for order in groups.into_iter().flatten() {
                transaction.upsert(Kept::from(order))?;
            }
            Ok(transaction.commit()?)
        });
        Ok(Self { writer, database })
    }
}

impl Contender for NativeDb {
    fn load(&self, orders: Vec<Order>) -> Outcome<Load<'_>> {
        Ok(Box::new(move || {
            let mut orders = orders.into_iter().map(Kept::from).peekable();
            while orders.peek().is_some() {
                let transaction = self.database.rw_transaction()?;
                for order in orders.by_ref().take(LOADED_AT_ONCE) {
                    transaction.insert(order)?;
                }
                transaction.commit()?;
            }
            Ok(())
        }))
    }

    fn writer(&self) -> Outcome<Box<dyn Writer + '_>> {
        Ok(Box::new(self.writer.client()?))
    }

    fn reader(&self) -> Outcome<Box<dyn Reader + '_>> {
        Ok(Box::new(Snapshots(&self.database)))
    }

    fn drop_table(&self) -> Outcome {
        let transaction = self.database.rw_transaction()?;
        drop(transaction.drain().primary::<Kept>()?);
        Ok(transaction.commit()?)
    }
}

struct Snapshots<'d>(&'d Database<'static>);

impl Snapshots<'_> {
    fn begin(&self) -> Outcome<RTransaction<'_>> {
        Ok(self.0.r_transaction()?)
    }

    /// Returns the matching entities of a range as a list.
    fn scan(&self, from: String, to: String, wanted: impl Fn(&Kept) -> bool) -> Outcome<Vec<Kept>> {
        let transaction = self.begin()?;
        let mut orders = Vec::new();
        for order in transaction.scan().primary::<Kept>()?.range(from..to)? {
            orders.extend(Some(order?).filter(&wanted));
        }
        Ok(orders)
    }

    /// Returns both ends of a partition: `0` is the character after `/`.
    fn partition(zone: u32) -> (String, String) {
        let key = Order::partition_key(zone);
        (format!("{key}/"), format!("{key}0"))
    }
}

impl Reader for Snapshots<'_> {
    fn get(&mut self, zone: u32, row: u32) -> Outcome<Seen> {
        let mut seen = Seen::default();
        if let Some(order) = self.begin()?.get().primary::<Kept>(key(zone, row))? {
            seen.add(black_box(order).level);
        }
        Ok(seen)
    }

    fn range(&mut self, zone: u32, first: u32, count: u32) -> Outcome<Seen> {
        Ok(seen(&self.scan(key(zone, first), key(zone, first + count), |_| true)?))
    }

    fn filter(&mut self, zone: u32, level: i32) -> Outcome<Seen> {
        let (from, to) = Self::partition(zone);
        Ok(seen(&self.scan(from, to, |order| order.level == level)?))
    }

    fn levels(&mut self, zone: u32) -> Outcome<Seen> {
        let (from, to) = Self::partition(zone);
        Ok(seen(&self.scan(from, to, |_| true)?))
    }

    fn pages(&mut self) -> Outcome<Seen> {
        let (mut all, mut from) = (Seen::default(), String::new());
        loop {
            let transaction = self.begin()?;
            let scan = transaction.scan().primary::<Kept>()?;
            let orders: Vec<Kept> = scan.range(from..)?.take(ROWS as usize).collect::<Result<_, _>>()?;
            let Seen { entities, levels } = seen(&orders);
            all.entities += entities;
            all.levels += levels;
            match orders.last() {
                // The next larger key.
                Some(last) if entities == u64::from(ROWS) => from = format!("{}\0", last.key),
                _ => return Ok(all),
            }
        }
    }
}

fn seen(orders: &[Kept]) -> Seen {
    let mut seen = Seen::default();
    for order in black_box(orders) {
        seen.add(order.level);
    }
    seen
}
