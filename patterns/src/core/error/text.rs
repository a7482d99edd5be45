//! Parts of messages.

use crate::Address;

/// Lists names.
pub(super) fn names(known: &[&str]) -> String {
    if known.is_empty() { "none".to_owned() } else { known.join(", ") }
}

/// Returns advice on how to move an entity to another key.
pub(super) fn way_to(from: &Address, to: &Address) -> &'static str {
    if from.same_partition(to) { "use `rekey`" } else { "insert the new entity, then delete the old one" }
}
