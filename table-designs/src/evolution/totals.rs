//! Aggregates and copied fields of other entities: C28.

use super::{Change, ChangeCode, OldPrograms, Verdict, paired::Pair, step::Step};
use table_schema::design::{EmbedDesign, TotalDesign};

const ADD: [Step; 4] = [Step::Deploy, Step::AddTotal, Step::Backfill, Step::Verify];
const DROP: [Step; 2] = [Step::DropTotal, Step::Deploy];
const REPLACE: [Step; 5] = [Step::Deploy, Step::AddTotal, Step::Backfill, Step::Verify, Step::DropTotal];

/// Compares the aggregates and copied fields of one entity. `pairs` are all entities, to find renamed source fields.
pub(super) fn compare(pair: &Pair<'_>, pairs: &[Pair<'_>], changes: &mut Vec<Change>) {
    let totals =
        |totals: &[TotalDesign]| -> Vec<String> { totals.iter().map(|one| one.name.clone()).collect() };
    let embeds =
        |embeds: &[EmbedDesign]| -> Vec<String> { embeds.iter().map(|one| one.name.clone()).collect() };
    lists(pair, &totals(&pair.old.totals), &totals(&pair.new.totals), changes);
    names(pair, changes);
    lists(pair, &embeds(&pair.old.embeds), &embeds(&pair.new.embeds), changes);
    for new in &pair.new.totals {
        let old = pair.old.totals.iter().find(|old| old.name == new.name);
        if old.is_some_and(|old| {
            renamed_total(pair, pairs, old) != renamed_total(pair, &[], new)
                || !same_condition(pairs, old, new)
        }) {
            changes.push(changed(pair, &new.name, "it is computed from other values"));
        }
    }
    for new in &pair.new.embeds {
        let old = pair.old.embeds.iter().find(|old| old.name == new.name);
        let Some(old) = old.map(|old| renamed_embed(pair, pairs, old)) else { continue };
        if let Some(field) = required(pairs, &old, new) {
            let reason = format!(
                "stored copies lack `{field}`, so the entities could not be read; make it optional, or declare the copy \
                 under another name"
            );
            changes.push(Change::refused(ChangeCode::C28, pair.subject(&new.name), reason));
        } else if old != renamed_embed(pair, &[], new) {
            changes.push(changed(pair, &new.name, "other fields are copied, or from another entity"));
        }
    }
}

/// Rejects a stored name that is a field in one version and an aggregate in the other: programs of both versions would
/// overwrite each other's values.
fn names(pair: &Pair<'_>, changes: &mut Vec<Change>) {
    let is_total = |totals: &[TotalDesign], name: &String| totals.iter().any(|total| total.name == *name);
    let removed = pair.removed.iter().filter(|field| is_total(&pair.new.totals, &field.property));
    let added = pair.added.iter().filter(|field| is_total(&pair.old.totals, &field.property));
    for field in removed.chain(added) {
        let reason = "both a field and an aggregate are stored under this name; use another name";
        changes.push(Change::refused(ChangeCode::C28, pair.subject(&field.property), reason));
    }
}

fn lists(pair: &Pair<'_>, old: &[String], new: &[String], changes: &mut Vec<Change>) {
    let of = |name: &str, steps: &[Step], reason: &str| {
        Change::new(ChangeCode::C28, pair.subject(name), Verdict::Migrate, steps, reason).rewrites()
    };
    for name in new.iter().filter(|name| !old.contains(name)) {
        let reason = "existing entities have not contributed to it";
        changes.push(of(name, &ADD, reason).old(OldPrograms::Lease));
    }
    for name in old.iter().filter(|name| !new.contains(name)) {
        changes.push(of(name, &DROP, "its values and contributions remain").old(OldPrograms::Keep));
    }
}

/// Returns a required field that is copied in addition.
fn required<'d>(pairs: &[Pair<'_>], old: &EmbedDesign, new: &'d EmbedDesign) -> Option<&'d String> {
    let source = pairs.iter().find(|pair| pair.new.name == new.from)?.new;
    let is_required = |name: &&String| source.field(name).is_some_and(|field| !field.optional);
    new.fields.iter().filter(|name| !old.fields.contains(name)).find(is_required)
}

fn changed(pair: &Pair<'_>, name: &str, reason: &str) -> Change {
    let reason = format!("{reason}; give the new one another name, and drop `{name}` when readers use it");
    let change = Change::new(ChangeCode::C28, pair.subject(name), Verdict::Migrate, &REPLACE, reason);
    change.old(OldPrograms::Lease).rewrites()
}

/// Returns the name in the new version of a field of another entity. Without pairs the name is returned unchanged.
fn name_in(pairs: &[Pair<'_>], entity: &str, field: &str) -> String {
    let pair = pairs.iter().find(|pair| pair.new.name == entity);
    pair.map_or_else(|| field.to_owned(), |pair| pair.name_of(field))
}

fn renamed_matches(
    pair: &Pair<'_>,
    pairs: &[Pair<'_>],
    entity: &str,
    matches: &[(String, String)],
) -> Vec<(String, String)> {
    let mine = |name: &String| if pairs.is_empty() { name.clone() } else { pair.name_of(name) };
    let mut matches: Vec<_> =
        matches.iter().map(|(theirs, own)| (name_in(pairs, entity, theirs), mine(own))).collect();
    matches.sort();
    matches
}

/// Returns whether an aggregate selects the same entities.
fn same_condition(pairs: &[Pair<'_>], old: &TotalDesign, new: &TotalDesign) -> bool {
    match pairs.iter().find(|pair| pair.new.name == new.entity) {
        Some(source) => super::indexes::same_condition(source, old.when.as_ref(), new.when.as_ref()),
        None => old.when == new.when,
    }
}

/// Returns an aggregate with the field names of the new version, without its description and condition.
fn renamed_total(pair: &Pair<'_>, pairs: &[Pair<'_>], total: &TotalDesign) -> TotalDesign {
    TotalDesign {
        about: None,
        field: total.field.as_ref().map(|field| name_in(pairs, &total.entity, field)),
        matches: renamed_matches(pair, pairs, &total.entity, &total.matches),
        when: None,
        ..total.clone()
    }
}

fn renamed_embed(pair: &Pair<'_>, pairs: &[Pair<'_>], embed: &EmbedDesign) -> EmbedDesign {
    let mut fields: Vec<String> =
        embed.fields.iter().map(|field| name_in(pairs, &embed.from, field)).collect();
    fields.sort();
    EmbedDesign {
        about: None,
        matches: renamed_matches(pair, pairs, &embed.from, &embed.matches),
        fields,
        ..embed.clone()
    }
}
