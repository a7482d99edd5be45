//! Filters for rows in which properties have other names, or do not exist.

use table_model::{Filter, Name, name::SYSTEM};

/// Returns a filter with other names that every row satisfies that satisfies `filter`, and whether the opposite is also
/// true. It is not if `renamed` returns `None` for a property.
pub(super) fn translate(filter: &Filter, renamed: impl Fn(&str) -> Option<&'static str>) -> (Filter, bool) {
    let renamed = |name: &Name| match name.as_ref() {
        system if SYSTEM.contains(&system) => Some(name.clone()),
        name => renamed(name).map(Name::from),
    };
    let mut is_exact = true;
    let translated = with_names(filter, &renamed, true, &mut is_exact).normalized();
    (translated, is_exact)
}

/// `unknown` is the value of a comparison that cannot be translated: inside a negation, it is false.
fn with_names(
    filter: &Filter,
    renamed: &impl Fn(&Name) -> Option<Name>,
    unknown: bool,
    is_exact: &mut bool,
) -> Filter {
    match filter {
        Filter::Compare { property, operator, value } => match renamed(property) {
            Some(property) => Filter::compare(property, *operator, value.clone()),
            None => constant(unknown, is_exact),
        },
        Filter::Flag(property) => match renamed(property) {
            Some(property) => Filter::flag(property),
            None => constant(unknown, is_exact),
        },
        Filter::And(parts) => {
            Filter::And(parts.iter().map(|part| with_names(part, renamed, unknown, is_exact)).collect())
        }
        Filter::Or(parts) => {
            Filter::Or(parts.iter().map(|part| with_names(part, renamed, unknown, is_exact)).collect())
        }
        Filter::Not(inner) => !with_names(inner, renamed, !unknown, is_exact),
        other => other.clone(),
    }
}

fn constant(unknown: bool, is_exact: &mut bool) -> Filter {
    *is_exact = false;
    Filter::Constant(unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(filter: &str) -> (String, bool) {
        let renamed = |name: &str| match name {
            "name" => Some("full_name"),
            "age" => Some("age"),
            _ => None,
        };
        let (filter, is_exact) = translate(&Filter::parse(filter).unwrap(), renamed);
        (filter.to_string(), is_exact)
    }

    #[test]
    fn names_are_replaced() {
        let (filter, is_exact) = translated("name eq 'Jo' and not (age gt 3 or RowKey eq 'x')");
        assert_eq!(filter, "full_name eq 'Jo' and not (age gt 3 or RowKey eq 'x')");
        assert!(is_exact);
    }

    #[test]
    fn an_unknown_comparison_excludes_no_row() {
        for (filter, expected) in [
            ("level eq 1", "true"),
            ("not level eq 1", "true"),
            ("level eq 1 and age gt 3", "age gt 3"),
            ("level eq 1 or age gt 3", "true"),
            ("not (level eq 1 and age gt 3)", "true"),
            ("not (level eq 1 or age gt 3)", "not (age gt 3)"),
            ("not (not level eq 1)", "true"),
        ] {
            assert_eq!(translated(filter), (expected.to_owned(), false), "{filter}");
        }
    }
}
