//! Tests of the public interface of the embedded store.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a helper of a test fails as a test does"
)]

mod around;
mod backups;
mod blobs;
mod crashes;
mod damage;
mod descending;
mod edges;
mod faults;
mod files;
mod garbage;
mod large_files;
mod log;
mod marks;
mod observer;
mod operations;
mod pages;
mod queries;
mod queue_programs;
mod queues;
mod scrub;
mod settings;
mod support;
mod tables;
mod timestamps;
mod tokens;
mod transactions;
mod writers;
