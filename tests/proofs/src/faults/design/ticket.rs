//! The entity that is archived.

use table_patterns::prelude::*;

use super::{Owner, mix};

/// An entity that moves to an archive, with a full index, an encrypted property, and an aggregate in another partition.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Tickets", partition = "{queue}", row = "t_{id:010}", archive = "ClosedTickets")]
#[table(index(by_owner, table = "TicketsByOwner", partition = "{owner}", row = "{queue}_{id:010}"))]
#[table(index(by_tag, row = "tag_{tag}_{id:010}", copy(stamp)))]
#[table(lookup(by_topic, on = topic, place = table))]
#[table(counted_in(Owner::tickets))]
pub struct Ticket {
    pub queue: String,
    pub id: u32,
    pub stamp: i64,
    pub owner: String,
    pub tag: String,
    pub topic: String,
    #[table(encrypt)]
    pub text: String,
}

impl Ticket {
    /// Returns the entity for a stamp.
    #[must_use]
    pub fn new(queue: &str, id: u32, stamp: i64) -> Self {
        let drawn = mix(stamp.unsigned_abs() ^ u64::from(id));
        Self {
            queue: queue.to_owned(),
            id,
            stamp,
            owner: format!("w{}", drawn % 4),
            tag: format!("g{}", drawn / 4 % 3),
            topic: format!("c{}", drawn / 12 % 3),
            text: format!("text {stamp}"),
        }
    }
}
