//! Authentication and authorization: strings to sign, signatures, and the permissions that operations require.

mod account_key;
mod key_range;
mod need;
pub mod sas;
mod shared_key;

pub use account_key::{AccountKey, AccountKeyError};
pub use key_range::KeyRange;
pub use need::{Need, ResourceType};
pub use shared_key::{Authorization, AuthorizationError, Scheme, SignedRequest};
