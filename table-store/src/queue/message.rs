use uuid::Uuid;

use super::PopReceipt;
use crate::Timestamp;

/// A message that was got. It is invisible to others until `next_visible`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Which one it is; it stays the same.
    pub id: Uuid,
    /// When it was put.
    pub inserted: Timestamp,
    /// When it goes by itself; none for never.
    pub expires: Option<Timestamp>,
    /// What deletes or updates it, until it is got again.
    pub pop_receipt: PopReceipt,
    /// When it becomes visible again.
    pub next_visible: Timestamp,
    /// How often it was got, this time included.
    pub dequeue_count: u32,
    /// What it says.
    pub text: String,
}

/// A message as it is seen without getting it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeekedMessage {
    /// Which one it is.
    pub id: Uuid,
    /// When it was put.
    pub inserted: Timestamp,
    /// When it goes by itself; none for never.
    pub expires: Option<Timestamp>,
    /// How often it was got.
    pub dequeue_count: u32,
    /// What it says.
    pub text: String,
}

/// What putting a message answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessagePut {
    /// Which one it is.
    pub id: Uuid,
    /// When it was put.
    pub inserted: Timestamp,
    /// When it goes by itself; none for never.
    pub expires: Option<Timestamp>,
    /// What deletes or updates it, until it is got.
    pub pop_receipt: PopReceipt,
    /// When it becomes visible.
    pub next_visible: Timestamp,
}

/// What updating a message answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageUpdated {
    /// What deletes or updates it from now on, until it is got again.
    pub pop_receipt: PopReceipt,
    /// When it becomes visible again.
    pub next_visible: Timestamp,
}
