//! Fields of a source that the rows of its targets contain.

use table_model::Properties;

use crate::design::{Aggregate, Contribution, Design, Total};

/// Returns `true` if a source with this contribution is copied and the patch sets a copied property.
pub(crate) fn are_changed(feed: &Contribution, adds: &Properties, sets: impl Fn(&str) -> bool) -> bool {
    let sink = (feed.sink)();
    let mut copied = feed.totals.iter().filter(|total| is_copied(total, sink, adds));
    copied.any(|total| sources_of(total, sink).any(&sets))
}

/// Returns the source properties that a copy contains.
fn sources_of(total: &Total, sink: &'static Design) -> impl Iterator<Item = &'static str> {
    let stem = total.property(sink).unwrap_or_default();
    let slots = total.properties(sink).iter().copied();
    slots.filter_map(move |slot| slot.strip_prefix(stem)?.strip_prefix('_'))
}

/// Returns a copied property that a patch by key sets. Such a patch is not possible, because the target of the copy is
/// unknown.
pub(crate) fn copied_property(
    source: &'static Design,
    sets: impl Fn(&str) -> bool,
) -> Option<(&'static str, &'static Design)> {
    source.feeds.iter().find_map(|feed| {
        let sink = (feed.sink)();
        let mut copies = feed.totals.iter().filter(|total| total.by == Aggregate::Copy);
        let property = copies.find_map(|total| sources_of(total, sink).find(|name| sets(name)))?;
        Some((property, sink))
    })
}

/// Returns `true` if a source with this contribution is copied.
pub(crate) fn is_copied(total: &Total, sink: &'static Design, adds: &Properties) -> bool {
    let marker = total.properties(sink).first();
    total.by == Aggregate::Copy && marker.is_some_and(|marker| adds.get(marker).is_some())
}
