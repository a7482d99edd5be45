//! Rows as pieces of a file.

use std::{
    io::{self, Write},
    mem,
    sync::{Arc, Mutex, PoisonError},
};

use table_exchange::{Columns, Dialect, Format, Writer};
use table_model::{Query, Rows, TableName, TableService};

use crate::body::Pieces;

/// Writes the results of a query, one segment at a time.
pub(super) async fn export(
    tables: &dyn TableService,
    table: &TableName,
    query: Query,
    format: Format,
    out: Pieces,
) -> io::Result<()> {
    let buffer = Buffer::default();
    let mut writer = match format {
        Format::Csv => {
            let mut columns = Columns::new();
            let note = |rows: &Rows| {
                rows.iter().for_each(|row| columns.note(&row));
                Ok(Vec::new())
            };
            each_segment(tables, table, query.clone(), &out, note).await?;
            Writer::csv(buffer.clone(), columns, Dialect::default())?
        }
        Format::JsonLines => Writer::json_lines(buffer.clone()),
    };
    let write = |rows: &Rows| {
        rows.iter().try_for_each(|row| writer.write(&row))?;
        Ok(buffer.take())
    };
    each_segment(tables, table, query, &out, write).await?;
    writer.finish()?;
    out.send(buffer.take()).await
}

/// Reads all segments, and sends what `visit` makes of each.
async fn each_segment(
    tables: &dyn TableService,
    table: &TableName,
    mut query: Query,
    out: &Pieces,
    mut visit: impl FnMut(&Rows) -> io::Result<Vec<u8>>,
) -> io::Result<()> {
    loop {
        let segment = tables.query(table, query.clone()).await.map_err(io::Error::other)?;
        out.send(visit(&segment.rows)?).await?;
        match segment.continuation {
            Some(next) => query = query.continuation(next),
            None => return Ok(()),
        }
    }
}

/// What a writer has written since the last piece.
#[derive(Clone, Debug, Default)]
struct Buffer(Arc<Mutex<Vec<u8>>>);

impl Buffer {
    fn take(&self) -> Vec<u8> {
        mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
