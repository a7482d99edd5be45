use std::net::IpAddr;

use super::Field;

/// Why a signature is not one, or does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SasError {
    /// It says something twice.
    #[error("the parameter {} stands there more than once", .0.name())]
    Twice(Field),
    /// It says something that signatures of its kind do not, or not in its version.
    #[error("the parameter {} does not belong to a signature of this kind and version", .0.name())]
    Foreign(Field),
    /// It does not say something that it must.
    #[error("the parameter {} is missing", .0.name())]
    Missing(Field),
    /// A value cannot be what it is for.
    #[error("the value of the parameter {} is not valid", .0.name())]
    Value(Field),
    /// Its version is not known.
    #[error("the version sv is not supported")]
    Version,
    /// A policy says it already.
    #[error("the parameter {} stands in the stored policy as well", .0.name())]
    InPolicy(Field),
    /// There is no policy of that name.
    #[error("there is no stored policy of the name that si says")]
    NoPolicy,
    /// It does not hold yet.
    #[error("the signature does not hold yet")]
    TooEarly,
    /// It does not hold any more.
    #[error("the signature has expired")]
    TooLate,
    /// Somebody else may use it.
    #[error("the signature is not for the address {0}")]
    Address(IpAddr),
    /// It is for HTTPS only.
    #[error("the signature is for HTTPS only")]
    Protocol,
}
