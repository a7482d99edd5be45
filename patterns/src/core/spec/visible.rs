//! Soft-deleted entities: the condition that excludes their rows.

use table_model::{Filter, RowRef, Timestamp};
use table_schema::role::Role;

use crate::{
    AccessPath,
    core::{entity_types::of_types, reserved::entity_type, row::has_keys},
    design::Design,
};

/// Returns the condition for the rows of entities that are not soft-deleted. `None` if all are visible.
///
/// A comparison with an absent property is false, so that its negation holds for rows without the property.
pub(crate) fn visible(design: &'static Design) -> Option<Filter> {
    design.role_in_versions(Role::SoftDelete).map(|name| is_deleted(name).not()).reduce(Filter::and)
}

/// Returns the condition on rows of several types. A property of this name in rows of another type has no effect.
pub(crate) fn visible_of(designs: &[&'static Design]) -> Option<Filter> {
    let of_design = |design: &'static Design| {
        let of_type = of_types(design.entity_types());
        design
            .role_in_versions(Role::SoftDelete)
            .map(move |name| of_type.clone().into_iter().fold(is_deleted(name), Filter::and).not())
    };
    designs.iter().copied().flat_map(of_design).reduce(Filter::and)
}

/// The condition on the rows of entities that are not soft-deleted, evaluated after the rows are read.
#[derive(Clone, Debug)]
pub(crate) enum Shown {
    Entity(Filter),
    /// Each row satisfies the condition of its type.
    Union(&'static [&'static Design]),
}

impl Shown {
    /// Returns the condition of a query. `members` is empty if it is not one of a union.
    pub(crate) fn of(state: &Filter, members: &'static [&'static Design]) -> Self {
        if members.is_empty() { Self::Entity(state.clone()) } else { Self::Union(members) }
    }

    pub(crate) fn matches(&self, row: RowRef<'_>) -> bool {
        match self {
            Self::Entity(condition) => condition.matches(&row),
            Self::Union(members) => {
                let design = members.iter().find(|design| is_of(design, row));
                design.and_then(|design| visible(design)).is_none_or(|condition| condition.matches(&row))
            }
        }
    }
}

/// Returns whether a row has a type: by its `EntityType` if both have one, otherwise by its keys.
fn is_of(design: &'static Design, row: RowRef<'_>) -> bool {
    match entity_type(row).filter(|_| design.entity_type.is_some()) {
        Some(written) => design.reads(written),
        None => has_keys(AccessPath::Own, design, row.partition_key.zip(row.row_key)),
    }
}

fn is_deleted(name: &'static str) -> Filter {
    Filter::ge(name, Timestamp::MIN_STORED)
}
