//! Queues in the store: what is kept of them, and the work of each request.
//!
//! A message is two records. Its **place** stands in the order in which messages become visible; getting a message
//! moves it. Its **body** stands under its id and is not touched by that. So putting, getting and deleting look at a
//! few records, however long the queue is.

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

/// The key of one of a queue's records for people.
pub(super) fn name(key: &[u8]) -> String {
    match Space::split(key) {
        Some((_, Part::Tally)) => "the tally of a queue".to_owned(),
        Some((_, Part::Place(_))) => "the place of a message".to_owned(),
        Some((_, Part::Body(id))) => format!("the message {id}"),
        None => "a record of a queue whose key cannot be read".to_owned(),
    }
}

#[cfg(test)]
mod tests;
