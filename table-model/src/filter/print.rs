use std::fmt::{self, Write as _};

use super::Filter;
use crate::value::ValueRef;

/// Prints the normal form so that [`Filter::parse`] returns an equal filter. Literals round-trip exactly. Only required
/// parentheses are printed; a comparison after `not` has parentheses because the service's precedence is undocumented.
///
/// ```
/// use table_model::Filter;
///
/// let filter = Filter::parse("not A eq 1L and((B) or 2.50 le C)")?;
/// assert_eq!(filter.to_string(), "not (A eq 1L) and (B or C ge 2.5)");
/// # Ok::<(), table_model::TableError>(())
/// ```
impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print(&self.clone().normalized(), print_literal, f)
    }
}

impl Filter {
    /// Returns the normal form with `?` instead of each literal, for logs and metrics: it contains no stored values.
    ///
    /// ```
    /// use table_model::Filter;
    ///
    /// let filter = Filter::parse("Email eq 'jo@example.com' and (Age ge 30 or not Remote)")?;
    /// assert_eq!(filter.without_literals().to_string(), "Email eq ? and (Age ge ? or not Remote)");
    /// # Ok::<(), table_model::TableError>(())
    /// ```
    pub fn without_literals(&self) -> impl fmt::Display {
        WithoutLiterals(self.clone().normalized())
    }
}

struct WithoutLiterals(Filter);

impl fmt::Display for WithoutLiterals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print(&self.0, |_, f| f.write_char('?'), f)
    }
}

/// Prints the literal of a comparison.
type PrintLiteral = fn(ValueRef<'_>, &mut fmt::Formatter<'_>) -> fmt::Result;

fn print(filter: &Filter, literal: PrintLiteral, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match filter {
        Filter::Compare { property, operator, value } => {
            write!(f, "{property} {operator} ")?;
            literal(value.as_ref(), f)
        }
        Filter::Flag(property) => f.write_str(property),
        Filter::Constant(holds) => write!(f, "{holds}"),
        Filter::And(parts) => print_joined(parts, " and ", |part| matches!(part, Filter::Or(_)), literal, f),
        Filter::Or(parts) => print_joined(parts, " or ", |_| false, literal, f),
        Filter::Not(inner) => {
            f.write_str("not ")?;
            print_in(inner, !matches!(**inner, Filter::Flag(_)), literal, f)
        }
    }
}

fn print_joined(
    parts: &[Filter],
    word: &str,
    needs_parentheses: impl Fn(&Filter) -> bool,
    literal: PrintLiteral,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            f.write_str(word)?;
        }
        print_in(part, needs_parentheses(part), literal, f)?;
    }
    Ok(())
}

fn print_in(
    filter: &Filter,
    parentheses: bool,
    literal: PrintLiteral,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    if !parentheses {
        return print(filter, literal, f);
    }
    f.write_char('(')?;
    print(filter, literal, f)?;
    f.write_char(')')
}

fn print_literal(value: ValueRef<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match value {
        ValueRef::Binary(bytes) => {
            f.write_str("X'")?;
            bytes.iter().try_for_each(|byte| write!(f, "{byte:02X}"))?;
            f.write_char('\'')
        }
        ValueRef::Boolean(flag) => write!(f, "{flag}"),
        ValueRef::DateTime(time) => write!(f, "datetime'{time}'"),
        ValueRef::Double(number) if number.is_nan() => f.write_str("NaN"),
        ValueRef::Double(f64::INFINITY) => f.write_str("INF"),
        ValueRef::Double(f64::NEG_INFINITY) => f.write_str("-INF"),
        // Shortest representation that round-trips to the same bits, always with a point or an exponent.
        ValueRef::Double(number) => write!(f, "{number:?}"),
        ValueRef::Guid(id) => write!(f, "guid'{}'", id.hyphenated()),
        ValueRef::Int32(number) => write!(f, "{number}"),
        ValueRef::Int64(number) => write!(f, "{number}L"),
        ValueRef::String(text) => write!(f, "'{}'", text.replace('\'', "''")),
    }
}
