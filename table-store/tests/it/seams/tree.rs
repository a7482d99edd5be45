//! An engine on a `BTreeMap`: a snapshot is a reference to the map, and a commit replaces the map.

use std::{
    collections::BTreeMap,
    ops::Bound,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use table_store::{
    StorageFault,
    engine::{Engine, Read, Verdict, Visit, Write},
};

type Map = BTreeMap<Vec<u8>, Vec<u8>>;

/// The content of an engine. Clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    map: Arc<Mutex<Arc<Map>>>,
    full: Arc<AtomicBool>,
}

impl Tree {
    /// Sets whether commits fail because no space is left.
    pub(crate) fn set_full(&self, full: bool) {
        self.full.store(full, Ordering::Relaxed);
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot(Arc::clone(&self.map.lock().unwrap()))
    }
}

#[derive(Debug)]
pub(crate) struct TreeEngine {
    tree: Tree,
    closed: AtomicBool,
}

impl TreeEngine {
    pub(crate) fn new(tree: Tree) -> Self {
        Self { tree, closed: AtomicBool::new(false) }
    }

    fn check_open(&self) -> Result<(), StorageFault> {
        if self.is_closed() { Err(StorageFault::Closed) } else { Ok(()) }
    }
}

impl Engine for TreeEngine {
    fn read(&self, work: &mut dyn FnMut(&dyn Read)) -> Result<(), StorageFault> {
        self.check_open()?;
        work(&self.tree.snapshot());
        Ok(())
    }

    fn write(&self, work: &mut dyn FnMut(&mut dyn Write) -> Verdict) -> Result<(), StorageFault> {
        self.check_open()?;
        let mut next = self.tree.snapshot();
        if let Verdict::Commit(_) = work(&mut next) {
            if self.tree.full.load(Ordering::Relaxed) {
                return Err(StorageFault::DiskFull { file: None });
            }
            *self.tree.map.lock().unwrap() = next.0;
        }
        Ok(())
    }

    fn bytes(&self) -> Result<u64, StorageFault> {
        Ok(self.tree.snapshot().0.iter().map(|(key, value)| (key.len() + value.len()) as u64).sum())
    }

    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    fn close(&self) -> Result<(), StorageFault> {
        self.closed.store(true, Ordering::Relaxed);
        Ok(())
    }
}

struct Snapshot(Arc<Map>);

impl Read for Snapshot {
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool, StorageFault> {
        let value = self.0.get(key);
        if let Some(value) = value {
            visit(value);
        }
        Ok(value.is_some())
    }

    fn scan(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), StorageFault> {
        if from < to {
            let range = (Bound::Included(from), Bound::Excluded(to));
            for (key, value) in self.0.range::<[u8], _>(range) {
                if visit(key, value).is_break() {
                    break;
                }
            }
        }
        Ok(())
    }
}

/// Copies the map at the first change of a transaction.
impl Write for Snapshot {
    fn put(&mut self, key: &[u8], value: &[u8]) -> Result<(), StorageFault> {
        Arc::make_mut(&mut self.0).insert(key.to_vec(), value.to_vec());
        Ok(())
    }

    fn remove(&mut self, key: &[u8]) -> Result<(), StorageFault> {
        Arc::make_mut(&mut self.0).remove(key);
        Ok(())
    }
}
