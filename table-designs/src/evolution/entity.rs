//! Entities, their type names, and what is stored for all of their rows: C29 to C31.

use super::{
    Change, ChangeCode, OldPrograms, Verdict,
    paired::Pair,
    step::{READERS_FIRST, Step},
};
use crate::schema::Schema;
use table_schema::{
    design::{EntityDesign, EntityTypeRule, TemplateText},
    language::Span,
};

/// Returns the entity in the old design: with the same name, renamed with the same `EntityType` in the same table, or
/// with the same `EntityType` while the entity is moved. Either struct can have the name that the entity had: the old one
/// has the same keys, the new one has other keys, and the entity with the name keeps its keys.
pub(super) fn former<'s>(old: &'s Schema, new: &Schema, entity: &EntityDesign) -> Option<&'s EntityDesign> {
    let table = |entity: &EntityDesign| entity.table.as_ref().map(|table| table.text().to_ascii_lowercase());
    let is_renamed = |other: &&EntityDesign| {
        new.entity(&other.name).is_none()
            && stem(other).is_some_and(|stem_of| Some(stem_of) == stem(entity))
            && table(other) == table(entity)
    };
    let find = |is_former: &dyn Fn(&&EntityDesign) -> bool| old.entities.iter().find(is_former);
    old.entity(&entity.name)
        .or_else(|| find(&is_renamed))
        .or_else(|| find(&|other| is_old_form(other, entity)))
        .or_else(|| {
            find(&|other| {
                let kept = new.entity(&other.name).filter(|kept| is_old_form(other, kept));
                kept.is_some_and(|kept| stem(kept) == stem(entity))
            })
        })
}

/// Returns whether an entity has the type and the keys of another one, which had its rows.
fn is_old_form(before: &EntityDesign, entity: &EntityDesign) -> bool {
    let keys = |entity: &EntityDesign| {
        let text = |text: &Option<TemplateText>| text.as_ref().map(|text| text.text().to_owned());
        [&entity.table, &entity.partition, &entity.row].map(text)
    };
    stem(before).is_some() && stem(before) == stem(entity) && keys(before) == keys(entity)
}

/// Compares the lists of entities.
pub(super) fn compare(old: &Schema, new: &Schema, changes: &mut Vec<Change>) {
    let mut renamed = Vec::new();
    for entity in new.entities.iter().filter(|entity| old.entity(&entity.name).is_none()) {
        let (code, reason) = match former(old, new, entity) {
            Some(former) if new.entity(&former.name).is_some() => {
                let form = if is_old_form(former, entity) { "old" } else { "new" };
                let reason =
                    format!("the {form} struct of `{}`, whose entities move to other keys", former.name);
                (ChangeCode::C00, reason)
            }
            Some(former) => {
                renamed.push(&*former.name);
                (ChangeCode::C00, format!("renamed from `{}`; its rows keep their type", former.name))
            }
            None => (ChangeCode::C31, "no row of it exists".to_owned()),
        };
        changes.push(Change::new(code, &entity.name, Verdict::Safe, &[Step::Deploy], reason));
    }
    let is_gone =
        |entity: &&EntityDesign| new.entity(&entity.name).is_none() && !renamed.contains(&&*entity.name);
    for entity in old.entities.iter().filter(is_gone) {
        let reason = format!(
            "its rows may exist and would no longer be maintained; if it was renamed, add `entity_type = \"{}\"` to the \
             new entity, otherwise delete its rows first",
            stem(entity).unwrap_or_default()
        );
        let change =
            Change::new(ChangeCode::C30, &entity.name, Verdict::Refused, &[Step::DeleteType], reason);
        changes.push(change.old(OldPrograms::Keep));
    }
}

/// Compares the type names, the archive and the retention of an entity.
pub(super) fn types(new: &Schema, pair: &Pair<'_>, changes: &mut Vec<Change>) {
    changes.extend(type_name(new, pair));
    archive(pair, changes);
    if pair.old.keep.map(Span::seconds) != pair.new.keep.map(Span::seconds) {
        let reason = "another retention period; rows do not change until it ends";
        changes.push(Change::new(ChangeCode::C00, &*pair.new.name, Verdict::Safe, &[Step::Deploy], reason));
    }
}

