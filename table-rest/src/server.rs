//! The server: the REST protocol on top of any service of `table-model`.
//!
//! A request is processed in steps: a connection reads it and rejects invalid framing; the account is determined and
//! the signature checked; the target service parses the operation from method, path and parameters, checks that the
//! signature allows it, and only then reads the body.

mod account;
mod accounts;
mod answer;
mod authenticate;
mod blobs;
mod body;
mod call;
mod connection;
mod connections;
mod cors;
mod dispatch;
mod emulation;
mod grant;
mod handler;
mod hosts;
mod limits;
mod listen_error;
mod listening;
mod observe;
mod queues;
mod refusal;
mod refused;
mod reply;
mod request_body;
mod request_telemetry;
mod resource;
mod route;
mod settings;
mod share;
mod spelling;
mod tables;
pub mod telemetry;
mod tls;

pub use account::ServedAccount;
pub use accounts::Accounts;
pub use body::RequestBody;
pub use call::Call;
pub use dispatch::dispatch;
pub use emulation::Emulation;
pub use grant::Grant;
pub use hosts::is_loopback_host;
pub use limits::Limits;
pub use listen_error::ListenError;
pub use listening::{Builder, Server};
pub use observe::{Probe, RecordOptions, Recorder, SlowLog, SlowRequest, SlowRequests, partition_hash};
pub use refusal::Refusal;
pub use reply::{Reply, ReplyBody};
pub use request_telemetry::Facts;
pub use spelling::Spelling;
pub use tls::{Identity, IdentityError};

pub(crate) use authenticate::{authenticate, refuse_unknown};
pub(crate) use refused::refused;
