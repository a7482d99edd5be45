use std::io::{self, BufRead, Seek};

use crate::{Format, Line, Place, csv::CsvReader, json_lines::JsonLinesReader};

/// The entities of a file, in its order. After an error of the input it ends.
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

/// Why a file cannot be read at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The input failed.
    #[error(transparent)]
    Input(#[from] io::Error),
    /// The first line of a CSV file does not say what its columns are.
    #[error("the first line does not name the columns of a table: {0}")]
    Columns(String),
}

impl<R: BufRead> Reader<R> {
    /// Reads from the start; of CSV the first line, which names the columns.
    ///
    /// # Errors
    /// See [`ReadError`].
    pub fn new(format: Format, input: R) -> Result<Self, ReadError> {
        let form = match format {
            Format::Csv => Form::Csv(Box::new(CsvReader::new(input)?)),
            Format::JsonLines => Form::JsonLines(JsonLinesReader::new(input)?),
        };
        Ok(Self { form, is_over: false })
    }

    /// Where the next line begins.
    #[must_use]
    pub fn place(&self) -> Place {
        match &self.form {
            Form::Csv(reader) => reader.place(),
            Form::JsonLines(reader) => reader.place(),
        }
    }
}

impl<R: BufRead + Seek> Reader<R> {
    /// Goes to the end of a line that was read before, of the same file.
    ///
    /// # Errors
    /// If the input cannot go there.
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
