//! The rows that are visible to readers: not those of soft-deleted entities, nor those of an index that are incomplete.

use table_model::{Filter, RowRef, Timestamp};
use table_schema::role::Role;

use crate::{
    AccessPath,
    core::{
        cross_partition_row::{LIVE, STATE},
        entity_types::of_types,
        reserved::entity_type,
        row::has_keys,
    },
    design::Design,
};

/// Returns the condition for the rows of entities that are not soft-deleted. `None` if all are visible.
///
/// A comparison with an absent property is false, so that its negation holds for rows without the property.
pub(crate) fn visible(design: &'static Design) -> Option<Filter> {
    design.role_in_versions(Role::SoftDelete).map(|name| is_deleted(name).not()).reduce(Filter::and)
}

/// The rows that are visible to readers.
#[derive(Clone, Debug)]
pub(crate) enum Visible {
    /// The complete rows of an index in another partition.
    Live,
    /// Entities that are not soft-deleted.
    Entity(Filter),
    /// Entities of a union that are not soft-deleted. Each row satisfies the condition of its type.
    Union(Filter, &'static [&'static Design]),
}

impl Visible {
    /// Returns `None` if all entities are visible.
    pub(crate) fn of(design: &'static Design) -> Option<Self> {
        visible(design).map(Self::Entity)
    }

    /// Returns `None` if all entities of the types are visible. A property of this name in rows of another type has no
    /// effect.
    pub(crate) fn of_union(designs: &'static [&'static Design]) -> Option<Self> {
        let of_design = |design: &'static Design| {
            let of_type = of_types(design.entity_types());
            design
                .role_in_versions(Role::SoftDelete)
                .map(move |name| of_type.clone().into_iter().fold(is_deleted(name), Filter::and).not())
        };
        let condition = designs.iter().copied().flat_map(of_design).reduce(Filter::and);
        condition.map(|condition| Self::Union(condition, designs))
    }

    pub(crate) fn condition(&self) -> Filter {
        match self {
            Self::Live => Filter::eq(STATE, LIVE),
            Self::Entity(condition) | Self::Union(condition, _) => condition.clone(),
        }
    }

    /// Returns whether a row satisfies the condition, evaluated after it is read.
    pub(crate) fn matches(&self, row: RowRef<'_>) -> bool {
        match self {
            // Other rows of an index cannot be decoded as entities.
            Self::Live => true,
            Self::Entity(condition) => condition.matches(&row),
            Self::Union(_, members) => {
                let design = members.iter().find(|design| is_of(design, row));
                design.and_then(|design| visible(design)).is_none_or(|condition| condition.matches(&row))
            }
        }
    }

    /// Returns whether the service can evaluate the condition. The type of a row without `EntityType` is determined by its
    /// keys.
    pub(crate) fn is_filter(&self) -> bool {
        let Self::Union(_, members) = self else { return true };
        !members.iter().any(|design| design.entity_type.is_none() && design.role(Role::SoftDelete).is_some())
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
