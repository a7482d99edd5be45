use std::cmp::Ordering;

use table_model::{
    Continuation, ErrorCode, Filter, Query, Result, RowRef, Rows, TableError, TableName, TableService,
    key::compare,
};

/// Size in bytes at which a page of the embedded store ends; those of other services are about as large.
const PAGE_BYTES: usize = 4 << 20;

/// The rows of a table in key order, one page in memory.
pub(super) struct Pages<'c> {
    service: &'c dyn TableService,
    table: &'c TableName,
    filter: Option<Filter>,
    rows: Rows,
    at: usize,
    next: Next,
}

enum Next {
    First,
    After(Continuation),
    End,
}

impl<'c> Pages<'c> {
    pub(super) const fn new(
        service: &'c dyn TableService,
        table: &'c TableName,
        filter: Option<Filter>,
    ) -> Self {
        Self { service, table, filter, rows: Rows::new(), at: 0, next: Next::First }
    }

    /// Returns whether a page must be read before [`row`](Self::row) is valid.
    pub(super) fn must_read(&self) -> bool {
        self.at >= self.rows.len() && !matches!(self.next, Next::End)
    }

    /// Reads pages until one has a row.
    ///
    /// # Errors
    /// Those of the service; `InternalError` if its rows are not in key order.
    pub(super) async fn read(&mut self) -> Result<()> {
        while self.must_read() {
            let mut query = Query::new().read_bytes(PAGE_BYTES);
            query.filter.clone_from(&self.filter);
            if let Next::After(token) = &self.next {
                query.continuation = Some(token.clone());
            }
            let segment = self.service.query(self.table, query).await?;
            self.check_order(&segment.rows)?;
            (self.rows, self.at) = (segment.rows, 0);
            self.next = segment.continuation.map_or(Next::End, Next::After);
        }
        Ok(())
    }

    /// A merge of unordered rows would find differences that do not exist.
    fn check_order(&self, page: &Rows) -> Result<()> {
        let before = self.rows.len().checked_sub(1).and_then(|last| self.rows.get(last));
        let mut rows = before.into_iter().chain(page);
        let Some(mut last) = rows.next() else { return Ok(()) };
        for row in rows {
            if order(last, row) != Ordering::Less {
                let message = format!(
                    "The service does not return the rows of the table {} in key order; such a table cannot be compared.",
                    self.table
                );
                return Err(TableError::with_message(ErrorCode::InternalError, message));
            }
            last = row;
        }
        Ok(())
    }

    /// Treats the table as empty, if the error is that it does not exist.
    pub(super) fn end_if_missing(&mut self, done: Result<()>) -> Result<()> {
        match done {
            Err(error) if error.code() == ErrorCode::TableNotFound => {
                self.next = Next::End;
                Ok(())
            }
            done => done,
        }
    }

    /// Returns the current row; `None` at the end.
    pub(super) fn row(&self) -> Option<RowRef<'_>> {
        self.rows.get(self.at)
    }

    /// Takes the rest of the current page.
    pub(super) fn take_page(&mut self) -> Rows {
        self.at = 0;
        std::mem::take(&mut self.rows)
    }

    pub(super) fn advance(&mut self) {
        self.at += 1;
    }
}

/// Compares the keys of two rows.
pub(super) fn order(left: RowRef<'_>, right: RowRef<'_>) -> Ordering {
    let compared = |left: Option<&str>, right: Option<&str>| {
        compare(left.unwrap_or_default(), right.unwrap_or_default())
    };
    compared(left.partition_key, right.partition_key).then_with(|| compared(left.row_key, right.row_key))
}
