//! Queues of the embedded store: stored records and the implementation of each request.
//!
//! A message consists of two records. Its **place** is ordered by the time at which the message becomes visible;
//! getting a message moves its place. Its **body** is stored under the message id and is not modified by a get.
//! Putting, getting and deleting therefore read only a few records, regardless of the length of the queue.

mod body;
mod manage;
mod place;
mod put;
mod read;
mod row;
mod settle;
mod space;
mod take;

pub(super) use body::Body;
pub(super) use manage::{Clear, Create, Delete, SetMetadata};
pub(super) use place::{Placed, Position};
pub(super) use put::Put;
pub(super) use read::{list, peek, properties};
pub(super) use row::{QueueRow, QueueState, decode as decode_row, space};
pub(super) use settle::{Remove, Update};
pub(super) use space::{Part, Space, Tally};
pub(super) use take::Take;

/// Formats the key of a queue record for display.
pub(super) fn name(key: &[u8]) -> String {
    match Space::split(key) {
        Some((_, Part::Tally)) => "the tally of a queue".to_owned(),
        Some((_, Part::Place(_))) => "the position of a message".to_owned(),
        Some((_, Part::Body(id))) => format!("the message {id}"),
        None => "a queue record with an invalid key".to_owned(),
    }
}

#[cfg(test)]
mod tests;
