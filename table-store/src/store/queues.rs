use table_model::{
    Metadata, Pending, Result, StorageFault,
    queue::{
        GetMessages, ListQueues, Message, MessagePut, MessageUpdated, PeekedMessage, PopReceipt, PutMessage,
        QueueCreated, QueueName, QueueProperties, QueueService, QueuesSegment, UpdateMessage, check_count,
    },
};
use uuid::{Builder, Uuid};

use super::Store;
use crate::queues::{self, Clear, Create, Delete, Put, Remove, SetMetadata, Take, Update};

/// Times follow the clock of the store and never go backwards: a message with a visibility timeout of thirty seconds is
/// invisible for thirty seconds. A damaged message fails the requests that read it, until the queue is cleared or the
/// message expires.
impl QueueService for Store {
    fn create_queue<'a>(&'a self, queue: &'a QueueName, metadata: Metadata) -> Pending<'a, QueueCreated> {
        Box::pin(self.0.committer.work(Create(queue.clone(), metadata)))
    }

    fn delete_queue<'a>(&'a self, queue: &'a QueueName) -> Pending<'a, ()> {
        Box::pin(self.0.committer.work(Delete(queue.clone())))
    }

    fn queue_properties<'a>(&'a self, queue: &'a QueueName) -> Pending<'a, QueueProperties> {
        Box::pin(async move { queues::properties(&self.0.core, queue) })
    }

    fn set_queue_metadata<'a>(&'a self, queue: &'a QueueName, metadata: Metadata) -> Pending<'a, ()> {
        Box::pin(self.0.committer.work(SetMetadata(queue.clone(), metadata)))
    }

    fn list_queues(&self, request: ListQueues) -> Pending<'_, QueuesSegment> {
        Box::pin(async move { queues::list(&self.0.core, &request) })
    }

    fn put_message<'a>(&'a self, queue: &'a QueueName, message: PutMessage) -> Pending<'a, MessagePut> {
        Box::pin(async move {
            message.check()?;
            let (queue, id) = (queue.clone(), self.new_id()?);
            self.0.committer.work(Put { queue, id, message }).await
        })
    }

    fn get_messages<'a>(&'a self, queue: &'a QueueName, get: GetMessages) -> Pending<'a, Vec<Message>> {
        Box::pin(async move {
            get.check()?;
            loop {
                let taken = self.0.committer.work(Take { queue: queue.clone(), get }).await?;
                if !taken.more || !taken.messages.is_empty() {
                    return Ok(taken.messages);
                }
            }
        })
    }

    fn peek_messages<'a>(&'a self, queue: &'a QueueName, count: u32) -> Pending<'a, Vec<PeekedMessage>> {
        Box::pin(async move {
            check_count(count)?;
            loop {
                let (messages, more) = queues::peek(&self.0.core, queue, count)?;
                if !more || !messages.is_empty() {
                    return Ok(messages);
                }
                // Gets no message, but removes expired ones.
                let get = GetMessages::new().count(0);
                self.0.committer.work(Take { queue: queue.clone(), get }).await?;
            }
        })
    }

    fn update_message<'a>(
        &'a self,
        queue: &'a QueueName,
        id: Uuid,
        pop_receipt: &'a PopReceipt,
        update: UpdateMessage,
    ) -> Pending<'a, MessageUpdated> {
        Box::pin(async move {
            update.check()?;
            let (queue, receipt) = (queue.clone(), pop_receipt.clone());
            self.0.committer.work(Update { queue, id, receipt, change: update }).await
        })
    }

    fn delete_message<'a>(
        &'a self,
        queue: &'a QueueName,
        id: Uuid,
        pop_receipt: &'a PopReceipt,
    ) -> Pending<'a, ()> {
        let (queue, receipt) = (queue.clone(), pop_receipt.clone());
        Box::pin(self.0.committer.work(Remove { queue, id, receipt }))
    }

    fn clear_messages<'a>(&'a self, queue: &'a QueueName) -> Pending<'a, ()> {
        Box::pin(self.0.committer.work(Clear(queue.clone())))
    }
}

impl Store {
    /// Generates an unpredictable Guid from the store's source of randomness.
    fn new_id(&self) -> Result<Uuid> {
        let mut bytes = [0; 16];
        let filled = self.0.core.options.random.fill(&mut bytes);
        filled.map_err(|error| StorageFault::Io(std::sync::Arc::new(error)))?;
        Ok(Builder::from_random_bytes(bytes).into_uuid())
    }
}
