//! Whether rows of two templates can have the same key.

use super::Part;

/// Whether rows of two templates that share a partition can meet: have one key, or lie in each other's ranges.
///
/// They cannot when their leading literals differ before either ends; or when one literal goes on where the other
/// template has a fixed format that cannot begin so (`department` beside `{id:06}`). Of two templates without holes
/// only equal ones meet.
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
    // The template whose literal ends first, and how the other goes on.
    let (next, beyond) = if let Some(beyond) = right_lead.strip_prefix(left_lead) {
        (left_next, beyond)
    } else if let Some(beyond) = left_lead.strip_prefix(right_lead) {
        (right_next, beyond)
    } else {
        return false;
    };
    // Without a hole there, the shorter one is a whole key, and below the other's range.
    matches!(next, Some(Part::Hole { shape, .. }) if shape.can_meet(beyond))
}

/// The leading literal, and the part after it.
fn lead<'p, 't>(parts: &'p [Part<'t>]) -> (&'t str, Option<&'p Part<'t>>) {
    match parts.split_first() {
        Some((Part::Literal(text), rest)) => (text, rest.first()),
        Some((hole, _)) => ("", Some(hole)),
        None => ("", None),
    }
}
