//! Queues that lose responses and count renewals.

use std::{
    cell::Cell,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use table_model::{
    Metadata, Pending, QueueService,
    queue::{
        GetMessages, ListQueues, Message, MessagePut, MessageUpdated, PeekedMessage, PopReceipt, PutMessage,
        QueueCreated, QueueName, QueueProperties, QueuesSegment, UpdateMessage,
    },
};
use table_patterns::{ErrorCode, Store, Uuid};

thread_local! {
    static RENEWALS: Cell<u32> = const { Cell::new(0) };
}

/// Returns the number of renewed messages on this thread.
pub(crate) fn renewals() -> u32 {
    RENEWALS.get()
}

#[derive(Clone, Debug)]
pub(crate) struct Watched {
    store: Store,
    lose: Arc<AtomicU32>,
}

impl Watched {
    pub(crate) fn of(store: Store) -> Self {
        Self { store, lose: Arc::default() }
    }

    /// Loses the responses to the next puts into existing queues.
    pub(crate) fn lose_answers(&self, puts: u32) {
        self.lose.store(puts, Ordering::Relaxed);
    }
}

impl QueueService for Watched {
    fn create_queue<'a>(&'a self, queue: &'a QueueName, metadata: Metadata) -> Pending<'a, QueueCreated> {
        self.store.create_queue(queue, metadata)
    }

    fn delete_queue<'a>(&'a self, queue: &'a QueueName) -> Pending<'a, ()> {
        self.store.delete_queue(queue)
    }

    fn queue_properties<'a>(&'a self, queue: &'a QueueName) -> Pending<'a, QueueProperties> {
        self.store.queue_properties(queue)
    }

    fn set_queue_metadata<'a>(&'a self, queue: &'a QueueName, metadata: Metadata) -> Pending<'a, ()> {
        self.store.set_queue_metadata(queue, metadata)
    }

    fn list_queues(&self, request: ListQueues) -> Pending<'_, QueuesSegment> {
        self.store.list_queues(request)
    }

    fn put_message<'a>(&'a self, queue: &'a QueueName, message: PutMessage) -> Pending<'a, MessagePut> {
        Box::pin(async move {
            let put = self.store.put_message(queue, message).await?;
            let lose =
                self.lose.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
            if lose.is_ok() { Err(ErrorCode::OperationTimedOut.into()) } else { Ok(put) }
        })
    }

    fn get_messages<'a>(&'a self, queue: &'a QueueName, get: GetMessages) -> Pending<'a, Vec<Message>> {
        self.store.get_messages(queue, get)
    }

    fn peek_messages<'a>(&'a self, queue: &'a QueueName, count: u32) -> Pending<'a, Vec<PeekedMessage>> {
        self.store.peek_messages(queue, count)
    }

    fn update_message<'a>(
        &'a self,
        queue: &'a QueueName,
        id: Uuid,
        pop_receipt: &'a PopReceipt,
        update: UpdateMessage,
    ) -> Pending<'a, MessageUpdated> {
        RENEWALS.set(RENEWALS.get() + 1);
        self.store.update_message(queue, id, pop_receipt, update)
    }

    fn delete_message<'a>(
        &'a self,
        queue: &'a QueueName,
        id: Uuid,
        pop_receipt: &'a PopReceipt,
    ) -> Pending<'a, ()> {
        self.store.delete_message(queue, id, pop_receipt)
    }

    fn clear_messages<'a>(&'a self, queue: &'a QueueName) -> Pending<'a, ()> {
        self.store.clear_messages(queue)
    }
}
