use table_store::{ErrorCode, Operation, TableError, TableName, TableService, Written as Answer};

use super::{Pending, Tables};
use crate::{
    Address, Error, Written,
    write::{self, Write},
};

impl Tables {
    /// Sends one encoded write. A table that is not there is made if the write can be its first.
    pub(crate) fn send(&self, write: Result<Write, Error>) -> Pending<'_, Written> {
        Box::pin(async move {
            let write = write?;
            match execute(&*self.service, &write).await? {
                Answer::Version { etag, timestamp } => {
                    Ok(Written { address: write.into_address(), etag, timestamp })
                }
                Answer::Deleted => Err(TableError::with_message(
                    ErrorCode::InternalError,
                    "The service answered a write as if it were a delete.",
                )
                .into()),
            }
        })
    }

    /// Sends a delete.
    pub(crate) fn send_delete(&self, write: Result<Write, Error>) -> Pending<'_, ()> {
        Box::pin(async move { execute(&*self.service, &write?).await.map(|_| ()) })
    }

    /// Sends the writes of one partition, all or none. One result for each, in their order; none for a delete.
    pub(crate) async fn send_all(&self, writes: Vec<Write>) -> Result<Vec<Option<Written>>, Error> {
        let Some(table) = writes.first().map(|write| write.table.clone()) else { return Ok(Vec::new()) };
        let operations: Vec<_> = writes.into_iter().map(|write| write.operation).collect();
        let answers = self.transact_or_create(&table, &operations).await?;
        let written = |(operation, answer): (Operation, Answer)| match answer {
            Answer::Version { etag, timestamp } => {
                let (partition_key, row_key) = operation.into_keys();
                let address = Address { table: table.clone(), partition_key, row_key };
                Some(Written { address, etag, timestamp })
            }
            Answer::Deleted => None,
        };
        Ok(operations.into_iter().zip(answers).map(written).collect())
    }

    async fn transact_or_create(
        &self,
        table: &TableName,
        operations: &[Operation],
    ) -> Result<Vec<Answer>, Error> {
        match self.service.transact(table, operations).await {
            Err(error)
                if error.code() == ErrorCode::TableNotFound && operations.iter().any(write::creates) =>
            {
                create(&*self.service, table).await?;
                Ok(self.service.transact(table, operations).await?)
            }
            other => Ok(other?),
        }
    }
}

async fn execute(service: &dyn TableService, write: &Write) -> Result<Answer, Error> {
    match service.execute(&write.table, &write.operation).await {
        Err(error) if error.code() == ErrorCode::TableNotFound && write.creates() => {
            create(service, &write.table).await?;
            Ok(service.execute(&write.table, &write.operation).await?)
        }
        other => Ok(other?),
    }
}

/// Makes a table; another writer may have been faster.
pub(super) async fn create(service: &dyn TableService, table: &TableName) -> Result<(), Error> {
    match service.create_table(table).await {
        Err(error) if error.code() != ErrorCode::TableAlreadyExists => Err(error.into()),
        _ => Ok(()),
    }
}
