//! Locks, atomics and threads of the log. In tests with `--cfg shuttle` a scheduler chooses
//! their interleavings.

#[cfg(not(all(test, shuttle)))]
pub(super) use std::{
    sync::{
        Condvar, Mutex, MutexGuard, RwLock,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

#[cfg(all(test, shuttle))]
pub(super) use shuttle::{
    sync::{
        Condvar, Mutex, MutexGuard, RwLock,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};
