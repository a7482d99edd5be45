//! The process that is killed: it writes, and prints the acknowledged writes.

use std::{
    error::Error,
    io::{self, Write as _},
    path::Path,
    time::{Duration, Instant},
};

use table_store::{Durability, Entity, ErrorCode, OpenOptions, Operation};

/// The table that it writes to.
pub const TABLE: &str = "Ledger";
/// The rows of each write, in one transaction: they must survive together.
pub const ROWS: [&str; 3] = ["credit", "debit", "note"];

/// Writes to the store at `path` from the number `first` on, and prints a line for each acknowledged write: its number,
/// and the times of the request and of the acknowledgment, in microseconds. Returns only with an error.
///
/// # Errors
/// Returns the error of the store, of the file system or of the standard output.
pub fn write(path: &Path, first: u64, durability: Durability) -> Result<(), Box<dyn Error>> {
    let started = Instant::now();
    let store = OpenOptions::new().durability(durability).open(path)?.blocking();
    let table = TABLE.parse()?;
    match store.create_table(&table) {
        Err(error) if error.code() != ErrorCode::TableAlreadyExists => return Err(error.into()),
        _ => {}
    }
    let mut out = io::stdout();
    for number in first.. {
        // The sizes differ between writes.
        let text = "x".repeat(usize::try_from(number % 97)? * 20);
        let row = |side| Entity::new(format!("{number:08}"), side).with("Text", text.clone());
        let rows = ROWS.map(|side| Operation::Insert(row(side)));
        let asked = started.elapsed();
        store.transact(&table, &rows)?;
        writeln!(out, "{number} {} {}", asked.as_micros(), started.elapsed().as_micros())?;
        out.flush()?;
    }
    Ok(())
}

/// The printed line of a write.
#[derive(Clone, Copy, Debug)]
pub struct Acknowledged {
    /// Its number.
    pub number: u64,
    /// The time of the request, by the clock of the process.
    pub asked: Duration,
    /// The time of the acknowledgment.
    pub answered: Duration,
}

impl Acknowledged {
    /// Parses a line.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let mut numbers = line.split(' ').map(str::parse);
        let mut next = || numbers.next()?.ok();
        let (number, asked, answered) = (next()?, next()?, next()?);
        let [asked, answered] = [asked, answered].map(Duration::from_micros);
        Some(Self { number, asked, answered })
    }
}
