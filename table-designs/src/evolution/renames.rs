//! Fields of both versions: C00, C04, C06 with a new name, and the comparison of their values.

use super::{
    Change, ChangeCode, OldPrograms, Verdict,
    paired::{Pair, is_stored},
    presence,
    step::{READERS_FIRST, Step, UPGRADE},
    types::{TypeChange, relation},
    values,
};
use table_schema::design::{EntityDesign, FieldDesign};

/// Compares a field of both versions. Returns `true` if a conversion of older rows must supply its value.
pub(super) fn compare(
    pair: &Pair<'_>,
    old: &FieldDesign,
    new: &FieldDesign,
    changes: &mut Vec<Change>,
) -> bool {
    let is_unstored =
        |entity: &EntityDesign, field| !is_stored(entity, field) && !entity.is_in_index_rows(field);
    let is_in_keys = is_unstored(pair.old, old) && is_unstored(pair.new, new);
    if old.property != new.property && !is_in_keys {
        changes.push(renamed(pair, old, new));
        values::settings(pair, old, new, changes);
        return false;
    }
    if old.name != new.name {
        let subject = pair.subject(&new.property);
        let reason = format!("`{}` is now `{}` in Rust; the stored form is the same", old.name, new.name);
        changes.push(Change::new(ChangeCode::C00, subject, Verdict::Safe, &[Step::Deploy], reason));
    }
    values::types(pair, old, new, changes);
    values::settings(pair, old, new, changes);
    kept(pair, old, new, changes);
    is_stored(pair.old, old) && is_stored(pair.new, new) && presence::compare(pair, old, new, changes)
}

fn renamed(pair: &Pair<'_>, old: &FieldDesign, new: &FieldDesign) -> Change {
    let (subject, before) = (pair.subject(&new.property), &old.property);
    if !pair.is_raised() {
        let reason = format!(
            "a new stored name needs `version = {}`; keep the old name with `rename = \"{before}\"`",
            pair.old.version + 1
        );
        return Change::refused(ChangeCode::C04, subject, reason);
    }
    let change = if relation(old, new) == TypeChange::Same {
        let reason = format!("older rows have it as `{before}`{}", pair.condition());
        Change::new(ChangeCode::C04, subject, Verdict::Ordered, UPGRADE, reason)
    } else {
        let condition = pair.condition();
        let reason =
            format!("older rows have it as `{before}` of another type; some values may not fit{condition}");
        let steps =
            [Step::DeployReaders, Step::UpgradeDryRun, Step::DeployWriters, Step::Upgrade, Step::Retire];
        Change::new(ChangeCode::C06, subject, Verdict::Migrate, &steps, reason)
    };
    change.old(OldPrograms::RefuseRows).rewrites()
}

/// Compares `store`: a field of a key that is also a property, or no longer is one.
fn kept(pair: &Pair<'_>, old: &FieldDesign, new: &FieldDesign, changes: &mut Vec<Change>) {
    let subject = pair.subject(&new.property);
    changes.push(match (old.store, new.store) {
        (false, true) if !is_stored(pair.old, old) && is_stored(pair.new, new) => {
            let reason = "older rows have it only in their keys, so filters on the property miss them";
            let steps = [Step::Deploy, Step::Rewrite, Step::Verify];
            let change = Change::new(ChangeCode::C02, subject, Verdict::Migrate, &steps, reason);
            change.old(OldPrograms::Keep).rewrites()
        }
        (true, false) if is_stored(pair.old, old) && !is_stored(pair.new, new) => {
            let reason = "new rows have it only in their keys, so filters on the property miss them";
            Change::new(ChangeCode::C08, subject, Verdict::Ordered, READERS_FIRST, reason)
        }
        _ => return,
    });
}
