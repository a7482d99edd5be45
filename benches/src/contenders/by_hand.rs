//! Direct calls of the store: entities are built and parsed manually, property by property.

use std::path::Path;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use table_store::{
    BlockingStore, Entity, Filter, OpenOptions, Operation, Properties, Query, RowRef, Rows, TableName,
    TableService as _, ValueRef,
};

use crate::{
    contender::{CACHE, Contender, Load, Outcome, Reader, Writer},
    order::{Order, ROWS, Seen},
};

/// Rows per transaction of a load, and number of concurrent transactions.
const GROUP: usize = 100;
const AT_ONCE: usize = 64;

pub struct ByHand {
    store: BlockingStore,
    table: TableName,
}

impl ByHand {
    pub fn open(dir: &Path) -> Outcome<Self> {
        let store = OpenOptions::new().cache_bytes(CACHE).open(dir.join("orders.tables"))?.blocking();
        let table = TableName::new("Orders")?;
        match store.create_table(&table) {
            Err(error) if error.code() != table_store::ErrorCode::TableAlreadyExists => Err(error.into()),
            _ => Ok(Self { store, table }),
        }
    }

    /// Visits all pages of a query.
    fn all(&self, mut query: Query, mut visit: impl FnMut(&Rows) -> Outcome) -> Outcome {
        loop {
            let segment = self.store.query(&self.table, query.clone())?;
            visit(&segment.rows)?;
            match segment.continuation {
                None => return Ok(()),
                next => query.continuation = next,
            }
        }
    }
}

impl Contender for ByHand {
    /// Sends transactions of 100 in key order, many of them concurrently, like the typed bulk load.
    fn load(&self, orders: Vec<Order>) -> Outcome<Load<'_>> {
        Ok(Box::new(move || {
            let partitions = orders.chunk_by(|a, b| a.zone == b.zone);
            let groups = partitions.flat_map(|partition| partition.chunks(GROUP)).map(async |group| {
                let inserts: Vec<Operation> =
                    group.iter().map(|order| Operation::Insert(entity(order.clone()))).collect();
                self.store.store().transact(&self.table, &inserts).await.map(drop)
            });
            Ok(pollster::block_on(stream::iter(groups).buffered(AT_ONCE).try_collect())?)
        }))
    }

    fn writer(&self) -> Outcome<Box<dyn Writer + '_>> {
        Ok(Box::new(self))
    }

    fn reader(&self) -> Outcome<Box<dyn Reader + '_>> {
        Ok(Box::new(self))
    }

    fn drop_table(&self) -> Outcome {
        Ok(self.store.delete_table(&self.table)?)
    }

    fn swept(&self) -> Outcome {
        Ok(self.store.swept()?)
    }
}

impl Writer for &ByHand {
    fn upsert(&mut self, order: Order) -> Outcome {
        self.store.execute(&self.table, Operation::InsertOrReplace(entity(order)))?;
        Ok(())
    }

    fn transact(&mut self, orders: Vec<Order>) -> Outcome {
        let operations = orders.into_iter().map(|order| Operation::InsertOrReplace(entity(order)));
        self.store.transact(&self.table, operations.collect::<Vec<_>>())?;
        Ok(())
    }
}

impl Reader for &ByHand {
    fn get(&mut self, zone: u32, row: u32) -> Outcome<Seen> {
        let (partition_key, row_key) = (Order::partition_key(zone), Order::row_key(row));
        let found = pollster::block_on(self.store.store().find(&self.table, &partition_key, &row_key, None))?;
        let mut seen = Seen::default();
        seen.add_list(&orders(&found)?);
        Ok(seen)
    }

    fn range(&mut self, zone: u32, first: u32, count: u32) -> Outcome<Seen> {
        let rows = Filter::ge("RowKey", Order::row_key(first))
            .and(Filter::lt("RowKey", Order::row_key(first + count)));
        let mut seen = Seen::default();
        self.all(Query::new().filter(in_partition(zone).and(rows)), |rows| {
            orders(rows).map(|orders| seen.add_list(&orders))
        })?;
        Ok(seen)
    }

