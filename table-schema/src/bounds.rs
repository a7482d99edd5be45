//! Key ranges: the bounds of a query over leading fields, a prefix or an interval.
//!
//! A bound contains only characters that are allowed in keys, and a generated range never returns the internal rows of
//! the library.

mod open;

use std::{cmp::Ordering, fmt};

pub use open::OpenRange;

use crate::key::compare;

/// The keys that a query reads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Bounds {
    /// No keys: no request is needed.
    Empty,
    /// A single key.
    Point(String),
    /// All keys between two bounds.
    Range(KeyRange),
}

/// All keys between two bounds, ordered by UTF-16 code units.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct KeyRange {
    /// The lower bound. `None` starts at the first key.
    pub lower: Option<End>,
    /// The upper bound. `None` ends at the last key.
    pub upper: Option<End>,
    /// `true` if the field of rows at both ends must be checked again, because a date in the key is coarser than the
    /// time.
    pub residual: bool,
}

/// A bound of a range.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct End {
    /// The key at the bound.
    pub key: String,
    /// `true` if the range includes that key.
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
    /// Returns whether the bounds contain `key`.
    pub fn contains(&self, key: &str) -> bool {
        match self {
            Self::Empty => false,
            Self::Point(point) => point == key,
            Self::Range(range) => range.contains(key),
        }
    }

    /// Returns whether the field of the returned rows must be checked again.
    pub const fn is_residual(&self) -> bool {
        matches!(self, Self::Range(KeyRange { residual: true, .. }))
    }

    /// Returns the filter expression of the service for this property, or `None` if no condition is required.
    /// [`Empty`](Self::Empty) also returns `None`; it must not be sent as a query.
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
    /// Returns whether the range contains `key`.
    pub fn contains(&self, key: &str) -> bool {
        let within = |end: &Option<End>, inside: Ordering| {
            end.as_ref().is_none_or(|end| match compare(key, &end.key) {
                Ordering::Equal => end.included,
                other => other == inside,
            })
        };
        within(&self.lower, Ordering::Greater) && within(&self.upper, Ordering::Less)
    }

    /// Converts the range to bounds. The result is empty if the lower bound is above the upper bound.
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

/// Formats a string as a literal of the filter language: quotes are doubled.
fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

impl fmt::Display for Bounds {
    /// Formats the conditions without the property name, or as `empty` or `all`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::Empty {
            return f.write_str("empty");
        }
        let conditions: Vec<String> =
            self.conditions().iter().map(|(word, key)| format!("{word} {}", literal(key))).collect();
        f.write_str(if conditions.is_empty() { "all".to_owned() } else { conditions.join(" and ") }.as_str())
    }
}
