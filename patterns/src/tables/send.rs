use std::time::Duration;

use futures_timer::Delay;
use table_model::{
    ETag, ErrorCode, Operation, Pending as ServicePending, TableError, TableName, TableService,
    Written as Answer,
};
use tracing::Span;

use super::run::Run;
use crate::{
    Error, WriteResult,
    handle::{Pending, Tables, span},
    write::{self, Intent, Write, bulk::SentTogether, transaction::TransactionPlan},
};

/// Maximum number of times that a write creates its table while other clients delete it.
const CREATIONS: u32 = 8;

impl Tables {
    /// Sends one write. Creates the table if it is missing and the write can be its first.
    pub(crate) fn write(&self, intent: Result<Intent, Error>) -> Pending<'_, WriteResult> {
        Box::pin(async move { self.carry_out(intent?).await?.ok_or_else(no_version) })
    }

    /// Sends a delete.
    pub(crate) fn send_delete(&self, intent: Result<Intent, Error>) -> Pending<'_, ()> {
        Box::pin(async move { self.carry_out(intent?).await.map(|_| ()) })
    }

    /// Executes one write. Returns `None` for a delete.
    pub(crate) async fn carry_out(&self, intent: Intent) -> Result<Option<WriteResult>, Error> {
        let span = span::write(|| Intent::describe(std::slice::from_ref(&intent)));
        if span.is_disabled() {
            return self.carry_out_in(&span, intent).await;
        }
        // Boxed, since a write is large.
        span::within(&span, Box::pin(self.carry_out_in(&span, intent))).await
    }

    async fn carry_out_in(&self, span: &Span, intent: Intent) -> Result<Option<WriteResult>, Error> {
        match intent {
            Intent::Ready(write) if write.is_alone() => self.send_one(write).await,
            intent => {
                if let Some(write) = intent.first()? {
                    match self.send_one(write).await {
                        Err(error) if error.is_not_found() => {}
                        done => return done,
                    }
                }
                let mut run = Run::of(self, vec![intent]);
                run.span.clone_from(span);
                let sent = run.stages().await;
                std::mem::take(&mut run.uploads).end(self, &sent).await;
                Ok(sent.map_err(|error| run.alone(error))?.into_iter().next().flatten())
            }
        }
    }

    async fn send_one(&self, mut write: Write) -> Result<Option<WriteResult>, Error> {
        // The write touches no index row that this program can determine, but the program may have registered too few
        // indexes.
        if self.registry().is_some() {
            Box::pin(self.regulate(std::slice::from_mut(&mut write))).await?;
        }
        self.seal(&mut write)?;
        let answer = match self.execute_or_create(&write.table, &write.operation).await {
            Err(error) if error.is_outcome_unknown() => self.find_out_one(&write, error).await?,
            other => other.map_err(|error| Error::from(error).naming(|| Some(write.address())))?,
        };
        Ok(write.into_result(answer))
    }

    /// Sends an internal operation. Returns the new ETag. Creates the table if required.
    pub(crate) async fn execute(
        &self,
        table: &TableName,
        operation: &Operation,
    ) -> Result<Option<ETag>, Error> {
        match self.execute_or_create(table, operation).await? {
            Answer::Version { etag, .. } => Ok(Some(etag)),
            Answer::Deleted => Ok(None),
        }
    }

    /// Sends internal operations on one partition in one transaction.
    pub(crate) async fn transact_own(
        &self,
        table: &TableName,
        operations: &[Operation],
    ) -> Result<(), Error> {
        self.transact_or_create(table, operations).await.map(drop).map_err(Error::from)
    }

    /// Sends writes to one partition in one transaction. Returns one result per write, in order; `None` for a delete.
    ///
    /// Some writes read first. If a concurrent writer changes what they read, all writes are retried.
    pub(crate) async fn send_all(&self, intents: Vec<Intent>) -> Result<Vec<Option<WriteResult>>, Error> {
        self.run(&mut Run::of(self, intents)).await
    }

    /// Sends the writes of a transaction. An error names the operation and its entity.
    pub(crate) async fn commit_all(&self, intents: Vec<Intent>) -> Result<Vec<Option<WriteResult>>, Error> {
        let mut run = Run::of(self, intents);
        self.run(&mut run).await.map_err(|error| run.of_operation(error))
    }

    /// Determines what a transaction would send.
    pub(crate) async fn plan_all(&self, intents: Vec<Intent>) -> Result<TransactionPlan, Error> {
        let mut run = Run::of(self, intents);
        run.plan().await.map_err(|error| run.of_operation(error))
    }

    async fn run(&self, run: &mut Run<'_>) -> Result<Vec<Option<WriteResult>>, Error> {
        let sent = run.result().await;
        std::mem::take(&mut run.uploads).end(self, &sent).await;
        sent
    }

    /// Sends writes of a bulk that read first in one transaction. A write whose row cannot be read is not sent.
    pub(crate) async fn send_together(&self, intents: Vec<Intent>) -> SentTogether {
        let mut run = Run::of_bulk(self, intents);
        let outcome = self.run(&mut run).await;
        run.into_sent(outcome)
    }

    /// Sends the operations of all writes in one transaction. The lists and aggregates that they change are read first,
    /// and read again if a concurrent write changes them. Blob values are uploaded before.
    pub(crate) async fn transact_all(&self, writes: Vec<Write>) -> Result<Vec<Option<WriteResult>>, Error> {
        self.send_all(writes.into_iter().map(Intent::Ready).collect()).await
    }

    /// Sends a transaction of a bulk. If it fails, also returns its writes, if they are known.
    pub(crate) async fn transact_batch(
        &self,
        writes: Vec<Write>,
    ) -> Result<Vec<Option<WriteResult>>, (Error, Vec<Write>)> {
        // Single operations are not changed by an attempt, so no copy is required.
        let kept = writes.iter().any(|write| !write.changes.is_empty()).then(|| writes.clone());
        let mut run = Run::of(self, writes.into_iter().map(Intent::Ready).collect());
        self.run(&mut run).await.map_err(|error| (error, kept.unwrap_or_else(|| run.into_writes())))
    }

    pub(crate) async fn transact_or_create(
        &self,
        table: &TableName,
        operations: &[Operation],
    ) -> Result<Vec<Answer>, TableError> {
        let creates = operations.iter().any(write::creates);
        self.or_create(table, creates, || self.service().transact(table, operations)).await
    }

    async fn execute_or_create(
        &self,
        table: &TableName,
        operation: &Operation,
    ) -> Result<Answer, TableError> {
        self.or_create(table, write::creates(operation), || self.service().execute(table, operation)).await
    }

    /// Sends a write. If its table does not exist and the write can be its first, creates the table and sends the write
    /// again. Repeats this if other clients delete the table concurrently.
    async fn or_create<'a, T>(
        &self,
        table: &TableName,
        creates: bool,
        send: impl Fn() -> ServicePending<'a, T>,
    ) -> Result<T, TableError> {
        let mut result = send().await;
        for _ in 0..CREATIONS {
            match result {
                Err(error) if error.code() == ErrorCode::TableNotFound && creates => {
                    create(&**self.service(), table).await?;
                    result = send().await;
                }
                other => return other,
            }
        }
        result
    }
}

fn no_version() -> Error {
    let message = "The service returned the result of a delete for a write.";
    TableError::with_message(ErrorCode::InternalError, message).into()
}

/// Returns the delays between attempts to create a table that is still being deleted. Each is twice the previous delay;
/// the sum is about four seconds.
fn waits() -> impl Iterator<Item = Duration> {
    (0..12).map(|times| Duration::from_millis(1 << times))
}

/// Creates a table. A concurrent writer may have created it already. Azure reserves the name of a recently
/// deleted table for a time, so the writer waits.
pub(super) async fn create(service: &dyn TableService, table: &TableName) -> Result<(), TableError> {
    for wait in waits() {
        match service.create_table(table).await {
            Err(error) if error.code() == ErrorCode::TableBeingDeleted || error.is_outcome_unknown() => {}
            other => return made(other),
        }
        Delay::new(wait).await;
    }
    made(service.create_table(table).await)
}

fn made(answer: Result<(), TableError>) -> Result<(), TableError> {
    match answer {
        Err(error) if error.code() != ErrorCode::TableAlreadyExists => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_waits_for_a_sweep_have_an_end() {
        assert_eq!(waits().sum::<Duration>(), Duration::from_millis(4_095));
    }
}
