use std::io::{self, Write};

use table_store::RowRef;

use crate::{Columns, Dialect, csv::CsvWriter, json_lines::JsonLinesWriter};

/// A file that rows are written to. It writes in many small pieces: give it something with a buffer.
#[derive(Debug)]
pub struct Writer<W: Write>(Form<W>);

#[derive(Debug)]
enum Form<W: Write> {
    Csv(Box<CsvWriter<W>>),
    JsonLines(JsonLinesWriter<W>),
}

impl<W: Write> Writer<W> {
    /// CSV with these columns behind the keys and the timestamp. The first line is written now.
    ///
    /// # Errors
    /// If the output fails.
    pub fn csv(out: W, columns: Columns, dialect: Dialect) -> io::Result<Self> {
        Ok(Self(Form::Csv(Box::new(CsvWriter::new(out, columns, dialect)?))))
    }

    /// JSON Lines.
    pub fn json_lines(out: W) -> Self {
        Self(Form::JsonLines(JsonLinesWriter::new(out)))
    }

    /// Writes a row.
    ///
    /// # Errors
    /// If the output fails; of CSV also if the row has a property without a column: nothing is left out unsaid.
    pub fn write(&mut self, row: &RowRef<'_>) -> io::Result<()> {
        match &mut self.0 {
            Form::Csv(writer) => writer.write(row),
            Form::JsonLines(writer) => writer.write(row),
        }
    }

    /// Writes what is left in buffers.
    ///
    /// # Errors
    /// If the output fails.
    pub fn finish(self) -> io::Result<()> {
        match self.0 {
            Form::Csv(writer) => writer.finish(),
            Form::JsonLines(writer) => writer.finish(),
        }
    }
}
