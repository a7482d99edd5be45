//! Crash, fault and bit-rot simulation of the embedded store.
//!
//! The store runs on a [`SimDisk`], which remembers every step. From the steps a [`Platter`] builds what a power cut
//! could leave; the real store opens that, and what it then holds is compared with a [`History`] of what was asked
//! and answered. All of it is seeded: a failure prints the command that replays it.
//!
//! Assumed of a disk, as the store's `Disk` trait says: a sync is honest, and a write damages no sector beside its
//! own. A sector may be torn at a byte, or hold garbage; what is not synced may survive in any order. Real power cuts
//! and disks that lie are not tested here.
//!
//! Beside the disk: [`programs`] holds random programs of all operations against a plain model, and [`concurrency`]
//! judges what clients see that work at the same time.
//!
//! Each promise is a [`proof::Proof`]: [`proofs::all`] lists them, the program `prove` runs them for as long as asked,
//! and the tests of this crate run them in the size that goes with every change.

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
pub mod seed;
pub mod violation;
pub mod writer;

pub use campaign::Campaign;
pub use clock::SimClock;
pub use contents::Contents;
pub use disk::{Fault, FaultKind, FaultOn, SimDisk, Step};
pub use history::History;
pub use platter::Platter;
pub use request::Request;
pub use seed::Seed;
pub use violation::Violation;
