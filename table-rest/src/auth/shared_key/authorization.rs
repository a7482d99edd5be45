use std::fmt;

/// How much of a request is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// All that the service knows to sign.
    SharedKey,
    /// Less of it: what the oldest clients sign.
    SharedKeyLite,
}

/// The header `Authorization` of a request that an account's key has signed.
///
/// ```
/// use table_rest::auth::{Authorization, Scheme};
///
/// let authorization = Authorization::read("SharedKey acme:c2ln")?;
/// assert_eq!((authorization.scheme, authorization.account), (Scheme::SharedKey, "acme"));
/// # Ok::<(), table_rest::auth::AuthorizationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Authorization<'h> {
    /// What was signed.
    pub scheme: Scheme,
    /// Whose key signed it.
    pub account: &'h str,
    /// The signature, in Base64.
    pub signature: &'h str,
}

/// Why a header is none that a key made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AuthorizationError {
    /// Another scheme, such as `Bearer`.
    #[error("the scheme of the Authorization header is not supported")]
    Scheme,
    /// Not `SharedKey account:signature`.
    #[error("the Authorization header is not written `SharedKey account:signature`")]
    Form,
}

impl<'h> Authorization<'h> {
    /// Reads the header's value.
    ///
    /// # Errors
    /// If it has another form.
    pub fn read(value: &'h str) -> Result<Self, AuthorizationError> {
        let (scheme, rest) = value.trim().split_once(' ').ok_or(AuthorizationError::Form)?;
        let scheme = [Scheme::SharedKey, Scheme::SharedKeyLite]
            .into_iter()
            .find(|known| known.as_str().eq_ignore_ascii_case(scheme))
            .ok_or(AuthorizationError::Scheme)?;
        let (account, signature) = rest.trim_start().split_once(':').ok_or(AuthorizationError::Form)?;
        if account.is_empty() || signature.is_empty() {
            return Err(AuthorizationError::Form);
        }
        Ok(Self { scheme, account, signature })
    }
}

impl Scheme {
    /// Its name in the header.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SharedKey => "SharedKey",
            Self::SharedKeyLite => "SharedKeyLite",
        }
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Without the signature, which opens what it signs for as long as its date is young.
impl fmt::Debug for Authorization<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Authorization");
        debug.field("scheme", &self.scheme).field("account", &self.account).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_signed_by_a_key_is_told_from_what_is_ill_formed() {
        assert_eq!(Authorization::read("Bearer ey:J0"), Err(AuthorizationError::Scheme));
        for value in ["", "SharedKey", "SharedKey acme", "SharedKey acme:", "SharedKey :c2ln", "acme:c2ln"] {
            assert_eq!(Authorization::read(value), Err(AuthorizationError::Form), "{value}");
        }
    }

    #[test]
    fn the_signature_is_not_shown() {
        let read = Authorization::read("sharedkeylite acme:c2ln").unwrap();
        assert_eq!((read.scheme, read.signature), (Scheme::SharedKeyLite, "c2ln"));
        assert!(!format!("{read:?}").contains("c2ln"));
    }
}
