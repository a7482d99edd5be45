//! The CSV format of Storage Explorer: a value column and a type column for each property.

mod header;
mod records;
mod row;
mod writer;

pub(crate) use writer::CsvWriter;

use std::io::{self, BufRead, Seek};

use self::{header::Header, records::Records};
use crate::{Broken, Line, Place, ReadError};

/// The suffix of a type column, appended to the property name.
const TYPE: &str = "@type";

#[derive(Debug)]
pub(crate) struct CsvReader<R> {
    records: Records<R>,
    header: Header,
}

impl<R: BufRead> CsvReader<R> {
    pub(crate) fn new(input: R) -> Result<Self, ReadError> {
        let mut records = Records::new(input)?;
        let Some(number) = records.advance()? else {
            return Err(ReadError::Columns("the file is empty".to_owned()));
        };
        let header = records.fields().and_then(|fields| Header::read(&fields));
        let header = header.map_err(|reason| ReadError::Columns(format!("line {number}: {reason}")))?;
        Ok(Self { records, header })
    }

    pub(crate) const fn place(&self) -> Place {
        self.records.place()
    }

    pub(crate) fn line(&mut self) -> io::Result<Option<Line>> {
        let Some(number) = self.records.advance()? else { return Ok(None) };
        let entity = self.records.fields().and_then(|fields| row::entity(&self.header, &fields));
        let entity = entity.map_err(|reason| Broken { line: number, reason });
        Ok(Some(Line { number, entity, end: self.place() }))
    }
}

impl<R: BufRead + Seek> CsvReader<R> {
    pub(crate) fn seek(&mut self, place: Place) -> io::Result<()> {
        self.records.seek(place)
    }
}
