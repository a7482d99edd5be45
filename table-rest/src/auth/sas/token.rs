use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::{Field, SasError, Scope, Version, string_to_sign::string_to_sign};
use crate::{auth::AccountKey, wire::query_string::QueryString};

/// What is not encoded in a query besides letters and digits.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A signature as it stands in a query: its parameters, each once. `Display` prints the query; `Debug` leaves the
/// signature out.
#[derive(Clone, PartialEq, Eq)]
pub struct SasToken {
    version: Version,
    fields: Vec<(Field, String)>,
}

impl SasToken {
    /// The signature in a request's query, among other parameters; none if there is no `sig`.
    ///
    /// # Errors
    /// If a parameter stands there twice, or its version is not known.
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

    /// The version by whose rules it is made.
    #[must_use]
    pub const fn version(&self) -> Version {
        self.version
    }

    /// Whether it is for the account, not for one resource.
    #[must_use]
    pub fn is_of_account(&self) -> bool {
        self.get(Field::Services).is_some() || self.get(Field::ResourceTypes).is_some()
    }

    /// The value of a parameter, which may be empty.
    #[must_use]
    pub fn get(&self, field: Field) -> Option<&str> {
        self.fields.iter().find(|(known, _)| *known == field).map(|(_, value)| value.as_str())
    }

    /// The same, where an empty value says nothing.
    #[must_use]
    pub fn said(&self, field: Field) -> Option<&str> {
        self.get(field).filter(|value| !value.is_empty())
    }

    /// Its parameters.
    pub fn fields(&self) -> impl Iterator<Item = (Field, &str)> {
        self.fields.iter().map(|(field, value)| (*field, value.as_str()))
    }

    /// The string that is signed.
    #[must_use]
    pub fn string_to_sign(&self, account: &str, scope: Scope<'_>) -> String {
        string_to_sign(self, account, scope)
    }

    /// Whether a key signed it, for this and nothing else.
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

/// A query, without `?`.
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
