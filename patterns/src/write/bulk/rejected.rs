//! Transactions in which the service rejected one write: it fails alone, and the others are sent again.

use table_model::ErrorCode;

use super::Group;
use crate::{Error, Tables, write::Write};

/// Number of writes of a group that are rejected before the rest of the group is sent one by one.
const REJECTED: u32 = 3;

/// Result of a transaction.
pub(super) struct Sent {
    /// The complete transaction, or the write that was rejected.
    pub(super) group: Group,
    /// The other writes of a rejected transaction, with the indexes of their inputs.
    pub(super) left: Vec<(usize, Write)>,
}

/// Sends a transaction.
pub(super) async fn send(tables: &Tables, mut indexes: Vec<usize>, writes: Vec<Write>) -> Sent {
    let (error, mut writes) = match tables.transact_batch(writes).await {
        Ok(results) => return Sent { group: Group::new(indexes, Ok(results)), left: Vec::new() },
        Err(failed) => failed,
    };
    let rejected = error.index().filter(|at| is_rejection(&error) && *at < writes.len());
    let Some(at) = rejected.filter(|_| writes.len() == indexes.len()) else {
        return Sent { group: Group::new(indexes, Err(error)), left: Vec::new() };
    };
    let (input, address) = (indexes.remove(at), writes.remove(at).address());
    let group = Group { address: Some(address), ..Group::new(vec![input], Err(error.at_first())) };
    Sent { group, left: indexes.into_iter().zip(writes).collect() }
}

/// Sends what a rejection left, until all writes are executed or rejected. A write that `is_overtaken` by a later write
/// of the same entity is not sent, because it would undo the later one.
pub(super) async fn finish(
    tables: &Tables,
    sent: Sent,
    is_overtaken: impl Fn(&Write) -> bool + Send,
) -> Vec<Group> {
    let Sent { group, left } = sent;
    let mut groups = vec![group];
    let (overtaken, mut left): (Vec<_>, Vec<_>) =
        left.into_iter().partition(|(_, write)| is_overtaken(write));
    groups.extend(overtaken.into_iter().map(|(input, write)| {
        let error = Error::Contended { address: Box::new(write.address()), attempts: 1 };
        Group::new(vec![input], Err(error))
    }));
    let mut rejected = 1;
    while !left.is_empty() {
        let rest = if rejected < REJECTED { Vec::new() } else { left.split_off(1) };
        let (indexes, writes) = left.into_iter().unzip();
        let Sent { group, left: others } = send(tables, indexes, writes).await;
        rejected += u32::from(group.address.is_some());
        groups.push(group);
        left = others;
        left.extend(rest);
    }
    groups
}

/// Returns whether the service rejected one write because of the state of its entity. Nothing was written.
fn is_rejection(error: &Error) -> bool {
    use ErrorCode::{EntityAlreadyExists, ResourceNotFound, UpdateConditionNotSatisfied};

    let of_entity = [EntityAlreadyExists, ResourceNotFound, UpdateConditionNotSatisfied];
    error.code().is_some_and(|code| of_entity.contains(&code)) && !error.is_outcome_unknown()
}
