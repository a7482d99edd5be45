//! Index tags of blobs, conditions on them, and the expressions by which blobs are found.

mod condition;
mod expression;
mod filter;
mod parser;
mod token;

use std::collections::BTreeMap;

use super::limits::{TAG_KEY_CHARACTERS, TAG_VALUE_CHARACTERS, TAGS};
use crate::{ErrorCode, Result, TableError};

pub use condition::TagCondition;
pub use filter::TagFilter;

/// Index tags of a blob: up to 10 keys, each with a value. Unlike metadata, they can be changed without a new version of
/// the blob, and blobs can be found by them.
///
/// Keys have 1 to 128 characters and values up to 256: ASCII letters and digits, space, and `+-./:=_`. Both are
/// case-sensitive. These limits are those of the REST reference, "Set Blob Tags".
///
/// ```
/// use table_model::{ErrorCode, blob::BlobTags};
///
/// let mut tags = BlobTags::new().with("Project", "Contoso")?.with("Status", "Open")?;
/// assert_eq!(tags.get("Project"), Some("Contoso"));
/// assert_eq!(tags.get("project"), None);
/// tags.set("Status", "Done")?;
/// assert_eq!(tags.remove("Status").as_deref(), Some("Done"));
/// let error = tags.add("Project", "Contoso").unwrap_err();
/// assert_eq!(error.code(), ErrorCode::DuplicateTagNames);
/// # Ok::<(), table_model::TableError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlobTags(BTreeMap<String, String>);

impl BlobTags {
    /// Creates an empty set of tags.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a tag and returns the tags. A tag with the same key is replaced.
    ///
    /// # Errors
    /// As [`set`](Self::set).
    pub fn with(mut self, key: impl Into<String>, value: impl Into<String>) -> Result<Self> {
        self.set(key, value)?;
        Ok(self)
    }

    /// Sets a tag. A tag with the same key is replaced. On error, the tags are unchanged.
    ///
    /// # Errors
    /// `EmptyTagName`, `TagsTooLarge` for a key or value that is too long and for more than 10 tags, `InvalidTag` for other
    /// characters.
    pub fn set(&mut self, key: impl Into<String>, value: impl Into<String>) -> Result<()> {
        let (key, value) = (key.into(), value.into());
        check_key(&key)?;
        if value.len() > TAG_VALUE_CHARACTERS {
            return Err(too_large());
        }
        check_characters(&value)?;
        if self.len() == TAGS && !self.0.contains_key(&key) {
            return Err(too_large());
        }
        self.0.insert(key, value);
        Ok(())
    }

    /// Adds a tag whose key does not exist, as in a request to the service, where each key occurs once.
    ///
    /// # Errors
    /// As [`set`](Self::set), and `DuplicateTagNames` if the key exists.
    pub fn add(&mut self, key: impl Into<String>, value: impl Into<String>) -> Result<()> {
        let key = key.into();
        if self.0.contains_key(&key) {
            return Err(ErrorCode::DuplicateTagNames.into());
        }
        self.set(key, value)
    }

    /// Removes a tag. Returns its value.
    pub fn remove(&mut self, key: &str) -> Option<String> {
        self.0.remove(key)
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str)
    }

    /// Iterates over keys and values in the order of the keys.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Returns the number of tags.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns `true` if there are no tags.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the tags whose keys satisfy a condition.
    fn only(&self, is_kept: impl Fn(&str) -> bool) -> Self {
        let kept = self.0.iter().filter(|(key, _)| is_kept(key));
        Self(kept.map(|(key, value)| (key.clone(), value.clone())).collect())
    }
}

/// Checks the key of a tag.
fn check_key(key: &str) -> Result<()> {
    if key.is_empty() {
        return Err(ErrorCode::EmptyTagName.into());
    }
    if key.len() > TAG_KEY_CHARACTERS {
        return Err(too_large());
    }
    check_characters(key)
}

/// Checks characters. All permitted ones have one byte.
fn check_characters(text: &str) -> Result<()> {
    let is_legal = |byte: u8| byte.is_ascii_alphanumeric() || b" +-./:=_".contains(&byte);
    if text.bytes().all(is_legal) {
        return Ok(());
    }
    let shown: String = text.chars().take(64).flat_map(char::escape_default).collect();
    let code = ErrorCode::InvalidTag;
    let message = format!("{} Use ASCII letters, digits, space and +-./:=_ only: `{shown}`.", code.message());
    Err(TableError::with_message(code, message))
}

fn too_large() -> TableError {
    let code = ErrorCode::TagsTooLarge;
    let message = format!(
        "{} A blob has at most {TAGS} tags, a key {TAG_KEY_CHARACTERS} and a value {TAG_VALUE_CHARACTERS} characters.",
        code.message()
    );
    TableError::with_message(code, message)
}

#[cfg(test)]
mod tests;
