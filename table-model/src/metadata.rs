//! User-defined metadata of a container, a blob or a queue.

use std::collections::BTreeMap;

use crate::{
    ErrorCode, Result, TableError,
    limits::METADATA_BYTES,
    name::{is_part, is_start},
};

/// User-defined names and values of a resource: `x-ms-meta-*` on the wire.
///
/// A name is a C# identifier. Names are case-insensitive, and their case is preserved. Names and values are limited to
/// 8 KiB in total. They are sent as headers, so a value must be printable ASCII without leading or trailing blanks.
///
/// ```
/// use table_model::Metadata;
///
/// let metadata = Metadata::new().with("Project", "tables")?.with("owner", "Jo")?;
/// assert_eq!(metadata.get("project"), Some("tables"));
/// assert_eq!(metadata.iter().next(), Some(("owner", "Jo")));
/// # Ok::<(), table_model::TableError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// Entries by lower-case name: the name as written, and the value.
    entries: BTreeMap<String, (String, String)>,
}

impl Metadata {
    /// Creates empty metadata.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a pair and returns the metadata. A pair with the same name is replaced.
    ///
    /// # Errors
    /// `EmptyMetadataKey`, `InvalidMetadata`, `MetadataTooLarge`.
    pub fn with(mut self, name: impl Into<String>, value: impl Into<String>) -> Result<Self> {
        self.set(name, value)?;
        Ok(self)
    }

    /// Sets a pair. A pair with the same name is replaced. On error, the metadata is unchanged.
    ///
    /// # Errors
    /// `EmptyMetadataKey`, `InvalidMetadata`, `MetadataTooLarge`.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<String>) -> Result<()> {
        let (name, value) = (name.into(), value.into());
        check(&name, &value)?;
        let folded = name.to_lowercase();
        let before = self.entries.get(&folded).map_or(0, |(name, value)| name.len() + value.len());
        if self.bytes() - before + name.len() + value.len() > METADATA_BYTES {
            return Err(ErrorCode::MetadataTooLarge.into());
        }
        self.entries.insert(folded, (name, value));
        Ok(())
    }

    /// Returns the value of a name, ignoring case.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.entries.get(&name.to_lowercase()).map(|(_, value)| value.as_str())
    }

    /// Removes a pair, ignoring the case of its name. Returns the value.
    pub fn remove(&mut self, name: &str) -> Option<String> {
        self.entries.remove(&name.to_lowercase()).map(|(_, value)| value)
    }

    /// Iterates over names and values in the order of the lower-case names.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.entries.values().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Returns `true` if `other` has the same pairs, ignoring the case of their names.
    pub fn is_same(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(name, value)| other.get(name) == Some(value))
    }

    /// Returns the number of pairs.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns `true` if there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the total size of names and values in bytes.
    pub fn bytes(&self) -> usize {
        self.iter().map(|(name, value)| name.len() + value.len()).sum()
    }
}

fn check(name: &str, value: &str) -> Result<()> {
    if name.is_empty() {
        return Err(ErrorCode::EmptyMetadataKey.into());
    }
    let mut characters = name.chars();
    let legal_name = characters.next().is_some_and(is_start) && characters.all(is_part);
    let legal_value =
        value.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()) && value.trim() == value;
    if legal_name && legal_value {
        return Ok(());
    }
    let shown: String = name.chars().take(64).collect();
    Err(TableError::with_message(
        ErrorCode::InvalidMetadata,
        format!(
            "The specified metadata is invalid: `{shown}`. A name must be a C# identifier, a value must be \
             printable ASCII without leading or trailing spaces."
        ),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(result: Result<Metadata>) -> ErrorCode {
        result.unwrap_err().code()
    }

    #[test]
    fn names_are_identifiers_and_values_fit_into_headers() {
        for name in ["a", "_a", "Größe", "x1"] {
            assert!(Metadata::new().with(name, "some words").is_ok(), "{name}");
        }
        assert_eq!(code(Metadata::new().with("", "v")), ErrorCode::EmptyMetadataKey);
        for (name, value) in [("1a", "v"), ("a-b", "v"), ("a", "v\r\nb: c"), ("a", " v"), ("a", "é")] {
            assert_eq!(code(Metadata::new().with(name, value)), ErrorCode::InvalidMetadata, "{name}={value}");
        }
    }

    #[test]
    fn case_does_not_tell_names_apart_and_the_last_one_stays() {
        let metadata = Metadata::new().with("Name", "1").unwrap().with("NAME", "2").unwrap();
        assert_eq!(metadata.iter().collect::<Vec<_>>(), [("NAME", "2")]);
    }

    #[test]
    fn pairs_are_the_same_in_another_case() {
        let of = |name: &str, value: &str| Metadata::new().with(name, value).unwrap();
        assert!(of("Name", "1").is_same(&of("name", "1")));
        assert_ne!(of("Name", "1"), of("name", "1"));
        for other in
            [of("name", "2"), of("other", "1"), Metadata::new(), of("name", "1").with("a", "").unwrap()]
        {
            assert!(!of("Name", "1").is_same(&other) && !other.is_same(&of("Name", "1")));
        }
    }

    #[test]
    fn all_together_are_at_most_8_kib() {
        let full = Metadata::new().with("ab", "v".repeat(METADATA_BYTES - 2)).unwrap();
        assert_eq!(full.bytes(), METADATA_BYTES);
        assert_eq!(code(full.clone().with("c", "")), ErrorCode::MetadataTooLarge);
        // The new pair fits because it replaces the old one.
        assert_eq!(full.with("ab", "").unwrap().bytes(), 2);
    }
}
