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
        print(&self.clone().normalized(), f)
    }
}

fn print(filter: &Filter, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match filter {
        Filter::Compare { property, operator, value } => {
            write!(f, "{property} {operator} ")?;
            print_literal(value.as_ref(), f)
        }
        Filter::Flag(property) => f.write_str(property),
        Filter::Constant(holds) => write!(f, "{holds}"),
        Filter::And(parts) => print_joined(parts, " and ", |part| matches!(part, Filter::Or(_)), f),
        Filter::Or(parts) => print_joined(parts, " or ", |_| false, f),
        Filter::Not(inner) => {
            f.write_str("not ")?;
            print_in(inner, !matches!(**inner, Filter::Flag(_)), f)
        }
    }
}

fn print_joined(
    parts: &[Filter],
    word: &str,
    needs_parentheses: impl Fn(&Filter) -> bool,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            f.write_str(word)?;
        }
        print_in(part, needs_parentheses(part), f)?;
    }
    Ok(())
}

fn print_in(filter: &Filter, parentheses: bool, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if !parentheses {
        return print(filter, f);
    }
    f.write_char('(')?;
    print(filter, f)?;
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
