use std::io::{self, BufRead, Seek};

use crate::{Format, Line, Place, csv::CsvReader, json_lines::JsonLinesReader};

/// An iterator over the entities of a file, in file order. It ends after the first I/O error.
#[derive(Debug)]
pub struct Reader<R> {
    form: Form<R>,
    is_over: bool,
}

#[derive(Debug)]
enum Form<R> {
    Csv(Box<CsvReader<R>>),
    JsonLines(JsonLinesReader<R>),
}

/// The error of opening a file for reading.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// Reading the input failed.
    #[error(transparent)]
    Input(#[from] io::Error),
    /// The first line of a CSV file is not a valid header.
    #[error("the first line does not name the columns of a table: {0}")]
    Columns(String),
}

impl<R: BufRead> Reader<R> {
    /// Creates a reader at the start of a file. For CSV, this reads the header line.
    ///
    /// # Errors
    /// Returns [`ReadError::Input`] if the input fails and [`ReadError::Columns`] if the CSV header is invalid.
    pub fn new(format: Format, input: R) -> Result<Self, ReadError> {
        let form = match format {
            Format::Csv => Form::Csv(Box::new(CsvReader::new(input)?)),
            Format::JsonLines => Form::JsonLines(JsonLinesReader::new(input)?),
        };
        Ok(Self { form, is_over: false })
    }

    /// Returns the position of the next line.
    #[must_use]
    pub fn place(&self) -> Place {
        match &self.form {
            Form::Csv(reader) => reader.place(),
            Form::JsonLines(reader) => reader.place(),
        }
    }
}

impl<R: BufRead + Seek> Reader<R> {
    /// Moves to the end of a line that was read earlier from the same file.
    ///
    /// # Errors
    /// Returns the error of the input if seeking fails.
    pub fn seek(&mut self, place: Place) -> io::Result<()> {
        self.is_over = false;
        match &mut self.form {
            Form::Csv(reader) => reader.seek(place),
            Form::JsonLines(reader) => reader.seek(place),
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = io::Result<Line>;

    fn next(&mut self) -> Option<io::Result<Line>> {
        if self.is_over {
            return None;
        }
        let line = match &mut self.form {
            Form::Csv(reader) => reader.line(),
            Form::JsonLines(reader) => reader.line(),
        };
        self.is_over = !matches!(line, Ok(Some(_)));
        line.transpose()
    }
}
