//! What a writer knows of its entities, from its journal.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::Path,
};

use crate::migration::journal::Line;

/// The entities that a writer has written.
#[derive(Clone, Debug, Default)]
pub struct Book {
    /// Number of entities that existed before the run, with the value 0.
    first: u32,
    /// The values that an entity may have; `None` if it does not exist. More than one if a call did not end.
    values: BTreeMap<u32, Vec<Option<u32>>>,
    /// Entities that were deleted or inserted.
    renewed: BTreeSet<u32>,
    /// For each shared entity, the numbers of acknowledged and of all calls that may have added to it.
    added: BTreeMap<u32, (u64, u64)>,
    /// The largest value.
    last: u32,
    /// The call that has not ended.
    open: Option<Line>,
    pub wrong: Vec<String>,
    pub acknowledged: u64,
    pub unknown: u64,
}

impl Book {
    /// Reads a journal; a missing one is empty.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, or contains a line that no writer wrote.
    pub fn read(path: &Path, first: u32) -> io::Result<Self> {
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            text => text?,
        };
        let mut book = Self { first, ..Self::default() };
        for line in text.lines() {
            book.add(Line::parse(line).ok_or_else(|| io::Error::other(format!("invalid line `{line}`")))?);
        }
        book.give_up();
        Ok(book)
    }

    /// Adds a line.
    pub fn add(&mut self, line: Line) {
        match line {
            Line::Set(..) | Line::Add(_) => {
                self.give_up();
                if let Line::Set(_, Some(value)) = line {
                    self.last = self.last.max(value);
                }
                self.open = Some(line);
            }
            Line::Done => self.done(),
            Line::Refused => self.open = None,
            Line::Found(number, value) => {
                self.values.insert(number, vec![value]);
            }
            Line::Wrong(what) => self.wrong.push(what),
        }
    }

    fn done(&mut self) {
        self.acknowledged += 1;
        match self.open.take() {
            Some(Line::Set(number, value)) => {
                self.renew(number, value);
                self.values.insert(number, vec![value]);
            }
            Some(Line::Add(number)) => {
                let (done, all) = self.added.entry(number).or_default();
                (*done, *all) = (*done + 1, *all + 1);
            }
            _ => {}
        }
    }

    /// Ends a call of unknown outcome.
    fn give_up(&mut self) {
        match self.open.take() {
            Some(Line::Set(number, value)) => {
                self.unknown += 1;
                self.renew(number, value);
                let mut values = self.known(number);
                values.push(value);
                self.values.insert(number, values);
            }
            Some(Line::Add(number)) => {
                self.unknown += 1;
                self.added.entry(number).or_default().1 += 1;
            }
            _ => {}
        }
    }

    fn renew(&mut self, number: u32, value: Option<u32>) {
        if value.is_none() || self.known(number).contains(&None) {
            self.renewed.insert(number);
        }
    }

    /// Returns the values that an entity may have.
    #[must_use]
    pub fn known(&self, number: u32) -> Vec<Option<u32>> {
        let first = || vec![(number < self.first).then_some(0)];
        self.values.get(&number).cloned().unwrap_or_else(first)
    }

    /// Returns the entities whose value is not certain.
    #[must_use]
    pub fn uncertain(&self) -> Vec<u32> {
        self.values.iter().filter(|(_, values)| values.len() > 1).map(|(number, _)| *number).collect()
    }

    /// Returns the numbers of all entities that were written.
    pub fn written(&self) -> impl Iterator<Item = u32> {
        self.values.keys().copied()
    }

    /// Returns whether an entity was deleted or inserted.
    #[must_use]
    pub fn is_renewed(&self, number: u32) -> bool {
        self.renewed.contains(&number)
    }

    /// Returns the acknowledged and all additions to a shared entity.
    #[must_use]
    pub fn added(&self, number: u32) -> (u64, u64) {
        self.added.get(&number).copied().unwrap_or_default()
    }

    /// Returns a value that no entity has had.
    #[must_use]
    pub const fn next(&self) -> u32 {
        self.last + 1
    }
}
