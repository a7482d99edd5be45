use std::time::Duration;

use futures_util::{StreamExt, stream};
use table_model::{
    ErrorCode, Metadata, QueueService, Result, Timestamp,
    queue::{GetMessages, Message, PutMessage, QueueName, TimeToLive, limits::MESSAGES},
};

use super::{Copied, Difference, DifferenceKind, Subject};

/// Time for which received messages are invisible at the source. After an interruption they become visible again.
const VISIBILITY: Duration = Duration::from_secs(5 * 60);
/// Number of messages that are moved concurrently.
const AT_ONCE: usize = 8;

/// A copy of a queue to the queue of the same name of another service.
///
/// The protocol reads messages only by receiving them, and their ids are those of one service, so a copy of messages could
/// not be repeated. They are therefore moved on request: each one is put at the target, then deleted at the source. A
/// message is never lost; after an interruption it can be in both, as any message can be delivered twice.
#[derive(Clone, Copy, Debug)]
pub struct QueueCopy<'c> {
    from: &'c dyn QueueService,
    to: &'c dyn QueueService,
    writes: bool,
    moves: bool,
}

impl<'c> QueueCopy<'c> {
    /// Creates a copy that creates the queue with its metadata, and counts its messages.
    pub const fn new(from: &'c dyn QueueService, to: &'c dyn QueueService) -> Self {
        Self { from, to, writes: true, moves: false }
    }

    /// Only compares.
    #[must_use]
    pub const fn comparing(mut self, compares: bool) -> Self {
        self.writes = !compares;
        self
    }

    /// Moves the visible messages: they are deleted at the source.
    #[must_use]
    pub const fn moving_messages(mut self, moves: bool) -> Self {
        self.moves = moves;
        self
    }

    /// Copies a queue. Messages that remain at the source are a difference.
    ///
    /// # Errors
    /// Errors of the services. The next run continues.
    pub async fn run(&self, queue: &QueueName) -> Result<Copied> {
        let mut copied = Copied::default();
        let metadata = self.from.queue_properties(queue).await?.metadata;
        let kind = match self.to.queue_properties(queue).await {
            Ok(found) => (found.metadata != metadata).then_some(DifferenceKind::Different),
            Err(error) if error.code() == ErrorCode::QueueNotFound => Some(DifferenceKind::Missing),
            Err(error) => return Err(error),
        };
        if let Some(kind) = kind {
            copied.count(kind, 1);
            if self.writes {
                self.write_queue(queue, kind, metadata).await?;
                copied.resolved += 1;
            } else {
                copied.list(Difference { kind, subject: Subject::Queue(queue.clone()), rejected: None });
            }
        }
        if self.writes && self.moves {
            let moved = self.move_messages(queue).await?;
            copied.read += moved;
            copied.count(DifferenceKind::Missing, moved);
            copied.resolved += moved;
        }
        let left = self.from.queue_properties(queue).await?.approximate_messages;
        if left > 0 {
            copied.read += left;
            copied.count(DifferenceKind::Missing, left);
            let (kind, subject) = (DifferenceKind::Missing, Subject::Messages(left));
            copied.list(Difference { kind, subject, rejected: None });
        }
        Ok(copied)
    }

    async fn write_queue(&self, queue: &QueueName, kind: DifferenceKind, metadata: Metadata) -> Result<()> {
        match kind {
            DifferenceKind::Missing => self.to.create_queue(queue, metadata).await.map(drop),
            _ => self.to.set_queue_metadata(queue, metadata).await,
        }
    }

    async fn move_messages(&self, queue: &QueueName) -> Result<u64> {
        let mut moved = 0;
        loop {
            let get = GetMessages::new().count(MESSAGES).visibility(VISIBILITY);
            let messages = self.from.get_messages(queue, get).await?;
            if messages.is_empty() {
                return Ok(moved);
            }
            let one = |message| self.move_message(queue, message);
            let mut running = stream::iter(messages.into_iter().map(one)).buffer_unordered(AT_ONCE);
            while let Some(done) = running.next().await {
                done?;
                moved += 1;
            }
        }
    }

    async fn move_message(&self, queue: &QueueName, message: Message) -> Result<()> {
        let Message { id, expires, pop_receipt, text, .. } = message;
        let left = expires.map(|time| time.duration_since(Timestamp::now()).as_secs().max(1));
        let life = left.map_or(TimeToLive::Forever, |left| TimeToLive::Of(Duration::from_secs(left)));
        self.to.put_message(queue, PutMessage::new(text).time_to_live(life)).await?;
        match self.from.delete_message(queue, id, &pop_receipt).await {
            // It expired, or became visible again and was received by a consumer.
            Err(error)
                if matches!(error.code(), ErrorCode::MessageNotFound | ErrorCode::PopReceiptMismatch) =>
            {
                Ok(())
            }
            done => done,
        }
    }
}
