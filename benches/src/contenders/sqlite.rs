//! SQLite with a write-ahead log that is synced on each commit, one writer thread, and a warm connection per reader.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, Row, params};
use table_patterns::Timestamp;

use crate::{
    contender::{CACHE, Contender, Load, Outcome, Reader, Writer},
    group_commit::GroupCommit,
    order::{Order, ROWS, Seen},
};

/// Rows per transaction of a load.
const LOADED_AT_ONCE: usize = 50_000;

const TABLE: &str = "CREATE TABLE IF NOT EXISTS orders (
    pk TEXT NOT NULL, rk TEXT NOT NULL, title TEXT NOT NULL, city TEXT NOT NULL, units INTEGER NOT NULL,
    level INTEGER NOT NULL, price REAL NOT NULL, placed INTEGER NOT NULL, paid INTEGER NOT NULL, note TEXT NOT NULL,
    changed INTEGER NOT NULL, PRIMARY KEY (pk, rk)) WITHOUT ROWID";
const INSERT: &str = "INSERT INTO orders VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?8)";
const UPSERT: &str = "INSERT OR REPLACE INTO orders VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?8)";
const GET: &str = "SELECT * FROM orders WHERE pk = ?1 AND rk = ?2";
const RANGE: &str = "SELECT * FROM orders WHERE pk = ?1 AND rk >= ?2 AND rk < ?3 ORDER BY pk, rk";
const FILTER: &str = "SELECT * FROM orders WHERE pk = ?1 AND level = ?2 ORDER BY pk, rk";
const LEVELS: &str = "SELECT level FROM orders WHERE pk = ?1 ORDER BY pk, rk";
const PAGE: &str = "SELECT * FROM orders WHERE (pk, rk) > (?1, ?2) ORDER BY pk, rk LIMIT ?3";

pub struct Sqlite {
    writer: GroupCommit<Vec<Order>>,
    path: PathBuf,
}

impl Sqlite {
    pub fn open(dir: &Path) -> Outcome<Self> {
        let path = dir.join("orders.sqlite");
        let mut connection = connect(&path)?;
        connection.execute_batch(TABLE)?;
        let writer = GroupCommit::start(move |groups: Vec<Vec<Order>>| {
            write(&mut connection, UPSERT, groups.iter().flatten())
        });
        Ok(Self { writer, path })
    }
}

fn connect(path: &Path) -> Outcome<Connection> {
    let connection = Connection::open(path)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "cache_size", -i64::try_from(CACHE / 1024)?)?;
    Ok(connection)
}

fn write<'o>(connection: &mut Connection, sql: &str, orders: impl IntoIterator<Item = &'o Order>) -> Outcome {
    let transaction = connection.transaction()?;
    let mut statement = transaction.prepare_cached(sql)?;
    for order in orders {
        statement.execute(params![
            Order::partition_key(order.zone),
            Order::row_key(order.row),
            order.title,
            order.city,
            order.units,
            order.level,
            order.price,
            order.placed.ticks(),
            order.paid,
            order.note
        ])?;
    }
    drop(statement);
    Ok(transaction.commit()?)
}

impl Contender for Sqlite {
    fn load(&self, orders: Vec<Order>) -> Outcome<Load<'_>> {
        let mut connection = connect(&self.path)?;
        Ok(Box::new(move || {
            orders.chunks(LOADED_AT_ONCE).try_for_each(|some| write(&mut connection, INSERT, some))
        }))
    }

    fn writer(&self) -> Outcome<Box<dyn Writer + '_>> {
        Ok(Box::new(self.writer.client()?))
    }

    fn reader(&self) -> Outcome<Box<dyn Reader + '_>> {
        Ok(Box::new(Warm(connect(&self.path)?)))
    }

    fn drop_table(&self) -> Outcome {
        Ok(connect(&self.path)?.execute_batch("DROP TABLE orders")?)
    }
}

/// A connection with a warm cache.
struct Warm(Connection);

impl Warm {
    fn read(&self, sql: &str, values: impl rusqlite::Params, seen: &mut Seen) -> Outcome<Option<Order>> {
        let mut statement = self.0.prepare_cached(sql)?;
        let mut rows = statement.query(values)?;
        let mut orders = Vec::new();
        while let Some(row) = rows.next()? {
            orders.push(order(row)?);
        }
        seen.add_list(&orders);
        Ok(orders.pop())
    }
}

impl Reader for Warm {
    fn get(&mut self, zone: u32, row: u32) -> Outcome<Seen> {
        let mut seen = Seen::default();
        self.read(GET, params![Order::partition_key(zone), Order::row_key(row)], &mut seen)?;
        Ok(seen)
    }

    fn range(&mut self, zone: u32, first: u32, count: u32) -> Outcome<Seen> {
        let (from, to) = (Order::row_key(first), Order::row_key(first + count));
        let mut seen = Seen::default();
        self.read(RANGE, params![Order::partition_key(zone), from, to], &mut seen)?;
        Ok(seen)
    }

    fn visit(&mut self, zone: u32, first: u32, count: u32) -> Outcome<Seen> {
        let (from, to) = (Order::row_key(first), Order::row_key(first + count));
        let mut statement = self.0.prepare_cached(RANGE)?;
        let columns = statement.column_count();
        let mut rows = statement.query(params![Order::partition_key(zone), from, to])?;
        let mut seen = Seen::default();
        while let Some(row) = rows.next()? {
            for column in 0..columns {
                std::hint::black_box(row.get_ref(column)?);
            }
            seen.add(row.get(5)?);
        }
        Ok(seen)
    }

    fn filter(&mut self, zone: u32, level: i32) -> Outcome<Seen> {
        let mut seen = Seen::default();
        self.read(FILTER, params![Order::partition_key(zone), level], &mut seen)?;
        Ok(seen)
    }

    fn levels(&mut self, zone: u32) -> Outcome<Seen> {
        let mut statement = self.0.prepare_cached(LEVELS)?;
        let mut rows = statement.query(params![Order::partition_key(zone)])?;
        let mut seen = Seen::default();
        while let Some(row) = rows.next()? {
            seen.add(row.get(0)?);
        }
        Ok(seen)
    }

    fn pages(&mut self) -> Outcome<Seen> {
        let mut seen = Seen::default();
        let mut after = (String::new(), String::new());
        while let Some(last) = self.read(PAGE, params![after.0, after.1, ROWS], &mut seen)? {
            after = (Order::partition_key(last.zone), Order::row_key(last.row));
        }
        Ok(seen)
    }
}

fn order(row: &Row<'_>) -> Outcome<Order> {
    let number = |key: &str, prefix| key.strip_prefix(prefix).and_then(|digits: &str| digits.parse().ok());
    Ok(Order {
        zone: number(row.get_ref(0)?.as_str()?, "zone").ok_or("no zone")?,
        row: number(row.get_ref(1)?.as_str()?, "row").ok_or("no row")?,
        title: row.get(2)?,
        city: row.get(3)?,
        units: row.get(4)?,
        level: row.get(5)?,
        price: row.get(6)?,
        placed: Timestamp::from_ticks(row.get(7)?).ok_or("no time")?,
        paid: row.get(8)?,
        note: row.get(9)?,
    })
}
