use table_model::{
    Metadata, Pending,
    queue::{
        GetMessages, ListQueues, Message, MessagePut, MessageUpdated, PeekedMessage, PopReceipt, PutMessage,
        QueueCreated, QueueName, QueueProperties, QueueService, QueuesSegment, UpdateMessage, check_count,
    },
};
use uuid::Uuid;

use super::lookup::{Lookup, error};
use crate::Postgres;

/// A message is received by one client at a time, on any number of servers.
impl QueueService for Postgres {
    fn create_queue<'a>(&'a self, queue: &'a QueueName, metadata: Metadata) -> Pending<'a, QueueCreated> {
        self.within(async move { self.0.create_queue(queue, &metadata).await.map_err(error) })
    }

    fn delete_queue<'a>(&'a self, queue: &'a QueueName) -> Pending<'a, ()> {
        self.within(async move { self.0.delete_queue(queue).await.map_err(error) })
    }

    fn set_queue_metadata<'a>(&'a self, queue: &'a QueueName, metadata: Metadata) -> Pending<'a, ()> {
        self.within(async move { self.0.set_queue_metadata(queue, &metadata).await.map_err(error) })
    }

    fn list_queues(&self, request: ListQueues) -> Pending<'_, QueuesSegment> {
        self.within(async move { self.0.list_queues(&request).await.map_err(error) })
    }

    fn queue_properties<'a>(&'a self, queue: &'a QueueName) -> Pending<'a, QueueProperties> {
        self.within(async move {
            let mut lookup = Lookup::default();
            loop {
                let known = self.0.queue(queue).await.map_err(error)?;
                match self.0.queue_properties(queue, &known).await {
                    Ok(result) => return Ok(result),
                    Err(failure) => lookup.after(failure, &self.0, queue)?,
                }
            }
        })
    }

    fn put_message<'a>(&'a self, queue: &'a QueueName, message: PutMessage) -> Pending<'a, MessagePut> {
        self.within(async move {
            message.check()?;
            let mut lookup = Lookup::default();
            loop {
                let known = self.0.queue(queue).await.map_err(error)?;
                match self.0.put_message(&known, &message).await {
                    Ok(result) => return Ok(result),
                    Err(failure) => lookup.after(failure, &self.0, queue)?,
                }
            }
        })
    }

    fn get_messages<'a>(&'a self, queue: &'a QueueName, get: GetMessages) -> Pending<'a, Vec<Message>> {
        self.within(async move {
            get.check()?;
            let mut lookup = Lookup::default();
            loop {
                let known = self.0.queue(queue).await.map_err(error)?;
                match self.0.get_messages(&known, get).await {
                    Ok(result) => return Ok(result),
                    Err(failure) => lookup.after(failure, &self.0, queue)?,
                }
            }
        })
    }

    fn peek_messages<'a>(&'a self, queue: &'a QueueName, count: u32) -> Pending<'a, Vec<PeekedMessage>> {
        self.within(async move {
            check_count(count)?;
            let mut lookup = Lookup::default();
            loop {
                let known = self.0.queue(queue).await.map_err(error)?;
                match self.0.peek_messages(&known, count).await {
                    Ok(result) => return Ok(result),
                    Err(failure) => lookup.after(failure, &self.0, queue)?,
                }
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
        self.within(async move {
            update.check()?;
            let mut lookup = Lookup::default();
            loop {
                let known = self.0.queue(queue).await.map_err(error)?;
                match self.0.update_message(&known, id, pop_receipt, &update).await {
                    Ok(result) => return Ok(result),
                    Err(failure) => lookup.after(failure, &self.0, queue)?,
                }
            }
        })
    }

    fn delete_message<'a>(
        &'a self,
        queue: &'a QueueName,
        id: Uuid,
        pop_receipt: &'a PopReceipt,
    ) -> Pending<'a, ()> {
        self.within(async move {
            let mut lookup = Lookup::default();
            loop {
                let known = self.0.queue(queue).await.map_err(error)?;
                match self.0.delete_message(&known, id, pop_receipt).await {
                    Ok(result) => return Ok(result),
                    Err(failure) => lookup.after(failure, &self.0, queue)?,
                }
            }
        })
    }

    fn clear_messages<'a>(&'a self, queue: &'a QueueName) -> Pending<'a, ()> {
        self.within(async move {
            let mut lookup = Lookup::default();
            loop {
                let known = self.0.queue(queue).await.map_err(error)?;
                match self.0.clear_messages(&known).await {
                    Ok(result) => return Ok(result),
                    Err(failure) => lookup.after(failure, &self.0, queue)?,
                }
            }
        })
    }
}
