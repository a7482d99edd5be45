use std::io::{self, Write};

use table_model::{Name, RowRef, ValueRef, name::SYSTEM};
use table_rest::wire::value::{push_time, push_value};

use super::TYPE;
use crate::{Columns, Dialect};

/// Writes one row per entity. The columns are fixed at construction.
#[derive(Debug)]
pub(crate) struct CsvWriter<W: Write> {
    out: csv::Writer<W>,
    columns: Vec<Name>,
    dialect: Dialect,
    /// Reused buffer for one field.
    text: String,
}

impl<W: Write> CsvWriter<W> {
    /// Creates a writer and writes the header line.
    pub(crate) fn new(out: W, columns: Columns, dialect: Dialect) -> io::Result<Self> {
        let mut out = csv::Writer::from_writer(out);
        let columns = columns.into_names();
        for system in SYSTEM {
            out.write_field(system)?;
        }
        for column in &columns {
            out.write_field(&**column)?;
            out.write_field(format!("{column}{TYPE}"))?;
        }
        out.write_record(None::<&[u8]>)?;
        Ok(Self { out, columns, dialect, text: String::new() })
    }

    pub(crate) fn write(&mut self, row: &RowRef<'_>) -> io::Result<()> {
        for key in [row.partition_key, row.row_key] {
            self.out.write_field(key.unwrap_or_default())?;
        }
        self.text.clear();
        if let Some(timestamp) = row.timestamp {
            push_time(&mut self.text, timestamp, ":");
        }
        self.out.write_field(&self.text)?;
        let mut properties = row.properties.cursor();
        let mut left = row.properties.len();
        for column in &self.columns {
            let Some(value) = properties.get(column) else {
                self.out.write_field("")?;
                self.out.write_field("")?;
                continue;
            };
            left = left.saturating_sub(1);
            self.out.write_field(text_of(&value, &mut self.text))?;
            self.out.write_field(self.dialect.name(value.edm_type()))?;
        }
        if left > 0 {
            return Err(io::Error::other(
                "an entity has a property that none had when the columns were collected",
            ));
        }
        Ok(self.out.write_record(None::<&[u8]>)?)
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Formats a value as the service does, without quotes and escapes.
fn text_of<'t>(value: &ValueRef<'t>, room: &'t mut String) -> &'t str {
    match value {
        ValueRef::String(text) => text,
        value => {
            room.clear();
            push_value(room, value);
            room.trim_matches('"')
        }
    }
}
