//! What is compared, and what each must be able to do.

use std::{error::Error, path::Path};

use crate::{
    contenders::{by_hand::ByHand, native::NativeDb, ours::Ours, redb::BareRedb, sqlite::Sqlite},
    order::{Order, Seen},
};

pub type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

/// Bytes of cache that each may use.
pub const CACHE: usize = 512 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The typed API on the embedded store.
    Ours,
    /// The store's own calls, with entities built and read by hand.
    ByHand,
    /// The engine alone, with the same bytes, commits and groups.
    Redb,
    /// The same, loading sorted with a cursor in few large transactions.
    RedbCursor,
    Sqlite,
    NativeDb,
    /// No store: 1 KiB written in place and synced.
    Probe,
}

impl Kind {
    pub const ALL: [Self; 7] =
        [Self::Ours, Self::ByHand, Self::Redb, Self::RedbCursor, Self::Sqlite, Self::NativeDb, Self::Probe];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::ByHand => "by-hand",
            Self::Redb => "redb",
            Self::RedbCursor => "redb-cursor",
            Self::Sqlite => "sqlite",
            Self::NativeDb => "native-db",
            Self::Probe => "probe",
        }
    }

    pub const fn title(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::ByHand => "ours, by hand",
            Self::Redb => "bare redb",
            Self::RedbCursor => "redb, cursor",
            Self::Sqlite => "SQLite",
            Self::NativeDb => "native_db",
            Self::Probe => "raw sync",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Opens it in a directory of its own, or makes it there.
    pub fn open(self, dir: &Path) -> Outcome<Box<dyn Contender>> {
        std::fs::create_dir_all(dir)?;
        Ok(match self {
            Self::Ours => Box::new(Ours::open(dir)?),
            Self::ByHand => Box::new(ByHand::open(dir)?),
            Self::Redb => Box::new(BareRedb::open(dir, false)?),
            Self::RedbCursor => Box::new(BareRedb::open(dir, true)?),
            Self::Sqlite => Box::new(Sqlite::open(dir)?),
            Self::NativeDb => Box::new(NativeDb::open(dir)?),
            Self::Probe => return Err("the probe is no store".into()),
        })
    }
}

/// A load that is ready to run: what the benchmark itself makes of the orders is done before the clock starts.
pub type Load<'c> = Box<dyn FnOnce() -> Outcome + 'c>;

/// A store of orders. What it acknowledges is durable.
pub trait Contender: Sync {
    /// Orders in key order, which are new to it, in few large calls.
    fn load(&self, orders: Vec<Order>) -> Outcome<Load<'_>>;

    /// A writer for one client thread.
    fn writer(&self) -> Outcome<Box<dyn Writer + '_>>;

    /// A reader for one client thread. Each of its calls sees one recent commit.
    fn reader(&self) -> Outcome<Box<dyn Reader + '_>>;

    /// Drops the table of the orders; returns when that is durable.
    fn drop_table(&self) -> Outcome;

    /// Returns when nothing is left of a dropped table.
    fn swept(&self) -> Outcome {
        Ok(())
    }
}

pub trait Writer {
    /// Writes one order whether or not it is there.
    fn upsert(&mut self, order: Order) -> Outcome;

    /// Writes orders of one partition, all or none.
    fn transact(&mut self, orders: Vec<Order>) -> Outcome;
}

pub trait Reader {
    fn get(&mut self, zone: u32, row: u32) -> Outcome<Seen>;

    /// The rows from `first` on, `count` of them, in one partition.
    fn range(&mut self, zone: u32, first: u32, count: u32) -> Outcome<Seen>;

    /// All rows of a partition with this level.
    fn filter(&mut self, zone: u32, level: i32) -> Outcome<Seen>;

    /// The level of all rows of a partition, and nothing else of them.
    fn levels(&mut self, zone: u32) -> Outcome<Seen>;

    /// All orders, with a new request for each 1,000.
    fn pages(&mut self) -> Outcome<Seen>;
}
