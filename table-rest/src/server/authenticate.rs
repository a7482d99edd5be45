//! Authentication of requests, and the permissions that they get.

mod sas;
mod shared_key;
mod token;

use std::sync::LazyLock;

use http::header::AUTHORIZATION;
use table_model::{ErrorCode, Uuid};

use super::{Call, Grant, Refusal, ServedAccount};
use crate::{
    ServiceKind,
    auth::{AccountKey, Authorization, AuthorizationError, sas::SasToken},
};

/// The element of an XML error with the reason why authentication failed.
const DETAIL: &str = "AuthenticationErrorDetail";

/// First version in which a request without any signature fails with a specific error. Earlier versions return a
/// not-found error.
const TELLS_ANONYMOUS: &str = "2019-12-12";

/// Returns the permissions of a request to an account.
///
/// # Errors
///
/// Returns `AuthenticationFailed`, or another authentication error.
pub(crate) async fn authenticate(account: &ServedAccount, call: &Call) -> Result<Grant, Refusal> {
    match Claim::of(call)? {
        Claim::Key(authorization) => {
            shared_key::verify(&account.keys, &authorization, call)?;
            Ok(Grant::KEY)
        }
        Claim::Signature(token) => sas::grant(account, &token, call).await,
        Claim::Token(token) if account.emulation.unverified_tokens => {
            token::check(token, call).map_err(|refusal| told(refusal, call))?;
            Ok(Grant::TOKEN)
        }
        Claim::Token(_) => Err(no_tokens(call)),
    }
}

/// Returns the error for an unknown account: the same as for an invalid signature, after the same work.
pub(crate) fn refuse_unknown(call: &Call) -> Refusal {
    let checked = Claim::of(call).and_then(|claim| match claim {
        Claim::Key(authorization) => shared_key::verify(&*DECOY, &authorization, call),
        Claim::Signature(token) => sas::verify(&*DECOY, &token, call).map(drop),
        Claim::Token(_) => Err(no_tokens(call)),
    });
    checked.err().unwrap_or_else(|| failed("The signature does not match."))
}

/// A random key. Signatures for unknown accounts are compared with it.
static DECOY: LazyLock<[AccountKey; 1]> = LazyLock::new(|| {
    let random = [Uuid::new_v4(), Uuid::new_v4()].map(Uuid::into_bytes).concat();
    [AccountKey::new(random).unwrap_or_else(|_| AccountKey::emulator())]
});

/// The credential of a request.
enum Claim<'c> {
    /// A signature by the account key.
    Key(Authorization<'c>),
    /// A shared access signature in the query.
    Signature(SasToken),
    /// A bearer token.
    Token(&'c str),
}

impl<'c> Claim<'c> {
    fn of(call: &'c Call) -> Result<Self, Refusal> {
        let mut headers = call.headers.get_all(AUTHORIZATION).iter();
        let token = SasToken::read(&call.query).map_err(sas::refused)?;
        let header = match (headers.next(), token) {
            (Some(header), None) => header,
            (None, Some(token)) => return Ok(Self::Signature(token)),
            (None, None) => return Err(anonymous(call)),
            (Some(_), Some(_)) => {
                return Err(ill_formed(
                    "The request contains both an Authorization header and a signature in the query.",
                ));
            }
        };
        if headers.next().is_some() {
            return Err(ill_formed("The request contains more than one Authorization header."));
        }
        let header =
            header.to_str().map_err(|_| ill_formed("The Authorization header is not a valid string."))?;
        if let Some(token) = token::of_header(header) {
            return Ok(Self::Token(token));
        }
        Authorization::read(header).map(Self::Key).map_err(|error| ill_formed(&error.to_string()))
    }
}

/// Returns the error for a request without a signature, which depends on its version.
fn anonymous(call: &Call) -> Refusal {
    match call.header("x-ms-version") {
        Some(version) if version >= TELLS_ANONYMOUS => ErrorCode::NoAuthenticationInformation.into(),
        _ => ErrorCode::ResourceNotFound.into(),
    }
}

/// Returns the error for a request with an invalid `Authorization` header.
fn ill_formed(reason: &str) -> Refusal {
    Refusal::from(ErrorCode::InvalidAuthenticationInfo).with(DETAIL, reason)
}

/// Returns the error for a bearer token: there is no identity provider to validate it.
fn no_tokens(call: &Call) -> Refusal {
    told(ill_formed(&AuthorizationError::Scheme.to_string()), call)
}

/// Adds the reason to the message of the table service, whose errors have no elements.
fn told(refusal: Refusal, call: &Call) -> Refusal {
    let reason = refusal.details.iter().find(|(element, _)| *element == DETAIL);
    let Some((_, reason)) = reason.filter(|_| call.kind == ServiceKind::Table) else { return refusal };
    let message = format!("{} {reason}", refusal.error.message());
    Refusal { error: refusal.error.clone().saying(message), ..refusal }
}

/// Returns the error for all failed authentications, with a human-readable reason.
fn failed(reason: impl Into<String>) -> Refusal {
    let reason = reason.into();
    Refusal::from(ErrorCode::AuthenticationFailed).with(DETAIL, reason.clone()).because(reason)
}

/// Returns the error for a signature that matches no key of the account. The string to sign contains names of stored
/// data, so it is not logged.
fn unsigned(string_to_sign: &str) -> Refusal {
    let reason = format!("The signature does not match. The string to sign is `{string_to_sign}`.");
    Refusal::from(ErrorCode::AuthenticationFailed)
        .with(DETAIL, reason)
        .because("The signature does not match.")
}

#[cfg(test)]
mod tests;
