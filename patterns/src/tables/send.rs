use std::time::Duration;

use futures_timer::Delay;
use table_model::{
    ETag, ErrorCode, Operation, Pending as ServicePending, TableError, TableName, TableService,
    Written as Answer,
};

use super::{Pending, Tables, attempt::Tried};
use crate::{
    Error, Written,
    design::Index,
    follow,
    hint::Relied,
    large::Uploads,
    registry::Lease,
    transaction::check,
    write::{self, Cured, Intent, Sending, Write, feeds, lists, written},
};

/// Maximum number of attempts of a write that reads first. Each failed attempt means that a concurrent writer
/// succeeded.
pub(super) const ATTEMPTS: u32 = 64;

/// Maximum number of times that a write creates its table while other clients delete it.
const CREATIONS: u32 = 8;

impl Tables {
    /// Sends one write. Creates the table if it is missing and the write can be its first.
    pub(crate) fn write(&self, intent: Result<Intent, Error>) -> Pending<'_, Written> {
        Box::pin(async move { self.carry_out(intent?).await?.ok_or_else(no_version) })
    }

    /// Sends a delete.
    pub(crate) fn send_delete(&self, intent: Result<Intent, Error>) -> Pending<'_, ()> {
        Box::pin(async move { self.carry_out(intent?).await.map(|_| ()) })
    }

    /// Executes one write. Returns `None` for a delete.
    pub(crate) async fn carry_out(&self, intent: Intent) -> Result<Option<Written>, Error> {
        match intent {
            Intent::Ready(write) if write.is_alone() => self.send_one(write).await,
            intent => {
                if let Intent::Wide(verb) = &intent
                    && let Some(write) = verb.first()?
                {
                    match self.send_one(write).await {
                        Err(error) if error.is_not_found() => {}
                        done => return done,
                    }
                }
                let results = self.send_all(vec![intent]).await.map_err(Error::alone)?;
                Ok(results.into_iter().next().flatten())
            }
        }
    }

    async fn send_one(&self, mut write: Write) -> Result<Option<Written>, Error> {
        // The write touches no index row that this program can determine, but the program may have registered too few
        // indexes.
        if self.registry().is_some() {
            Box::pin(self.regulate(std::slice::from_mut(&mut write))).await?;
        }
        self.seal(&mut write)?;
        let answer = match self.execute_or_create(&write.table, &write.operation).await {
            Err(error) if error.is_unknown() => self.find_out_one(&write, error).await?,
            other => other?,
        };
        // The row may remain, because it stores aggregates of other entities.
        if write.own.as_ref().is_some_and(|own| own.goes) {
            return Ok(None);
        }
        let is_far = write.can_be_far();
        let written = written(write.into_address(), answer, Vec::new(), None);
        Ok(written.map(|written| Written { is_far, ..written }))
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
    pub(crate) async fn send_all(&self, intents: Vec<Intent>) -> Result<Vec<Option<Written>>, Error> {
        let mut uploads = Uploads::default();
        let sent = self.send_all_with(intents, &mut uploads).await;
        uploads.end(self, &sent).await;
        sent
    }

    async fn send_all_with(
        &self,
        intents: Vec<Intent>,
        uploads: &mut Uploads,
    ) -> Result<Vec<Option<Written>>, Error> {
        let Some(contended) = intents.iter().find_map(Intent::reads).cloned() else {
            let ready = |intent| if let Intent::Ready(write) = intent { Some(write) } else { None };
            return self.transact_with(intents.into_iter().filter_map(ready).collect(), uploads).await;
        };
        let mut missed: Option<Vec<ETag>> = None;
        for _ in 0..ATTEMPTS {
            let (mut writes, mut may_lose) = (Vec::with_capacity(intents.len()), Vec::new());
            for (index, intent) in intents.iter().enumerate() {
                let (write, found) = intent.resolve(self).await.map_err(|error| error.at(index))?;
                writes.push(write);
                may_lose.push(found);
            }
            let read: Vec<ETag> = writes.iter().flat_map(Write::versions).collect();
            match self.transact_with(writes, uploads).await {
                // Unchanged since the previous failure, so this is an orphaned index row.
                Err(error) if error.is_not_found() && missed.as_ref() == Some(&read) => return Err(error),
                Err(error) if is_lost_race(&error, &may_lose) => {
                    missed = error.is_not_found().then_some(read);
                }
                other => return other,
            }
        }
        Err(Error::Contended { address: Box::new(contended), attempts: ATTEMPTS })
    }

    /// Sends the operations of all writes in one transaction. The lists and aggregates that they change are read first,
    /// and read again if a concurrent write changes them. Blob values are uploaded before.
    pub(crate) async fn transact_all(&self, writes: Vec<Write>) -> Result<Vec<Option<Written>>, Error> {
        let mut uploads = Uploads::default();
        let sent = self.transact_with(writes, &mut uploads).await;
        uploads.end(self, &sent).await;
        sent
    }

    async fn transact_with(
        &self,
        writes: Vec<Write>,
        uploads: &mut Uploads,
    ) -> Result<Vec<Option<Written>>, Error> {
        for design in writes.iter().filter_map(|write| write.design).filter(|design| design.has_rules()) {
            self.kinds.admit(design)?;
        }
        let list = writes.iter().find_map(|write| write.lists.first()).map(|change| &change.member().list);
        let sink = writes.iter().find_map(|write| write.fed().next());
        let own = writes.iter().find(|write| write.reads_sinks()).map(Write::address);
        let read = list.or(sink).cloned().or(own);
        let has_uploads = writes.iter().any(|write| write.blobs.has_uploads());
        if read.is_none() && self.registry().is_none() && !has_uploads {
            return match self.transact_settled(writes, &Lease::default(), uploads).await? {
                Sent::Done(results) => Ok(results),
                Sent::Stale | Sent::Aborted => Err(no_list()),
            };
        }
        let Some(contended) = read.or_else(|| writes.first().map(Write::address)) else {
            return Ok(Vec::new());
        };
        for attempt in 0..ATTEMPTS {
            let mut writes = writes.clone();
            let lease = match self.registry() {
                Some(_) => Box::pin(self.regulate(&mut writes)).await?,
                None => Lease::default(),
            };
            lists::settle(self, &mut writes).await?;
            feeds::settle(self, &mut writes, attempt == 0).await?;
            lease.mark(&mut writes);
            match self.transact_settled(writes, &lease, uploads).await? {
                Sent::Done(results) => return Ok(results),
                Sent::Stale => {}
                Sent::Aborted => uploads.begin_anew(self).await,
            }
        }
        Err(Error::Contended { address: Box::new(contended), attempts: ATTEMPTS })
    }

    /// Sends operations after uploading the blob values.
    async fn transact_settled(
        &self,
        mut writes: Vec<Write>,
        lease: &Lease,
        uploads: &mut Uploads,
    ) -> Result<Sent, Error> {
        for (index, write) in writes.iter_mut().enumerate() {
            self.seal(write).map_err(|error| error.at(index))?;
        }
        let planned = uploads.plan(self, &mut writes)?;
        let mut writes = check(writes)?;
        uploads.send(self, planned, &mut writes).await?;
        let mut batch = Sending::of(writes);
        let Some(table) = batch.table.clone() else { return Ok(Sent::Done(Vec::new())) };
        for kind in &batch.kinds {
            if kind.design.indexes.iter().any(Index::in_blobs) {
                self.blobs()?;
            }
            self.kinds.learn(*kind)?;
        }
        let (mut relied, mut aborted) = (Relied::default(), 0);
        let answers = loop {
            batch.stamp(&self.tokens, uploads)?;
            // The wake-up message of the uploads also covers the commit.
            let is_hinted = uploads.token().is_some();
            let refused = match self.attempt(&table, &batch, (&mut relied, is_hinted), lease).await {
                Ok(Tried::Done(answers)) => break answers,
                Ok(Tried::Stale) => Ok(Cured::Stale),
                // Another attempt cannot refer to the uploads of this attempt.
                Ok(Tried::Aborted) if is_hinted => return Ok(Sent::Aborted),
                // The attempt left nothing behind, and another attempt may succeed.
                Ok(Tried::Aborted) if aborted < ATTEMPTS => {
                    aborted += 1;
                    continue;
                }
                Ok(Tried::Aborted) => {
                    let address = Box::new(batch.sent(&table).first());
                    Err(Error::Contended { address, attempts: ATTEMPTS })
                }
                Ok(Tried::Refused(error)) => match batch.check_in_the_way(self, &error).await {
                    Ok(()) => batch.cure(error),
                    Err(conflict) => Err(conflict),
                },
                Err(error) => Err(error),
            };
            match refused {
                Ok(Cured::Again) => {}
                Ok(Cured::Stale) => {
                    relied.take_back(self).await;
                    return Ok(Sent::Stale);
                }
                Err(error) => {
                    // If the operations may have been executed, the wake-up message remains for workers.
                    if !follow::may_pass(&error) {
                        relied.take_back(self).await;
                    }
                    return Err(error);
                }
            }
        };
        if let Some(commit) = batch.commit().filter(|_| !self.leaves) {
            // The write is complete. Workers apply the updates that fail here.
            if follow::conclude(self, &commit).await.is_ok() {
                relied.take_back(self).await;
                uploads.set_followed();
            }
        }
        Ok(Sent::Done(batch.results(answers)))
    }

    pub(crate) async fn transact_or_create(
        &self,
        table: &TableName,
        operations: &[Operation],
    ) -> Result<Vec<Answer>, TableError> {
        let creates = operations.iter().any(write::creates);
        self.or_create(table, creates, || self.service.transact(table, operations)).await
    }

    async fn execute_or_create(
        &self,
        table: &TableName,
        operation: &Operation,
    ) -> Result<Answer, TableError> {
        self.or_create(table, write::creates(operation), || self.service.execute(table, operation)).await
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
                    create(&*self.service, table).await?;
                    result = send().await;
                }
                other => return other,
            }
        }
        result
    }
}

