use table_model::{Entity, Operation, Properties, Timestamp, outbox::RECORD_TYPE};

use super::Transaction;
use crate::{
    Address, Error, Pending, TaskError, TransactionError,
    write::{Intent, Write},
};

impl<'t> Transaction<'t> {
    /// Commits the transaction exactly once in all runs of the current task, including concurrent runs. Use it for
    /// steps that must not be repeated, such as adding to a sum. It succeeds if this call or an earlier call has
    /// committed the step.
    ///
    /// An idempotency record is written in the same transaction: a row of the partition with the RowKey `!m_`, followed
    /// by the id of the task and the name of the step. The name must be valid in a key. The record adds one operation
    /// to the transaction. It is permanent, because a message of the task can be delivered again at any time. Sends one
    /// request, or two if it fails.
    ///
    /// ```
    /// # use serde::{Deserialize, Serialize};
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Accounts", partition = "{owner}", row = "account")]
    /// # struct Account { owner: String, balance: i64 }
    /// #[derive(Task, Serialize, Deserialize)]
    /// #[task(queue = "payments")]
    /// struct Pay { to: String, amount: i64 }
    ///
    /// impl Run for Pay {
    ///     async fn run(&self, tables: &Tables) -> Result<Outcome> {
    ///         let Some(mut account) = Account::point(&self.to).get(tables).await? else {
    ///             return Ok(Outcome::Poison(format!("{} has no account", self.to)));
    ///         };
    ///         account.balance += self.amount;
    ///         tables.transact().replace(&account).once("pay").await?;
    ///         Ok(Outcome::Done)
    ///     }
    /// }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// # tables.insert(&Account { owner: "jo".into(), balance: 0 }).await?;
    /// # tables.send(&Pay { to: "jo".into(), amount: 5 }).await?;
    /// # assert_eq!(tables.worker().on::<Pay>().pass().await?.done, 1);
    /// # assert_eq!(Account::point("jo").get(&tables).await?.map(|account| account.balance), Some(5));
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`TaskError::NoTask`] outside a task, and the errors of [`commit`](Self::commit).
    pub fn once(self, step: &str) -> Pending<'t, ()> {
        let tables = self.tables;
        let encoded = self.encoded().map_err(Error::from).and_then(|writes| {
            let task = tables.task_id().ok_or(TaskError::NoTask)?;
            let marker = writes.first().map(|first| marker(first, task, step));
            Ok((writes, marker))
        });
        Box::pin(async move {
            let (mut writes, Some(marker)) = encoded? else { return Ok(()) };
            writes.push(Intent::Ready(Write::alone(marker.table.clone(), insert(&marker))));
            let Err(error) = tables.send_all(writes).await else { return Ok(()) };
            // If the idempotency record exists, the step is done: by another run, or by this call if its response was
            // lost.
            let found = tables.read(&marker, None).await?;
            if found.get(0).is_some() { Ok(()) } else { Err(error) }
        })
    }

    /// Returns all writes. An error contains the index of the invalid write.
    pub(super) fn encoded(self) -> Result<Vec<Intent>, Box<TransactionError>> {
        let encoded = self.writes.into_iter().enumerate().map(|(index, write)| {
            write.map_err(|error| Box::new(TransactionError::Operation { index, error: Box::new(error) }))
        });
        encoded.collect()
    }
}

/// Returns the address of the idempotency record of a step.
fn marker(first: &Intent, task: &str, step: &str) -> Address {
    let (table, partition_key) = first.partition();
    let row_key = format!("!m_{task}_{step}");
    Address { table: table.clone(), partition_key: partition_key.to_owned(), row_key }
}

fn insert(marker: &Address) -> Operation {
    let mut properties = Properties::with_capacity(2);
    properties.push_new(RECORD_TYPE, "m");
    properties.push_new("_at", Timestamp::now());
    let (partition_key, row_key) = (marker.partition_key.clone(), marker.row_key.clone());
    Operation::Insert(Entity { partition_key, row_key, properties })
}
