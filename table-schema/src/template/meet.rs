//! Detection of templates whose rows can have the same key.

use super::{Part, Shape};

/// Returns whether rows of two templates that share a partition can overlap: have the same key, or be in each other's
/// ranges.
///
/// They cannot overlap if their leading literals differ before either literal ends. They also cannot overlap if one
/// literal is longer and the other template continues with a fixed format that cannot match the rest (`department` and
/// `{id:06}`). Two templates without template fields overlap only if they are equal.
///
/// Rows that are distinguished only by a fixed format (`a_x_{b}` and `a_{id:06}`, `0x_{b}` and `{id:06}`) can be in its
/// range: a query reads such rows and discards them as foreign. A distinct leading literal avoids this.
///
/// ```
/// use table_schema::template::{Template, can_meet};
///
/// let meet = |a, b| Ok::<_, table_schema::template::TemplateError>(can_meet(&Template::parse(a)?.parts(), &Template::parse(b)?.parts()));
/// assert!(meet("{email}", "email_{email}")?);
/// assert!(!meet("empid_{id:06}", "email_{email}")?);
/// assert!(!meet("department", "{id:06}")?);
/// # Ok::<(), table_schema::template::TemplateError>(())
/// ```
pub fn can_meet(left: &[Part<'_>], right: &[Part<'_>]) -> bool {
    let (left_lead, left_next) = lead(left);
    let (right_lead, right_next) = lead(right);
    if left_next.is_none() && right_next.is_none() {
        return left_lead == right_lead;
    }
    if left_lead == right_lead {
        return true;
    }
    // The next part of the template with the shorter literal, and the rest of the longer literal.
    let (next, beyond) = if let Some(beyond) = right_lead.strip_prefix(left_lead) {
        (left_next, beyond)
    } else if let Some(beyond) = left_lead.strip_prefix(right_lead) {
        (right_next, beyond)
    } else {
        return false;
    };
    // Without a template field, the shorter literal is a complete key, which is below the range of the other template.
    matches!(next, Some(Part::Field { shape, .. }) if shape.can_meet(beyond))
}

/// Returns whether rows of two kinds can have the same key or be in each other's ranges. Each kind is given as the
/// parts of its table name, its `PartitionKey` and its `RowKey`. Two partitions are assumed to be the same if their
/// templates have the same form. Table names are compared case-insensitively.
///
/// ```
/// use table_schema::template::{Template, rows_can_meet};
///
/// let meet = |one: [&str; 3], two: [&str; 3]| {
///     let [one, two] = [one, two].map(|texts| texts.map(|text| Template::parse(text).unwrap()));
///     rows_can_meet(one.each_ref().map(Template::parts).each_ref().map(Vec::as_slice), two.each_ref().map(Template::parts).each_ref().map(Vec::as_slice))
/// };
/// let players = ["CompanyByCity", "{city}", "city!{club}!p_{id:04}"];
/// assert!(meet(players, ["companybycity", "{town}", "city!{club}!c_{id:04}"]));
/// assert!(!meet(players, ["CoachesByCity", "{city}", "city!{club}!c_{id:04}"]));
/// assert!(!meet(players, ["CompanyByCity", "{city}", "coaches!{club}!c_{id:04}"]));
/// ```
pub fn rows_can_meet(left: [&[Part<'_>]; 3], right: [&[Part<'_>]; 3]) -> bool {
    let ([left_table, left_partition, left_row], [table, partition, row]) = (left, right);
    let is_one_name = |pair: (&Part<'_>, &Part<'_>)| match pair {
        (Part::Literal(left), Part::Literal(right)) => left.eq_ignore_ascii_case(right),
        (left, right) => same_form(std::slice::from_ref(left), std::slice::from_ref(right)),
    };
    left_table.len() == table.len()
        && left_table.iter().zip(table).all(is_one_name)
        && same_form(left_partition, partition)
        && can_meet(left_row, row)
}

/// Returns the leading literal and the part after it.
fn lead<'p, 't>(parts: &'p [Part<'t>]) -> (&'t str, Option<&'p Part<'t>>) {
    match parts.split_first() {
        Some((Part::Literal(text), rest)) => (text, rest.first()),
        Some((hole, _)) => ("", Some(hole)),
        None => ("", None),
    }
}

/// Returns whether two templates are equal except for field names: the same literals, and template fields of the same
/// format. Unescaped and escaped text count as one format, because both encode text without special characters
/// identically.
pub fn same_form(left: &[Part<'_>], right: &[Part<'_>]) -> bool {
    left.len() == right.len()
        && left.iter().zip(right).all(|pair| match pair {
            (Part::Literal(left), Part::Literal(right)) => left == right,
            (Part::Field { shape: left, .. }, Part::Field { shape: right, .. }) => match (left, right) {
                (Shape::Ord(Some(left)), Shape::Ord(Some(right)))
                | (Shape::InvertedOrd(Some(left)), Shape::InvertedOrd(Some(right))) => {
                    left.bits() == right.bits()
                }
                _ => left == right || left.is_text() && right.is_text(),
            },
            _ => false,
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::template::Template;

    fn meet(left: &str, right: &str) -> bool {
        let (left, right) = (Template::parse(left).unwrap(), Template::parse(right).unwrap());
        let there = can_meet(&left.parts(), &right.parts());
        assert_eq!(there, can_meet(&right.parts(), &left.parts()), "{left} {right}");
        there
    }

    #[test]
    fn templates_with_words_of_their_own_do_not_meet() {
        for (left, right) in [
            ("empid_{id:06}", "email_{email}"),
            ("department", "stats"),
            ("department", "{id:06}"),
            ("department", "department_{x}"),
            ("email_{email}", "{at:inverted_ticks}_{x}"),
            ("x1_{a}", "{id:guidn}"),
            ("2014-07x", "{at:%Y-%m-%d}"),
            ("2014-07x", "{at:inverted_%Y-%m-%d}"),
            ("x1", "{id:inverted_06}"),
            ("fact_{a}", "{f:bool}"),
        ] {
            assert!(!meet(left, right), "{left} {right}");
        }
    }

    #[test]
    fn a_beginning_of_anothers_keys_meets() {
        for (left, right) in [
            ("{b}", "c_{c}"),
            ("email_{a}", "email_{b}"),
            ("a_{a}", "a_b_{b}"),
            ("department", "department"),
            ("empid_", "empid_{id:06}"),
            ("0001{a}", "{id:06}"),
            ("fa{a}", "{f:bool}"),
            ("{id:06}", "{at:ticks}"),
            ("2014-{a}", "{at:%Y-%m-%d}"),
            ("{id:06}", "{id:inverted_06}"),
            ("7985-{a}", "{at:inverted_%Y-%m-%d}"),
        ] {
            assert!(meet(left, right), "{left} {right}");
        }
    }

    #[test]
    fn forms_are_the_same_whatever_the_fields_are_called() {
        let same = |left: &str, right: &str| {
            same_form(&Template::parse(left).unwrap().parts(), &Template::parse(right).unwrap().parts())
        };
        assert!(same("{a}_{b:04}", "{x:esc}_{y:04}"));
        assert!(!same("{a}", "badge_{a}"));
        assert!(!same("{a:04}", "{a:05}"));
    }
}
