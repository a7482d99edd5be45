//! The two engines, and the data that a store leaves on them.

use table_store::{BlockingStore, Durability, MapStorage, MemoryDisk, OpenError};

use crate::reliability::{SimClock, history::options};

/// The storage of a store.
#[derive(Clone, Debug)]
pub enum Engine {
    /// A file, in memory.
    File(MemoryDisk),
    /// A map.
    Map(MapStorage),
}

impl Engine {
    /// Creates a new engine; alternates between the two.
    #[must_use]
    pub fn new(number: u64) -> Self {
        if number.is_multiple_of(2) {
            Self::Map(MapStorage::default())
        } else {
            Self::File(MemoryDisk::new())
        }
    }

    /// Opens a store, or creates it.
    ///
    /// # Errors
    /// Returns an error if the store cannot be opened.
    pub fn open(&self, clock: &SimClock, durability: Durability) -> Result<BlockingStore, OpenError> {
        let options = options(clock, durability);
        let store = match self {
            Self::File(disk) => options.open_disk(disk.clone()),
            Self::Map(storage) => options.open_map(storage.clone()),
        };
        Ok(store?.blocking())
    }

    /// Returns a copy of the stored data as a separate engine.
    #[must_use]
    pub fn copy(&self) -> Self {
        match self {
            Self::File(disk) => Self::File(disk.copied()),
            Self::Map(storage) => {
                let copy = MapStorage::default();
                for (key, value) in storage.entries() {
                    copy.put(key, value);
                }
                Self::Map(copy)
            }
        }
    }
}
