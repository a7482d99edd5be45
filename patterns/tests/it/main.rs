//! The integration tests of `table-patterns`, in one binary.

mod archive;
mod by_hand;
mod copied_fields;
mod defaults;
#[cfg(feature = "encryption")]
mod encryption;
mod far_index;
mod for_each;
mod in_place;
mod index;
mod kept;
mod large;
mod logs;
mod lookup;
mod ranges;
mod reindex;
#[cfg(feature = "serde")]
mod serde;
mod tasks;
mod totals;
mod verify;
mod versions_of_lists;
