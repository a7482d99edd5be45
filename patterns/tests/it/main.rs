//! The integration tests of `table-patterns`, in one binary.

mod archive;
mod bulk_duplicates;
mod by_hand;
mod copied_fields;
mod counting;
mod cursor_texts;
mod defaults;
mod descending;
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
mod older_parts;
mod older_rules;
mod ranges;
mod reindex;
#[cfg(feature = "serde")]
mod serde;
mod spans;
mod tasks;
mod testing;
mod totals;
mod try_update;
mod unconfirmed;
#[cfg(feature = "encryption")]
mod upgraded;
mod verify;
mod versions_of_lists;
