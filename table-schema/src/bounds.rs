//! Ranges of keys: what a query over leading parts, a beginning or an interval asks of the service.
//!
//! A bound never holds a character that a key cannot hold, and a generated range never returns the library's own rows.

mod open;

use std::{cmp::Ordering, fmt};

pub use open::OpenRange;

use crate::key::compare;

/// The keys that a query reads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Bounds {
    /// None: no request is sent.
    Empty,
    /// One key.
    Point(String),
    /// All keys between two ends.
    Range(KeyRange),
}

/// All keys between two ends, by UTF-16 code unit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct KeyRange {
    /// The lower end; `None`: from the first key.
    pub lower: Option<End>,
    /// The upper end; `None`: to the last key.
    pub upper: Option<End>,
    /// Whether rows at the ends are to be checked again by their field: a date in the key is coarser than the time.
    pub residual: bool,
}

/// An end of a range.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct End {
    /// The key at the end.
    pub key: String,
    /// Whether that key belongs to the range.
    pub included: bool,
}

impl End {
    pub(crate) const fn included(key: String) -> Self {
        Self { key, included: true }
    }

    pub(crate) const fn excluded(key: String) -> Self {
        Self { key, included: false }
    }
}

impl Bounds {
    /// Whether `key` is within.
    pub fn contains(&self, key: &str) -> bool {
        match self {
            Self::Empty => false,
            Self::Point(point) => point == key,
            Self::Range(range) => range.contains(key),
        }
    }

    /// Whether rows are to be checked again by their field.
    pub const fn is_residual(&self) -> bool {
        matches!(self, Self::Range(KeyRange { residual: true, .. }))
    }

    /// The condition of the service's query language on this property; `None` for no condition at all.
    /// [`Empty`](Self::Empty) has none either: it is not to be asked.
    ///
    /// ```
    /// use table_schema::{bounds::Bounds, key::KeyKind, template::Template};
    ///
    /// let template = Template::parse("empid_{id:06}")?;
    /// let hundreds = template.form(KeyKind::Row).open().between(100_u32..=199)?;
    /// assert_eq!(
    ///     hundreds.filter("RowKey").as_deref(),
    ///     Some("RowKey ge 'empid_000100' and RowKey le 'empid_000199'")
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn filter(&self, property: &str) -> Option<String> {
        let conditions: Vec<String> = self
            .conditions()
            .iter()
            .map(|(word, key)| format!("{property} {word} {}", literal(key)))
            .collect();
        (!conditions.is_empty()).then(|| conditions.join(" and "))
    }

    fn conditions(&self) -> Vec<(&'static str, &str)> {
        match self {
            Self::Empty => Vec::new(),
            Self::Point(key) => vec![("eq", key)],
            Self::Range(KeyRange { lower, upper, .. }) => {
                let lower = lower.iter().map(|end| (if end.included { "ge" } else { "gt" }, &*end.key));
                let upper = upper.iter().map(|end| (if end.included { "le" } else { "lt" }, &*end.key));
                lower.chain(upper).collect()
            }
        }
    }
}

impl KeyRange {
    /// Whether `key` is within.
    pub fn contains(&self, key: &str) -> bool {
        let within = |end: &Option<End>, inside: Ordering| {
            end.as_ref().is_none_or(|end| match compare(key, &end.key) {
                Ordering::Equal => end.included,
                other => other == inside,
            })
        };
        within(&self.lower, Ordering::Greater) && within(&self.upper, Ordering::Less)
    }

    /// As bounds: empty where the lower end is above the upper.
    pub(crate) fn into_bounds(self) -> Bounds {
        if let (Some(lower), Some(upper)) = (&self.lower, &self.upper) {
            match compare(&lower.key, &upper.key) {
                Ordering::Less => {}
                Ordering::Equal if lower.included && upper.included => {}
                _ => return Bounds::Empty,
            }
        }
        Bounds::Range(self)
    }
}

/// Text as a literal of the query language: quotes doubled.
fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

impl fmt::Display for Bounds {
    /// The conditions without the property's name; `empty`, `all`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::Empty {
            return f.write_str("empty");
        }
        let conditions: Vec<String> =
            self.conditions().iter().map(|(word, key)| format!("{word} {}", literal(key))).collect();
        f.write_str(if conditions.is_empty() { "all".to_owned() } else { conditions.join(" and ") }.as_str())
    }
}
