//! `soft_delete`: the field with the time at which an entity was soft-deleted.

use super::{Description, Role, Unfit};
use crate::{
    design::{EntityDesign, FieldDesign},
    rules::{
        Feature::{Archive, Wide},
        in_own_key, is_in_rows,
    },
};

pub(super) const ROLE: Description = Description {
    word: "soft_delete",
    example: "deleted",
    event: "an entity was deleted",
    types: "`Option<Timestamp>`",
    sentence: |field| format!("An entity is soft-deleted while its `{field}` is set."),
    subject: "a soft delete",
    has: "it has soft deletes",
    is_locked: true,
    is_set_by_library: true,
    excluded: &[
        (Wide, "remove `soft_delete`: the time would be in one of several rows"),
        (Archive, "remove one of them: both keep entities that queries no longer return"),
    ],
    unfit: not_settable,
};

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
    if design.roles.get(Role::Expires) == Some(&field.name) {
        return Some(("contains the time at which an entity expires", Some("use a field of its own")));
    }
    let is_read = design.contributions.iter().any(|one| one.of.as_ref() == Some(&field.name));
    is_read.then_some(("is aggregated in another entity", Some("use a field of its own")))
}
