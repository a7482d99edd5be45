//! The field of soft deletes: C32.

use super::{
    Change, ChangeCode, OldPrograms, Verdict,
    paired::Pair,
    step::{READERS_FIRST, Step},
};
use table_schema::role::Role;

/// The class C32 in sentences; see [`ChangeClass`](super::ChangeClass).
pub(super) const EFFECT: &str = "Added on an existing field: entities whose field is set lose their index rows. Removed: soft-deleted entities \
         are found again and lack their index rows.";
pub(super) const OLD_PROGRAMS: &str =
    "They return soft-deleted entities, and a write of one adds its index rows again.";
pub(super) const REMEDY: &str = "Added: deploy it to all programs, then call `soft_delete`; on an existing field, run `tables verify --repair` \
         before. Removed: call `purge` or `undelete` for all soft-deleted entities, then deploy, then run `tables verify \
         --repair`.";

pub(super) fn compare(pair: &Pair<'_>, changes: &mut Vec<Change>) {
    let (old, new) = (pair.old.roles.get(Role::SoftDelete), pair.new.roles.get(Role::SoftDelete));
    if old.map(|old| pair.name_of(old)).as_deref() == new {
        return;
    }
    let subject = pair.subject(Role::SoftDelete.word());
    let change = |verdict, steps: &[Step], reason: String| {
        Change::new(ChangeCode::C32, &*subject, verdict, steps, reason).old(OldPrograms::Keep)
    };
    changes.push(match (old, new) {
        (Some(old), Some(_)) => {
            let reason = format!("entities whose `{old}` is set would be found again; keep the field, or rename it by `was`");
            Change::refused(ChangeCode::C32, &*subject, reason)
        }
        (None, Some(field)) if pair.fields.iter().any(|(_, new)| new.name == field) => {
            let reason = format!("entities whose `{field}` is set are soft-deleted, and lose their index rows");
            change(Verdict::Migrate, &[Step::Deploy, Step::Verify], reason).rewrites()
        }
        (None, _) => {
            let reason = "older programs would return soft-deleted entities: `soft_delete` is called when all have ended";
            change(Verdict::Ordered, READERS_FIRST, reason.to_owned())
        }
        (Some(_), None) => {
            let reason = "soft-deleted entities are found again and lack their index rows: `purge` or `undelete` them first";
            change(Verdict::Migrate, &[Step::Purge, Step::Deploy, Step::Verify], reason.to_owned()).rewrites()
        }
    });
}
