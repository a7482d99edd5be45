//! Other people's clients of Azure Tables, Queues and Blobs, run as their users run them.
//!
//! A scenario is a program in the client's own language: it takes a connection string, works through its cases, and
//! prints one line of JSON for each ([`Outcome`]). What it needs is installed under `target/clients` in the versions
//! that its folder pins, and said so. [`Client`] names the scenarios, [`Azurite`] is the server that their users know:
//! the scenarios hold there too, but for a list of known drift.

mod azurite;
mod client;
mod drift;
mod install;
mod node;
mod old_rust;
mod outcome;
mod place;
mod program;
mod python;
mod served;

pub use azurite::Azurite;
pub use client::Client;
pub use drift::Drift;
pub use install::Lacking;
pub use outcome::{Outcome, Outcomes};
pub use place::Place;
pub use program::Program;
pub use served::Served;
