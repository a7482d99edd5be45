//! An engine that counts the accesses to another engine.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use table_store::{
    StorageFault,
    engine::{Engine, Read, Verdict, Write},
};

#[derive(Clone, Debug, Default)]
pub(crate) struct Counters {
    pub(crate) reads: Arc<AtomicU64>,
    pub(crate) commits: Arc<AtomicU64>,
}

#[derive(Debug)]
pub(crate) struct Counting<E> {
    inner: E,
    counters: Counters,
}

impl<E: Engine> Counting<E> {
    pub(crate) fn new(inner: E, counters: Counters) -> Self {
        Self { inner, counters }
    }
}

impl<E: Engine> Engine for Counting<E> {
    fn read(&self, work: &mut dyn FnMut(&dyn Read)) -> Result<(), StorageFault> {
        self.counters.reads.fetch_add(1, Ordering::Relaxed);
        self.inner.read(work)
    }

    fn write(&self, work: &mut dyn FnMut(&mut dyn Write) -> Verdict) -> Result<(), StorageFault> {
        self.inner.write(&mut |write| {
            let verdict = work(write);
            if let Verdict::Commit(_) = verdict {
                self.counters.commits.fetch_add(1, Ordering::Relaxed);
            }
            verdict
        })
    }

    fn recover(&self) -> Result<(), StorageFault> {
        self.inner.recover()
    }

    fn reopenings(&self) -> u64 {
        self.inner.reopenings()
    }

    fn compact(&self) -> Result<(), StorageFault> {
        self.inner.compact()
    }

    fn bytes(&self) -> Result<u64, StorageFault> {
        self.inner.bytes()
    }

    fn is_closed(&self) -> bool {
        self.inner.is_closed()
    }

    fn close(&self) -> Result<(), StorageFault> {
        self.inner.close()
    }
}
