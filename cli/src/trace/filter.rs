//! Filters as alternatives of conjunctions.

use table_advisor::trace::Tested;
use table_schema::language::Comparison;
use table_store::{Filter, Value, filter};

/// Maximum number of alternatives.
const MOST: usize = 100;

/// Returns the alternatives of a filter; `None` if it negates a conjunction, or has too many.
pub(super) fn alternatives(filter: &Filter) -> Option<Vec<Vec<Tested>>> {
    let flag = |property: &str, holds: bool| tested(property, Comparison::Equal, holds.to_string());
    let found = match filter {
        Filter::Compare { property, operator, value } => {
            let literal = match value {
                Value::String(text) => text.clone(),
                Value::Boolean(flag) => flag.to_string(),
                Value::Int32(number) => number.to_string(),
                Value::Int64(number) => number.to_string(),
                Value::Double(number) => number.to_string(),
                other => format!("{other:?}"),
            };
            vec![vec![tested(property, comparison(*operator), literal)]]
        }
        Filter::Flag(property) => vec![vec![flag(property, true)]],
        Filter::Constant(true) => vec![Vec::new()],
        Filter::Not(inner) => match &**inner {
            Filter::Flag(property) => vec![vec![flag(property, false)]],
            _ => return None,
        },
        Filter::Or(parts) => {
            let parts: Option<Vec<_>> = parts.iter().map(alternatives).collect();
            parts?.concat()
        }
        Filter::And(parts) => parts.iter().try_fold(vec![Vec::new()], |known, part| {
            let more = alternatives(part)?;
            let both = known.iter().flat_map(|known| {
                more.iter().map(|more| known.iter().chain(more).cloned().collect::<Vec<Tested>>())
            });
            (known.len() * more.len() <= MOST).then(|| both.collect())
        })?,
        _ => return None,
    };
    (found.len() <= MOST).then_some(found)
}

fn tested(property: &str, comparison: Comparison, value: String) -> Tested {
    Tested { property: property.to_owned(), comparison, value }
}

const fn comparison(operator: filter::Comparison) -> Comparison {
    match operator {
        filter::Comparison::Eq => Comparison::Equal,
        filter::Comparison::Ne => Comparison::NotEqual,
        filter::Comparison::Gt => Comparison::Greater,
        filter::Comparison::Ge => Comparison::AtLeast,
        filter::Comparison::Lt => Comparison::Less,
        filter::Comparison::Le => Comparison::AtMost,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conjunctions_and_their_alternatives_are_read() {
        let read = |text: &str| {
            let found = alternatives(&Filter::parse(text).unwrap())?;
            let test =
                |test: &Tested| format!("{} {} {}", test.property, test.comparison.as_str(), test.value);
            Some(
                found
                    .iter()
                    .map(|all| all.iter().map(test).collect::<Vec<_>>().join(", "))
                    .collect::<Vec<_>>(),
            )
        };
        let all =
            |alternatives: &[&str]| Some(alternatives.iter().copied().map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(read("A eq 'x' and B lt 'y' and C"), all(&["A = x, B < y, C = true"]));
        assert_eq!(read("A eq 'x' and (B eq 'y' or not C)"), all(&["A = x, B = y", "A = x, C = false"]));
        assert_eq!(read("true"), all(&[""]));
        assert_eq!(read("not (A eq 'x')"), None);
        let many = ["(A eq 'x' or B eq 'x')"; 7].join(" and ");
        assert_eq!(read(&many), None, "128 alternatives");
    }
}
