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

macro_rules! count {
    ($($counter:ident: $method:ident($($name:ident: $kind:ty),*) -> $answer:ty;)*) => {
        $(fn $method<'a>(&'a self, $($name: $kind),*) -> Pending<'a, $answer> {
            one(&self.counters.$counter);
            self.below.$method($($name),*)
        })*
    };
}

/// A request is counted when it is created, even if its future is never polled.
impl<Q: QueueService> QueueService for CountingQueues<Q> {
    count! {
        queues: create_queue(queue: &'a QueueName, metadata: Metadata) -> QueueCreated;
        queues: delete_queue(queue: &'a QueueName) -> ();
        queues: queue_properties(queue: &'a QueueName) -> QueueProperties;
        queues: set_queue_metadata(queue: &'a QueueName, metadata: Metadata) -> ();
        queues: clear_messages(queue: &'a QueueName) -> ();
        puts: put_message(queue: &'a QueueName, message: PutMessage) -> MessagePut;
        gets: get_messages(queue: &'a QueueName, get: GetMessages) -> Vec<Message>;
        peeks: peek_messages(queue: &'a QueueName, count: u32) -> Vec<PeekedMessage>;
        updates: update_message(
            queue: &'a QueueName, id: Uuid, pop_receipt: &'a PopReceipt, update: UpdateMessage
        ) -> MessageUpdated;
        deletes: delete_message(queue: &'a QueueName, id: Uuid, pop_receipt: &'a PopReceipt) -> ();
    }

    fn list_queues(&self, request: ListQueues) -> Pending<'_, QueuesSegment> {
        one(&self.counters.queues);
        self.below.list_queues(request)
    }
}
