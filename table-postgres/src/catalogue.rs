//! The tables: their ids by name, and their statements.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

use table_model::{
    ErrorCode, Result, TableName,
    service::{ListTables, TablesSegment},
    token::Scope,
};

use tokio_postgres::Row;

use crate::{connections::take, failure::Failure, postgres::Inner, statements::Statements};

/// Id of the list of tables in tokens.
const LIST: u32 = 1;

/// A table that exists, or existed a moment ago.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) id: u32,
    pub(crate) statements: Statements,
}

/// The tables that requests have used. Another process may have deleted one: its statements then fail, as the database has
/// no such table, and its name is looked up again.
#[derive(Debug, Default)]
pub(crate) struct Names(RwLock<HashMap<String, Arc<Known>>>);

impl Names {
    fn get(&self, name: &TableName) -> Option<Arc<Known>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(name.folded()).cloned()
    }

    fn set(&self, name: &TableName, known: &Arc<Known>) {
        let mut names = self.0.write().unwrap_or_else(PoisonError::into_inner);
        names.insert(name.folded().to_owned(), Arc::clone(known));
    }

    /// Removes a table whose statements failed.
    pub(crate) fn forget(&self, name: &TableName) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).remove(name.folded());
    }
}

impl Inner {
    /// Returns a table by its name.
    pub(crate) async fn table(&self, name: &TableName) -> Result<Arc<Known>, Failure> {
        if let Some(known) = self.names.get(name) {
            return Ok(known);
        }
        let query = format!("SELECT id FROM {}.tables WHERE folded = $1", self.options.quoted_schema());
        let row = take(&self.pool).await?.query_opt(&query, &[&name.folded()]).await?;
        let id: i32 = row.ok_or(Failure::NoTable)?.get(0);
        let known = Arc::new(self.known(id)?);
        self.names.set(name, &known);
        Ok(known)
    }

    fn known(&self, id: i32) -> Result<Known, Failure> {
        let id = u32::try_from(id).map_err(|_| Failure::NoTable)?;
        Ok(Known { id, statements: Statements::new(&self.options.quoted_schema(), id) })
    }

    /// Returns the tables in the order of their ids, from one on.
    pub(crate) async fn tables_from(&self, first: Option<&TableName>) -> Result<Vec<TableName>, Failure> {
        let query = format!(
            "SELECT name FROM {0}.tables WHERE id >= coalesce((SELECT id FROM {0}.tables WHERE folded = $1), 0) ORDER BY id",
            self.options.quoted_schema()
        );
        let rows = take(&self.pool).await?.query(&query, &[&first.map(TableName::folded)]).await?;
        let name = |row: &Row| TableName::new(row.get::<_, String>(0)).map_err(Failure::from);
        rows.iter().map(name).collect()
    }

    pub(crate) async fn create_table(&self, name: &TableName) -> Result<(), Failure> {
        let mut client = take(&self.pool).await?;
        let transaction = client.transaction().await?;
        let insert = format!(
            "INSERT INTO {}.tables (folded, name) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING id",
            self.options.quoted_schema()
        );
        let row = transaction.query_opt(&insert, &[&name.folded(), &name.as_str()]).await?;
        let Some(row) = row else { return Err(Failure::Refused(ErrorCode::TableAlreadyExists.into())) };
        let known = self.known(row.get(0))?;
        transaction.batch_execute(&known.statements.create).await?;
        transaction.commit().await?;
        self.names.set(name, &Arc::new(known));
        Ok(())
    }

    pub(crate) async fn delete_table(&self, name: &TableName) -> Result<(), Failure> {
        let mut client = take(&self.pool).await?;
        let transaction = client.transaction().await?;
        let delete =
            format!("DELETE FROM {}.tables WHERE folded = $1 RETURNING id", self.options.quoted_schema());
        let row = transaction.query_opt(&delete, &[&name.folded()]).await?;
        let Some(row) = row else { return Err(Failure::Refused(ErrorCode::ResourceNotFound.into())) };
        transaction.batch_execute(&self.known(row.get(0))?.statements.drop).await?;
        transaction.commit().await?;
        self.names.forget(name);
        Ok(())
    }

    pub(crate) async fn list_tables(&self, request: &ListTables) -> Result<TablesSegment, Failure> {
        let top = request.check()?;
        let scope = Scope { table: LIST, filter: request.filter.as_ref(), descending: false };
        let mut start = match &request.continuation {
            Some(token) => String::from_utf8_lossy(&scope.open(self.token_key, token)?).into_owned(),
            None => String::new(),
        };
        let mut tables = Vec::new();
        let query = format!(
            "SELECT folded, name FROM {}.tables WHERE folded >= $1 ORDER BY folded LIMIT 1001",
            self.options.quoted_schema()
        );
        let client = take(&self.pool).await?;
        if top == 0 {
            return Ok(TablesSegment { tables, continuation: None });
        }
        loop {
            let rows = client.query(&query, &[&start]).await?;
            for row in &rows {
                start = row.get(0);
                if tables.len() == top {
                    let continuation = Some(scope.seal(self.token_key, start.as_bytes())?);
                    return Ok(TablesSegment { tables, continuation });
                }
                let name = TableName::new(row.get::<_, String>(1))?;
                if request.accepts(&name) {
                    tables.push(name);
                }
            }
            if rows.len() <= 1000 {
                return Ok(TablesSegment { tables, continuation: None });
            }
            start.push('\0');
        }
    }
}
