//! Indexes: C09, C10, C12 to C14.

use std::collections::BTreeSet;

use super::{
    Change, ChangeCode, OldPrograms, Verdict, copies,
    paired::Pair,
    recovered,
    step::{READERS_FIRST, Step},
    tokens::{declared, lowered},
};
use table_schema::{
    design::{IndexDesign, TemplateText},
    language::{Literal, When},
};

/// The steps of an index that replaces another one.
pub(super) const REPLACE: &[Step] =
    &[Step::Deploy, Step::AddIndex, Step::Backfill, Step::Verify, Step::DropIndex];

pub(super) fn compare(pair: &Pair<'_>, changes: &mut Vec<Change>) {
    for index in &pair.new.indexes {
        match pair.old.indexes.iter().find(|old| old.name == index.name) {
            Some(old) => changed(pair, old, index, changes),
            None if pair.old.lookups.iter().any(|old| old.name == index.name) => {
                changes.push(replaced(pair, &index.name, "a lookup becomes an index"));
            }
            None => changes.push(added(pair, &index.name)),
        }
    }
    let is_known = |name: &String| {
        pair.new.indexes.iter().any(|index| index.name == *name)
            || pair.new.lookups.iter().any(|lookup| lookup.name == *name)
    };
    for index in pair.old.indexes.iter().filter(|index| !is_known(&index.name)) {
        changes.push(dropped(pair, &index.name));
    }
}

pub(super) fn added(pair: &Pair<'_>, name: &str) -> Change {
    let steps = [Step::Deploy, Step::AddIndex, Step::Backfill, Step::Verify];
    let reason = "existing entities have no rows in it";
    let change = Change::new(ChangeCode::C09, pair.subject(name), Verdict::Migrate, &steps, reason);
    change.old(OldPrograms::Lease).rewrites()
}

pub(super) fn dropped(pair: &Pair<'_>, name: &str) -> Change {
    let (steps, reason) = ([Step::DropIndex, Step::Deploy], "its rows remain until they are deleted");
    let change = Change::new(ChangeCode::C10, pair.subject(name), Verdict::Migrate, &steps, reason);
    change.old(OldPrograms::Keep).rewrites()
}

pub(super) fn replaced(pair: &Pair<'_>, name: &str, reason: &str) -> Change {
    let reason = format!("{reason}; give the new one another name, and drop `{name}` when readers use it");
    let change = Change::new(ChangeCode::C14, pair.subject(name), Verdict::Migrate, REPLACE, reason);
    change.old(OldPrograms::Lease).rewrites()
}

fn changed(pair: &Pair<'_>, old: &IndexDesign, new: &IndexDesign, changes: &mut Vec<Change>) {
    match (old.unique, new.unique) {
        (false, true) => {
            let reason = "entities with equal values cannot both have a row";
            let steps = [Step::DuplicatesDryRun, Step::Deploy, Step::AddIndex, Step::Backfill, Step::Verify];
            let change =
                Change::new(ChangeCode::C12, pair.subject(&new.name), Verdict::Migrate, &steps, reason);
            changes.push(change.old(OldPrograms::Lease).rewrites());
        }
        (true, false) => {
            let reason = "older programs report violations when two entities have equal values";
            let verdict = Verdict::Ordered;
            let change =
                Change::new(ChangeCode::C13, pair.subject(&new.name), verdict, READERS_FIRST, reason);
            changes.push(change.old(OldPrograms::RefuseValues));
        }
        _ => {}
    }
    let is_selection = old.sparse == new.sparse
        && same_condition(pair, old.when.as_ref(), new.when.as_ref())
        && old.condition == new.condition;
    let lacking = recovered::lacking(pair, old, new);
    if !same_keys(pair, old, new) {
        changes.push(replaced(pair, &new.name, "its rows have other keys"));
    } else if !is_selection {
        changes.push(replaced(pair, &new.name, "it contains other entities"));
    } else if lacking.is_empty() {
        changes.extend(copies::compare(pair, old, new));
    } else {
        let reason = format!("its older rows have {} only in their keys", lacking.join(", "));
        changes.push(replaced(pair, &new.name, &reason));
    }
}

/// Compares the keys. A template that both versions inherit from the entity changes with the entity.
fn same_keys(pair: &Pair<'_>, old: &IndexDesign, new: &IndexDesign) -> bool {
    let tokens = |old: Option<&TemplateText>, new: Option<&TemplateText>| {
        (declared(pair.old, old, |name| pair.name_of(name)), declared(pair.new, new, str::to_owned))
    };
    let (before, after) = tokens(old.row.as_ref(), new.row.as_ref());
    let same_row = before == after;
    let same_partition = old.partition.is_none() && new.partition.is_none() || {
        let (before, after) = tokens(
            old.partition.as_ref().or(pair.old.partition.as_ref()),
            new.partition.as_ref().or(pair.new.partition.as_ref()),
        );
        before == after
    };
    let same_table = old.table.is_none() && new.table.is_none() || {
        let (before, after) = tokens(
            old.table.as_ref().or(pair.old.table.as_ref()),
            new.table.as_ref().or(pair.new.table.as_ref()),
        );
        lowered(&before) == lowered(&after)
    };
    same_row && same_partition && same_table
}

pub(super) fn same_condition(pair: &Pair<'_>, old: Option<&When>, new: Option<&When>) -> bool {
    let tests = |when: &When, name: &dyn Fn(&str) -> String| -> BTreeSet<(String, String)> {
        let value = |literal: &Literal| literal.text().to_owned();
        when.equalities.iter().map(|one| (name(&one.field), value(&one.value))).collect()
    };
    match (old, new) {
        (Some(old), Some(new)) => tests(old, &|name| pair.name_of(name)) == tests(new, &str::to_owned),
        (old, new) => old.is_none() && new.is_none(),
    }
}