    fn visit(&mut self, zone: u32, first: u32, count: u32) -> Outcome<Seen> {
        let rows = Filter::ge("RowKey", Order::row_key(first))
            .and(Filter::lt("RowKey", Order::row_key(first + count)));
        let mut seen = Seen::default();
        self.all(Query::new().filter(in_partition(zone).and(rows)), |rows| {
            for row in rows {
                for (name, value) in row.properties {
                    if let ("level", ValueRef::Int32(level)) = std::hint::black_box((name, value)) {
                        seen.add(level);
                    }
                }
            }
            Ok(())
        })?;
        Ok(seen)
    }

    fn filter(&mut self, zone: u32, level: i32) -> Outcome<Seen> {
        let mut seen = Seen::default();
        let filter = in_partition(zone).and(Filter::eq("level", level));
        self.all(Query::new().filter(filter), |rows| orders(rows).map(|orders| seen.add_list(&orders)))?;
        Ok(seen)
    }

    fn levels(&mut self, zone: u32) -> Outcome<Seen> {
        let mut seen = Seen::default();
        self.all(Query::new().filter(in_partition(zone)).select(["level"]), |rows| {
            for row in rows {
                let Some(ValueRef::Int32(level)) = row.properties.get("level") else {
                    return Err("a row without a level".into());
                };
                seen.add(level);
            }
            Ok(())
        })?;
        Ok(seen)
    }

    fn pages(&mut self) -> Outcome<Seen> {
        let mut seen = Seen::default();
        self.all(Query::new().top(ROWS), |rows| orders(rows).map(|orders| seen.add_list(&orders)))?;
        Ok(seen)
    }
}

fn in_partition(zone: u32) -> Filter {
    Filter::eq("PartitionKey", Order::partition_key(zone))
}

fn orders(rows: &Rows) -> Outcome<Vec<Order>> {
    let mut orders = Vec::with_capacity(rows.len());
    for row in rows {
        orders.push(order(row).ok_or("a row that is no order")?);
    }
    Ok(orders)
}

fn entity(order: Order) -> Entity {
    let mut properties = Properties::with_capacity(9);
    properties.push_new("title", order.title);
    properties.push_new("city", order.city);
    properties.push_new("units", order.units);
    properties.push_new("level", order.level);
    properties.push_new("price", order.price);
    properties.push_new("placed", order.placed);
    properties.push_new("paid", order.paid);
    properties.push_new("note", order.note);
    properties.push_new("EntityType", "Order");
    Entity { partition_key: Order::partition_key(order.zone), row_key: Order::row_key(order.row), properties }
}

/// Properties are returned in the order in which they were written.
fn order(row: RowRef<'_>) -> Option<Order> {
    let mut values = row.properties.iter();
    let mut next = |name| values.next().filter(|(found, _)| *found == name).map(|(_, value)| value);
    let (ValueRef::String(title), ValueRef::String(city)) = (next("title")?, next("city")?) else {
        return None;
    };
    let (ValueRef::Int64(units), ValueRef::Int32(level)) = (next("units")?, next("level")?) else {
        return None;
    };
    let (ValueRef::Double(price), ValueRef::DateTime(placed)) = (next("price")?, next("placed")?) else {
        return None;
    };
    let (ValueRef::Boolean(paid), ValueRef::String(note)) = (next("paid")?, next("note")?) else {
        return None;
    };
    let zone = row.partition_key?.strip_prefix("zone")?.parse().ok()?;
    let row = row.row_key?.strip_prefix("row")?.parse().ok()?;
    let (title, city, note) = (title.to_owned(), city.to_owned(), note.to_owned());
    Some(Order { zone, row, title, city, units, level, price, placed, paid, note })
}
