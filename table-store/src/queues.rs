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

pub(crate) use body::Body;
pub(crate) use manage::{Clear, Create, Delete, SetMetadata};
pub(crate) use place::{Placed, Position};
pub(crate) use put::Put;
pub(crate) use read::{list, peek, properties};
pub(crate) use row::{QueueRow, QueueState, decode as decode_row, space};
pub(crate) use settle::{Remove, Update};
pub(crate) use space::{Part, Space, Tally};
pub(crate) use take::Take;

/// Formats the key of a queue record for display.
pub(crate) fn name(key: &[u8]) -> String {
    match Space::split(key) {
        Some((_, Part::Tally)) => "the tally of a queue".to_owned(),
        Some((_, Part::Place(_))) => "the position of a message".to_owned(),
        Some((_, Part::Body(id))) => format!("the message {id}"),
        None => "a queue record with an invalid key".to_owned(),
    }
}

#[cfg(test)]
mod tests;
