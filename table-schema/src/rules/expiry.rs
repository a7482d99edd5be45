//! The field that contains the time at which an entity expires.

use super::unknown_field;
use crate::{
    RuleViolation,
    catalogue::Code,
    design::{EntityDesign, FieldDesign, FieldKind, Place},
};

pub(super) fn check(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    let Some(name) = &design.expires else { return };
    let place = Place::Word("expires");
    let Some(field) = design.field(name) else {
        mistakes.push(unknown_field(design, place, name));
        return;
    };
    if let Some((reason, help)) = unfit(design, field) {
        let message = format!("`{name}` {reason} and cannot contain the time at which an entity expires");
        mistakes.push(RuleViolation::new(Code::D020, place, message).help(help));
    }
}

/// Returns why a sweep cannot search expired entities by the field, and the remedy.
fn unfit(design: &EntityDesign, field: &FieldDesign) -> Option<(&'static str, &'static str)> {
    let time = "use a field of the type `Timestamp` or `Option<Timestamp>`";
    if field.skip {
        return Some(("is not stored", "remove `skip`"));
    }
    if field.encrypted {
        return Some(("is encrypted", "remove `encrypt`, or use another field"));
    }
    if field.from_source {
        return Some(("is maintained by another entity", "use another field"));
    }
    if field.series.is_some() || field.flatten {
        return Some(("is stored as several properties", time));
    }
    if !matches!(field.kind, FieldKind::Time | FieldKind::Unknown) {
        return Some(("is not a time", time));
    }
    let is_stored = design.stored_fields().any(|stored| stored.name == field.name);
    (!is_stored).then_some(("is only part of a key", "store it as a property as well: add `store`"))
}
