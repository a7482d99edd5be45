//! Who sent a request, and what that grants.

mod sas;
mod shared_key;

use std::sync::LazyLock;

use http::header::AUTHORIZATION;
use table_store::{ErrorCode, Uuid};

use super::{Call, Grant, Refusal, ServedAccount};
use crate::auth::{AccountKey, Authorization, sas::SasToken};

/// The element of an XML error that says why a request was not believed.
const DETAIL: &str = "AuthenticationErrorDetail";

/// From this version on a request without any signature is told that it has none; before, that nothing is there.
const TELLS_ANONYMOUS: &str = "2019-12-12";

/// What a request to an account may do.
///
/// # Errors
/// `AuthenticationFailed`, and what else says that it is not believed.
pub(crate) async fn authenticate(account: &ServedAccount, call: &Call) -> Result<Grant, Refusal> {
    match Claim::of(call)? {
        Claim::Key(authorization) => {
            shared_key::verify(&account.keys, &authorization, call)?;
            Ok(Grant::KEY)
        }
        Claim::Signature(token) => sas::grant(account, &token, call).await,
    }
}

/// What a request to an account that is not there is told: the same as one whose signature is wrong, after as much work.
pub(crate) fn refuse_unknown(call: &Call) -> Refusal {
    let checked = Claim::of(call).and_then(|claim| match claim {
        Claim::Key(authorization) => shared_key::verify(&*DECOY, &authorization, call),
        Claim::Signature(token) => sas::verify(&*DECOY, &token, call).map(drop),
    });
    checked.err().unwrap_or_else(|| failed("The signature does not fit."))
}

/// A key that signs nothing, as nobody knows it: what a signature for no account is compared with.
static DECOY: LazyLock<[AccountKey; 1]> = LazyLock::new(|| {
    let random = [Uuid::new_v4(), Uuid::new_v4()].map(Uuid::into_bytes).concat();
    [AccountKey::new(random).unwrap_or_else(|_| AccountKey::emulator())]
});

/// What a request shows for itself.
enum Claim<'c> {
    /// A signature by the account's key.
    Key(Authorization<'c>),
    /// A shared access signature in its query.
    Signature(SasToken),
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
                    "There is an Authorization header as well as a signature in the query.",
                ));
            }
        };
        if headers.next().is_some() {
            return Err(ill_formed("There is more than one Authorization header."));
        }
        let header = header.to_str().map_err(|_| ill_formed("The Authorization header is no text."))?;
        Authorization::read(header).map(Self::Key).map_err(|error| ill_formed(&error.to_string()))
    }
}

/// What a request without a signature is told, which differs by its version.
fn anonymous(call: &Call) -> Refusal {
    match call.header("x-ms-version") {
        Some(version) if version >= TELLS_ANONYMOUS => ErrorCode::NoAuthenticationInformation.into(),
        _ => ErrorCode::ResourceNotFound.into(),
    }
}

/// What a request is told whose header cannot be read.
fn ill_formed(why: &str) -> Refusal {
    Refusal::from(ErrorCode::InvalidAuthenticationInfo).with(DETAIL, why)
}

/// The one answer to all that is not believed, and for people why.
fn failed(why: impl Into<String>) -> Refusal {
    let why = why.into();
    Refusal::from(ErrorCode::AuthenticationFailed).with(DETAIL, why.clone()).because(why)
}

/// The answer to a signature that no key of the account made. The string to sign contains names of what is stored, so it is
/// not logged.
fn unsigned(string_to_sign: &str) -> Refusal {
    let why = format!("The signature does not fit. The string to sign is `{string_to_sign}`.");
    Refusal::from(ErrorCode::AuthenticationFailed).with(DETAIL, why).because("The signature does not fit.")
}

#[cfg(test)]
mod tests;
