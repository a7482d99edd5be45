//! Making rows in other partitions what their entities say: the worker's side of a commit record.
//!
//! One rule makes it safe for any number of workers, late and early, to do the same work at once. For a derived row D of
//! an entity K:
//!
//! 1. Take D's version first. Where D is absent and may have to be there, put a stub and take the stub's version.
//! 2. Then read K.
//! 3. Write or delete D only if it still has that version; if not, begin again.
//! 4. Conclude that nothing is to be done only where D is absent, or shows the version of K that was just read.
//!
//! Why that suffices: let a worker conclude D for the last commit that names it. Whoever would write an older state later
//! took D's version before it read K, so before that commit, so before the conclusion; D has another version since, or is
//! gone. The checks of the protocol by a model checker are in `docs/model-checks.md`.

mod blob;
pub(crate) mod claim;
mod conclude;
mod copy;
mod lag;
mod left;
pub(crate) mod list;
mod park;
pub(crate) mod partition;
mod pass;
pub(crate) mod reader;
mod reconcile;
mod seen;
pub(crate) mod total;

pub(crate) use conclude::conclude;
pub(crate) use copy::Primary;
pub use lag::Lag;
pub(crate) use left::Warned;
pub use left::{LeftCommits, LeftReason};
pub use pass::Pass;
pub(crate) use pass::{Followed, follow_row};
pub(crate) use reconcile::reconcile;

use table_store::TableName;

use crate::{Address, Error};

/// The state of a row: `s` empty placeholder, `l` live, `p` reserved, `k` values without their entity.
pub(crate) const STATE: &str = "_st";
/// The address of the entity that a row is made from.
pub(crate) const SOURCE: &str = "_src";
/// The version of the entity that a row shows.
pub(crate) const SHOWN: &str = "_se";

/// A worker created it to have a version of it, and it contains nothing.
pub(crate) const STUB: &str = "s";
pub(crate) const LIVE: &str = "l";

/// How often one row is tried again after other workers were faster.
const ATTEMPTS: u32 = 64;

/// An address as a property: its three parts as JSON.
pub(crate) fn source_text(address: &Address) -> String {
    serde_json::json!([address.table.as_str(), address.partition_key, address.row_key]).to_string()
}

/// An address out of a property.
pub(crate) fn parse_source(text: &str) -> Option<Address> {
    let (table, partition_key, row_key): (String, String, String) = serde_json::from_str(text).ok()?;
    Some(Address { table: TableName::new(table).ok()?, partition_key, row_key })
}

/// Whether a failure may pass by itself: the service is busy, the store's disk failed, or the handle lacks a key.
pub(crate) fn may_pass(error: &Error) -> bool {
    match error {
        Error::Service(error) => error.status() >= 500 || error.fault().is_some(),
        Error::Contended { .. } | Error::OutcomeUnknown(_) => true,
        // A handle with the keys can do it.
        Error::Decode(error) => error.lacks_key(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_survives_as_a_property() {
        for (partition_key, row_key) in [("Sales", "empid_000001"), ("a\"b", "c]d"), ("", "é")] {
            let table = TableName::new("Employees").unwrap();
            let address = Address { table, partition_key: partition_key.into(), row_key: row_key.into() };
            assert_eq!(parse_source(&source_text(&address)), Some(address));
        }
        assert_eq!(parse_source("[]"), None);
    }
}
