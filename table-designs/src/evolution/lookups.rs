//! Lookups: C09, C10, C14.

use super::{
    Change,
    indexes::{added, dropped, replaced},
    paired::Pair,
    tokens::{Token, lowered, tokens},
};
use table_schema::{
    design::{LookupDesign, LookupPlace},
    template::Template,
};

pub(super) fn compare(pair: &Pair<'_>, changes: &mut Vec<Change>) {
    for (number, lookup) in pair.new.lookups.iter().enumerate() {
        match pair.old.lookups.iter().position(|old| old.name == lookup.name) {
            Some(before) => changes.extend(changed(pair, before, number)),
            None if pair.old.indexes.iter().any(|old| old.name == lookup.name) => {
                changes.push(replaced(pair, &lookup.name, "an index becomes a lookup"));
            }
            None => changes.push(added(pair, &lookup.name)),
        }
    }
    let is_known = |name: &String| {
        pair.new.indexes.iter().any(|index| index.name == *name)
            || pair.new.lookups.iter().any(|lookup| lookup.name == *name)
    };
    for lookup in pair.old.lookups.iter().filter(|lookup| !is_known(&lookup.name)) {
        changes.push(dropped(pair, &lookup.name));
    }
}

fn changed(pair: &Pair<'_>, before: usize, after: usize) -> Option<Change> {
    let (old, new) = (pair.old.lookups.get(before)?, pair.new.lookups.get(after)?);
    let fields: Vec<String> = old.on.iter().map(|name| pair.name_of(name)).collect();
    let reason = if old.place != new.place {
        "its lists move to another place"
    } else if old.ids != new.ids {
        "its lists have another layout"
    } else if fields != new.on {
        "it lists entities by other fields"
    } else if !same_keys(pair, (before, old), (after, new)) {
        "its lists have other keys"
    } else {
        return None;
    };
    Some(replaced(pair, &new.name, reason))
}

/// Compares the keys of the lists, with defaults applied. Templates of the entity change with the entity.
fn same_keys(pair: &Pair<'_>, old: (usize, &LookupDesign), new: (usize, &LookupDesign)) -> bool {
    let ((before, old), (after, new)) = (old, new);
    let (Some(before), Some(after)) = (pair.old.lists(before), pair.new.lists(after)) else {
        return pair.old.lists(before).is_none() && pair.new.lists(after).is_none();
    };
    let of = |old: &Template, new: &Template| -> (Vec<Token>, Vec<Token>) {
        (tokens(pair.old, old, |name| pair.name_of(name)), tokens(pair.new, new, str::to_owned))
    };
    let is_same = |old: &Template, new: &Template| {
        let (old, new) = of(old, new);
        old == new
    };
    let is_near = new.place == LookupPlace::Partition;
    let same_table = new.place != LookupPlace::Table || old.table.is_none() && new.table.is_none() || {
        let (old, new) = of(&before.table, &after.table);
        lowered(&old) == lowered(&new)
    };
    is_same(&before.row, &after.row)
        && (is_near || is_same(&before.partition, &after.partition))
        && same_table
}
