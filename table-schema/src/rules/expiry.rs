//! The fields that contain the times at which an entity expires and was soft-deleted.

use super::{in_own_key, stamps::is_in_rows, unknown_field};
use crate::{
    RuleViolation,
    catalogue::Code,
    design::{EntityDesign, FieldDesign, FieldKind, Place},
};

pub(super) fn check(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    let words = [
        ("expires", &design.expires, "an entity expires", "`Timestamp` or `Option<Timestamp>`"),
        ("soft_delete", &design.soft_delete, "an entity was deleted", "`Option<Timestamp>`"),
    ];
    for (word, name, event, types) in words {
        let Some(name) = name else { continue };
        let place = Place::Word(word);
        let Some(field) = design.field(name) else {
            mistakes.push(unknown_field(design, place, name));
            continue;
        };
        let unmarkable = || if word == "soft_delete" { not_settable(design, field) } else { None };
        if let Some((reason, help)) = unfit(design, field).or_else(unmarkable) {
            let help = help.map_or_else(|| format!("use a field of the type {types}"), str::to_owned);
            let message = format!("`{name}` {reason} and cannot contain the time at which {event}");
            mistakes.push(RuleViolation::new(Code::D020, place, message).help(help));
        }
    }
}

/// The reason why a field is unfit, and the remedy if it is not another type.
type Unfit = (&'static str, Option<&'static str>);

/// Returns why a soft delete cannot set the field and an undelete clear it.
fn not_settable(design: &EntityDesign, field: &FieldDesign) -> Option<Unfit> {
    if in_own_key(design, &field.name) || is_in_rows(design, &field.name) {
        return Some(("is part of a key", Some("use a field that no key contains")));
    }
    if !field.optional || field.default.is_some() {
        return Some((
            "is always set",
            Some("use a field of the type `Option<Timestamp>` without a default"),
        ));
    }
    if field.stamp.is_some() {
        return Some(("is set by each write", Some("use a field of its own")));
    }
    if design.expires.as_ref() == Some(&field.name) {
        return Some(("contains the time at which an entity expires", Some("use a field of its own")));
    }
    let is_read = design.contributions.iter().any(|one| one.of.as_ref() == Some(&field.name));
    is_read.then_some(("is aggregated in another entity", Some("use a field of its own")))
}

/// Returns why a sweep cannot search entities by the field.
fn unfit(design: &EntityDesign, field: &FieldDesign) -> Option<Unfit> {
    if field.skip {
        return Some(("is not stored", Some("remove `skip`")));
    }
    if field.encrypted {
        return Some(("is encrypted", Some("remove `encrypt`, or use another field")));
    }
    if field.from_source {
        return Some(("is maintained by another entity", Some("use another field")));
    }
    if field.series.is_some() || field.flatten {
        return Some(("is stored as several properties", None));
    }
    if !matches!(field.kind, FieldKind::Time | FieldKind::Unknown) {
        return Some(("is not a time", None));
    }
    let is_stored = design.stored_fields().any(|stored| stored.name == field.name);
    (!is_stored).then_some(("is only part of a key", Some("store it as a property as well: add `store`")))
}
