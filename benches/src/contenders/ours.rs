//! The typed API with blocking threads: a program without a runtime.

use std::path::Path;

use table_patterns::{OpenOptions, Store, prelude::*};

use crate::{
    contender::{CACHE, Contender, Load, Outcome, Reader, Writer},
    order::{Level, Order, ROWS, Seen},
};

pub struct Ours {
    store: Store,
    tables: Tables,
}

impl Ours {
    pub const FILE: &'static str = "orders.tables";

    pub fn open(dir: &Path) -> Outcome<Self> {
        Ok(Self::on(OpenOptions::new().cache_bytes(CACHE).open(dir.join(Self::FILE))?))
    }

    pub fn on(store: Store) -> Self {
        Self { tables: Tables::new(store.clone()), store }
    }
}

impl Contender for Ours {
    fn load(&self, orders: Vec<Order>) -> Outcome<Load<'_>> {
        Ok(Box::new(move || {
            let bulk = self.tables.bulk().insert_all(&orders);
            self.tables.blocking().run(bulk)?.into_result()?;
            Ok(())
        }))
    }

    fn writer(&self) -> Outcome<Box<dyn Writer + '_>> {
        Ok(Box::new(self.tables.clone()))
    }

    fn reader(&self) -> Outcome<Box<dyn Reader + '_>> {
        Ok(Box::new(self.tables.clone()))
    }

    fn drop_table(&self) -> Outcome {
        let existed = self.tables.blocking().delete_table::<Order>()?;
        if existed { Ok(()) } else { Err("there was no table".into()) }
    }

    fn swept(&self) -> Outcome {
        Ok(pollster::block_on(self.store.swept())?)
    }
}

impl Writer for Tables {
    fn upsert(&mut self, order: Order) -> Outcome {
        self.blocking().overwrite(&order)?;
        Ok(())
    }

    fn transact(&mut self, orders: Vec<Order>) -> Outcome {
        let transaction = orders.iter().fold(Self::transact(self), table_patterns::Transaction::overwrite);
        self.blocking().commit(transaction)?;
        Ok(())
    }
}

impl Reader for Tables {
    fn get(&mut self, zone: u32, row: u32) -> Outcome<Seen> {
        Ok(seen(self.blocking().get(&Order::point(zone, row))?))
    }

    fn range(&mut self, zone: u32, first: u32, count: u32) -> Outcome<Seen> {
        Ok(seen(self.blocking().all(&Order::rows(zone).between(first..first + count))?))
    }

    fn visit(&mut self, zone: u32, first: u32, count: u32) -> Outcome<Seen> {
        let mut seen = Seen::default();
        let rows = Order::rows(zone).between(first..first + count);
        pollster::block_on(rows.for_each(self, |order| seen.add(std::hint::black_box(&order).level)))?;
        Ok(seen)
    }

    fn filter(&mut self, zone: u32, level: i32) -> Outcome<Seen> {
        Ok(seen(self.blocking().all(&Order::scan_partition(zone).filter(|order| order.level.eq(level)))?))
    }

    fn levels(&mut self, zone: u32) -> Outcome<Seen> {
        let levels = self.blocking().all(&Order::rows(zone).select::<Level>())?;
        let mut seen = Seen::default();
        for row in levels {
            seen.add(row.level);
        }
        Ok(seen)
    }

    fn pages(&mut self) -> Outcome<Seen> {
        let (query, mut total) = (Order::scan_table().page_size(ROWS), Seen::default());
        let mut next = Some(query.clone());
        while let Some(page) = next {
            let page = self.blocking().page(&page)?;
            page.items.iter().for_each(|order| total.add(order.level));
            next = page.cursor.map(|cursor| query.clone().resume(cursor));
        }
        Ok(total)
    }
}

fn seen(orders: impl IntoIterator<Item = Stored<Order>>) -> Seen {
    let mut seen = Seen::default();
    orders.into_iter().for_each(|order| seen.add(std::hint::black_box(&order).level));
    seen
}
