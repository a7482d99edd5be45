//! A client like the Durable Task Framework: workers own partitions by leases of blobs, exchange messages by queues, and
//! record the history of orchestrations in tables, against a server that is killed and restarted again and again.
//!
//! `cargo run --release -p table-proofs --bin durable -- --seed 7 --for 10m`; see `docs/reliability.md`.

#![allow(missing_docs, reason = "a program; its modules say what they are for")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "small numbers of a test; a failure ends the run"
)]

pub mod arguments;
pub mod conduct;
pub mod control;
pub mod history;
pub mod hub;
pub mod journal;
pub mod leases;
pub mod message;
pub mod oracle;
pub mod orchestration;
pub mod report;
pub mod starter;
pub mod worker;
