use std::{cmp::Ordering, fmt};

/// Comparison operators.
///
/// ```
/// use std::cmp::Ordering;
/// use table_model::filter::Comparison;
///
/// assert!(Comparison::Le.holds(Some(Ordering::Less)));
/// assert_eq!(Comparison::Le.flipped(), Comparison::Ge);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Greater than.
    Gt,
    /// Greater than or equal.
    Ge,
    /// Less than.
    Lt,
    /// Less than or equal.
    Le,
}

impl Comparison {
    /// All six operators.
    pub const ALL: [Self; 6] = [Self::Eq, Self::Ne, Self::Gt, Self::Ge, Self::Lt, Self::Le];

    /// Returns the keyword of the operator, such as `eq`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Eq => "eq",
            Self::Ne => "ne",
            Self::Gt => "gt",
            Self::Ge => "ge",
            Self::Lt => "lt",
            Self::Le => "le",
        }
    }

    /// Returns the operator for exchanged operands: `5 gt Age` is `Age lt 5`.
    #[must_use]
    pub const fn flipped(self) -> Self {
        match self {
            Self::Eq => Self::Eq,
            Self::Ne => Self::Ne,
            Self::Gt => Self::Lt,
            Self::Ge => Self::Le,
            Self::Lt => Self::Gt,
            Self::Le => Self::Ge,
        }
    }

    /// Returns whether the comparison is true for the given ordering of stored value and literal. For values without an
    /// order (NaN), only `ne` is true.
    #[must_use]
    pub const fn holds(self, ordering: Option<Ordering>) -> bool {
        match ordering {
            None => matches!(self, Self::Ne),
            Some(Ordering::Less) => matches!(self, Self::Ne | Self::Lt | Self::Le),
            Some(Ordering::Equal) => matches!(self, Self::Eq | Self::Ge | Self::Le),
            Some(Ordering::Greater) => matches!(self, Self::Ne | Self::Gt | Self::Ge),
        }
    }

    pub(super) fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|comparison| comparison.as_str() == word)
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flipping_exchanges_the_sides() {
        for comparison in Comparison::ALL {
            assert_eq!(comparison.flipped().flipped(), comparison);
            for ordering in [Ordering::Less, Ordering::Equal, Ordering::Greater] {
                assert_eq!(
                    comparison.holds(Some(ordering)),
                    comparison.flipped().holds(Some(ordering.reverse())),
                    "{comparison} {ordering:?}"
                );
            }
        }
    }

    #[test]
    fn its_word_reads_back() {
        for comparison in Comparison::ALL {
            assert_eq!(Comparison::from_word(comparison.as_str()), Some(comparison));
        }
        assert_eq!(Comparison::from_word("EQ"), None);
    }
}
