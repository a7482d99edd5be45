//! Table names.

use std::{cmp::Ordering, fmt, str::FromStr, sync::Arc};

use crate::{ErrorCode, TableError};

/// Name of a table: 3 to 63 ASCII letters and digits, starting with a letter. `Tables` is reserved.
///
/// The case is preserved for display. Names are case-insensitive, and `==` ignores case. Cloning is cheap.
///
/// ```
/// use table_model::TableName;
///
/// let name: TableName = "Employees".parse()?;
/// assert_eq!(name, "employees".parse()?);
/// assert_eq!(name.to_string(), "Employees");
/// # Ok::<(), table_model::TableError>(())
/// ```
#[derive(Clone)]
pub struct TableName {
    /// The name as written, followed by its lower-case form of the same length.
    both: Arc<str>,
}

impl TableName {
    /// Creates a table name.
    ///
    /// # Errors
    /// `OutOfRangeInput` for an invalid length, `InvalidResourceName` for invalid characters, `InvalidInput` for the
    /// reserved name `Tables`.
    pub fn new(name: impl Into<String>) -> Result<Self, TableError> {
        let written = name.into();
        if !(3..=63).contains(&written.chars().take(64).count()) {
            return Err(TableError::with_message(
                ErrorCode::OutOfRangeInput,
                "The specified resource name length is not within the permissible limits.",
            ));
        }
        let letter_first = written.starts_with(|first: char| first.is_ascii_alphabetic());
        if !letter_first || !written.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(ErrorCode::InvalidResourceName.into());
        }
        if written.eq_ignore_ascii_case("tables") {
            return Err(ErrorCode::InvalidInput.into());
        }
        let mut both = written.repeat(2);
        if let Some((_, folded)) = both.split_at_mut_checked(written.len()) {
            folded.make_ascii_lowercase();
        }
        Ok(Self { both: both.into() })
    }

    /// Returns the name as written.
    pub fn as_str(&self) -> &str {
        self.both.split_at_checked(self.both.len() / 2).unwrap_or_default().0
    }

    /// Returns the name in lower case, which identifies the table.
    pub fn folded(&self) -> &str {
        self.both.split_at_checked(self.both.len() / 2).unwrap_or_default().1
    }
}

impl FromStr for TableName {
    type Err = TableError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::new(name)
    }
}

impl TryFrom<&str> for TableName {
    type Error = TableError;

    fn try_from(name: &str) -> Result<Self, Self::Error> {
        Self::new(name)
    }
}

impl PartialEq for TableName {
    fn eq(&self, other: &Self) -> bool {
        self.folded() == other.folded()
    }
}

impl Eq for TableName {}

impl PartialOrd for TableName {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for TableName {
    fn cmp(&self, other: &Self) -> Ordering {
        self.folded().cmp(other.folded())
    }
}

impl std::hash::Hash for TableName {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.folded().hash(state);
    }
}

impl fmt::Debug for TableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TableName({})", self.as_str())
    }
}

impl fmt::Display for TableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_length_characters_and_the_reserved_name() {
        let code = |name: &str| TableName::new(name).map(|_| ()).map_err(|error| error.code());
        assert_eq!(code("abc"), Ok(()));
        assert_eq!(code(&"a".repeat(63)), Ok(()));
        assert_eq!(code("ab"), Err(ErrorCode::OutOfRangeInput));
        assert_eq!(code(""), Err(ErrorCode::OutOfRangeInput));
        assert_eq!(code(&"a".repeat(64)), Err(ErrorCode::OutOfRangeInput));
        assert_eq!(code("1abc"), Err(ErrorCode::InvalidResourceName));
        assert_eq!(code("my-table"), Err(ErrorCode::InvalidResourceName));
        assert_eq!(code("größe"), Err(ErrorCode::InvalidResourceName));
        assert_eq!(code("Tables"), Err(ErrorCode::InvalidInput));
    }
}
