/// Comparison operator. Values are compared as strings, character by character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Operator {
    fn holds(self, left: &str, right: &str) -> bool {
        match self {
            Self::Equal => left == right,
            Self::NotEqual => left != right,
            Self::Less => left < right,
            Self::AtMost => left <= right,
            Self::Greater => left > right,
            Self::AtLeast => left >= right,
        }
    }
}

/// What a comparison is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// The container of the blob.
    Container,
    /// The value of the tag with this key.
    Tag(String),
}

/// Comparison of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Comparison {
    pub(super) subject: Subject,
    pub(super) operator: Operator,
    pub(super) value: String,
}

impl Comparison {
    /// Returns `true` if the found value satisfies the comparison. A missing tag satisfies none, also not `<>`, as a NULL
    /// in SQL.
    pub(super) fn holds(&self, found: Option<&str>) -> bool {
        found.is_some_and(|found| self.operator.holds(found, &self.value))
    }
}

/// Parsed expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expression {
    Comparison(Comparison),
    /// Operands of `AND`.
    All(Vec<Expression>),
    /// Operands of `OR`.
    Any(Vec<Expression>),
}

impl Expression {
    /// Returns `true` if the expression is satisfied by the values that `find` returns.
    pub(super) fn holds<'v>(&self, find: &impl Fn(&Subject) -> Option<&'v str>) -> bool {
        match self {
            Self::Comparison(comparison) => comparison.holds(find(&comparison.subject)),
            Self::All(operands) => operands.iter().all(|operand| operand.holds(find)),
            Self::Any(operands) => operands.iter().any(|operand| operand.holds(find)),
        }
    }

    /// Adds all comparisons, in order.
    pub(super) fn flatten(self, comparisons: &mut Vec<Comparison>) {
        match self {
            Self::Comparison(comparison) => comparisons.push(comparison),
            Self::All(operands) | Self::Any(operands) => {
                for operand in operands {
                    operand.flatten(comparisons);
                }
            }
        }
    }
}
