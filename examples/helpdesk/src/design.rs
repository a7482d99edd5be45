//! The stored entities and their keys.

use serde::{Deserialize, Serialize};
use table_patterns::prelude::*;

/// Reserves the numbers of a tenant's tickets. It exists for each registered tenant.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Helpdesk", partition = "{tenant}", row = "counter")]
pub struct Counter {
    /// The tenant.
    pub tenant: String,
    /// The last number.
    pub last: u32,
}

/// A ticket as version 1 of the program wrote it.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Helpdesk", partition = "{tenant}", row = "ticket_{number:08}", entity_type = "Ticket")]
#[table(index(by_status, row = "status_{status}_{number:08}"))]
pub struct TicketV1 {
    /// The tenant.
    pub tenant: String,
    /// The number among the tenant's tickets.
    pub number: u32,
    /// The subject.
    pub title: String,
    /// The state.
    pub status: Status,
    /// The number of comments.
    pub comments: u32,
}

/// A ticket.
#[derive(TableEntity, Serialize, Clone, Debug)]
#[table(name = "Helpdesk", partition = "{tenant}", row = "ticket_{number:08}")]
#[table(version = 2, from(TicketV1))]
#[table(index(by_status, row = "status_{status}_{number:08}"))]
pub struct Ticket {
    /// The tenant.
    pub tenant: String,
    /// The number among the tenant's tickets.
    pub number: u32,
    /// The subject.
    pub title: String,
    /// The state.
    pub status: Status,
    /// The number of comments.
    pub comments: u32,
    /// The urgency.
    pub priority: Priority,
}

impl Ticket {
    /// Returns a new ticket.
    #[must_use]
    pub fn new(tenant: &str, number: u32, title: String) -> Self {
        let (status, priority) = (Status::Open, Priority::Normal);
        Self { tenant: tenant.to_owned(), number, title, status, comments: 0, priority }
    }
}

impl From<TicketV1> for Ticket {
    fn from(TicketV1 { tenant, number, title, status, comments }: TicketV1) -> Self {
        let priority = if title.starts_with("URGENT") { Priority::High } else { Priority::Normal };
        Self { tenant, number, title, status, comments, priority }
    }
}

/// The state of a ticket.
#[derive(KeyPart, TableValue, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
#[table(rename_all = "lowercase")]
pub enum Status {
    /// Requires an action.
    Open,
    /// Completed.
    Closed,
}

/// The urgency of a ticket.
#[derive(TableValue, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
#[table(rename_all = "lowercase")]
pub enum Priority {
    /// Handled in the order of numbers.
    Normal,
    /// Handled before the others.
    High,
}

/// A comment on a ticket, in the partition of its ticket.
#[derive(TableEntity, Serialize, Clone, Debug)]
#[table(name = "Helpdesk", partition = "{tenant}", row = "comment_{ticket:08}_{number:04}")]
pub struct Comment {
    /// The tenant.
    pub tenant: String,
    /// The number of the ticket.
    pub ticket: u32,
    /// The number among the ticket's comments.
    pub number: u32,
    /// The author.
    pub author: String,
    /// The text.
    pub text: String,
}
