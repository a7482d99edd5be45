use table_model::{
    Capabilities, ETag, Name, Operation, Pending, Query, Result, Rows, Segment, TableError, TableName,
    TableService, Written,
    service::{ListTables, OutboxKind, OutboxRow, TablesSegment},
};

use crate::{Postgres, failure::Failure, runtime::within};

impl Postgres {
    pub(crate) fn within<'a, T: 'a>(
        &'a self,
        future: impl Future<Output = Result<T>> + Send + 'a,
    ) -> Pending<'a, T> {
        let counted = async {
            let result = future.await;
            self.0.counts.count(&result);
            result
        };
        within(&self.0.runtime, Box::pin(counted))
    }

    /// Reports entities of a partition to the observer.
    fn accessed(&self, table: &TableName, partition_key: &str, entities: usize) {
        if let Some(observer) = &self.0.options.observer {
            observer(table, partition_key, entities as u64);
        }
    }
}

impl TableService for Postgres {
    fn capabilities(&self) -> &Capabilities {
        &self.0.capabilities
    }

    fn create_table<'a>(&'a self, table: &'a TableName) -> Pending<'a, ()> {
        self.within(async move { self.0.create_table(table).await.map_err(TableError::from) })
    }

    fn delete_table<'a>(&'a self, table: &'a TableName) -> Pending<'a, ()> {
        self.within(async move { self.0.delete_table(table).await.map_err(TableError::from) })
    }

    fn list_tables(&self, request: ListTables) -> Pending<'_, TablesSegment> {
        self.within(async move { self.0.list_tables(&request).await.map_err(TableError::from) })
    }

    fn find<'a>(
        &'a self,
        table: &'a TableName,
        partition_key: &'a str,
        row_key: &'a str,
        select: Option<&'a [Name]>,
    ) -> Pending<'a, Rows> {
        self.within(async move {
            let rows = self.0.find(table, (partition_key, row_key), select).await?;
            self.accessed(table, partition_key, 1);
            Ok(rows)
        })
    }

    fn query<'a>(&'a self, table: &'a TableName, query: Query) -> Pending<'a, Segment> {
        self.within(async move {
            let (segment, accesses) = self.0.query(table, &query).await?;
            for (partition_key, entities) in accesses {
                self.accessed(table, &partition_key, entities);
            }
            Ok(segment)
        })
    }

    fn execute<'a>(&'a self, table: &'a TableName, operation: &'a Operation) -> Pending<'a, Written> {
        self.within(async move {
            let written = self.0.execute(table, operation).await?;
            self.accessed(table, operation.partition_key(), 1);
            Ok(written)
        })
    }

    fn transact<'a>(
        &'a self,
        table: &'a TableName,
        operations: &'a [Operation],
    ) -> Pending<'a, Vec<Written>> {
        self.within(async move {
            let written = self.0.transact(table, operations).await.map_err(|failure| match failure {
                Failure::NoTable => TableError::from(failure).at(0),
                failure => failure.into(),
            })?;
            self.accessed(table, operations.first().map_or("", Operation::partition_key), written.len());
            Ok(written)
        })
    }

    fn confirm<'a>(
        &'a self,
        table: &'a TableName,
        partition_key: &'a str,
        row_key: &'a str,
        version: &'a ETag,
    ) -> Pending<'a, bool> {
        self.within(async move {
            let confirmed = self.0.confirm_version(table, (partition_key, row_key), version).await;
            confirmed.map_err(TableError::from)
        })
    }

    fn list_outbox<'a>(
        &'a self,
        which: OutboxKind,
        after: Option<&'a OutboxRow>,
        most: usize,
    ) -> Pending<'a, Vec<OutboxRow>> {
        self.within(async move { self.0.list_outbox(which, after, most).await.map_err(TableError::from) })
    }
}
