//! Deterministic simulation of clients and workers on one thread. The table service schedules each call and injects
//! faults. A seed determines the order of calls and the faults, so the same seed produces the same run.

mod blobs;
mod calendar;
mod network;
mod part;
mod queues;
mod schedule;
mod service;
mod unused;
mod world;

pub use calendar::Calendar;
pub use network::Network;
pub use part::{collecting, reindexing, runs, settling, sweeping, verifying_and_repairing};
pub use queues::UnreliableQueues;
pub use schedule::Schedule;
pub use service::{Below, Unreliable};
pub use table_tests::{
    fate::Fate,
    schedule::{Stepped, pause},
};
use unused::{unused, unused_methods};
pub use world::{Faults, World};
