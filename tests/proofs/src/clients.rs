//! Third-party clients of Azure Tables, Queues and Blobs, used as their users use them.
//!
//! A scenario is a program in the client's own language: it takes a connection string, runs its cases, and prints one
//! line of JSON per case ([`Outcome`]). Its requirements are installed under `target/clients` in the versions that its
//! directory pins, with a message. [`Client`] lists the scenarios. [`Azurite`] is the emulator that their users usually
//! run: the scenarios must succeed there too, except for a list of documented deviations. [`Suite`] lists the tests that
//! the SDKs for Python have themselves.

mod azurite;
mod browser;
mod chromium;
mod client;
mod database;
mod drift;
mod emulator;
mod install;
mod listening;
mod node;
mod old_rust;
mod outcome;
mod place;
mod program;
mod python;
mod served;
mod suite;

pub use azurite::Azurite;
pub use browser::in_browser;
pub use chromium::Chromium;
pub use client::Client;
pub use database::Database;
pub use drift::Drift;
pub use emulator::Emulator;
pub use install::Lacking;
pub use outcome::{Counts, Outcome, Outcomes};
pub use place::Place;
pub use program::Program;
pub use served::Served;
pub use suite::Suite;
