//! A client's record of its calls: a line before each call, and a line after it.
//!
//! One system call appends each line to the file, so the line survives the process that wrote it.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write as _},
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};

/// The file of one client for one life.
#[derive(Debug)]
pub struct Journal {
    file: File,
    calls: u64,
}

/// `true` if a call that ended can still take effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Conditional on the version that was read: it cannot take effect after a later successful write.
    Fenced,
    /// A late copy of it can take effect after later writes.
    Blind,
}

/// The result of a call from the client's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// It was acknowledged.
    Done,
    /// It was rejected: nothing was written.
    Refused,
    /// Its outcome is unknown, or its client ended first.
    Unknown,
}

impl Outcome {
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Refused => "refused",
            Self::Unknown => "unknown",
        }
    }

    pub(crate) fn of_word(word: &str) -> Option<Self> {
        [Self::Done, Self::Refused, Self::Unknown].into_iter().find(|outcome| outcome.word() == word)
    }
}

/// The effects of a write on registers: a value, or `None` if the write deletes it.
pub type Effects = Vec<(String, Option<i64>)>;

/// Returns the time in microseconds since 1970, by the clock of the machine, which never steps.
#[must_use]
pub fn micros() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_micros() as u64)
}

impl Journal {
    /// Creates a file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be created.
    pub fn create(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Self { file, calls: 0 })
    }

    /// Records a call before it is made, and returns its number.
    pub fn begin(&mut self, kind: &str, class: Class, effects: &[(String, Option<i64>)]) -> u64 {
        self.calls += 1;
        let class = if class == Class::Fenced { "fenced" } else { "blind" };
        let effects: Vec<String> = effects
            .iter()
            .map(|(key, value)| {
                format!("{key}={}", value.map_or("gone".to_owned(), |value| value.to_string()))
            })
            .collect();
        self.line(&format!("B\t{}\t{}\t{kind}\t{class}\t{}", self.calls, micros(), effects.join(" ")));
        self.calls
    }

    /// Records the result of a call.
    pub fn end(&mut self, call: u64, outcome: Outcome, detail: &str) {
        let detail = detail.replace(['\t', '\n', '\r'], " ");
        self.line(&format!("E\t{call}\t{}\t{}\t{detail}", micros(), outcome.word()));
    }

    /// Records a violation.
    pub fn violation(&mut self, what: &str) {
        let what = what.replace(['\t', '\n', '\r'], " ");
        self.line(&format!("V\t0\t{}\t{what}", micros()));
    }

    /// Records a note for the summary: a count of maintenance, a failure of a worker.
    pub fn note(&mut self, kind: &str, detail: &str) {
        let detail = detail.replace(['\t', '\n', '\r'], " ");
        self.line(&format!("N\t0\t{}\t{kind}\t{detail}", micros()));
    }

    fn line(&mut self, line: &str) {
        // A full disk ends the run: a call must not be made without its journal.
        if let Err(error) = self.file.write_all(format!("{line}\n").as_bytes()) {
            eprintln!("the journal cannot be written: {error}");
            std::process::exit(3);
        }
    }
}
