//! Values of a field under one stored name: C05, C06, C20, C24, C27.

use super::{
    Change, ChangeCode, OldPrograms, Verdict,
    paired::Pair,
    recovered::is_recovered,
    sizes,
    step::{READERS_FIRST, Step, UPGRADE},
    types::{TypeChange, relation, values},
};
use table_schema::{
    design::{BlobDesign, FieldDesign, FieldKind},
    language::Size,
};

/// Compares the types of a field that keeps its stored name.
pub(super) fn types(pair: &Pair<'_>, old: &FieldDesign, new: &FieldDesign, changes: &mut Vec<Change>) {
    let subject = pair.subject(&new.property);
    let refused = |reason: &str| Change::refused(ChangeCode::C06, &*subject, reason).rewrites();
    match relation(old, new) {
        TypeChange::Same => {}
        TypeChange::Wider { same_edm } => {
            let (old, reason) = if same_edm {
                (OldPrograms::RefuseValues, "new values may not fit the older type")
            } else {
                (OldPrograms::RefuseRows, "the property has another type in new rows")
            };
            let change =
                Change::new(ChangeCode::C05, &*subject, Verdict::Ordered, READERS_FIRST, reason).old(old);
            changes.push(change);
        }
        TypeChange::Narrower => changes.push(refused(
            "stored values may not fit; use another stored name, raise `version`, and convert with `TryFrom`",
        )),
        TypeChange::Other => changes.push(refused(
            "a stored name keeps its type; use another stored name, raise `version`, and convert with `From`",
        )),
    }
}

/// Compares the settings of a field that do not change its type.
pub(super) fn settings(pair: &Pair<'_>, old: &FieldDesign, new: &FieldDesign, changes: &mut Vec<Change>) {
    let subject = pair.subject(&new.property);
    changes.extend(encryption(pair, &subject, old, new));
    changes.extend(words(pair, &subject, old, new));
    changes.extend(sizes::length(&subject, old, new));
    changes.extend(sizes::slots(&subject, old, new));
    changes.extend(blob(pair, &subject, old, new));
}

fn encryption(pair: &Pair<'_>, subject: &str, old: &FieldDesign, new: &FieldDesign) -> Option<Change> {
    let (job, reason) = match (old.encrypted, new.encrypted) {
        (false, true) => {
            (Step::Seal, "stored values are plain text until they are rewritten, and remain so in backups")
        }
        (true, false) => (Step::Upgrade, "stored values are encrypted until they are rewritten"),
        _ => return None,
    };
    let steps = [READERS_FIRST, &[job, Step::Verify]].concat();
    // Each version has one form of the value, so a new version reads both and writes the new one.
    let steps = if pair.is_raised() { UPGRADE.to_vec() } else { steps };
    let change = Change::new(ChangeCode::C20, subject, Verdict::Ordered, &steps, reason);
    Some(change.old(OldPrograms::RefuseRows).rewrites())
}

fn words(pair: &Pair<'_>, subject: &str, old: &FieldDesign, new: &FieldDesign) -> Option<Change> {
    let (FieldKind::Enum { variants: before }, FieldKind::Enum { variants: after }) =
        (values(old), values(new))
    else {
        return None;
    };
    let missing = |from: &[String], of: &[String]| -> Vec<String> {
        from.iter().filter(|word| !of.contains(word)).map(|word| format!("`{word}`")).collect()
    };
    let (added, removed) = (missing(after, before).join(", "), missing(before, after).join(", "));
    if before.is_empty() || after.is_empty() || added.is_empty() && removed.is_empty() {
        return None;
    }
    if removed.is_empty() {
        let reason = format!("older programs do not know {added}");
        let change = Change::new(ChangeCode::C24, subject, Verdict::Ordered, READERS_FIRST, reason);
        return Some(change.old(OldPrograms::RefuseRows));
    }
    let is_in_key = is_recovered(pair.old, old);
    let (reason, rewrite): (_, &[Step]) = if is_in_key {
        // An entity with another key is another entity.
        let remedy = "insert these entities with another value, and delete the old ones, before deploying";
        (
            format!("rows with {removed} in their keys could not be read, and no job changes keys: {remedy}"),
            &[],
        )
    } else {
        let reason = format!("rows with {removed} could not be read; rewrite them first");
        (reason, &[Step::UpgradeDryRun, Step::Upgrade])
    };
    let change = if added.is_empty() {
        let steps = [rewrite, &[Step::Deploy]].concat();
        Change::new(ChangeCode::C24, subject, Verdict::Migrate, &steps, reason)
    } else {
        let steps = [READERS_FIRST, rewrite, &[Step::Deploy]].concat();
        let reason =
            format!("{reason}. Older programs do not know {added}, so readers must know all words first");
        let change = Change::new(ChangeCode::C24, subject, Verdict::Migrate, &steps, reason);
        change.old(OldPrograms::RefuseRows)
    };
    Some(if is_in_key { change } else { change.rewrites() })
}

fn blob(pair: &Pair<'_>, subject: &str, old: &FieldDesign, new: &FieldDesign) -> Option<Change> {
    let ordered =
        |steps: &[Step], reason| Change::new(ChangeCode::C27, subject, Verdict::Ordered, steps, reason);
    let bytes = |blob: &BlobDesign| blob.over.map(Size::bytes);
    match (&old.blob, &new.blob) {
        (Some(before), Some(after)) if bytes(before) != bytes(after) => {
            // A row states whether its value is in a blob, so rows of both limits can be read.
            Some(ordered(READERS_FIRST, "values between the two limits are stored in the other place"))
        }
        (Some(_), None) | (None, Some(_)) => {
            let steps = [READERS_FIRST, &[Step::Upgrade]].concat();
            let steps = if pair.is_raised() { UPGRADE.to_vec() } else { steps };
            let change = ordered(&steps, "stored values have the other form until they are rewritten");
            Some(change.old(OldPrograms::RefuseRows).rewrites())
        }
        _ => None,
    }
}
