//! Logs: their blobs are stored data, too.

use super::{Change, ChangeCode, OldPrograms, Verdict, fields, paired::Pair, step::Step};
use crate::schema::{Log, Schema};
use table_schema::design::EntityDesign;

/// Compares the logs. The fields of a record change as those of an entity do.
pub(super) fn compare(old: &Schema, new: &Schema, changes: &mut Vec<Change>) {
    let find = |schema: &'_ Schema, name: &str| schema.logs.iter().position(|log| log.name == name);
    for log in &new.logs {
        let Some(before) = find(old, &log.name).and_then(|at| old.logs.get(at)) else {
            let reason = "no blob of it exists";
            changes.push(Change::new(ChangeCode::C31, &*log.name, Verdict::Safe, &[Step::Deploy], reason));
            continue;
        };
        if before.blob != log.blob || container(before) != container(log) {
            let reason = "records remain in blobs of the old name and would not be found; use another log";
            changes.push(Change::refused(ChangeCode::C18, &*log.name, reason));
        }
        let (before, after) = (record(before), record(log));
        fields::compare(&Pair::new(&before, &after), changes);
    }
    for log in old.logs.iter().filter(|log| find(new, &log.name).is_none()) {
        let reason = "its blobs may exist and would no longer be read; delete them first";
        let change = Change::new(ChangeCode::C30, &*log.name, Verdict::Refused, &[Step::DeleteType], reason);
        changes.push(change.old(OldPrograms::Keep));
    }
}

fn container(log: &Log) -> String {
    log.container.clone().unwrap_or_else(|| log.name.to_lowercase())
}

/// Returns the record as an entity without keys.
fn record(log: &Log) -> EntityDesign {
    EntityDesign { fields: log.fields.clone(), ..EntityDesign::new(&log.name) }
}
