use uuid::Uuid;

use super::{
    GetMessages, ListQueues, Message, MessagePut, MessageUpdated, PeekedMessage, PopReceipt, PutMessage,
    QueueCreated, QueueName, QueueProperties, QueuesSegment, UpdateMessage,
};
use crate::{Metadata, Pending};

/// The queue service: queues and their messages.
///
/// A future does nothing until it is first polled. From then on a request is atomic, even if the future is dropped
/// before it completes. Messages that were received by a dropped future become visible again after their visibility
/// timeout.
///
/// Every request to a queue that does not exist fails with `QueueNotFound`. The content of a request is validated
/// first; see the `check` method of each request type.
pub trait QueueService: Send + Sync + std::fmt::Debug {
    /// Creates a queue. Succeeds if it already exists with the same metadata.
    ///
    /// # Errors
    /// `QueueAlreadyExists` if it exists with different metadata, `QueueBeingDeleted` while the service reserves the name
    /// of a deleted queue.
    fn create_queue<'a>(&'a self, queue: &'a QueueName, metadata: Metadata) -> Pending<'a, QueueCreated>;

    /// Deletes a queue with all its messages, in one step regardless of its size.
    ///
    /// # Errors
    /// `QueueNotFound`.
    fn delete_queue<'a>(&'a self, queue: &'a QueueName) -> Pending<'a, ()>;

    /// Reads the properties of a queue.
    ///
    /// # Errors
    /// `QueueNotFound`.
    fn queue_properties<'a>(&'a self, queue: &'a QueueName) -> Pending<'a, QueueProperties>;

    /// Replaces all metadata of a queue.
    ///
    /// # Errors
    /// `QueueNotFound`.
    fn set_queue_metadata<'a>(&'a self, queue: &'a QueueName, metadata: Metadata) -> Pending<'a, ()>;

    /// Lists queues in name order.
    ///
    /// # Errors
    /// See [`ListQueues::results`].
    fn list_queues(&self, request: ListQueues) -> Pending<'_, QueuesSegment>;

    /// Puts a message.
    ///
    /// # Errors
    /// `QueueNotFound`, and those of [`PutMessage::check`].
    fn put_message<'a>(&'a self, queue: &'a QueueName, message: PutMessage) -> Pending<'a, MessagePut>;

    /// Gets the messages that have been visible for the longest time and makes them invisible. Returns up to the
    /// requested number of messages, possibly none.
    ///
    /// # Errors
    /// `QueueNotFound`, and those of [`GetMessages::check`].
    fn get_messages<'a>(&'a self, queue: &'a QueueName, get: GetMessages) -> Pending<'a, Vec<Message>>;

    /// Returns the messages that a get would return next, 1 to 32 of them, without changing them.
    ///
    /// # Errors
    /// `QueueNotFound`; `OutOfRangeQueryParameterValue` if `count` is not 1 to 32.
    fn peek_messages<'a>(&'a self, queue: &'a QueueName, count: u32) -> Pending<'a, Vec<PeekedMessage>>;

    /// Sets the visibility timeout of a message and, if specified, its text. The message receives a new receipt.
    ///
    /// # Errors
    /// `MessageNotFound` if the message was deleted or has expired, `PopReceiptMismatch` if it was received or updated
    /// since, `OutOfRangeQueryParameterValue` if it would become visible after it expires. Also `QueueNotFound` and
    /// those of [`UpdateMessage::check`].
    fn update_message<'a>(
        &'a self,
        queue: &'a QueueName,
        id: Uuid,
        pop_receipt: &'a PopReceipt,
        update: UpdateMessage,
    ) -> Pending<'a, MessageUpdated>;

    /// Deletes a message after it was processed.
    ///
    /// # Errors
    /// `MessageNotFound` if the message was deleted or has expired, `PopReceiptMismatch` if it was received or updated
    /// since, `QueueNotFound`.
    fn delete_message<'a>(
        &'a self,
        queue: &'a QueueName,
        id: Uuid,
        pop_receipt: &'a PopReceipt,
    ) -> Pending<'a, ()>;

    /// Deletes all messages of a queue, in one step regardless of their number.
    ///
    /// # Errors
    /// `QueueNotFound`.
    fn clear_messages<'a>(&'a self, queue: &'a QueueName) -> Pending<'a, ()>;
}
