//! Rows that are passed on as they are read.

use std::{ops::ControlFlow, sync::Arc};

use table_model::{ErrorCode, Query, RowRef, TableName};

use super::{Ask, Fetch, Plan, points::is_before};
use crate::{Error, handle::span, query::clause};

/// Function that receives the rows of a run. `Break` ends it.
pub(in crate::query) type OnRow<'f> =
    &'f mut (dyn FnMut(&mut Fetch, &TableName, RowRef<'_>) -> Result<ControlFlow<()>, Error> + Send);

impl Fetch {
    /// Sends the next request, or one request to each lane of a merge, and passes the rows to `on_row` until it breaks.
    /// Rows of an embedded store are read in place. Passes no rows at the end, or if the service stopped early.
    pub(in crate::query) async fn each(&mut self, on_row: OnRow<'_>) -> Result<ControlFlow<()>, Error> {
        span::within(&self.account.span(), self.pass_on(on_row)).await
    }

    async fn pass_on(&mut self, on_row: OnRow<'_>) -> Result<ControlFlow<()>, Error> {
        self.prepare().await?;
        if let Some((table, query)) = self.request() {
            return self.visit(&table, query, on_row).await;
        }
        let mut rows = self.validated().await?;
        while let Some((table, row)) = rows.peek() {
            let flow = on_row(self, table, row)?;
            rows.advance();
            if flow.is_break() {
                return Ok(flow);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Returns the next request, if its rows can be passed on as they are read.
    fn request(&mut self) -> Option<(TableName, Query)> {
        let is_segment = matches!(&self.plan, Ok(Plan { ask: Ask::Segments { .. }, .. }));
        // Validated rows are compared with their entities first, and a previous page is reversed.
        if !is_segment || clause::validates(&self.clauses) || self.position.is_back() {
            return None;
        }
        let (place, size) = (self.position.next.take()?, self.size());
        self.segment_at(place, size)
    }

    async fn visit(
        &mut self,
        table: &TableName,
        query: Query,
        on_row: OnRow<'_>,
    ) -> Result<ControlFlow<()>, Error> {
        let (service, descending) = (Arc::clone(self.tables.service()), query.descending);
        let is_inside = self.position.goal.is_some();
        let mut outcome = Ok(ControlFlow::Continue(()));
        let mut visit = |row: RowRef<'_>| {
            if let Some((partition_key, row_key)) = &self.position.goal {
                // Rows are in the order of the query.
                if is_before(row, partition_key, row_key, descending) {
                    return ControlFlow::Continue(());
                }
                self.position.goal = None;
            }
            outcome = on_row(self, table, row);
            if matches!(outcome, Ok(ControlFlow::Continue(()))) {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        };
        match service.visit(table, query, &mut visit).await {
            Err(error) if error.code() == ErrorCode::TableNotFound => {}
            visited => {
                let visited = self.accepted(table, descending, visited)?;
                let previous = visited.previous.filter(|_| !is_inside);
                self.passed(visited.stats, visited.continuation, previous);
            }
        }
        outcome
    }
}
