//! The end-to-end fault suite: client and worker processes, a server that is killed, a proxy below the HTTP client,
//! every maintenance operation concurrently, and an oracle that shares no code with the checked library.
//!
//! `cargo run --release -p table-proofs --bin faults -- --seed 7 --for 10m --on server`; see `docs/reliability.md`.

#![allow(missing_docs, reason = "a program; its modules say what they are for")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "small numbers of a test; a failure ends the run"
)]

pub mod arguments;
pub mod children;
pub mod client;
pub mod clock;
pub mod conduct;
pub mod connect;
pub mod design;
pub mod drain;
pub mod history;
pub mod journal;
pub mod maintenance;
pub mod oracle;
pub mod plant;
pub mod proxy;
pub mod report;
pub mod serve;
pub mod server;
pub mod watch;
pub mod worker;
