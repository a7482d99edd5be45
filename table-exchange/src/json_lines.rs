//! JSON Lines: one entity per line, as JSON of the table service.

mod reason;

use std::io::{self, BufRead, Seek, Write};

use memchr::memchr;
use table_model::{Entity, RowRef};
use table_rest::wire::entity::{EntityBody, push_entity};

use crate::{Broken, Line, MOST_BYTES, Place, source::Source};

#[derive(Debug)]
pub(crate) struct JsonLinesReader<R> {
    source: Source<R>,
    line: Vec<u8>,
}

impl<R: BufRead> JsonLinesReader<R> {
    pub(crate) fn new(input: R) -> io::Result<Self> {
        Ok(Self { source: Source::new(input)?, line: Vec::new() })
    }

    pub(crate) const fn place(&self) -> Place {
        self.source.place()
    }

    /// Reads the next line that is not empty.
    pub(crate) fn line(&mut self) -> io::Result<Option<Line>> {
        loop {
            let number = self.place().line;
            if self.source.fill()?.is_empty() {
                return Ok(None);
            }
            let is_whole = self.take()?;
            let line = self.line.trim_ascii();
            if is_whole && line.is_empty() {
                continue;
            }
            let entity =
                if is_whole { read(line) } else { Err(format!("it is longer than {MOST_BYTES} bytes")) };
            let entity = entity.map_err(|reason| Broken { line: number, reason });
            return Ok(Some(Line { number, entity, end: self.place() }));
        }
    }

    /// Reads a line into the buffer. Returns `false` and skips the rest if the line exceeds the size limit.
    fn take(&mut self) -> io::Result<bool> {
        self.line.clear();
        loop {
            let filled = self.source.fill()?;
            let end = memchr(b'\n', filled);
            let bytes = end.map_or(filled.len(), |end| end + 1);
            if self.line.len() + bytes > MOST_BYTES {
                self.source.skip_line()?;
                return Ok(false);
            }
            self.line.extend_from_slice(filled.get(..bytes).unwrap_or_default());
            self.source.consume(bytes);
            if end.is_some() || bytes == 0 {
                return Ok(true);
            }
        }
    }
}

impl<R: BufRead + Seek> JsonLinesReader<R> {
    pub(crate) fn seek(&mut self, place: Place) -> io::Result<()> {
        self.source.seek(place)
    }
}

fn read(line: &[u8]) -> Result<Entity, String> {
    let body = EntityBody::read(line).map_err(|error| reason::broken(line, &error))?;
    if body.has_typed_keys {
        return Err("a key is of another type than String".to_owned());
    }
    let missing = |name: &str| format!("there is no `{name}`");
    Ok(Entity {
        partition_key: body.partition_key.ok_or_else(|| missing("PartitionKey"))?,
        row_key: body.row_key.ok_or_else(|| missing("RowKey"))?,
        properties: body.properties,
    })
}

/// Writes one JSON object per row.
#[derive(Debug)]
pub(crate) struct JsonLinesWriter<W> {
    out: W,
    line: String,
}

impl<W: Write> JsonLinesWriter<W> {
    pub(crate) const fn new(out: W) -> Self {
        Self { out, line: String::new() }
    }

    pub(crate) fn write(&mut self, row: &RowRef<'_>) -> io::Result<()> {
        self.line.clear();
        let keys = [row.partition_key, row.row_key].map(Option::unwrap_or_default);
        push_entity(&mut self.line, keys, row.timestamp, row.properties.iter());
        self.line.push('\n');
        self.out.write_all(self.line.as_bytes())
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }
}
