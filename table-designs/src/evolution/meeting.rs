//! Index rows at keys of other rows: C09 and C10 that are refused.
//!
//! One design keeps the keys of its rows apart. Two versions of it share the rows of one store, and a job that writes or
//! deletes the rows of an index finds them by their keys. If a key of the index can be that of an entity in the other
//! version, for example before the entities are moved, the job would meet entities.

use super::{Change, ChangeCode, OldPrograms, Verdict, paired::Pair};
use crate::schema::Schema;
use table_schema::design::{EntityDesign, Origin, RowKind};

/// Refuses the added and removed indexes and lookups of an entity whose rows can have keys of the other version.
pub(super) fn refuse(old: &Schema, new: &Schema, pair: &Pair<'_>, changes: &mut [Change]) {
    for change in changes.iter_mut().filter(|change| !change.is_feed()) {
        let (own, other, version) = match change.code {
            ChangeCode::C09 => (pair.new, old, "older"),
            ChangeCode::C10 => (pair.old, new, "newer"),
            _ => continue,
        };
        let Some((entity, name)) = change.subject.split_once('.') else { continue };
        let kinds = own.row_kinds();
        let is_it = |kind: &&RowKind| kind.origin != Origin::Primary && kind.name == name;
        let Some(kind) = kinds.iter().find(is_it).filter(|_| entity == pair.new.name) else { continue };
        let Some((met, met_kind)) = other.entities.iter().find_map(|other| met(kind, other)) else {
            continue;
        };
        let keys = match met_kind.origin {
            Origin::Primary => format!("`{met}`"),
            Origin::Index(_) | Origin::Lookup(_) => format!("`{met}.{}`", met_kind.name),
        };
        let remedy = if change.code == ChangeCode::C09 {
            "start its row key with another word, or add it in a migration of its own, after this one"
        } else {
            "remove the index in a migration of its own first, with a design that otherwise equals the older one"
        };
        change.reason = format!(
            "its rows can have the keys of {keys} in the {version} design, so a job could delete or overwrite these; \
             {remedy}"
        );
        (change.verdict, change.old_programs) = (Verdict::Refused, OldPrograms::None);
        change.steps.clear();
    }
}

/// Returns the rows of an entity that can have the keys of a kind, with the name of the entity.
fn met<'e>(kind: &RowKind, entity: &'e EntityDesign) -> Option<(&'e str, RowKind)> {
    entity.row_kinds().into_iter().find(|other| kind.can_meet(other)).map(|other| (&*entity.name, other))
}
