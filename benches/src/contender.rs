//! The compared stores, and the operations that each must support.

use std::{error::Error, path::Path};

#[cfg(feature = "rocksdb")]
use crate::contenders::rocksdb::RocksDb;
use crate::{
    contenders::{by_hand::ByHand, native::NativeDb, ours::Ours, redb::BareRedb, sqlite::Sqlite},
    order::{Order, Seen},
};

pub type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

/// Cache size of each store in bytes.
pub const CACHE: usize = 512 << 20;

/// What a build without the feature `rocksdb` says about it.
pub const WITHOUT_ROCKSDB: &str =
    "RocksDB was not measured: this build does not contain it, because libclang is missing.";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The typed API on the embedded store.
    Ours,
    /// Direct calls of the store, with entities built and parsed manually.
    ByHand,
    /// The engine alone, with the same bytes, commits and groups.
    Redb,
    /// Like [`Redb`](Self::Redb), but loads sorted data with a cursor in few large transactions.
    RedbCursor,
    Sqlite,
    /// Part of a build with the feature `rocksdb` only.
    RocksDb,
    NativeDb,
    /// No store: 1 KiB written in place and synced.
    Probe,
}

impl Kind {
    pub const ALL: [Self; 8] = [
        Self::Ours,
        Self::ByHand,
        Self::Redb,
        Self::RedbCursor,
        Self::Sqlite,
        Self::RocksDb,
        Self::NativeDb,
        Self::Probe,
    ];

    /// Returns whether this build contains the contender.
    pub const fn is_built(self) -> bool {
        !matches!(self, Self::RocksDb) || cfg!(feature = "rocksdb")
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::ByHand => "by-hand",
            Self::Redb => "redb",
            Self::RedbCursor => "redb-cursor",
            Self::Sqlite => "sqlite",
            Self::RocksDb => "rocksdb",
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
            Self::RocksDb => "RocksDB",
            Self::NativeDb => "native_db",
            Self::Probe => "raw sync",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Opens the contender in a separate directory, which is created if missing.
    pub fn open(self, dir: &Path) -> Outcome<Box<dyn Contender>> {
        std::fs::create_dir_all(dir)?;
        Ok(match self {
            Self::Ours => Box::new(Ours::open(dir)?),
            Self::ByHand => Box::new(ByHand::open(dir)?),
            Self::Redb => Box::new(BareRedb::open(dir, false)?),
            Self::RedbCursor => Box::new(BareRedb::open(dir, true)?),
            Self::Sqlite => Box::new(Sqlite::open(dir)?),
            #[cfg(feature = "rocksdb")]
            Self::RocksDb => Box::new(RocksDb::open(dir)?),
            #[cfg(not(feature = "rocksdb"))]
            Self::RocksDb => return Err(WITHOUT_ROCKSDB.into()),
            Self::NativeDb => Box::new(NativeDb::open(dir)?),
            Self::Probe => return Err("the probe is no store".into()),
        })
    }
}

/// A prepared load: the benchmark converts the orders before the clock starts.
pub type Load<'c> = Box<dyn FnOnce() -> Outcome + 'c>;

/// A store of orders. Acknowledged writes are durable.
pub trait Contender: Sync {
    /// Loads new orders, sorted by key, in few large calls.
    fn load(&self, orders: Vec<Order>) -> Outcome<Load<'_>>;

    /// Creates a writer for one client thread.
    fn writer(&self) -> Outcome<Box<dyn Writer + '_>>;

    /// Creates a reader for one client thread. Each of its calls sees one recent commit.
    fn reader(&self) -> Outcome<Box<dyn Reader + '_>>;

    /// Drops the table of the orders; returns when that is durable.
    fn drop_table(&self) -> Outcome;

    /// Returns when a dropped table is removed completely.
    fn swept(&self) -> Outcome {
        Ok(())
    }
}

pub trait Writer {
    /// Inserts or replaces one order.
    fn upsert(&mut self, order: Order) -> Outcome;

    /// Writes orders of one partition atomically.
    fn transact(&mut self, orders: Vec<Order>) -> Outcome;
}

pub trait Reader {
    fn get(&mut self, zone: u32, row: u32) -> Outcome<Seen>;

    /// Reads `count` rows of one partition, starting with `first`.
    fn range(&mut self, zone: u32, first: u32, count: u32) -> Outcome<Seen>;

    /// Reads all values of `count` rows of one partition without a list of entities, if the contender can.
    fn visit(&mut self, zone: u32, first: u32, count: u32) -> Outcome<Seen> {
        self.range(zone, first, count)
    }

    /// Reads all rows of a partition with this level.
    fn filter(&mut self, zone: u32, level: i32) -> Outcome<Seen>;

    /// Reads only the level of all rows of a partition.
    fn levels(&mut self, zone: u32) -> Outcome<Seen>;

    /// Reads all orders, with a separate request for each 1,000.
    fn pages(&mut self) -> Outcome<Seen>;
}
