use std::io;

use table_model::{Name, Query, Rows, TableError, TableName, TableService, name::SYSTEM};

use crate::{Columns, Writer};

/// Statistics of an export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// Number of exported entities.
    pub entities: u64,
    /// Number of requests that read them.
    pub segments: u64,
}

/// The error of an export.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The service failed to return rows.
    #[error(transparent)]
    Service(#[from] TableError),
    /// Writing to the output failed.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Writes the results of a query, segment by segment, and reports the running totals and the rows of each segment. Each segment
/// is a consistent snapshot; the complete export is not if concurrent writers change the table.
///
/// # Errors
/// Returns [`ExportError::Service`] if a query fails and [`ExportError::Output`] if the output or its columns do not
/// accept a row.
pub async fn export<W: io::Write>(
    service: &dyn TableService,
    table: &TableName,
    query: Query,
    writer: &mut Writer<W>,
    mut told: impl FnMut(Exported, &Rows),
) -> Result<Exported, ExportError> {
    let mut exported = Exported::default();
    let mut query = with_keys(query);
    loop {
        let segment = service.query(table, query.clone()).await?;
        for row in &segment.rows {
            writer.write(&row)?;
            exported.entities += 1;
        }
        exported.segments += 1;
        told(exported, &segment.rows);
        let Some(next) = segment.continuation else { return Ok(exported) };
        query = query.continuation(next);
    }
}

impl Columns {
    /// Collects the properties of all entities that match a query. This reads every matching row and keeps only the
    /// property names.
    ///
    /// # Errors
    /// Returns the error of the service if a query fails.
    pub async fn of_query(
        service: &dyn TableService,
        table: &TableName,
        mut query: Query,
    ) -> Result<Self, TableError> {
        let mut columns = Self::new();
        loop {
            let segment = service.query(table, query.clone()).await?;
            for row in &segment.rows {
                columns.note(&row);
            }
            let Some(next) = segment.continuation else { return Ok(columns) };
            query = query.continuation(next);
        }
    }
}

/// Adds the keys and the timestamp to the projection: a file without keys cannot be imported.
fn with_keys(mut query: Query) -> Query {
    if let Some(select) = &mut query.select {
        let missing: Vec<Name> = SYSTEM
            .into_iter()
            .filter(|name| !select.iter().any(|known| known == name))
            .map(Name::from)
            .collect();
        select.extend(missing);
    }
    query
}
