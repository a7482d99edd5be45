//! The fields with a role: the times at which an entity expires and was soft-deleted.

use super::unknown_field;
use crate::{
    RuleViolation,
    catalogue::Code,
    design::{EntityDesign, FieldDesign, FieldKind, Place},
    role::Unfit,
};

pub(super) fn check(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    for (role, name) in design.roles.iter() {
        let place = Place::Word(role.word());
        let Some(field) = design.field(name) else {
            mistakes.push(unknown_field(design, place, name));
            continue;
        };
        if let Some((reason, help)) = unfit(design, field).or_else(|| role.unfit(design, field)) {
            let help =
                help.map_or_else(|| format!("use a field of the type {}", role.types()), str::to_owned);
            let message = format!("`{name}` {reason} and cannot contain the time at which {}", role.event());
            mistakes.push(RuleViolation::new(Code::D020, place, message).help(help));
        }
    }
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
