//! Rows as pieces of a file.

use std::{
    io::{self, Write},
    mem,
    sync::{Arc, Mutex, PoisonError},
};

use table_exchange::{Columns, Dialect, Format, Writer};
use table_model::{Query, TableName, TableService};

use crate::body::Pieces;

/// Writes the results of a query, one segment at a time.
pub(super) async fn export(
    tables: &dyn TableService,
    table: &TableName,
    mut query: Query,
    format: Format,
    out: Pieces,
) -> io::Result<()> {
    let buffer = Buffer::default();
    let mut writer = match format {
        Format::Csv => {
            let columns = Columns::of_query(tables, table, query.clone()).await.map_err(io::Error::other)?;
            Writer::csv(buffer.clone(), columns, Dialect::default())?
        }
        Format::JsonLines => Writer::json_lines(buffer.clone()),
    };
    loop {
        let segment = tables.query(table, query.clone()).await.map_err(io::Error::other)?;
        segment.rows.iter().try_for_each(|row| writer.write(&row))?;
        out.send(buffer.take()).await;
        match segment.continuation {
            Some(next) => query = query.continuation(next),
            None => break,
        }
    }
    writer.finish()?;
    out.send(buffer.take()).await;
    Ok(())
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
