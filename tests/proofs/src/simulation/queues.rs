use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use table_store::{
    ErrorCode, Metadata, Pending, QueueService, Result, TableError, Timestamp, Uuid,
    queue::{
        GetMessages, ListQueues, Message, MessagePut, MessageUpdated, PeekedMessage, PopReceipt, PutMessage,
        QueueCreated, QueueName, QueueProperties, QueuesSegment, UpdateMessage,
    },
};
use table_tests::{fate::Fate, schedule::pause};

use crate::simulation::{World, unused, unused_methods};

/// Queues with the weakest allowed guarantees. They deliver messages in any order, and a received message becomes
/// visible again at any time. Calls fail like calls to the tables.
#[derive(Clone)]
pub struct UnreliableQueues {
    world: World,
    inside: Arc<Mutex<Inside>>,
    clock: Arc<Clock>,
}

type Clock = dyn Fn() -> Timestamp + Send + Sync;

#[derive(Debug, Default)]
struct Inside {
    queues: BTreeMap<String, Vec<Held>>,
    /// Number of message ids and pop receipts created so far.
    given: u128,
}

#[derive(Clone, Debug)]
struct Held {
    id: Uuid,
    inserted: Timestamp,
    text: String,
    dequeued: u32,
    receipt: String,
    visible: bool,
}

impl UnreliableQueues {
    /// Creates a service without queues, which uses the time of the world.
    #[must_use]
    pub fn new(world: World) -> Self {
        let time = world.clone();
        let clock = Arc::new(move || Timestamp::UNIX_EPOCH.saturating_add(time.now()));
        Self { world, inside: Arc::default(), clock }
    }

    /// Sets a separate clock for the service.
    #[must_use]
    pub fn with_clock(self, clock: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self { clock: Arc::new(clock), ..self }
    }

    /// Returns the number of messages in all queues.
    #[must_use]
    pub fn messages(&self) -> usize {
        self.inside().queues.values().map(Vec::len).sum()
    }

    /// Deletes all messages.
    pub fn lose(&self) {
        self.inside().queues.values_mut().for_each(Vec::clear);
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Executes a call that changes a queue. The call or its response may be lost.
    async fn call<T>(&self, act: impl FnOnce(&mut Inside) -> Result<T> + Send) -> Result<T> {
        pause().await;
        let fate = match self.world.fate(true) {
            // A late message is the same as a lost response, because delivery has no time limit.
            Fate::Late => Fate::Lost,
            fate => fate,
        };
        let timed_out = ErrorCode::OperationTimedOut.into();
        let answer = fate.apply(|| act(&mut self.inside()), || {}, timed_out).await;
        if fate == Fate::Well && self.world.has_slow_answers() {
            pause().await;
        }
        answer
    }
}

impl std::fmt::Debug for UnreliableQueues {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("UnreliableQueues").field("inside", &self.inside).finish_non_exhaustive()
    }
}

impl Inside {
    fn messages(&mut self, queue: &QueueName) -> Result<&mut Vec<Held>> {
        self.queues.get_mut(queue.as_str()).ok_or_else(|| TableError::new(ErrorCode::QueueNotFound))
    }

    fn next(&mut self) -> u128 {
        self.given += 1;
        self.given
    }

    /// Returns the index of the message with this id, if its pop receipt is current.
    fn place(&mut self, queue: &QueueName, id: Uuid, receipt: &PopReceipt) -> Result<usize> {
        let messages = self.messages(queue)?;
        let place = messages.iter().position(|held| held.id == id).ok_or(ErrorCode::MessageNotFound)?;
        match messages.get(place) {
            Some(held) if held.receipt == receipt.as_str() => Ok(place),
            _ => Err(ErrorCode::PopReceiptMismatch.into()),
        }
    }
}

