use table_model::{
    ErrorCode, Timestamp,
    outbox::{OutboxKind, is_abort_record},
};

use crate::{Error, Pending, Tables, follow::wakeup, handle::queue};

/// Backlog of updates to rows in other partitions.
///
/// On a service without a list of commit records, the values are those of the wake-up queue. They can be too high,
/// because wake-up messages remain for some minutes after their commit was applied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lag {
    /// Number of commits that have not been applied. On other services, number of wake-up messages.
    pub pending: usize,
    /// Time of the oldest pending commit. On other services, insertion time of the next wake-up message.
    pub oldest: Option<Timestamp>,
    /// Number of dead-lettered commits. On other services, number of dead-lettered wake-up messages.
    pub dead_lettered: usize,
}

impl Tables {
    /// Returns the backlog of updates to rows in other partitions. On a service without a list of commit records, it
    /// sends 3 requests to the queues, or reads the tables if no queues are configured.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// /// The index is in other partitions than the entities.
    /// #[derive(TableEntity, Clone, Debug)]
    /// #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// #[table(index(by_badge, partition = "badge_{badge:08}", row = "{department}_{id:06}", copy()))]
    /// struct Employee { department: String, id: u32, badge: u32 }
    ///
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// let tables = Tables::in_memory()?.with_deferred_updates();
    /// tables.insert(&Employee { department: "Sales".into(), id: 1, badge: 7 }).await?;
    /// assert_eq!(tables.lag().await?.pending, 1);
    /// tables.catch_up().await?;
    /// assert_eq!(tables.lag().await?.pending, 0);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`Error::Service`] if a request fails.
    pub fn lag(&self) -> Pending<'_, Lag> {
        Box::pin(async move {
            if !self.service().capabilities().marks && self.queues().is_ok() {
                return self.lag_of_hints().await;
            }
            let (pending, dead_lettered) = (
                self.list_outbox(OutboxKind::Commits).await?,
                self.list_outbox(OutboxKind::DeadLetters).await?,
            );
            let mut lag = Lag { pending: 0, oldest: None, dead_lettered: dead_lettered.len() };
            for record in &pending {
                let rows = self.read(record, None).await?;
                // Abort records are stored next to the commit records and require no action.
                let Some(row) = rows.get(0).filter(|row| !is_abort_record(row.properties)) else { continue };
                lag.pending += 1;
                lag.oldest = [lag.oldest, row.timestamp].into_iter().flatten().min();
            }
            Ok(lag)
        })
    }

    async fn lag_of_hints(&self) -> Result<Lag, Error> {
        let (queue, poison) = (queue::queue(wakeup::QUEUE)?, queue::poison_queue(wakeup::QUEUE)?);
        let count = |number| usize::try_from(number).unwrap_or(usize::MAX);
        let pending = count(wakeup::waiting(self, &queue).await?);
        let oldest = match self.queues()?.peek_messages(&queue, 1).await {
            Err(error) if error.code() == ErrorCode::QueueNotFound => None,
            other => other?.first().map(|message| message.inserted),
        };
        Ok(Lag { pending, oldest, dead_lettered: count(wakeup::waiting(self, &poison).await?) })
    }
}
