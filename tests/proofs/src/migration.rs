//! A move of all entities to other keys, in a file, while writers run and the process is killed at random times.
//!
//! `cargo run --release -p table-proofs --bin migration -- --entities 1000000 --kills 100`; see `docs/reliability.md`.

#![allow(missing_docs, reason = "a program; its modules say what they are for")]
#![allow(clippy::indexing_slicing, clippy::print_stderr, reason = "a failure ends the run")]

pub mod book;
pub mod clock;
pub mod conduct;
pub mod design;
pub mod journal;
pub mod oracle;
pub mod plan;
pub mod process;
pub mod rates;
pub mod writer;
