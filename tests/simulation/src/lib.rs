//! Clients and workers on one thread, over a table service on which each call waits for its turn and may go wrong. Which
//! of them goes on, and what goes wrong, is decided by a seed: the same seed is the same run.

mod blobs;
mod calendar;
mod network;
mod part;
mod queues;
mod schedule;
mod service;
mod stepped;
mod world;

pub use calendar::Calendar;
pub use network::Network;
pub use part::{collecting, pause, reindexing, runs, settling, sweeping, verifying_and_repairing};
pub use queues::UnreliableQueues;
pub use schedule::Schedule;
pub use service::Unreliable;
pub use stepped::Stepped;
pub use world::{Fate, Faults, World};
