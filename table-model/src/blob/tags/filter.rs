use std::{collections::BTreeMap, fmt, str::FromStr};

use super::{
    BlobTags,
    expression::{Comparison, Operator, Subject},
    parser::{Dialect, parse},
};
use crate::{TableError, blob::limits::TAGS};

/// Search for blobs by their tags: the expression `where` of "Find Blobs by Tags".
///
/// Comparisons by `=`, `<`, `<=`, `>` and `>=` are combined by `AND`. They name at most 10 tags; the comparisons of one tag
/// are one value, or a range with one bound at each end. `@container = 'name'` restricts the search to a container.
///
/// ```
/// use table_model::blob::{BlobTags, TagFilter};
///
/// let filter: TagFilter = "@container = 'videos' AND \"Date\" >= '2020-06-20' AND \"Date\" < '2020-07'".parse()?;
/// assert_eq!(filter.container(), Some("videos"));
/// let tags = BlobTags::new().with("Date", "2020-06-30")?.with("Status", "Done")?;
/// // Only the tags of the expression are returned.
/// assert_eq!(filter.select(&tags), Some(BlobTags::new().with("Date", "2020-06-30")?));
/// # Ok::<(), table_model::TableError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagFilter {
    text: Box<str>,
    container: Option<Box<str>>,
    /// Comparisons of each tag.
    tags: BTreeMap<String, Vec<Comparison>>,
}

impl TagFilter {
    /// Returns the container to which the expression restricts the search.
    pub fn container(&self) -> Option<&str> {
        self.container.as_deref()
    }

    /// Returns the tags that the expression names, if they satisfy it.
    #[must_use]
    pub fn select(&self, tags: &BlobTags) -> Option<BlobTags> {
        let is_found = self.tags.iter().all(|(key, comparisons)| {
            let found = tags.get(key);
            comparisons.iter().all(|comparison| comparison.holds(found))
        });
        is_found.then(|| tags.only(|key| self.tags.contains_key(key)))
    }
}

/// Parses an expression. The error is `InvalidQueryParameterValue`.
impl FromStr for TagFilter {
    type Err = TableError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut comparisons = Vec::new();
        parse(text, Dialect::Search)?.flatten(&mut comparisons);
        let mut container: Option<Box<str>> = None;
        let mut tags = BTreeMap::<String, Vec<Comparison>>::new();
        for comparison in comparisons {
            match &comparison.subject {
                Subject::Container if container.is_some() => {
                    return Err(Dialect::Search.error("there can be at most one container in a query"));
                }
                Subject::Container => container = Some(comparison.value.into()),
                Subject::Tag(key) => tags.entry(key.clone()).or_default().push(comparison),
            }
        }
        if tags.len() > TAGS {
            return Err(Dialect::Search.error("there can be at most 10 unique tags in a query"));
        }
        if !tags.values().all(|comparisons| is_range(comparisons)) {
            let problem = "can't have multiple conditions for a single tag unless they define a range";
            return Err(Dialect::Search.error(problem));
        }
        Ok(Self { text: text.into(), container, tags })
    }
}

/// Returns `true` for one comparison, or for one bound at each end.
fn is_range(comparisons: &[Comparison]) -> bool {
    let is_lower =
        |comparison: &Comparison| matches!(comparison.operator, Operator::Greater | Operator::AtLeast);
    let is_upper = |comparison: &Comparison| matches!(comparison.operator, Operator::Less | Operator::AtMost);
    match comparisons {
        [_] => true,
        [a, b] => is_lower(a) && is_upper(b) || is_upper(a) && is_lower(b),
        _ => false,
    }
}

/// Formats the expression as it was parsed.
impl fmt::Display for TagFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
