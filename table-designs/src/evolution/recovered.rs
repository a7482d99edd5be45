//! Fields that older rows have only in their keys, while newer rows have them as properties: C03 and C14.
//!
//! A key with the same format can contain a field exactly or truncated: `%Y%m%d` is exact for a date, and truncates a
//! time. A truncated field is a property as well, which older rows lack.

use super::{Change, ChangeCode, paired::Pair};
use table_schema::design::{EntityDesign, FieldDesign, IndexDesign, Origin};

/// Rejects a required property that older rows have only in their keys. The older struct reads it, in a move or in an
/// older version. A default is no remedy: the rows would lose their value.
pub(super) fn refuse(pair: &Pair<'_>, changes: &mut Vec<Change>) {
    if pair.is_raised() || changes.iter().any(|change| change.is_move_of(pair.new)) {
        return;
    }
    for (old, new) in &pair.fields {
        let reason = format!(
            "rows have it only in their keys and not as a property, which the new type needs because the key does not \
             contain all of it; keep the type, or raise to `version = {}` and convert",
            pair.old.version + 1
        );
        if is_only_in_keys(pair.old, old) && !is_recovered(pair.new, new) {
            changes.push(Change::refused(ChangeCode::C03, pair.subject(&new.property), reason));
        }
    }
}

/// Returns whether rows have the field in their keys and not as a property.
pub(crate) fn is_only_in_keys(entity: &EntityDesign, field: &FieldDesign) -> bool {
    !field.store && is_recovered(entity, field)
}

/// Returns the stored names of the fields that rows of the new index have as properties, and rows of the old one only
/// in their keys.
pub(super) fn lacking(pair: &Pair<'_>, old: &IndexDesign, new: &IndexDesign) -> Vec<String> {
    if pair.is_raised() {
        return Vec::new();
    }
    let is_lacking = |(before, after): &&(&FieldDesign, &FieldDesign)| {
        decodes(pair.old, old, before) && copies(pair.new, new, after)
    };
    pair.fields.iter().filter(is_lacking).map(|(_, field)| format!("`{}`", field.property)).collect()
}

/// Returns whether the keys of rows contain all of the field.
pub(super) fn is_recovered(entity: &EntityDesign, field: &FieldDesign) -> bool {
    entity.recovered_fields().any(|known| known.name == field.name)
}

/// Returns whether the keys of an index contain all of the field.
fn decodes(entity: &EntityDesign, index: &IndexDesign, field: &FieldDesign) -> bool {
    entity.row_kinds().iter().any(|kind| {
        is_of(entity, kind.origin, index)
            && kind
                .partition
                .holes()
                .chain(kind.row.holes())
                .any(|hole| hole.field == field.name && hole.exact)
    })
}

fn copies(entity: &EntityDesign, index: &IndexDesign, field: &FieldDesign) -> bool {
    entity.row_kinds().iter().any(|kind| {
        is_of(entity, kind.origin, index)
            && entity.copied_fields(index, kind).iter().any(|copied| copied.name == field.name)
    })
}

fn is_of(entity: &EntityDesign, origin: Origin, index: &IndexDesign) -> bool {
    let Origin::Index(number) = origin else { return false };
    entity.indexes.get(number).is_some_and(|known| known.name == index.name)
}
