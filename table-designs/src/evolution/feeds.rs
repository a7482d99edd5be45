//! Change feeds: C09, C10.

use super::{Change, ChangeCode, OldPrograms, Verdict, paired::Pair, step::Step};
/// The part of an entity that is its change feed.
const FEED: &str = "changes";

pub(super) fn compare(pair: &Pair<'_>, changes: &mut Vec<Change>) {
    let subject = pair.subject(FEED);
    let change = |code, verdict, steps: &[Step], reason| Change::new(code, &*subject, verdict, steps, reason);
    changes.push(match (&pair.old.changes, &pair.new.changes) {
        (None, Some(_)) => change(
            ChangeCode::C09,
            Verdict::Ordered,
            &[Step::Deploy, Step::AddIndex],
            "a change feed: older programs write without a record, until the registry rejects their writes",
        )
        .old(OldPrograms::Lease),
        (Some(_), None) => change(
            ChangeCode::C10,
            Verdict::Ordered,
            &[Step::DropIndex, Step::Deploy],
            "a change feed: the registry rejects programs without it until it is removed there; without the registry, \
             the feed lacks their changes",
        )
        .old(OldPrograms::Keep),
        (Some(old), Some(new)) if old.old != new.old || old.keep.seconds() != new.keep.seconds() => change(
            ChangeCode::C00,
            Verdict::Safe,
            &[Step::Deploy],
            "another retention period or content of new records; existing records do not change",
        ),
        _ => return,
    });
}
