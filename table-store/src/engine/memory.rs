use std::{
    collections::BTreeMap,
    ops::Bound,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use table_model::StorageFault;

use super::{Engine, Read, Verdict, Visit, Write};

/// Keys and records. A copy of the map shares both.
type Map = BTreeMap<Arc<[u8]>, Arc<[u8]>>;

/// Storage of a `MemoryEngine`. Clones share the content, so that a store can be closed and reopened on it.
#[derive(Clone, Debug, Default)]
pub struct MapStorage(Arc<Mutex<Arc<Map>>>);

impl MapStorage {
    /// Returns all stored keys and records as bytes.
    #[doc(hidden)]
    #[must_use]
    pub fn entries(&self) -> Vec<(Vec<u8>, Vec<u8>)> {
        self.snapshot().iter().map(|(key, record)| (key.to_vec(), record.to_vec())).collect()
    }

    /// Writes bytes under a key, bypassing the store, to simulate damage.
    #[doc(hidden)]
    pub fn put(&self, key: Vec<u8>, record: Vec<u8>) {
        Arc::make_mut(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
            .insert(key.into(), record.into());
    }

    fn snapshot(&self) -> Arc<Map> {
        Arc::clone(&self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// An engine on a map in memory: the simplest implementation of the engine's guarantees. Each write copies the map
/// (though no key and no record), so use it for small tests only.
#[derive(Debug)]
pub(crate) struct MemoryEngine {
    storage: MapStorage,
    closed: AtomicBool,
}

impl MemoryEngine {
    pub(crate) fn new(storage: MapStorage) -> Self {
        Self { storage, closed: AtomicBool::new(false) }
    }

    fn snapshot(&self) -> Result<Arc<Map>, StorageFault> {
        if self.is_closed() { Err(StorageFault::Closed) } else { Ok(self.storage.snapshot()) }
    }
}

impl Engine for MemoryEngine {
    fn read(&self, work: &mut dyn FnMut(&dyn Read)) -> Result<(), StorageFault> {
        work(&*self.snapshot()?);
        Ok(())
    }

    fn write(&self, work: &mut dyn FnMut(&mut dyn Write) -> Verdict) -> Result<(), StorageFault> {
        let mut map = (*self.snapshot()?).clone();
        if matches!(work(&mut map), Verdict::Commit(_)) {
            *self.storage.0.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(map);
        }
        Ok(())
    }

    fn bytes(&self) -> Result<u64, StorageFault> {
        Ok(self.snapshot()?.iter().map(|(key, value)| (key.len() + value.len()) as u64).sum())
    }

    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    fn close(&self) -> Result<(), StorageFault> {
        self.closed.store(true, Ordering::Release);
        Ok(())
    }
}

impl Read for Map {
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool, StorageFault> {
        let value = BTreeMap::get(self, key);
        if let Some(value) = value {
            visit(value);
        }
        Ok(value.is_some())
    }

    fn scan(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), StorageFault> {
        if from >= to {
            return Ok(());
        }
        for (key, value) in self.range::<[u8], _>((Bound::Included(from), Bound::Excluded(to))) {
            if visit(key, value).is_break() {
                break;
            }
        }
        Ok(())
    }
}

impl Write for Map {
    fn put(&mut self, key: &[u8], value: &[u8]) -> Result<(), StorageFault> {
        self.insert(key.into(), value.into());
        Ok(())
    }

    fn remove(&mut self, key: &[u8]) -> Result<(), StorageFault> {
        BTreeMap::remove(self, key);
        Ok(())
    }
}
