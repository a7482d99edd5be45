//! A worker: it owns partitions, processes the messages of their control queues, and executes activities.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use pollster::block_on;
use table_store::{
    ErrorCode, TableError,
    queue::{GetMessages, Message as Received, PutMessage, QueueName, UpdateMessage},
};
use table_tests::seed::Seed;

use crate::durable::{hub::Hub, journal::Journal, leases::Leases, message::Message};

/// What all threads of a run share.
#[derive(Debug)]
pub struct Shared {
    pub journal: Journal,
    /// No further instances are started.
    pub is_ending: AtomicBool,
    /// All threads end.
    pub is_over: AtomicBool,
    /// Workers end without notice and start again, without knowing what they were doing.
    pub crashes: bool,
    /// Time after which a received message becomes visible again.
    pub visibility: Duration,
    /// A worker acquires a lease even if another one has it: to verify that the check detects it.
    pub two_owners: bool,
}

impl Shared {
    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }
}

/// Why a step ended early.
#[derive(Debug)]
pub enum Halt {
    /// The worker ends without notice.
    Crash,
    /// A request failed.
    Request(TableError),
}

impl From<TableError> for Halt {
    fn from(error: TableError) -> Self {
        Self::Request(error)
    }
}

/// A worker in one of its lives.
#[derive(Debug)]
pub struct Worker {
    pub(crate) number: usize,
    pub(crate) hub: Hub,
    pub(crate) shared: Arc<Shared>,
    pub(crate) seed: Seed,
    pub(crate) leases: Leases,
}

impl Worker {
    /// Creates a worker without partitions.
    #[must_use]
    pub fn new(number: usize, hub: Hub, shared: Arc<Shared>, seed: Seed) -> Self {
        Self { number, hub, shared, seed, leases: Leases::default() }
    }

    /// Works until the end of the run.
    pub fn run(mut self) {
        while !self.shared.is_over() {
            match self.round() {
                Ok(true) => {}
                Ok(false) => thread::sleep(Duration::from_millis(2)),
                Err(Halt::Request(error)) => {
                    self.shared.journal.count(&format!("failed: {}", error.code().as_str()));
                    thread::sleep(Duration::from_millis(2));
                }
                Err(Halt::Crash) => {
                    self.shared.journal.count("worker crashes");
                    // The next life does not know the leases of this one: they have to end by themselves.
                    self.leases = Leases::default();
                }
            }
        }
        self.release_all();
    }

    /// Processes what can be received once. Returns whether there was any message.
    fn round(&mut self) -> Result<bool, Halt> {
        self.balance()?;
        let mut found = false;
        for partition in self.leases.partitions() {
            let queue = self.hub.control.get(partition).cloned();
            for message in self.receive(queue.as_ref())? {
                // A lost partition belongs to another worker: its messages become visible again.
                if !self.leases.is_owned(partition) {
                    break;
                }
                found = true;
                self.control(&message)?;
            }
        }
        let work = self.hub.work.clone();
        for message in self.receive(Some(&work))? {
            found = true;
            self.work(&message)?;
        }
        Ok(found)
    }

    /// Executes an activity, and sends its result before the work item is deleted.
    fn work(&mut self, received: &Received) -> Result<(), Halt> {
        let Some(Message::Work(instance, task)) = self.parse(received) else { return Ok(()) };
        let Ok(orchestration) = Hub::orchestration(&instance) else { return Ok(()) };
        self.point()?;
        let result = orchestration.result(task);
        let control = self.hub.control_of(&instance).cloned();
        self.send(control.as_ref(), &Message::Done(instance, task, result))?;
        let work = self.hub.work.clone();
        self.delete(Some(&work), received)
    }

    /// Reads a message, and records one that was not sent by this program.
    pub(crate) fn parse(&self, received: &Received) -> Option<Message> {
        let parsed = Message::parse(&received.text);
        if parsed.is_none() {
            let what = format!("a message that nobody has sent: `{}`", received.text);
            self.shared.journal.entries().violations.push(what);
        }
        parsed
    }

    /// Ends the life of the worker at a point that the seed selects.
    pub(crate) fn point(&mut self) -> Result<(), Halt> {
        let crashes = self.shared.crashes && !self.shared.is_ending.load(Ordering::Acquire);
        if crashes && self.seed.chance(1, 5_000) { Err(Halt::Crash) } else { Ok(()) }
    }

    fn receive(&mut self, queue: Option<&QueueName>) -> Result<Vec<Received>, Halt> {
        let Some(queue) = queue else { return Ok(Vec::new()) };
        self.point()?;
        let asked = Instant::now();
        let get = GetMessages::new().count(8).visibility(self.shared.visibility);
        let messages = block_on(self.hub.services.queues.get_messages(queue, get))?;
        for message in &messages {
            self.shared.journal.received(message.id, &message.text, asked);
        }
        Ok(messages)
    }

    /// Sends a message until it is acknowledged. Without an acknowledgment it may have been sent several times.
    pub(crate) fn send(&mut self, queue: Option<&QueueName>, message: &Message) -> Result<(), Halt> {
        let Some(queue) = queue else { return Ok(()) };
        self.point()?;
        send(&self.hub, &self.shared, queue, message)?;
        self.point()
    }

    /// Makes a message visible again that cannot be processed yet.
    pub(crate) fn abandon(&self, queue: Option<&QueueName>, received: &Received) -> Result<(), Halt> {
        let Some(queue) = queue else { return Ok(()) };
        let update = UpdateMessage::new(Duration::ZERO);
        let queues = &self.hub.services.queues;
        match block_on(queues.update_message(queue, received.id, &received.pop_receipt, update)) {
            Err(error) if !is_taken(&error) => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// Deletes a processed message, unless it was received again in the meantime.
    pub(crate) fn delete(&mut self, queue: Option<&QueueName>, received: &Received) -> Result<(), Halt> {
        let Some(queue) = queue else { return Ok(()) };
        self.point()?;
        let queues = &self.hub.services.queues;
        match block_on(queues.delete_message(queue, received.id, &received.pop_receipt)) {
            Ok(()) => self.shared.journal.deleted(received.id),
            Err(error) if is_taken(&error) => {}
            Err(error) => return Err(error.into()),
        }
        self.point()
    }
}

/// Returns whether a message was received by another worker, or deleted.
fn is_taken(error: &TableError) -> bool {
    matches!(error.code(), ErrorCode::PopReceiptMismatch | ErrorCode::MessageNotFound)
}

/// Sends a message until it is acknowledged.
///
/// # Errors
///
/// Returns the last error if the run is over.
pub fn send(hub: &Hub, shared: &Shared, queue: &QueueName, message: &Message) -> Result<(), TableError> {
    let put = PutMessage::new(message.to_string());
    let sent = insist(shared, || block_on(hub.services.queues.put_message(queue, put.clone())))?;
    shared.journal.sent(sent.id, message.to_string());
    Ok(())
}

/// Repeats a request until its outcome is known, or the run is over.
///
/// # Errors
///
/// Returns the error of the service.
pub fn insist<T>(
    shared: &Shared,
    mut request: impl FnMut() -> Result<T, TableError>,
) -> Result<T, TableError> {
    loop {
        match request() {
            Err(error) if is_transient(&error) && !shared.is_over() => {
                thread::sleep(Duration::from_millis(2));
            }
            result => return result,
        }
    }
}

fn is_transient(error: &TableError) -> bool {
    error.is_outcome_unknown() || error.is_not_connected() || error.code() == ErrorCode::ServerBusy
}
