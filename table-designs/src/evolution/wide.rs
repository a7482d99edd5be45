//! Wide entities: C19.

use std::collections::BTreeMap;

use super::{
    Change, ChangeCode, OldPrograms, Verdict,
    paired::Pair,
    step::{MOVE, Step},
};
use table_schema::design::{EntityDesign, Series};

pub(super) fn compare(pair: &Pair<'_>, changes: &mut Vec<Change>) {
    let name = &pair.new.name;
    let change = |steps: &[Step], reason: String| {
        let change = Change::new(ChangeCode::C19, name, Verdict::Migrate, steps, reason);
        change.old(OldPrograms::RefuseRows).rewrites()
    };
    let (before, after) = match (pair.old.wide, pair.new.wide) {
        (None, None) => return,
        (None, Some(_)) => {
            changes.push(change(MOVE, "each entity becomes several rows, with other row keys".to_owned()));
            return;
        }
        (Some(_), None) => {
            changes.push(change(MOVE, "the rows of each entity become one, with another row key".to_owned()));
            return;
        }
        (Some(before), Some(after)) => (before, after),
    };
    let reason = if before != after {
        format!("{before} → {after} properties for each part: properties belong to other parts")
    } else if let Some(property) = moved(pair, before) {
        format!(
            "the fields before `{property}` changed, so it belongs to another part; add new fields at the end to \
             avoid this"
        )
    } else {
        return;
    };
    changes.push(change(&[Step::DeployReaders, Step::Rewrite, Step::Verify], reason));
}

/// Returns a property of both versions that is in different parts.
fn moved(pair: &Pair<'_>, wide: usize) -> Option<String> {
    let (old, new) = (positions(pair.old), positions(pair.new));
    let common = old.iter().filter_map(|(property, range)| Some((property, *range, *new.get(property)?)));
    let part = |position: usize| position / wide.max(1);
    let mut moved = common.filter(|(_, (old, slots), (new, others))| {
        (0..*slots.min(others)).any(|slot| part(old + slot) != part(new + slot))
    });
    moved.next().map(|(property, _, _)| property.clone())
}

/// Returns the position and the number of the properties of each stored field.
fn positions(entity: &EntityDesign) -> BTreeMap<String, (usize, usize)> {
    let mut next = 0;
    let position = |field: &table_schema::design::FieldDesign| {
        let slots = match field.series {
            Some(Series::Slots(slots)) => slots,
            Some(Series::Unknown) | None => 1,
        };
        let start = next;
        next += slots;
        (field.property.clone(), (start, slots))
    };
    entity.stored_fields().map(position).collect()
}
