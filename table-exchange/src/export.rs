use std::io;

use table_store::{Name, Query, TableError, TableName, TableService, name::SYSTEM};

use crate::{Columns, Writer};

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// Entities.
    pub entities: u64,
    /// Requests that it took to read them.
    pub segments: u64,
}

/// Why an export does not end well.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The service does not give the rows.
    #[error(transparent)]
    Service(#[from] TableError),
    /// The output does not take them.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Writes what a query finds, segment by segment, and says after each how many entities there are. Each segment is of one
/// state of the table; the whole need not be, if others write meanwhile.
///
/// # Errors
/// See [`ExportError`].
pub async fn export<W: io::Write>(
    service: &dyn TableService,
    table: &TableName,
    query: Query,
    writer: &mut Writer<W>,
    mut told: impl FnMut(Exported),
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
        told(exported);
        let Some(next) = segment.continuation else { return Ok(exported) };
        query = query.continuation(next);
    }
}

impl Columns {
    /// The properties of all that a query finds: a pass over the rows, of which nothing is kept but names.
    ///
    /// # Errors
    /// What the service says.
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

/// A file without keys could not be read again.
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
