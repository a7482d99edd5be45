//! Crash, fault and bit-rot simulation of the embedded store.
//!
//! The store runs on a [`SimDisk`], which records every step. From the steps a [`Platter`] builds the possible images
//! after a power cut. The real store opens an image, and its contents are compared with a [`History`] of requests and
//! responses. All choices are seeded: a failure prints the command that replays it.
//!
//! The assumptions about a disk are those of the store's `Disk` trait: a sync is honest, and a write damages no other
//! sector. A sector may be torn at a byte, or contain garbage; unsynced writes may survive in any order. Real power
//! cuts and disks with dishonest syncs are not tested here.
//!
//! In addition, [`programs`] compares random programs of all operations with a simple model, and [`concurrency`] checks
//! the histories of concurrent clients.
//!
//! Each guarantee is a [`proof::Proof`]: [`proofs::all`] lists them, the program `prove` runs them for a given
//! duration, and the tests run the number of cases for every change.

pub mod blobs;
pub mod campaign;
pub mod clock;
pub mod concurrency;
pub mod contents;
pub mod disk;
pub mod faults;
pub mod flight;
pub mod history;
pub mod inspection;
pub mod model;
pub mod platter;
pub mod program;
pub mod programs;
pub mod proof;
pub mod proofs;
pub mod queues;
pub mod request;
pub mod rot;
pub mod runner;
pub mod violation;
pub mod writer;

pub use campaign::Campaign;
pub use clock::SimClock;
pub use contents::Contents;
pub use disk::{Fault, FaultKind, FaultOn, SimDisk, Step};
pub use history::History;
pub use platter::Platter;
pub use request::Request;
pub use table_tests::seed::Seed;
pub use violation::Violation;
