use std::{fmt, str::FromStr};

use super::{
    BlobTags,
    expression::{Expression, Subject},
    parser::{Dialect, parse},
};
use crate::TableError;

/// Condition on the tags of a blob: `x-ms-if-tags`.
///
/// Comparisons by `=`, `<>`, `<`, `<=`, `>` and `>=` are combined by `AND` and `OR`; `AND` binds closer. Keys that are no
/// identifiers are in double quotes, values in single quotes. Values are compared as strings.
///
/// ```
/// use table_model::blob::{BlobTags, TagCondition};
///
/// let condition: TagCondition = "\"Status\" = 'Done' OR \"Priority\" >= '05'".parse()?;
/// assert!(condition.holds(&BlobTags::new().with("Priority", "07")?));
/// assert!(!condition.holds(&BlobTags::new().with("Status", "Open")?));
/// # Ok::<(), table_model::TableError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagCondition {
    text: Box<str>,
    expression: Box<Expression>,
}

impl TagCondition {
    /// Returns `true` if the tags satisfy the condition. A tag that is missing satisfies no comparison, also not `<>`.
    #[must_use]
    pub fn holds(&self, tags: &BlobTags) -> bool {
        self.expression.holds(&|subject| match subject {
            Subject::Tag(key) => tags.get(key),
            Subject::Container => None,
        })
    }
}

/// Parses a condition. The error is `InvalidHeaderValue`.
impl FromStr for TagCondition {
    type Err = TableError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let expression = Box::new(parse(text, Dialect::Condition)?);
        Ok(Self { text: text.into(), expression })
    }
}

/// Formats the condition as it was parsed.
impl fmt::Display for TagCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
