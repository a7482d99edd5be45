//! The server: the protocol's skin over any service of `table-store`.
//!
//! A request goes this way: a connection reads it and refuses what is not well framed; its account is found and its
//! signature checked; the service it was sent to reads the operation from verb, path and parameters, asks whether the
//! signature allows it, and only then reads the body.

mod account;
mod accounts;
mod answer;
mod arriving;
mod aside;
mod authenticate;
mod blobs;
mod body;
mod call;
mod connection;
mod cors;
mod dispatch;
mod facts;
mod grant;
mod handler;
mod hosts;
mod limits;
mod listening;
mod observe;
mod queues;
mod refusal;
mod refused;
mod reply;
mod resource;
mod route;
mod settings;
mod tables;
mod tls;

pub use account::ServedAccount;
pub use accounts::Accounts;
pub use body::RequestBody;
pub use call::Call;
pub use dispatch::dispatch;
pub use facts::Facts;
pub use grant::Grant;
pub use hosts::is_loopback_host;
pub use limits::Limits;
pub use listening::{Builder, Server};
pub use refusal::Refusal;
pub use reply::{Reply, ReplyBody};
pub use tls::{Identity, IdentityError};

pub(crate) use aside::aside;
pub(crate) use authenticate::{authenticate, refuse_unknown};
pub(crate) use refused::refused;
