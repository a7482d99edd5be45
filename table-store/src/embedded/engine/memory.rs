use std::{
    collections::BTreeMap,
    ops::Bound,
    sync::{Arc, Mutex, PoisonError},
};

use super::{Engine, Persist, Read, Verdict, Visit, Write};
use crate::StorageFault;

type Map = BTreeMap<Vec<u8>, Vec<u8>>;

/// A map in memory: the simplest thing that keeps the engine's promises. A write copies all of it, so it is for small
/// tests only.
#[derive(Debug, Default)]
pub(in crate::embedded) struct MemoryEngine {
    /// None once it is closed.
    committed: Mutex<Option<Arc<Map>>>,
}

impl MemoryEngine {
    pub(in crate::embedded) fn new() -> Self {
        Self { committed: Mutex::new(Some(Arc::default())) }
    }

    fn snapshot(&self) -> Result<Arc<Map>, StorageFault> {
        let committed = self.committed.lock().unwrap_or_else(PoisonError::into_inner);
        committed.clone().ok_or(StorageFault::Closed)
    }
}

impl Engine for MemoryEngine {
    fn read(&self, work: &mut dyn FnMut(&dyn Read)) -> Result<(), StorageFault> {
        work(&*self.snapshot()?);
        Ok(())
    }

    fn write(
        &self,
        _persist: Persist,
        work: &mut dyn FnMut(&mut dyn Write) -> Verdict,
    ) -> Result<(), StorageFault> {
        let mut map = (*self.snapshot()?).clone();
        if work(&mut map) == Verdict::Commit {
            *self.committed.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(map));
        }
        Ok(())
    }

    fn recover(&self) -> Result<(), StorageFault> {
        Ok(())
    }

    fn bytes(&self) -> Result<u64, StorageFault> {
        Ok(self.snapshot()?.iter().map(|(key, value)| (key.len() + value.len()) as u64).sum())
    }

    fn close(&self) -> Result<(), StorageFault> {
        *self.committed.lock().unwrap_or_else(PoisonError::into_inner) = None;
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
        self.insert(key.to_vec(), value.to_vec());
        Ok(())
    }

    fn remove(&mut self, key: &[u8]) -> Result<(), StorageFault> {
        BTreeMap::remove(self, key);
        Ok(())
    }
}
