//! A writer's record of its calls: a line before each call, and a line after it.
//!
//! One system call appends each line to the file, so the line survives the process that wrote it.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write as _},
    path::Path,
};

/// A line of a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A call that gives an entity a value; `None` deletes it.
    Set(u32, Option<u32>),
    /// A call that adds one to a shared entity.
    Add(u32),
    /// The value of an entity, read after the process that wrote it was killed.
    Found(u32, Option<u32>),
    /// The previous call was acknowledged.
    Done,
    /// The previous call was rejected: nothing was written.
    Refused,
    /// A violation.
    Wrong(String),
}

/// The file of one writer.
#[derive(Debug)]
pub struct Journal(File);

impl Line {
    fn text(&self) -> String {
        let value = |value: &Option<u32>| value.map_or("gone".to_owned(), |value| value.to_string());
        match self {
            Self::Set(number, to) => format!("set {number} {}", value(to)),
            Self::Add(number) => format!("add {number}"),
            Self::Found(number, is) => format!("found {number} {}", value(is)),
            Self::Done => "done".to_owned(),
            Self::Refused => "refused".to_owned(),
            Self::Wrong(what) => format!("wrong {}", what.replace('\n', " ")),
        }
    }

    /// Parses a line. `None` if it was cut.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let change = || {
            let (number, value) = rest.split_once(' ')?;
            let value = if value == "gone" { None } else { Some(value.parse().ok()?) };
            Some((number.parse().ok()?, value))
        };
        Some(match word {
            "set" => change().map(|(number, value)| Self::Set(number, value))?,
            "found" => change().map(|(number, value)| Self::Found(number, value))?,
            "add" => Self::Add(rest.parse().ok()?),
            "done" => Self::Done,
            "refused" => Self::Refused,
            "wrong" => Self::Wrong(rest.to_owned()),
            _ => return None,
        })
    }
}

impl Journal {
    /// Opens the file of a writer.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        OpenOptions::new().create(true).append(true).open(path).map(Self)
    }

    /// Appends a line. Ends the process if this fails: a call must not be made without its journal.
    pub fn write(&mut self, line: &Line) {
        if let Err(error) = self.0.write_all(format!("{}\n", line.text()).as_bytes()) {
            eprintln!("the journal cannot be written: {error}");
            std::process::exit(3);
        }
    }
}
