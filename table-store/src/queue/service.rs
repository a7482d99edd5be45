use uuid::Uuid;

use super::{
    GetMessages, ListQueues, Message, MessagePut, MessageUpdated, PeekedMessage, PopReceipt, PutMessage,
    QueueCreated, QueueName, QueueProperties, QueuesSegment, UpdateMessage,
};
use crate::{Metadata, Pending};

/// Queues and the messages in them.
///
/// A future does nothing until it is polled first; from then on a request is done whole or not at all, also if the
/// future is dropped before it ends: messages that were got for it come back when their time is over.
///
/// Every request to a queue that is not there is answered with `QueueNotFound`. What a request sends is checked first:
/// see its `check`.
pub trait QueueService: Send + Sync + std::fmt::Debug {
    /// Creates a queue, unless it is there with the same metadata. `QueueAlreadyExists` if it is there with other
    /// metadata, `QueueBeingDeleted` while one of that name is being swept.
    fn create_queue<'a>(&'a self, queue: &'a QueueName, metadata: Metadata) -> Pending<'a, QueueCreated>;

    /// Deletes a queue with all its messages, in one step whatever it holds.
    fn delete_queue<'a>(&'a self, queue: &'a QueueName) -> Pending<'a, ()>;

    /// What is known of a queue.
    fn queue_properties<'a>(&'a self, queue: &'a QueueName) -> Pending<'a, QueueProperties>;

    /// Sets all metadata of a queue.
    fn set_queue_metadata<'a>(&'a self, queue: &'a QueueName, metadata: Metadata) -> Pending<'a, ()>;

    /// Queues in the order of their names.
    fn list_queues(&self, request: ListQueues) -> Pending<'_, QueuesSegment>;

    /// Puts a message.
    fn put_message<'a>(&'a self, queue: &'a QueueName, message: PutMessage) -> Pending<'a, MessagePut>;

    /// Gets the visible messages that have been so for longest, and makes them invisible: from none up to as many as
    /// are asked for.
    fn get_messages<'a>(&'a self, queue: &'a QueueName, get: GetMessages) -> Pending<'a, Vec<Message>>;

    /// The messages that would be got next, 1 to 32 of them. They stay as they are.
    fn peek_messages<'a>(&'a self, queue: &'a QueueName, count: u32) -> Pending<'a, Vec<PeekedMessage>>;

    /// Sets how long a message is invisible from now on, and what it says if a text is given. Its receipt is replaced.
    ///
    /// `MessageNotFound` if it was deleted or has expired, `PopReceiptMismatch` if it was got or updated since,
    /// `OutOfRangeQueryParameterValue` if it would become visible after it expires.
    fn update_message<'a>(
        &'a self,
        queue: &'a QueueName,
        id: Uuid,
        pop_receipt: &'a PopReceipt,
        update: UpdateMessage,
    ) -> Pending<'a, MessageUpdated>;

    /// Deletes a message: it has been worked on.
    ///
    /// `MessageNotFound` if it was deleted or has expired, `PopReceiptMismatch` if it was got or updated since.
    fn delete_message<'a>(
        &'a self,
        queue: &'a QueueName,
        id: Uuid,
        pop_receipt: &'a PopReceipt,
    ) -> Pending<'a, ()>;

    /// Deletes all messages of a queue, in one step however many they are.
    fn clear_messages<'a>(&'a self, queue: &'a QueueName) -> Pending<'a, ()>;
}