/// Result of sending a transaction.
enum Sent {
    /// The transaction was executed.
    Done(Vec<Option<Written>>),
    /// A list was changed after it was read, or the transaction may no longer be sent.
    Stale,
    /// Another process considered the uploads abandoned. The transaction was not executed and will not be.
    Aborted,
}

/// Returns `true` if a write that reads first failed because of a concurrent writer. `found` contains one entry per
/// write: `None` if it does not read, otherwise whether it found a row.
fn is_lost_race(error: &Error, found: &[Option<bool>]) -> bool {
    let at_fault = error.index().unwrap_or_default();
    match found.get(at_fault) {
        Some(Some(found)) => error.is_conflict() || *found && error.is_not_found(),
        Some(None) | None => false,
    }
}

fn no_list() -> Error {
    let message = "The service reported a conflict on a list or target row for a write without such rows.";
    TableError::with_message(ErrorCode::InternalError, message).into()
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

/// Creates a table. A concurrent writer may have created it already. The name of a recently deleted table is
/// unavailable until its contents are removed, so the writer waits.
pub(super) async fn create(service: &dyn TableService, table: &TableName) -> Result<(), TableError> {
    for wait in waits() {
        match service.create_table(table).await {
            Err(error) if error.code() == ErrorCode::TableBeingDeleted || error.is_unknown() => {}
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
