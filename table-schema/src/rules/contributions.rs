//! Contributions to fields of other entities, checked at the source.

use super::unknown_field;
use crate::{
    RuleViolation,
    catalogue::Code,
    design::{ContributionDesign, EntityDesign, FieldDesign, FieldKind, Place},
    static_design::Aggregate,
};

pub(super) fn check(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    for (number, contribution) in design.contributions.iter().enumerate() {
        mistakes.extend(to_itself(design, number, contribution));
        mistakes.extend(source_field(design, number, contribution));
        mistakes.extend(names(design, number, contribution));
    }
}

fn mistake(number: usize, word: &'static str, message: String, help: impl Into<String>) -> RuleViolation {
    RuleViolation::new(Code::D041, Place::ContributionWord(number, word), message).help(help)
}

/// Checks that the target is another entity, because one write changes one entity.
fn to_itself(
    design: &EntityDesign,
    number: usize,
    contribution: &ContributionDesign,
) -> Option<RuleViolation> {
    let is_itself = contribution.path == "Self" || contribution.path == design.name;
    let (what, kept) = match contribution.by {
        Aggregate::Copy => ("copied into", "copy"),
        _ => ("aggregated in", "aggregate"),
    };
    is_itself.then(|| {
        let help = format!("store the {kept} in a separate entity with fewer key fields");
        mistake(number, "target", format!("an entity cannot be {what} itself"), help)
    })
}

/// Checks `of`: required for sums and extremes, not allowed for counts and copies.
fn source_field(
    design: &EntityDesign,
    number: usize,
    contribution: &ContributionDesign,
) -> Option<RuleViolation> {
    let by = contribution.by;
    match (by, &contribution.of) {
        (Aggregate::Count, Some(_)) => {
            let message = "a count has no source field".to_owned();
            Some(mistake(number, "of", message, "remove `of`, or use summed_in(..) for a sum"))
        }
        (Aggregate::Copy, Some(_)) => {
            let message = "a copy has no single source field".to_owned();
            Some(mistake(
                number,
                "of",
                message,
                "remove `of`: the type of the target field lists the copied fields",
            ))
        }
        (Aggregate::Count | Aggregate::Copy, None) => None,
        (_, None) => {
            let message = format!("a {} requires a source field", noun(by));
            let help = format!("write {}", by.example());
            Some(RuleViolation::new(Code::D041, Place::Contribution(number), message).help(help))
        }
        (_, Some(of)) => {
            let Some(field) = design.field(of) else {
                return Some(unknown_field(design, Place::ContributionWord(number, "of"), of));
            };
            let reason = no_value(design, field, by)?;
            let help = match by {
                Aggregate::Sum => "use an integer field that is stored as a property",
                _ => "use a number, time or text field that is stored as a property",
            };
            Some(mistake(number, "of", format!("`{of}` {reason}"), help))
        }
    }
}

const fn noun(by: Aggregate) -> &'static str {
    match by {
        Aggregate::Count => "count",
        Aggregate::Sum => "sum",
        Aggregate::Max => "maximum",
        Aggregate::Min => "minimum",
        Aggregate::Copy => "copy",
    }
}

/// Returns why an aggregate cannot read a field. Maintained fields are excluded to prevent cycles.
fn no_value(design: &EntityDesign, field: &FieldDesign, by: Aggregate) -> Option<&'static str> {
    if field.from_source {
        return Some("is maintained by another entity and cannot be aggregated again");
    }
    if field.encrypted {
        return Some("is encrypted, and the other entity would reveal its value");
    }
    let is_several = field.series.is_some() || field.flatten;
    if is_several || matches!(field.kind, FieldKind::Blob | FieldKind::Json { .. }) {
        return Some("has no single value to aggregate");
    }
    if !design.stored_fields().any(|stored| stored.name == field.name) {
        return Some("is not stored as a property");
    }
    match (by, &field.kind) {
        (Aggregate::Sum, FieldKind::Int { .. } | FieldKind::Unknown) => None,
        (Aggregate::Sum, FieldKind::Float { .. }) => {
            Some("is not an integer: a sum of floats depends on their order")
        }
        (Aggregate::Sum, _) => Some("is not an integer"),
        (_, FieldKind::Bool | FieldKind::Guid | FieldKind::Binary { .. } | FieldKind::Enum { .. }) => {
            Some("has no maximum and no minimum")
        }
        _ => None,
    }
}

/// Checks that a target field has one source, and that rows can be attributed: they store the name of the target or of
/// the index.
fn names(design: &EntityDesign, number: usize, contribution: &ContributionDesign) -> Vec<RuleViolation> {
    let ContributionDesign { target, path, field, .. } = contribution;
    let mut found = Vec::new();
    let earlier = || design.contributions.iter().take(number);
    if earlier().any(|other| other.path == *path && other.field == *field) {
        let message = format!("`{target}::{field}` has two contributions of `{}`", design.name);
        found.push(mistake(number, "field", message, "use a separate target field for each"));
    }
    if earlier().any(|other| other.path != *path && other.target == *target) {
        let message = format!("two target entities are named `{target}`");
        found.push(mistake(number, "target", message, "rename one of them: rows store the name"));
    }
    let indexes = design.indexes.iter().enumerate().map(|(at, index)| (&index.name, Place::Index(at)));
    let lookups = design.lookups.iter().enumerate().map(|(at, lookup)| (&lookup.name, Place::Lookup(at)));
    let is_first = !earlier().any(|other| other.target == *target);
    if let Some((name, place)) = indexes.chain(lookups).find(|(name, _)| is_first && *name == target) {
        let message = format!("an index and a target entity are named `{name}`");
        let help = "rename the index: rows store the name";
        found.push(RuleViolation::new(Code::D029, place, message).help(help));
    }
    found
}
