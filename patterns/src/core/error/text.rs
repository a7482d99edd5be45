//! Parts of messages.

use crate::Address;

/// Message about an entity, after its address.
pub(super) const RESTORES: &str = "was soft-deleted by an older version of its type, and this write would restore it, \
     because the newest version does not contain the time of the deletion; call `undelete` or `purge` in a program that \
     declares `soft_delete`, or set the field in the conversion";

/// Lists names.
pub(super) fn names(known: &[&str]) -> String {
    if known.is_empty() { "none".to_owned() } else { known.join(", ") }
}

/// Returns advice on how to move an entity to another key.
pub(super) fn way_to(from: &Address, to: &Address) -> &'static str {
    if from.same_partition(to) { "use `rekey`" } else { "insert the new entity, then delete the old one" }
}
