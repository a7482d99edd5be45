//! Applying commit records: the worker's part of the protocol, which updates rows in other partitions to match their
//! entities.
//!
//! One rule makes it safe for any number of workers to do the same work concurrently, late or early. For a derived row
//! D of an entity K:
//!
//! 1. Read the version of D first. If D does not exist and may have to exist, insert a placeholder row and use its
//!    version.
//! 2. Then read K.
//! 3. Write or delete D only if D still has that version. Otherwise, start again.
//! 4. Conclude that nothing needs to be done only if D does not exist, or shows the version of K that was just read.
//!
//! Proof: let a worker conclude D for the last commit that names D. A worker that would write an older state later has
//! read the version of D before it read K, so before that commit, so before the conclusion. Since then, D has a new
//! version or was deleted, so the write fails. The checks of the protocol with a model checker are in
//! `docs/model-checks.md`.

mod conclude;
pub(crate) mod copy;
mod lag;
mod left;
pub(crate) mod outbox;
mod park;
pub(crate) mod partition;
mod pass;
pub(crate) mod reader;
mod reconcile;
pub(crate) mod seen;
pub(crate) mod wakeup;
pub(crate) mod work;
pub(crate) mod worker;

pub(crate) use conclude::conclude;
pub(crate) use copy::Primary;
pub use lag::Lag;
pub(crate) use left::Warned;
pub use left::{LeftCommits, LeftReason};
pub use pass::CatchUpReport;
pub(crate) use pass::{Followed, follow_row};
pub(crate) use reconcile::reconcile;

use table_model::TableName;

use crate::{Address, Error};

/// Property with the state of a row: `s` empty placeholder, `l` live, `p` reserved, `k` values without their entity.
pub(crate) const STATE: &str = "_st";
/// Property with the address of the entity that a row is derived from.
pub(crate) const SOURCE: &str = "_src";
/// Property with the version of the entity that a row shows.
pub(crate) const SHOWN: &str = "_se";

/// State of a placeholder row: a worker created it to obtain a version, and it contains nothing.
pub(crate) const STUB: &str = "s";
pub(crate) const LIVE: &str = "l";

/// Maximum number of attempts for one row after conflicts with other workers.
pub(crate) const ATTEMPTS: u32 = 64;

/// Encodes an address as a property: its three parts as JSON.
pub(crate) fn source_text(address: &Address) -> String {
    serde_json::json!([address.table.as_str(), address.partition_key, address.row_key]).to_string()
}

/// Decodes an address from a property.
pub(crate) fn parse_source(text: &str) -> Option<Address> {
    let (table, partition_key, row_key): (String, String, String) = serde_json::from_str(text).ok()?;
    Some(Address { table: TableName::new(table).ok()?, partition_key, row_key })
}

/// Returns whether a failure may be transient: the service is busy, the store's disk failed, or the handle lacks a key.
pub(crate) fn may_pass(error: &Error) -> bool {
    match error {
        Error::Service(error) => error.status() >= 500 || error.fault().is_some(),
        Error::Contended { .. } | Error::OutcomeUnknown(_) => true,
        // A handle with the keys can apply the record.
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
