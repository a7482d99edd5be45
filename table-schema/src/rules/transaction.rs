//! The rows of an insert. They are written in one transaction, which has at most 100 operations.

use crate::{
    RuleViolation,
    catalogue::Code,
    design::{EntityDesign, Origin, Place, RowKind},
    template::Template,
};

/// Maximum number of operations of a transaction (REST reference).
const MOST_OPERATIONS: usize = 100;

pub(super) fn check(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    let kinds = design.row_kinds();
    let Some(primary) = kinds.iter().find(|kind| kind.origin == Origin::Primary) else { return };
    let derived: Vec<&RowKind> = kinds
        .iter()
        .filter(|kind| kind.origin != Origin::Primary && kind.is_near(primary) && is_always(design, kind))
        .collect();
    let own = 1 + usize::from(design.changes.is_some());
    let rows = own + derived.len();
    let Some(first) = derived.get(MOST_OPERATIONS - own) else { return };
    let place = match first.origin {
        Origin::Index(number) => Place::Index(number),
        Origin::Lookup(number) => Place::Lookup(number),
        Origin::Primary => Place::Entity,
    };
    let name = &design.name;
    let message = format!(
        "an insert of `{name}` writes {rows} rows of its partition in one transaction, which has at most \
         {MOST_OPERATIONS}"
    );
    let help = "declare fewer indexes and lookups in the partition, or move some to other partitions";
    mistakes.push(RuleViolation::new(Code::D045, place, message).help(help));
}

/// Returns whether every entity has a row of this kind.
fn is_always(design: &EntityDesign, kind: &RowKind) -> bool {
    let is_filtered = match kind.origin {
        Origin::Index(number) => design
            .indexes
            .get(number)
            .is_none_or(|index| index.sparse || index.when.is_some() || index.condition.is_some()),
        Origin::Primary | Origin::Lookup(_) => false,
    };
    let has_value = |template: &Template| {
        template.holes().all(|hole| design.field(&hole.field).is_none_or(|field| !field.optional))
    };
    !is_filtered && has_value(&kind.partition) && has_value(&kind.row)
}
