use table_store::{ErrorCode, Timestamp, service::Marked};

use crate::{Error, Pending, Tables, hint, outbox::marker::is_marker, task};

/// How far rows in other partitions are behind.
///
/// On a service that keeps no list of commit records it is what the queue of hints says: more than there is, as hints stay
/// for some minutes after what they are about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lag {
    /// Commits that have not been followed yet; elsewhere hints.
    pub pending: usize,
    /// When the oldest of them was written; elsewhere when the hint was put that would be got next.
    pub oldest: Option<Timestamp>,
    /// Commits that were given up; elsewhere hints that were.
    pub parked: usize,
}

impl Tables {
    /// How far rows in other partitions are behind. On a service that keeps no list of commit records 3 requests to the
    /// queues; without queues the tables are read.
    pub fn lag(&self) -> Pending<'_, Lag> {
        Box::pin(async move {
            if !self.service().capabilities().marks && self.queues().is_ok() {
                return self.lag_of_hints().await;
            }
            let (pending, parked) = (self.marked(Marked::Commits).await?, self.marked(Marked::Parked).await?);
            let mut lag = Lag { pending: 0, oldest: None, parked: parked.len() };
            for record in &pending {
                let rows = self.read(record, None).await?;
                // Markers of attempts that were aborted stand beside the records; nothing is to be done about them.
                let Some(row) = rows.get(0).filter(|row| !is_marker(*row)) else { continue };
                lag.pending += 1;
                lag.oldest = [lag.oldest, row.timestamp].into_iter().flatten().min();
            }
            Ok(lag)
        })
    }

    async fn lag_of_hints(&self) -> Result<Lag, Error> {
        let (queue, poison) = (task::queue(hint::QUEUE)?, task::poison_queue(hint::QUEUE)?);
        let count = |number| usize::try_from(number).unwrap_or(usize::MAX);
        let pending = count(hint::waiting(self, &queue).await?);
        let oldest = match self.queues()?.peek_messages(&queue, 1).await {
            Err(error) if error.code() == ErrorCode::QueueNotFound => None,
            other => other?.first().map(|message| message.inserted),
        };
        Ok(Lag { pending, oldest, parked: count(hint::waiting(self, &poison).await?) })
    }
}
