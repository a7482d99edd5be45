//! State shared by all rows of a run: its time limits, and the loaded stores.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use tempfile::TempDir;

use crate::{
    contender::{Contender, Kind, Outcome},
    order::{Order, Size},
    probe::Probe,
};

/// The extent of the measurements.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    pub name: &'static str,
    pub rounds: u32,
    /// Duration of one contender in one row and round, unless the work itself determines it.
    pub window: Duration,
    /// Number of entities in a loaded store, and in a bulk load.
    pub orders: u32,
    /// Number of entities in a dropped table.
    pub dropped: u32,
}

impl Effort {
    pub const QUICK: Self = Self {
        name: "quick",
        rounds: 3,
        window: Duration::from_millis(200),
        orders: 100_000,
        dropped: 20_000,
    };
    pub const FULL: Self = Self {
        name: "full",
        rounds: 5,
        window: Duration::from_millis(800),
        orders: 300_000,
        dropped: 200_000,
    };
}

/// The contender and the data of a row.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    pub kind: Kind,
    pub size: Size,
    pub round: u32,
}

pub struct Bench {
    pub effort: Effort,
    pub probe: Probe,
    loaded: Vec<(Kind, Size, Box<dyn Contender>)>,
    dir: TempDir,
}

impl Bench {
    /// Creates a benchmark with its files in a new directory under `dir`.
    pub fn new(effort: Effort, dir: &Path) -> Outcome<Self> {
        std::fs::create_dir_all(dir)?;
        let dir = tempfile::tempdir_in(dir)?;
        Ok(Self { effort, probe: Probe::new(dir.path())?, loaded: Vec::new(), dir })
    }

    /// Returns a separate directory for each use.
    pub fn place(&self, what: &str, kind: Kind, size: Size) -> PathBuf {
        self.dir.path().join(format!("{what}-{}-{}", kind.name(), size.bytes()))
    }

    /// Loads a store if it is not loaded yet.
    pub fn prepare(&mut self, kind: Kind, size: Size) -> Outcome {
        if kind != Kind::Probe && self.store(kind, size).is_err() {
            let store = kind.open(&self.place("loaded", kind, size))?;
            load(&*store, size, self.effort.orders)?;
            self.loaded.push((kind, size, store));
        }
        Ok(())
    }

    /// Returns a loaded store.
    pub fn store(&self, kind: Kind, size: Size) -> Outcome<&dyn Contender> {
        let mut loaded = self.loaded.iter();
        let store = loaded.find(|(is, of, _)| (*is, *of) == (kind, size)).map(|(_, _, store)| &**store);
        store.ok_or_else(|| "the store was not prepared".into())
    }

    /// Closes the stores of a size.
    pub fn close(&mut self, size: Size) {
        self.loaded.retain(|(_, of, _)| *of != size);
    }
}

/// Loads orders in parts that fit in memory.
pub fn load(store: &dyn Contender, size: Size, count: u32) -> Outcome {
    const AT_ONCE: u32 = 50_000;
    for first in (0..count).step_by(AT_ONCE as usize) {
        store.load(orders(first..count.min(first + AT_ONCE), size))?()?;
    }
    Ok(())
}

pub fn orders(numbers: std::ops::Range<u32>, size: Size) -> Vec<Order> {
    numbers.map(|number| Order::of(number, 0, size)).collect()
}
