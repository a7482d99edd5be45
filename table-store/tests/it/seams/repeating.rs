//! An engine that cannot complete some reads and repeats them, as the engine of files does after a disk error.

use std::{
    cell::Cell,
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use table_store::{
    StorageFault,
    engine::{Engine, Read, Verdict, Visit, Write},
};

#[derive(Debug)]
pub(crate) struct Repeating<E> {
    inner: E,
    /// Number of records that the next scan passes on before it fails. It is reset when a scan failed.
    fails_after: Arc<AtomicUsize>,
}

impl<E: Engine> Repeating<E> {
    pub(crate) fn new(inner: E, fails_after: Arc<AtomicUsize>) -> Self {
        Self { inner, fails_after }
    }
}

struct Failing<'r> {
    read: &'r dyn Read,
    left: Cell<usize>,
}

impl Read for Failing<'_> {
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool, StorageFault> {
        self.read.get(key, visit)
    }

    fn scan(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), StorageFault> {
        let mut failed = false;
        self.read.scan(from, to, &mut |key, value| {
            failed = self.left.get() == 0;
            if failed {
                return ControlFlow::Break(());
            }
            self.left.set(self.left.get() - 1);
            visit(key, value)
        })?;
        if failed { Err(StorageFault::Corrupt { what: "the disk failed".to_owned() }) } else { Ok(()) }
    }
}

impl<E: Engine> Engine for Repeating<E> {
    fn read(&self, work: &mut dyn FnMut(&dyn Read)) -> Result<(), StorageFault> {
        self.inner.read(&mut |read| {
            let left = self.fails_after.swap(usize::MAX, Ordering::Relaxed);
            if left != usize::MAX {
                work(&Failing { read, left: Cell::new(left) });
            }
            work(read);
        })
    }

    fn write(&self, work: &mut dyn FnMut(&mut dyn Write) -> Verdict) -> Result<(), StorageFault> {
        self.inner.write(work)
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
