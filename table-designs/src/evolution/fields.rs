//! Added and removed fields, and versions: C01 to C03, C07, C08.

use super::{
    Change, ChangeCode, OldPrograms, Verdict,
    paired::{Pair, is_stored},
    presence::Absent,
    renames,
    step::{Step, UPGRADE},
    types::{TypeChange, relation},
};
use table_schema::{design::FieldDesign, suggest::closest};

pub(super) fn compare(pair: &Pair<'_>, changes: &mut Vec<Change>) {
    let mut found: Vec<Change> = pair.added.iter().filter_map(|field| unknown_name(pair, field)).collect();
    let mut converted: Vec<&str> = Vec::new();
    for (old, new) in &pair.fields {
        if renames::compare(pair, old, new, &mut found) {
            converted.push(&new.property);
        }
    }
    // The keys tell fields that are only in keys.
    let mut removed: Vec<&FieldDesign> = pair.removed.clone();
    removed.retain(|field| is_stored(pair.old, field));
    let mut added: Vec<&FieldDesign> = pair.added.clone();
    added.retain(|field| is_stored(pair.new, field) && field.was.is_none());
    if pair.is_raised() {
        // The conversion of the older version computes the added fields, from the removed ones if there are any.
        let is_split = !removed.is_empty() && !added.is_empty();
        let is_computed =
            |field: &&FieldDesign| is_split || Absent::in_rows_of(pair.old, field) == Absent::Invalid;
        converted
            .extend(added.iter().filter(|field| is_computed(field)).map(|field| field.property.as_str()));
        added.retain(|field| !is_computed(field));
        if is_split {
            removed.clear();
        }
    }
    for field in &added {
        found.push(addition(pair, field, &removed));
    }
    for field in &removed {
        found.push(removal(pair, field, &added));
    }
    version(pair, converted, &mut found);
    changes.extend(found);
}

/// Adds the change of the version, unless a change of a field already contains it.
fn version(pair: &Pair<'_>, mut converted: Vec<&str>, found: &mut Vec<Change>) {
    let (before, after) = (pair.old.version, pair.new.version);
    if after < before {
        let reason = format!("rows of version {before} could not be read; a version never decreases");
        found.push(Change::refused(ChangeCode::C07, &*pair.new.name, reason));
    }
    if pair.new.oldest > before {
        let (name, oldest) = (&pair.new.name, pair.new.oldest);
        let reason = format!(
            "the first program of this version could not read the rows of version {before}, so no program could upgrade \
             them; deploy version {after} with `oldest = {before}`, upgrade the rows, and raise `oldest` to {oldest} in \
             the next deployment"
        );
        found.push(Change::refused(ChangeCode::C07, format!("{name}.oldest"), reason));
    } else if pair.new.oldest > pair.old.oldest {
        let oldest = pair.new.oldest;
        let reason = format!("rows of versions before {oldest} are no longer read, so none may be left");
        let steps = [Step::Upgrade, Step::Retire];
        let change = Change::new(ChangeCode::C07, pair.subject("oldest"), Verdict::Ordered, &steps, reason);
        found.push(change.old(OldPrograms::Run).rewrites());
    }
    let is_told = |change: &Change| change.steps.contains(&Step::Retire) && change.steps.len() > 2;
    if !pair.is_raised() || converted.is_empty() && found.iter().any(is_told) {
        return;
    }
    converted.sort_unstable();
    let (subject, reason) = if converted.is_empty() {
        (
            pair.new.name.clone(),
            format!("rows of version {before} are converted to version {after}{}", pair.condition()),
        )
    } else {
        (
            pair.subject(&converted.join(",")),
            format!("the conversion from version {before} computes the new values{}", pair.condition()),
        )
    };
    let change = Change::new(ChangeCode::C07, subject, Verdict::Ordered, UPGRADE, reason);
    found.push(change.old(OldPrograms::RefuseRows).rewrites());
}

