use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::{Field, SasError, Scope, Version, string_to_sign::string_to_sign};
use crate::{auth::AccountKey, wire::query_string::QueryString};

/// Characters that are not percent-encoded in a query, besides letters and digits.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A shared access signature from a query: its parameters, each at most once. `Display` prints the query; `Debug` omits
/// the signature.
#[derive(Clone, PartialEq, Eq)]
pub struct SasToken {
    version: Version,
    fields: Vec<(Field, String)>,
}

impl SasToken {
    /// Reads the signature from the query of a request, among other parameters. Returns `None` without a `sig`
    /// parameter.
    ///
    /// # Errors
    ///
    /// Returns an error for a duplicate parameter or an unsupported version.
    pub fn read(query: &QueryString) -> Result<Option<Self>, SasError> {
        if query.get(Field::Signature.name()).is_none() {
            return Ok(None);
        }
        let mut fields = Vec::new();
        for &field in Field::ALL {
            match query.count(field.name()) {
                0 => {}
                1 => fields.extend(query.get(field.name()).map(|value| (field, value.to_owned()))),
                _ => return Err(SasError::Twice(field)),
            }
        }
        Self::new(fields).map(Some)
    }

    pub(super) fn new(mut fields: Vec<(Field, String)>) -> Result<Self, SasError> {
        let version = fields.iter().find(|(field, _)| *field == Field::Version);
        let (_, version) = version.ok_or(SasError::Missing(Field::Version))?;
        let version = version.parse()?;
        fields.sort_by_key(|(field, _)| *field);
        Ok(Self { version, fields })
    }

    /// Returns the version of the signing rules.
    #[must_use]
    pub const fn version(&self) -> Version {
        self.version
    }

    /// Returns `true` for an account signature, as opposed to a signature for one resource.
    #[must_use]
    pub fn is_of_account(&self) -> bool {
        self.get(Field::Services).is_some() || self.get(Field::ResourceTypes).is_some()
    }

    /// Returns the value of a parameter, which may be empty.
    #[must_use]
    pub fn get(&self, field: Field) -> Option<&str> {
        self.fields.iter().find(|(known, _)| *known == field).map(|(_, value)| value.as_str())
    }

    /// Returns the value of a parameter, or `None` if it is missing or empty.
    #[must_use]
    pub fn said(&self, field: Field) -> Option<&str> {
        self.get(field).filter(|value| !value.is_empty())
    }

    /// Iterates over the parameters.
    pub fn fields(&self) -> impl Iterator<Item = (Field, &str)> {
        self.fields.iter().map(|(field, value)| (*field, value.as_str()))
    }

    /// Returns the string to sign.
    #[must_use]
    pub fn string_to_sign(&self, account: &str, scope: Scope<'_>) -> String {
        string_to_sign(self, account, scope)
    }

    /// Returns `true` if `key` signed exactly these parameters for this account and scope.
    #[must_use]
    pub fn is_signed(&self, key: &AccountKey, account: &str, scope: Scope<'_>) -> bool {
        let signature = self.get(Field::Signature).unwrap_or_default();
        key.verify(&self.string_to_sign(account, scope), signature)
    }

    pub(super) fn sign(&mut self, key: &AccountKey, account: &str, scope: Scope<'_>) {
        let signature = key.sign(&self.string_to_sign(account, scope));
        self.fields.retain(|(field, _)| *field != Field::Signature);
        self.fields.push((Field::Signature, signature));
    }
}

/// Writes the query, without `?`.
impl fmt::Display for SasToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (field, value)) in self.fields().enumerate() {
            let separator = if index == 0 { "" } else { "&" };
            write!(f, "{separator}{}={}", field.name(), utf8_percent_encode(value, ENCODED))?;
        }
        Ok(())
    }
}

impl fmt::Debug for SasToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.fields().filter(|(field, _)| *field != Field::Signature);
        f.debug_map().entries(shown.map(|(field, value)| (field.name(), value))).finish()
    }
}
