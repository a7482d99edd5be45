//! Requests of programs.

use std::{future::Future, pin::Pin};

use table_store::{Operation, Result, Store, TableName, TableService, Written};

/// A modifying request.
#[derive(Clone, Debug)]
pub enum Request {
    /// Creates a table.
    Create(TableName),
    /// Deletes a table.
    Drop(TableName),
    /// One write.
    Write(TableName, Operation),
    /// Several writes to one partition.
    Transact(TableName, Vec<Operation>),
}

/// A request in flight.
pub type Underway = Pin<Box<dyn Future<Output = Result<Vec<Written>>> + Send>>;

impl Request {
    /// Returns its table.
    #[must_use]
    pub fn table(&self) -> &TableName {
        match self {
            Self::Create(table) | Self::Drop(table) | Self::Write(table, _) | Self::Transact(table, _) => {
                table
            }
        }
    }

    /// Returns the request as a future of `store`, which does nothing before its first poll.
    #[must_use]
    pub fn begin(&self, store: &Store) -> Underway {
        let (store, request) = (store.clone(), self.clone());
        Box::pin(async move {
            match request {
                Self::Create(table) => store.create_table(&table).await.map(|()| Vec::new()),
                Self::Drop(table) => store.delete_table(&table).await.map(|()| Vec::new()),
                Self::Write(table, operation) => {
                    store.execute(&table, &operation).await.map(|written| vec![written])
                }
                Self::Transact(table, operations) => store.transact(&table, &operations).await,
            }
        })
    }
}
