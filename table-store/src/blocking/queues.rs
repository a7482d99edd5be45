use pollster::block_on;
use table_model::{
    Metadata, Result,
    queue::{
        GetMessages, ListQueues, Message, MessagePut, MessageUpdated, PeekedMessage, PopReceipt, PutMessage,
        QueueCreated, QueueName, QueueProperties, QueueService, QueuesSegment, UpdateMessage,
    },
};
use uuid::Uuid;

use super::BlockingStore;

/// Blocking calls of the queue service.
impl BlockingStore {
    /// Creates a queue.
    ///
    /// # Errors
    /// As [`QueueService::create_queue`].
    pub fn create_queue(&self, queue: &QueueName, metadata: Metadata) -> Result<QueueCreated> {
        block_on(self.0.create_queue(queue, metadata))
    }

    /// Deletes a queue.
    ///
    /// # Errors
    /// As [`QueueService::delete_queue`].
    pub fn delete_queue(&self, queue: &QueueName) -> Result<()> {
        block_on(self.0.delete_queue(queue))
    }

    /// Reads the properties of a queue.
    ///
    /// # Errors
    /// As [`QueueService::queue_properties`].
    pub fn queue_properties(&self, queue: &QueueName) -> Result<QueueProperties> {
        block_on(self.0.queue_properties(queue))
    }

    /// Replaces the metadata of a queue.
    ///
    /// # Errors
    /// As [`QueueService::set_queue_metadata`].
    pub fn set_queue_metadata(&self, queue: &QueueName, metadata: Metadata) -> Result<()> {
        block_on(self.0.set_queue_metadata(queue, metadata))
    }

    /// Lists queues.
    ///
    /// # Errors
    /// As [`QueueService::list_queues`].
    pub fn list_queues(&self, request: ListQueues) -> Result<QueuesSegment> {
        block_on(self.0.list_queues(request))
    }

    /// Puts a message.
    ///
    /// # Errors
    /// As [`QueueService::put_message`].
    pub fn put_message(&self, queue: &QueueName, message: PutMessage) -> Result<MessagePut> {
        block_on(self.0.put_message(queue, message))
    }

    /// Gets messages and makes them invisible.
    ///
    /// # Errors
    /// As [`QueueService::get_messages`].
    pub fn get_messages(&self, queue: &QueueName, get: GetMessages) -> Result<Vec<Message>> {
        block_on(self.0.get_messages(queue, get))
    }

    /// Returns the next messages without receiving them.
    ///
    /// # Errors
    /// As [`QueueService::peek_messages`].
    pub fn peek_messages(&self, queue: &QueueName, count: u32) -> Result<Vec<PeekedMessage>> {
        block_on(self.0.peek_messages(queue, count))
    }

    /// Updates a received message.
    ///
    /// # Errors
    /// As [`QueueService::update_message`].
    pub fn update_message(
        &self,
        queue: &QueueName,
        id: Uuid,
        pop_receipt: &PopReceipt,
        update: UpdateMessage,
    ) -> Result<MessageUpdated> {
        block_on(self.0.update_message(queue, id, pop_receipt, update))
    }

    /// Deletes a message.
    ///
    /// # Errors
    /// As [`QueueService::delete_message`].
    pub fn delete_message(&self, queue: &QueueName, id: Uuid, pop_receipt: &PopReceipt) -> Result<()> {
        block_on(self.0.delete_message(queue, id, pop_receipt))
    }

    /// Deletes all messages of a queue.
    ///
    /// # Errors
    /// As [`QueueService::clear_messages`].
    pub fn clear_messages(&self, queue: &QueueName) -> Result<()> {
        block_on(self.0.clear_messages(queue))
    }
}
