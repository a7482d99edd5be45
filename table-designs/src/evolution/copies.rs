//! Copied fields of indexes: C11.

use std::collections::BTreeSet;

use super::{
    Change, ChangeCode, OldPrograms, Verdict,
    paired::Pair,
    step::{READERS_FIRST, Step},
};
use table_schema::{
    design::{CopiedFields, EntityDesign, IndexDesign, TemplateText},
    template::Template,
};

/// Compares the copied fields.
pub(super) fn compare(pair: &Pair<'_>, old: &IndexDesign, new: &IndexDesign) -> Option<Change> {
    let before = listed(pair.old, old, |name| pair.name_of(name));
    let after = listed(pair.new, new, str::to_owned);
    let subject = pair.subject(&new.name);
    if let Some(renamed) = renamed(pair, old, new) {
        return Some(renamed);
    }
    let grows = match (&before, &after) {
        (None, None) => return None,
        (None, Some(_)) => false,
        (Some(_), None) => true,
        (Some(before), Some(after)) if before == after => return None,
        (Some(before), Some(after)) => !after.is_subset(before),
    };
    Some(if grows {
        let steps = [Step::Deploy, Step::RegistryDualCopy, Step::Reindex, Step::Verify];
        let reason = "existing copies lack the added fields";
        let change = Change::new(ChangeCode::C11, subject, Verdict::Migrate, &steps, reason);
        change.old(OldPrograms::Lease).rewrites()
    } else {
        let reason = "new copies lack fields that older programs read from them";
        Change::new(ChangeCode::C11, subject, Verdict::Ordered, READERS_FIRST, reason)
    })
}

/// Returns the change if both versions copy a field under different stored names. No index can then have the fields of
/// both versions, and the registry accepts one definition of each name.
fn renamed(pair: &Pair<'_>, old: &IndexDesign, new: &IndexDesign) -> Option<Change> {
    let before = listed(pair.old, old, str::to_owned)?;
    let after = listed(pair.new, new, str::to_owned)?;
    let names: Vec<String> = pair
        .fields
        .iter()
        .filter(|(old, new)| before.contains(&old.name) && after.contains(&new.name))
        .filter(|(old, new)| old.property != new.property)
        .map(|(old, new)| format!("`{}` (now `{}`)", old.property, new.property))
        .collect();
    if names.is_empty() {
        return None;
    }
    let reason = format!(
        "its rows contain {} under the older name, and the registry rejects another definition under the same name",
        names.join(", ")
    );
    let steps = [Step::AddIndex, Step::DropIndex, Step::Deploy, Step::Reindex, Step::Verify];
    let change = Change::new(ChangeCode::C11, pair.subject(&new.name), Verdict::Migrate, &steps, reason);
    Some(change.old(OldPrograms::Lease).rewrites())
}

/// Returns the listed fields that no key contains, or `None` for all fields. Key fields are always copied.
fn listed(
    entity: &EntityDesign,
    index: &IndexDesign,
    name: impl Fn(&str) -> String,
) -> Option<BTreeSet<String>> {
    let CopiedFields::Only(fields) = &index.copy else { return None };
    let keys = [&entity.partition, &entity.row, &index.partition, &index.row];
    let keys = keys.into_iter().flatten().filter_map(TemplateText::template);
    let in_key: Vec<&str> = keys.flat_map(Template::holes).map(|hole| hole.field.as_str()).collect();
    let fields = fields.iter().filter(|field| !in_key.contains(&field.as_str()));
    Some(fields.map(|field| name(field)).collect())
}
