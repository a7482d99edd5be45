//! Compares the file with the journals, without the library.

use std::fmt;

use pollster::block_on;
use table_store::{Query, RowRef, Store, TableName, TableService, ValueRef};

use crate::{
    faults::connect::Failure,
    migration::{
        book::Book,
        design::{SHARED, note_of},
        plan::{Plan, SHARED_COUNT},
    },
};

/// Maximum number of violations that are listed.
const LISTED: usize = 20;

/// Result of the comparison.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// Number of entities in the end.
    pub entities: u64,
    /// Number of acknowledged writes.
    pub acknowledged: u64,
    /// Number of writes of unknown outcome.
    pub unknown: u64,
    pub violations: u64,
    pub listed: Vec<String>,
}

/// The numbers of the entities that were found.
struct Seen(Vec<u64>);

/// Compares the file of a run with its journals.
///
/// # Errors
///
/// Returns an error if the file or a journal cannot be read.
pub fn judge(plan: &Plan) -> Result<Verdict, Failure> {
    let books: Vec<Book> = (0..plan.writers)
        .map(|number| Book::read(&plan.journal(number), plan.entities))
        .collect::<Result<_, _>>()?;
    let mut verdict = Verdict::default();
    for book in &books {
        verdict.acknowledged += book.acknowledged;
        verdict.unknown += book.unknown;
        book.wrong.iter().for_each(|what| verdict.wrong(what.clone()));
    }
    let store = Store::open(plan.file())?;
    each(&store, "Orders", |row| verdict.wrong(format!("a row is left at {:?}", row.row_key)))?;
    let mut seen = Seen(Vec::new());
    each(&store, "AllOrders", |row| verdict.look(plan, &books, row, &mut seen))?;
    let written = books.iter().flat_map(Book::written).filter(|number| *number >= plan.entities);
    let shared = (0..SHARED_COUNT).map(|number| SHARED + number);
    for number in (0..plan.entities).chain(written).chain(shared) {
        let may_be_absent = number < SHARED && book_of(plan, &books, number).known(number).contains(&None);
        if !may_be_absent && !seen.contains(number) {
            verdict.wrong(format!("{number} does not exist"));
        }
    }
    block_on(store.close())?;
    Ok(verdict)
}

fn book_of<'b>(plan: &Plan, books: &'b [Book], number: u32) -> &'b Book {
    &books[(number % plan.writers) as usize]
}

/// Reads all rows of a table.
fn each(store: &Store, table: &str, mut look: impl FnMut(RowRef<'_>)) -> Result<(), Failure> {
    let (table, mut query) = (TableName::new(table)?, Query::new());
    loop {
        let segment = block_on(store.query(&table, query.clone()))?;
        segment.rows.iter().for_each(&mut look);
        match segment.continuation {
            None => return Ok(()),
            Some(token) => query = query.continuation(token),
        }
    }
}

fn property(row: RowRef<'_>, name: &str) -> Option<u32> {
    match row.properties.get(name) {
        Some(ValueRef::Int64(number)) => u32::try_from(number).ok(),
        _ => None,
    }
}

impl Verdict {
    fn wrong(&mut self, what: String) {
        self.violations += 1;
        if self.listed.len() < LISTED {
            self.listed.push(what);
        }
    }

    /// Checks a row at the new keys.
    fn look(&mut self, plan: &Plan, books: &[Book], row: RowRef<'_>, seen: &mut Seen) {
        let key = row.row_key.unwrap_or_default();
        let Some(number) = key.strip_prefix("o_") else {
            if !key.starts_with("t_") {
                self.wrong(format!("a row at {key}"));
            }
            return;
        };
        let (Ok(number), Some(total)) = (number.parse(), property(row, "total")) else {
            return self.wrong(format!("{key} has no total"));
        };
        if row.properties.get("EntityType") != Some(ValueRef::String("Order")) {
            return self.wrong(format!("{key} is not an entity"));
        }
        self.entities += 1;
        if !seen.insert(number) {
            self.wrong(format!("{number} exists twice"));
        }
        let note = property(row, "note");
        if number >= SHARED {
            let (done, all) = books
                .iter()
                .map(|book| book.added(number))
                .fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
            if !(done..=all).contains(&u64::from(total)) {
                self.wrong(format!("{number} is {total}, expected {done} to {all}"));
            }
            return;
        }
        let book = book_of(plan, books, number);
        let known = book.known(number);
        if !known.contains(&Some(total)) {
            self.wrong(format!("{number} is {total}, expected one of {known:?}"));
        }
        if !book.is_renewed(number) && note != note_of(number) {
            self.wrong(format!("the note of {number} is {note:?}"));
        }
    }
}

impl Seen {
    fn place(number: u32) -> (usize, u64) {
        // The shared entities follow the others.
        let number = if number >= SHARED { number - SHARED } else { number + SHARED_COUNT };
        ((number / 64) as usize, 1 << (number % 64))
    }

    /// Returns `false` if the number was found before.
    fn insert(&mut self, number: u32) -> bool {
        let (at, bit) = Self::place(number);
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        let is_new = self.0[at] & bit == 0;
        self.0[at] |= bit;
        is_new
    }

    fn contains(&self, number: u32) -> bool {
        let (at, bit) = Self::place(number);
        self.0.get(at).is_some_and(|bits| bits & bit != 0)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entities, acknowledged, unknown, violations, listed } = self;
        write!(f, "{entities} entities, {acknowledged} acknowledged writes, {unknown} of unknown outcome, ")?;
        write!(f, "{violations} violations")?;
        listed.iter().try_for_each(|what| write!(f, "\n  {what}"))
    }
}
