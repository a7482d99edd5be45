use std::fmt;

/// The signing scheme: the parts of a request that are signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// The full scheme.
    SharedKey,
    /// A reduced scheme, used by the oldest clients.
    SharedKeyLite,
}

/// The `Authorization` header of a request signed with an account key.
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
    /// The signing scheme.
    pub scheme: Scheme,
    /// The account that owns the key.
    pub account: &'h str,
    /// The signature, in Base64.
    pub signature: &'h str,
}

/// Reason why a header is not a Shared Key authorization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AuthorizationError {
    /// An unsupported scheme, such as `Bearer`.
    #[error("the scheme of the Authorization header is not supported")]
    Scheme,
    /// A value that is not of the form `SharedKey account:signature`.
    #[error("the Authorization header does not have the form `SharedKey account:signature`")]
    Form,
}

impl<'h> Authorization<'h> {
    /// Parses the value of the header.
    ///
    /// # Errors
    ///
    /// Returns an error if the scheme is unsupported or the form is invalid.
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
    /// Returns the name of the scheme in the header.
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

/// Omits the signature, which authorizes the request as long as its date is recent.
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
