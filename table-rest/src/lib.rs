//! The REST protocol of Azure Tables, Queues and Blobs: both sides of it.
//!
//! * [`wire`]: the forms in which values, entities, errors and batches travel, each read and written in one place;
//! * [`auth`]: strings to sign, signatures, shared access signatures;
//! * [`connection`]: connection strings;
//! * `server` (feature `server`): any service of `table-store` behind the protocol;
//! * `client` (feature `client`): any account that speaks it, as a service of `table-store`.
//!
//! No rule of the service lives here that `table-store` can hold: what an entity may be, which write is refused, how
//! a filter compares.

mod account_name;
pub mod auth;
pub mod connection;
mod redact;
pub mod wire;

#[cfg(feature = "client")]
pub mod client;
#[cfg(feature = "server")]
pub mod server;

pub use account_name::{AccountName, AccountNameError};
pub use redact::redacted;
pub use table_store::settings::ServiceKind;

/// The code of the guide's chapter.
#[cfg(all(doctest, feature = "server"))]
#[doc = include_str!("../../docs/guide/server.md")]
struct Chapter;
