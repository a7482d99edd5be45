//! Writes to the store named by the first argument, from the number in the second on, and prints a line for each write
//! that was acknowledged; until it is killed.

use std::{
    env,
    error::Error,
    io::{self, Write as _},
};

use table_store::{Entity, ErrorCode, Operation, embedded::Store};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let (path, first) = (arguments.next().ok_or("a path")?, arguments.next().ok_or("a number")?);
    let store = Store::open(path)?.blocking();
    let table = "Ledger".parse()?;
    match store.create_table(&table) {
        Err(error) if error.code() != ErrorCode::TableAlreadyExists => return Err(error.into()),
        _ => {}
    }
    let mut out = io::stdout();
    for number in first.parse::<u64>()?.. {
        // Three rows in one transaction, which must survive together; their sizes differ from write to write.
        let text = "x".repeat(usize::try_from(number % 97)? * 20);
        let row = |side| Entity::new(format!("{number:08}"), side).with("Text", text.clone());
        let rows = ["credit", "debit", "note"].map(|side| Operation::Insert(row(side)));
        store.transact(&table, rows.to_vec())?;
        writeln!(out, "{number}")?;
        out.flush()?;
    }
    Ok(())
}
