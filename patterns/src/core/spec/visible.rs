//! Soft-deleted entities: the condition that excludes their rows.

use table_model::{Filter, Timestamp};

use crate::{core::entity_types::of_types, design::Design};

/// Returns the condition for the rows of entities that are not soft-deleted. `None` if all are visible.
///
/// A comparison with an absent property is false, so that its negation holds for rows without the property.
pub(crate) fn visible(design: &'static Design) -> Option<Filter> {
    design.soft_deletes().map(|name| is_deleted(name).not()).reduce(Filter::and)
}

/// Returns the condition on rows of several types. A property of this name in rows of another type has no effect.
pub(crate) fn visible_of(designs: &[&'static Design]) -> Option<Filter> {
    let of_design = |design: &'static Design| {
        let of_type = of_types(design.entity_types());
        design
            .soft_deletes()
            .map(move |name| of_type.clone().into_iter().fold(is_deleted(name), Filter::and).not())
    };
    designs.iter().copied().flat_map(of_design).reduce(Filter::and)
}

fn is_deleted(name: &'static str) -> Filter {
    Filter::ge(name, Timestamp::MIN_STORED)
}
