use std::sync::{Arc, atomic::AtomicU64};

use table_store::{
    Metadata, QueueService, Uuid,
    queue::{
        GetMessages, ListQueues, Message, MessagePut, MessageUpdated, PeekedMessage, PopReceipt, PutMessage,
        QueueCreated, QueueName, QueueProperties, QueuesSegment, UpdateMessage,
    },
    service::Pending,
};

use super::{one, take};

/// Requests to queues by their kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueCalls {
    /// Requests for properties of queues, and requests to create, delete, clear or list queues.
    pub queues: u64,
    /// Requests to put a message.
    pub puts: u64,
    /// Requests to get messages.
    pub gets: u64,
    /// Requests to peek at messages.
    pub peeks: u64,
    /// Requests to update a message.
    pub updates: u64,
    /// Requests to delete a message.
    pub deletes: u64,
}

/// Counts the requests to other queues. Clones share the counts.
#[derive(Clone, Debug)]
pub struct CountingQueues<Q> {
    below: Q,
    counters: Arc<Counters>,
}

#[derive(Debug, Default)]
struct Counters {
    queues: AtomicU64,
    puts: AtomicU64,
    gets: AtomicU64,
    peeks: AtomicU64,
    updates: AtomicU64,
    deletes: AtomicU64,
}

impl<Q> CountingQueues<Q> {
    /// Wraps a queue service.
    pub fn new(below: Q) -> Self {
        Self { below, counters: Arc::default() }
    }

    /// Returns the requests since the last call.
    pub fn take(&self) -> QueueCalls {
        let Counters { queues, puts, gets, peeks, updates, deletes } = &*self.counters;
        QueueCalls {
            queues: take(queues),
            puts: take(puts),
            gets: take(gets),
            peeks: take(peeks),
            updates: take(updates),
            deletes: take(deletes),
        }
    }
}

/// A request is counted when it is created, even if its future is never polled.
impl<Q: QueueService> QueueService for CountingQueues<Q> {
    fn create_queue<'a>(&'a self, queue: &'a QueueName, metadata: Metadata) -> Pending<'a, QueueCreated> {
        one(&self.counters.queues);
        self.below.create_queue(queue, metadata)
    }

    fn delete_queue<'a>(&'a self, queue: &'a QueueName) -> Pending<'a, ()> {
        one(&self.counters.queues);
        self.below.delete_queue(queue)
    }

    fn queue_properties<'a>(&'a self, queue: &'a QueueName) -> Pending<'a, QueueProperties> {
        one(&self.counters.queues);
        self.below.queue_properties(queue)
    }

    fn set_queue_metadata<'a>(&'a self, queue: &'a QueueName, metadata: Metadata) -> Pending<'a, ()> {
        one(&self.counters.queues);
        self.below.set_queue_metadata(queue, metadata)
    }

    fn list_queues(&self, request: ListQueues) -> Pending<'_, QueuesSegment> {
        one(&self.counters.queues);
        self.below.list_queues(request)
    }

    fn put_message<'a>(&'a self, queue: &'a QueueName, message: PutMessage) -> Pending<'a, MessagePut> {
        one(&self.counters.puts);
        self.below.put_message(queue, message)
    }

    fn get_messages<'a>(&'a self, queue: &'a QueueName, get: GetMessages) -> Pending<'a, Vec<Message>> {
        one(&self.counters.gets);
        self.below.get_messages(queue, get)
    }

    fn peek_messages<'a>(&'a self, queue: &'a QueueName, count: u32) -> Pending<'a, Vec<PeekedMessage>> {
        one(&self.counters.peeks);
        self.below.peek_messages(queue, count)
    }

    fn update_message<'a>(
        &'a self,
        queue: &'a QueueName,
        id: Uuid,
        pop_receipt: &'a PopReceipt,
        update: UpdateMessage,
    ) -> Pending<'a, MessageUpdated> {
        one(&self.counters.updates);
        self.below.update_message(queue, id, pop_receipt, update)
    }

    fn delete_message<'a>(
        &'a self,
        queue: &'a QueueName,
        id: Uuid,
        pop_receipt: &'a PopReceipt,
    ) -> Pending<'a, ()> {
        one(&self.counters.deletes);
        self.below.delete_message(queue, id, pop_receipt)
    }

    fn clear_messages<'a>(&'a self, queue: &'a QueueName) -> Pending<'a, ()> {
        one(&self.counters.queues);
        self.below.clear_messages(queue)
    }
}
