//! The operations, on entities of about 200 bytes, 1,000 to a partition.

use std::sync::atomic::{AtomicU64, Ordering};

use table_model::{Condition, Entity, Filter, Operation as Write, Query, TableName, TableService as _};
use table_postgres::Postgres;

use crate::Outcome;

/// Entities in a transaction, and in a segment.
pub const GROUP: u64 = 100;
/// Length of the property that fills an entity.
const FILLING: usize = 170;
/// Entities of a partition.
const OF_PARTITION: u64 = 1_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    Upsert,
    Insert,
    Replace,
    Merge,
    Get,
    Transaction,
    Segment,
}

impl Operation {
    pub const fn title(self) -> &'static str {
        match self {
            Self::Upsert => "upsert",
            Self::Insert => "insert",
            Self::Replace => "replace",
            Self::Merge => "merge",
            Self::Get => "point get",
            Self::Transaction => "transaction of 100 upserts",
            Self::Segment => "segment of 100",
        }
    }

    /// Executes the operation on one of the first `count` entities; an insert writes another one.
    pub async fn run(self, service: &Postgres, table: &TableName, number: u64, count: u64) -> Outcome {
        static INSERTED: AtomicU64 = AtomicU64::new(0);
        let near = number % count;
        let start = near / GROUP * GROUP;
        let write = match self {
            Self::Get => {
                return found(service.get(table, &partition(near), &key(near), None).await?.is_some());
            }
            Self::Segment => {
                let filter = format!("PartitionKey eq '{}' and RowKey ge '{}'", partition(start), key(start));
                let query = Query::new().filter(Filter::parse(&filter)?).top(100);
                return found(!service.query(table, query).await?.rows.is_empty());
            }
            Self::Transaction => return group(service, table, start).await,
            Self::Insert => {
                let place = INSERTED.fetch_add(1, Ordering::Relaxed);
                // Spread over all keys, between the loaded ones.
                let near = place.wrapping_mul(7_919) % count;
                Write::Insert(entity(near, &format!("{}-{place}", key(near)), number))
            }
            Self::Upsert => Write::InsertOrReplace(entity(near, &key(near), number)),
            Self::Replace => Write::Replace(entity(near, &key(near), number), Condition::Exists),
            Self::Merge => {
                let part = Entity::new(partition(near), key(near)).with("Number", number.cast_signed());
                Write::Merge(part, Condition::Exists)
            }
        };
        service.execute(table, &write).await?;
        Ok(())
    }
}

/// Writes a group of entities.
pub async fn group(service: &Postgres, table: &TableName, start: u64) -> Outcome {
    let writes: Vec<Write> = (start..start + GROUP)
        .map(|number| Write::InsertOrReplace(entity(number, &key(number), number)))
        .collect();
    service.transact(table, &writes).await?;
    Ok(())
}

fn entity(place: u64, row: &str, number: u64) -> Entity {
    Entity::new(partition(place), row).with("Number", number.cast_signed()).with("Text", "x".repeat(FILLING))
}

fn partition(number: u64) -> String {
    format!("{:05}", number / OF_PARTITION)
}

fn key(number: u64) -> String {
    format!("{number:08}")
}

fn found(is: bool) -> Outcome {
    if is { Ok(()) } else { Err("an entity is missing".into()) }
}

/// Random numbers of one client.
pub struct Dice(u64);

impl Dice {
    pub const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub const fn roll(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 11
    }
}
