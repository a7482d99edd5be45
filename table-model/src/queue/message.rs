use uuid::Uuid;

use super::PopReceipt;
use crate::Timestamp;

/// A received message. It is invisible to other consumers until `next_visible`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Id of the message. It never changes.
    pub id: Uuid,
    /// Time at which the message was put.
    pub inserted: Timestamp,
    /// Time at which the message expires; `None` if it never expires.
    pub expires: Option<Timestamp>,
    /// Receipt for deleting or updating the message, valid until it is received again.
    pub pop_receipt: PopReceipt,
    /// Time at which the message becomes visible again.
    pub next_visible: Timestamp,
    /// Number of times the message was received, including this time.
    pub dequeue_count: u32,
    /// Text of the message.
    pub text: String,
}

/// A message returned by a peek, which does not receive it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeekedMessage {
    /// Id of the message.
    pub id: Uuid,
    /// Time at which the message was put.
    pub inserted: Timestamp,
    /// Time at which the message expires; `None` if it never expires.
    pub expires: Option<Timestamp>,
    /// Number of times the message was received.
    pub dequeue_count: u32,
    /// Text of the message.
    pub text: String,
}

/// Result of putting a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessagePut {
    /// Id of the message.
    pub id: Uuid,
    /// Time at which the message was put.
    pub inserted: Timestamp,
    /// Time at which the message expires; `None` if it never expires.
    pub expires: Option<Timestamp>,
    /// Receipt for deleting or updating the message, valid until it is received.
    pub pop_receipt: PopReceipt,
    /// Time at which the message becomes visible.
    pub next_visible: Timestamp,
}

/// Result of updating a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageUpdated {
    /// New receipt for deleting or updating the message, valid until it is received again.
    pub pop_receipt: PopReceipt,
    /// Time at which the message becomes visible again.
    pub next_visible: Timestamp,
}