/// Rejects the previous name of a field if no field of the older version has it.
fn unknown_name(pair: &Pair<'_>, field: &FieldDesign) -> Option<Change> {
    let was = field.was.as_deref()?;
    let subject = pair.subject(&field.property);
    if pair.fields.iter().any(|(old, _)| old.property == was) {
        let reason =
            format!("another field is also stored as `{was}`, which `was` names; remove one of them");
        return Some(Change::refused(ChangeCode::C04, subject, reason));
    }
    let known = || pair.removed.iter().map(|field| field.property.as_str());
    let near = closest(was, known()).map(|near| format!("; did you mean `{near}`?"));
    let near = near.unwrap_or_else(|| match known().next() {
        Some(_) => format!("; removed fields: {}", known().collect::<Vec<_>>().join(", ")),
        None => "; remove `was`".to_owned(),
    });
    let reason = format!("the older version has no field that is stored as `{was}`{near}");
    Some(Change::refused(ChangeCode::C04, subject, reason))
}

fn addition(pair: &Pair<'_>, field: &FieldDesign, removed: &[&FieldDesign]) -> Change {
    let subject = pair.subject(&field.property);
    let keeps = |code, reason: String| {
        Change::new(code, &*subject, Verdict::Safe, &[Step::Deploy], reason).old(OldPrograms::Keep)
    };
    match Absent::in_rows_of(pair.old, field) {
        Absent::Missing => keeps(ChangeCode::C01, "older rows do not have it".to_owned()),
        Absent::Default(default) => keeps(ChangeCode::C02, format!("rows without it mean {default}")),
        Absent::Invalid => {
            let remedy = match likeliest(
                removed.iter().copied().filter(|other| is_alike(other, field)),
                &field.property,
            ) {
                Some(other) => format!(
                    "if `{}` was renamed: `was = \"{}\"` and `version = {}`",
                    other.name,
                    other.property,
                    pair.old.version + 1
                ),
                None => format!(
                    "add a default, make it optional, or raise to `version = {}` and convert",
                    pair.old.version + 1
                ),
            };
            Change::refused(ChangeCode::C03, &*subject, format!("rows without it cannot be read; {remedy}"))
        }
    }
}

fn removal(pair: &Pair<'_>, field: &FieldDesign, added: &[&FieldDesign]) -> Change {
    let subject = pair.subject(&field.property);
    let mut reason = "stored rows keep the property".to_owned();
    let alike = added.iter().copied().filter(|other| is_alike(field, other));
    if let Some(other) = likeliest(alike, &field.property) {
        let version = pair.old.version + 1;
        reason = format!(
            "{reason}; if it was renamed to `{}`: `was = \"{}\"` and `version = {version}`",
            other.name, field.property
        );
    }
    if Absent::in_rows_of(pair.new, field) == Absent::Invalid {
        let reason = format!("{reason}. Older programs reject rows without it");
        let steps = [Step::StopReading, Step::Deploy, Step::Gone];
        return Change::new(ChangeCode::C08, subject, Verdict::Ordered, &steps, reason)
            .old(OldPrograms::RefuseRows);
    }
    let steps = [Step::Deploy, Step::StopReading, Step::Gone];
    Change::new(ChangeCode::C08, subject, Verdict::Ordered, &steps, reason)
}

/// Returns the field that was most likely renamed: the first of those that have the longest prefix in common with a property,
/// because the fields of a nested struct have one.
pub(crate) fn likeliest<'f>(
    fields: impl Iterator<Item = &'f FieldDesign>,
    property: &str,
) -> Option<&'f FieldDesign> {
    let is_in = |prefix: &str, field: &FieldDesign| field.property.starts_with(prefix);
    let prefixes = || property.rmatch_indices('_').filter_map(|(at, _)| property.get(..=at)).chain([""]);
    fields.min_by_key(|field| prefixes().position(|prefix| is_in(prefix, field)))
}

/// Returns whether one field may be the other under a new name.
fn is_alike(old: &FieldDesign, new: &FieldDesign) -> bool {
    relation(old, new) == TypeChange::Same && old.optional == new.optional
}
