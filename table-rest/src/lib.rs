//! The REST protocol of Azure Tables, Queues and Blobs, with client and server.
//!
//! * [`wire`]: wire formats of values, entities, errors and batches, each with one reader and one writer;
//! * [`auth`]: strings to sign, signatures, shared access signatures;
//! * [`connection`]: connection strings;
//! * `server` (feature `server`): any service of `table-model` behind the protocol;
//! * `client` (feature `client`): any account that supports the protocol, as a service of `table-model`.
//!
//! This crate contains no service rule that `table-model` can contain: valid entities, rejected writes, filter
//! comparison.

mod account_name;
pub mod auth;
pub mod connection;
mod redact;
mod trace_context;
pub mod wire;

#[cfg(feature = "client")]
pub mod client;
#[cfg(feature = "server")]
pub mod server;

pub use account_name::{AccountName, AccountNameError};
pub use redact::{HIDDEN, redacted};
pub use table_model::settings::ServiceKind;
pub use trace_context::TraceContext;

/// Compiles the code of the guide chapter.
#[cfg(all(doctest, feature = "server"))]
#[doc = include_str!("../docs/server.md")]
struct Chapter;
