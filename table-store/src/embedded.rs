//! The engine.

mod clock;
mod disk;
mod engine;
mod keys;
mod random;
mod record;
mod refusal;
mod seal;

pub use clock::{Clock, SystemClock};
pub use disk::{Disk, MemoryDisk};
pub use random::{Random, SystemRandom};
pub use refusal::{OpenError, Place};
