//! The server: the protocol's skin over any service of `table-store`.
//!
//! A request goes this way: a connection reads it and refuses what is not well framed; its account is found and its
//! signature checked; the service it was sent to reads the operation from verb, path and parameters, asks whether the
//! signature allows it, and only then reads the body.

mod account;
mod accounts;
mod authenticate;
mod body;
mod call;
mod dispatch;
mod facts;
mod grant;
mod refusal;
mod refused;
mod reply;

pub use account::ServedAccount;
pub use accounts::Accounts;
pub use body::RequestBody;
pub use call::Call;
pub use dispatch::dispatch;
pub use facts::Facts;
pub use grant::Grant;
pub use refusal::Refusal;
pub use reply::{Reply, ReplyBody};

pub(crate) use authenticate::{authenticate, refuse_unknown};
pub(crate) use refused::refused;