impl QueueService for UnreliableQueues {
    fn create_queue<'a>(&'a self, queue: &'a QueueName, _metadata: Metadata) -> Pending<'a, QueueCreated> {
        Box::pin(self.call(|inside| {
            inside.queues.entry(queue.as_str().to_owned()).or_default();
            Ok(QueueCreated::New)
        }))
    }

    fn queue_properties<'a>(&'a self, queue: &'a QueueName) -> Pending<'a, QueueProperties> {
        Box::pin(self.call(|inside| {
            let approximate_messages = inside.messages(queue)?.len() as u64;
            Ok(QueueProperties { metadata: Metadata::new(), approximate_messages })
        }))
    }

    fn put_message<'a>(&'a self, queue: &'a QueueName, message: PutMessage) -> Pending<'a, MessagePut> {
        Box::pin(self.call(move |inside| {
            inside.messages(queue)?;
            let (id, receipt) = (Uuid::from_u128(inside.next()), inside.next().to_string());
            let pop_receipt = PopReceipt::new(receipt.clone());
            let inserted = (self.clock)();
            let held = Held { id, inserted, text: message.text, dequeued: 0, receipt, visible: true };
            inside.messages(queue)?.push(held);
            let next_visible = inserted.saturating_add(message.visibility);
            Ok(MessagePut { id, inserted, expires: None, pop_receipt, next_visible })
        }))
    }

    fn get_messages<'a>(&'a self, queue: &'a QueueName, get: GetMessages) -> Pending<'a, Vec<Message>> {
        Box::pin(self.call(move |inside| {
            let (mut got, next_visible) = (Vec::new(), (self.clock)().saturating_add(get.visibility));
            let mut places: Vec<usize> = (0..inside.messages(queue)?.len()).collect();
            while !places.is_empty() && got.len() < get.count as usize {
                let place = places.swap_remove(self.world.below(places.len()));
                let receipt = inside.next().to_string();
                let Some(held) = inside.messages(queue)?.get_mut(place) else { continue };
                if !held.visible && !self.world.comes_back() {
                    continue;
                }
                held.dequeued += 1;
                (held.visible, held.receipt) = (false, receipt.clone());
                got.push(Message {
                    id: held.id,
                    inserted: held.inserted,
                    expires: None,
                    pop_receipt: PopReceipt::new(receipt),
                    next_visible,
                    dequeue_count: held.dequeued,
                    text: held.text.clone(),
                });
            }
            Ok(got)
        }))
    }

    fn update_message<'a>(
        &'a self,
        queue: &'a QueueName,
        id: Uuid,
        pop_receipt: &'a PopReceipt,
        update: UpdateMessage,
    ) -> Pending<'a, MessageUpdated> {
        Box::pin(self.call(move |inside| {
            let place = inside.place(queue, id, pop_receipt)?;
            let receipt = inside.next().to_string();
            if let Some(held) = inside.messages(queue)?.get_mut(place) {
                held.receipt.clone_from(&receipt);
                held.visible = update.visibility.is_zero();
                held.text = update.text.unwrap_or_else(|| held.text.clone());
            }
            let next_visible = (self.clock)().saturating_add(update.visibility);
            Ok(MessageUpdated { pop_receipt: PopReceipt::new(receipt), next_visible })
        }))
    }

    fn delete_message<'a>(
        &'a self,
        queue: &'a QueueName,
        id: Uuid,
        pop_receipt: &'a PopReceipt,
    ) -> Pending<'a, ()> {
        Box::pin(self.call(move |inside| {
            let place = inside.place(queue, id, pop_receipt)?;
            inside.messages(queue)?.swap_remove(place);
            Ok(())
        }))
    }

    unused_methods! {
        delete_queue(&'a QueueName) -> ();
        set_queue_metadata(&'a QueueName, Metadata) -> ();
        peek_messages(&'a QueueName, u32) -> Vec<PeekedMessage>;
        clear_messages(&'a QueueName) -> ();
    }

    fn list_queues(&self, _request: ListQueues) -> Pending<'_, QueuesSegment> {
        unused()
    }
}