fn type_name(new: &Schema, pair: &Pair<'_>) -> Option<Change> {
    let (before, after) = (stem(pair.old), stem(pair.new));
    let subject = &*pair.new.name;
    let known = || after.iter().chain(&pair.new.aliases);
    let is_stored_alike = pair.old.entity_type_value() == pair.new.entity_type_value();
    let own = before.iter().filter(|_| after.is_some() && !is_stored_alike);
    // Without a type name, all rows are read.
    let aliases = pair.old.aliases.iter().filter(|_| after.is_some());
    if let Some(lost) = own.chain(aliases).find(|name| !known().any(|known| known == *name)) {
        let reason = format!("rows of type `{lost}` could not be read; add `aliases = [\"{lost}\"]`");
        return Some(Change::refused(ChangeCode::C29, subject, reason));
    }
    let ordered = |reason: String| {
        let change = Change::new(ChangeCode::C29, subject, Verdict::Ordered, READERS_FIRST, reason);
        change.old(OldPrograms::RefuseRows)
    };
    if let (Some(before), Some(after)) = (&before, &after)
        && before != after
        && !is_stored_alike
    {
        if let Some(rows) = rows_by_type(new, pair) {
            let reason = format!(
                "{rows} are stored under the type name, so those of `{before}` would be lost; keep \
                 `entity_type = \"{before}\"`, which need not be the name of the struct"
            );
            return Some(Change::refused(ChangeCode::C29, subject, reason));
        }
        return Some(ordered(format!("new rows have the type `{after}` instead of `{before}`")).rewrites());
    }
    match (pair.is_typed, is_typed(new, pair.new)) {
        (false, true) if !pair.is_raised() => Some(ordered(
            "its rows get an `EntityType`, because its tables contain several types or the design requires it; \
             older programs do not tell the types apart"
                .to_owned(),
        )),
        (true, false) => Some(ordered("new rows have no `EntityType`".to_owned())),
        _ => None,
    }
}

/// Returns the rows, apart from those of the entity, whose keys contain its type name.
fn rows_by_type(new: &Schema, pair: &Pair<'_>) -> Option<&'static str> {
    let is_source = |target: &EntityDesign| {
        target.totals.iter().any(|total| total.entity == pair.new.name)
            || target.embeds.iter().any(|embed| embed.from == pair.new.name)
    };
    let is_target = !pair.new.totals.is_empty() || !pair.new.embeds.is_empty();
    if pair.old.changes.is_some() {
        Some("records of its change feed")
    } else if is_target || new.entities.iter().any(is_source) {
        Some("contributions to aggregates and copied fields")
    } else {
        None
    }
}

/// Returns the type name without the version.
fn stem(entity: &EntityDesign) -> Option<String> {
    let value = entity.entity_type_value()?;
    let suffix = format!(".v{}", entity.version);
    Some(match value.strip_suffix(&suffix) {
        Some(stem) if entity.version > 1 => stem.to_owned(),
        _ => value,
    })
}

/// Returns whether rows contain an `EntityType`.
pub(super) fn is_typed(schema: &Schema, entity: &EntityDesign) -> bool {
    let stored = schema.stored_entity(&entity.name);
    stored.is_some_and(|stored| stored.entity_type != EntityTypeRule::None)
}

fn archive(pair: &Pair<'_>, changes: &mut Vec<Change>) {
    let subject = pair.subject("archive");
    let safe = |reason: &str| Change::new(ChangeCode::C00, &*subject, Verdict::Safe, &[Step::Deploy], reason);
    changes.push(match (&pair.old.archive, &pair.new.archive) {
        (None, Some(_)) => safe("entities can be moved to the archive; stored rows do not change"),
        (Some(old), new) if new.as_ref().is_none_or(|new| !new.to.eq_ignore_ascii_case(&old.to)) => {
            let reason = format!("archived entities remain in `{}` and would not be found; keep it", old.to);
            Change::refused(ChangeCode::C18, subject, reason)
        }
        (Some(old), Some(new))
            if !super::indexes::same_condition(pair, old.when.as_ref(), new.when.as_ref()) =>
        {
            safe("other entities are moved to the archive; stored rows do not change")
        }
        _ => return,
    });
}

/// Adds to a move of the entities what becomes of those in the archive: it has the keys that the entities had.
pub(super) fn keep_archived(pair: &Pair<'_>, changes: &mut [Change]) {
    let Some(archive) = &pair.old.archive else { return };
    for change in changes.iter_mut().filter(|change| change.is_move_of(pair.new)) {
        let rest = format!(
            "; archived entities remain in `{}` at their old keys: read them by the older struct, as `archived` of the newer \
             one does not find them",
            archive.to
        );
        change.reason.push_str(&rest);
    }
}
