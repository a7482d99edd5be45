//! The field of expiries: C00.

use super::{Change, ChangeCode, Verdict, paired::Pair, step::Step};
use table_schema::role::Role;

pub(super) fn compare(pair: &Pair<'_>, changes: &mut Vec<Change>) {
    let (old, new) = (pair.old.roles.get(Role::Expires), pair.new.roles.get(Role::Expires));
    if old == new {
        return;
    }
    let reason = match new {
        Some(field) => {
            format!("`expire` deletes the entities whose `{field}` is past; stored rows do not change")
        }
        None => "entities no longer expire; stored rows do not change".to_owned(),
    };
    let subject = pair.subject(Role::Expires.word());
    changes.push(Change::new(ChangeCode::C00, subject, Verdict::Safe, &[Step::Deploy], reason));
}
