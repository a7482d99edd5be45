//! Who may do what: strings to sign, signatures, and what an operation needs.

mod account_key;
mod need;

pub use account_key::{AccountKey, AccountKeyError};
pub use need::{Need, ResourceType};
