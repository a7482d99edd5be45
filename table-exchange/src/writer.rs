use std::io::{self, Write};

use table_model::RowRef;

use crate::{Columns, Dialect, csv::CsvWriter, json_lines::JsonLinesWriter};

/// A writer of rows to a file. It writes many small pieces, so the output should be buffered.
#[derive(Debug)]
pub struct Writer<W: Write>(Form<W>);

#[derive(Debug)]
enum Form<W: Write> {
    Csv(Box<CsvWriter<W>>),
    JsonLines(JsonLinesWriter<W>),
}

impl<W: Write> Writer<W> {
    /// Creates a CSV writer with these property columns after the keys and the timestamp, and writes the header line.
    ///
    /// # Errors
    /// Returns the error of the output.
    pub fn csv(out: W, columns: Columns, dialect: Dialect) -> io::Result<Self> {
        Ok(Self(Form::Csv(Box::new(CsvWriter::new(out, columns, dialect)?))))
    }

    /// Creates a JSON Lines writer.
    pub fn json_lines(out: W) -> Self {
        Self(Form::JsonLines(JsonLinesWriter::new(out)))
    }

    /// Writes a row.
    ///
    /// # Errors
    /// Returns the error of the output. For CSV, also fails if the row has a property without a column, so that no
    /// value is lost.
    pub fn write(&mut self, row: &RowRef<'_>) -> io::Result<()> {
        match &mut self.0 {
            Form::Csv(writer) => writer.write(row),
            Form::JsonLines(writer) => writer.write(row),
        }
    }

    /// Flushes buffered output.
    ///
    /// # Errors
    /// Returns the error of the output.
    pub fn finish(self) -> io::Result<()> {
        match self.0 {
            Form::Csv(writer) => writer.finish(),
            Form::JsonLines(writer) => writer.finish(),
        }
    }
}
