use std::net::IpAddr;

use super::Field;

/// Reason why a signature is invalid or does not apply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SasError {
    /// A duplicate parameter.
    #[error("duplicate parameter {}", .0.name())]
    Twice(Field),
    /// A parameter that this kind of signature, or its version, does not allow.
    #[error("the parameter {} is not allowed in a signature of this kind and version", .0.name())]
    Foreign(Field),
    /// A missing required parameter.
    #[error("the parameter {} is missing", .0.name())]
    Missing(Field),
    /// An invalid value of a parameter.
    #[error("the value of the parameter {} is not valid", .0.name())]
    Value(Field),
    /// An empty key of a range. It signs like a missing one, so that the holder of the URL could remove the limit.
    #[error(
        "the parameter {} is empty; it signs like no limit, so that the limit could be removed from the URL",
        .0.name()
    )]
    EmptyKey(Field),
    /// An unsupported version.
    #[error("the version sv is not supported")]
    Version,
    /// A parameter that the stored policy specifies as well.
    #[error("the parameter {} is also specified in the stored policy", .0.name())]
    InPolicy(Field),
    /// The stored policy does not exist.
    #[error("the stored policy specified by si does not exist")]
    NoPolicy,
    /// The start time is in the future.
    #[error("the signature is not valid yet")]
    TooEarly,
    /// The expiry time has passed.
    #[error("the signature has expired")]
    TooLate,
    /// The client address is not allowed.
    #[error("the signature is not valid for the address {0}")]
    Address(IpAddr),
    /// The signature requires HTTPS.
    #[error("the signature is only valid for HTTPS")]
    Protocol,
}
