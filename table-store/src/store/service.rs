use table_model::{
    Capabilities, Name, Operation, Pending, Query, Result, Rows, Segment, StorageFault, TableName,
    TableService, Written,
    service::{ListTables, OutboxKind, OutboxRow, TablesSegment, VisitRow, VisitedSegment},
};

use super::Store;
use crate::{accesses::Accesses, outbox_index, prepared::Prepared, read, request::Change, segment};

/// Content is validated and encoded on the caller's thread when the future is first polled. A write is then sent to the
/// writer and executed atomically, even if the future is dropped. A read runs immediately.
impl TableService for Store {
    fn capabilities(&self) -> &Capabilities {
        &self.0.capabilities
    }

    fn create_table<'a>(&'a self, table: &'a TableName) -> Pending<'a, ()> {
        Box::pin(async move { self.change(Change::CreateTable(table.clone())).await.map(drop) })
    }

    fn delete_table<'a>(&'a self, table: &'a TableName) -> Pending<'a, ()> {
        Box::pin(async move { self.change(Change::DeleteTable(table.clone())).await.map(drop) })
    }

    fn list_tables(&self, request: ListTables) -> Pending<'_, TablesSegment> {
        Box::pin(async move { read::list_tables(&self.0.core, &request) })
    }

    fn find<'a>(
        &'a self,
        table: &'a TableName,
        partition_key: &'a str,
        row_key: &'a str,
        select: Option<&'a [Name]>,
    ) -> Pending<'a, Rows> {
        Box::pin(async move { read::find(&self.0.core, table, partition_key, row_key, select) })
    }

    fn query<'a>(&'a self, table: &'a TableName, query: Query) -> Pending<'a, Segment> {
        Box::pin(async move { segment::segment(&self.0.core, table, &query) })
    }

    fn visit<'a>(
        &'a self,
        table: &'a TableName,
        query: Query,
        visit: VisitRow<'a>,
    ) -> Pending<'a, VisitedSegment> {
        Box::pin(async move { segment::visit(&self.0.core, table, &query, visit) })
    }

    fn list_outbox<'a>(
        &'a self,
        which: OutboxKind,
        after: Option<&'a OutboxRow>,
        most: usize,
    ) -> Pending<'a, Vec<OutboxRow>> {
        Box::pin(async move { outbox_index::list(&self.0.core, which, after, most) })
    }

    fn execute<'a>(&'a self, table: &'a TableName, operation: &'a Operation) -> Pending<'a, Written> {
        Box::pin(async move {
            operation.check(self.0.core.options.key_length)?;
            let prepared = vec![Prepared::new(operation)?];
            let written = self.write(table, prepared, false, operation.partition_key()).await?;
            let missing = || StorageFault::Bug { what: "a write returned no result".to_owned() };
            written.into_iter().next().ok_or_else(|| missing().into())
        })
    }

    fn transact<'a>(
        &'a self,
        table: &'a TableName,
        operations: &'a [Operation],
    ) -> Pending<'a, Vec<Written>> {
        Box::pin(async move {
            Operation::check_transaction(operations, self.0.core.options.key_length)?;
            let prepared = operations.iter().map(Prepared::new).collect::<Result<_, _>>()?;
            let partition_key = operations.first().map_or("", Operation::partition_key);
            self.write(table, prepared, true, partition_key).await
        })
    }
}

impl Store {
    async fn write(
        &self,
        table: &TableName,
        operations: Vec<Prepared>,
        transaction: bool,
        partition_key: &str,
    ) -> Result<Vec<Written>> {
        let change = Change::Write { table: table.clone(), operations, transaction };
        let written = self.change(change).await?;
        if let Some(accesses) = Accesses::of(&self.0.core, table) {
            accesses.add(partition_key, written.len() as u64);
        }
        Ok(written)
    }

    async fn change(&self, change: Change) -> Result<Vec<Written>> {
        self.0.committer.change(change).await
    }
}
