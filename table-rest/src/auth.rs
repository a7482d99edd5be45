//! Authentication and authorization: strings to sign, signatures, and the permissions that operations require.

mod account_key;
mod key_range;
mod need;
pub mod sas;
mod shared_key;

use http::HeaderName;

pub use account_key::{AccountKey, AccountKeyError};
pub use key_range::KeyRange;
pub use need::{Need, ResourceType};
pub use shared_key::{Authorization, AuthorizationError, Scheme, SignedRequest};

/// The date of a request, which takes precedence over `Date`.
pub(crate) static X_MS_DATE: HeaderName = HeaderName::from_static("x-ms-date");

/// The version of the protocol.
pub(crate) static X_MS_VERSION: HeaderName = HeaderName::from_static("x-ms-version");
