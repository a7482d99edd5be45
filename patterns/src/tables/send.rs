use table_store::{ErrorCode, Operation, TableError, TableName, TableService, Written as Answer};

use super::{Pending, Tables};
use crate::{
    Error, Written,
    write::{self, Write},
};

impl Tables {
    /// Sends one encoded write. A table that is not there is made if the write can be its first.
    pub(crate) fn send(&self, write: Result<Write, Error>) -> Pending<'_, Written> {
        Box::pin(async move {
            let write = write?;
            let address = write.address();
            match execute(&*self.service, write).await? {
                Answer::Version { etag, timestamp } => Ok(Written { address, etag, timestamp }),
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
        Box::pin(async move { execute(&*self.service, write?).await.map(|_| ()) })
    }

    /// Sends the operations of one partition, all or none.
    pub(crate) async fn send_all(
        &self,
        table: &TableName,
        operations: Vec<Operation>,
    ) -> Result<Vec<Answer>, Error> {
        if !operations.iter().any(write::creates) {
            return Ok(self.service.transact(table, operations).await?);
        }
        match self.service.transact(table, operations.clone()).await {
            Err(error) if error.code() == ErrorCode::TableNotFound => {
                create(&*self.service, table).await?;
                Ok(self.service.transact(table, operations).await?)
            }
            other => Ok(other?),
        }
    }
}

async fn execute(service: &dyn TableService, write: Write) -> Result<Answer, Error> {
    if !write.creates() {
        return Ok(service.execute(&write.table, write.operation).await?);
    }
    match service.execute(&write.table, write.operation.clone()).await {
        Err(error) if error.code() == ErrorCode::TableNotFound => {
            create(service, &write.table).await?;
            Ok(service.execute(&write.table, write.operation).await?)
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
