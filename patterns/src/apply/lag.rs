use table_model::{
    ErrorCode, Timestamp,
    outbox::{OutboxKind, is_abort_record},
};

use crate::{Error, Pending, Tables, apply::wakeup, handle::queue};

/// Backlog of updates to rows in other partitions.
///
/// Counting the commits of a service without a list of commit records would read its tables. If queues are configured,
/// their wake-up messages are counted instead. Exactly one of `pending` and `wake_ups` is present.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lag {
    /// Number of commits that have not been applied. `None` if wake-up messages were counted.
    pub pending: Option<usize>,
    /// Approximate number of wake-up messages, including those that a writer or a worker currently hides. A message is
    /// sent before its commit and remains for some minutes after the commit was applied, or if it failed, so messages do
    /// not imply pending commits. Without messages, no commit is pending that is
    /// not dead-lettered. `None` if commits were counted.
    pub wake_ups: Option<usize>,
    /// Time of the oldest pending commit. If wake-up messages were counted, insertion time of the next visible message.
    pub oldest: Option<Timestamp>,
    /// Number of dead-lettered commits. If wake-up messages were counted, number of dead-lettered messages.
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
    /// assert_eq!(tables.lag().await?.pending, Some(1));
    /// tables.catch_up().await?;
    /// assert_eq!(tables.lag().await?.pending, Some(0));
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
            let dead_lettered = dead_lettered.len();
            let (mut count, mut oldest) = (0, None);
            for record in &pending {
                let rows = self.read(record, None).await?;
                // Abort records are stored next to the commit records and require no action.
                let Some(row) = rows.get(0).filter(|row| !is_abort_record(row.properties)) else { continue };
                count += 1;
                oldest = [oldest, row.timestamp].into_iter().flatten().min();
            }
            Ok(Lag { pending: Some(count), wake_ups: None, oldest, dead_lettered })
        })
    }

    async fn lag_of_hints(&self) -> Result<Lag, Error> {
        let (queue, poison) = (queue::queue(wakeup::QUEUE)?, queue::poison_queue(wakeup::QUEUE)?);
        let count = |number| usize::try_from(number).unwrap_or(usize::MAX);
        let wake_ups = Some(count(wakeup::waiting(self, &queue).await?));
        let oldest = match self.queues()?.peek_messages(&queue, 1).await {
            Err(error) if error.code() == ErrorCode::QueueNotFound => None,
            other => other?.first().map(|message| message.inserted),
        };
        let dead_lettered = count(wakeup::waiting(self, &poison).await?);
        Ok(Lag { pending: None, wake_ups, oldest, dead_lettered })
    }
}
