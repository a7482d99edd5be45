//! Tables of a design.

use std::cell::RefCell;

use table_model::TableName;

use crate::{Error, design::Design};

/// Returns the single table of a design, or an error if the design has a table for each period.
pub(crate) fn table_of(design: &'static Design) -> Result<TableName, Error> {
    if design.tables.is_some() {
        return Err(Error::PerPeriodTable { entity: design.name, table: design.table });
    }
    table_named(design.table)
}

/// Returns the table with a name from a design. The name is validated once per thread, because every request needs it.
pub(crate) fn table_named(name: &'static str) -> Result<TableName, Error> {
    thread_local! {
        static KNOWN: RefCell<Vec<(&'static str, TableName)>> = const { RefCell::new(Vec::new()) };
    }
    KNOWN.with_borrow_mut(|known| {
        // Each design's name is a `&'static str` at one address, so pointers can be compared.
        if let Some((_, table)) = known.iter().find(|(text, _)| std::ptr::eq(*text, name)) {
            return Ok(table.clone());
        }
        let table = TableName::new(name)?;
        known.push((name, table.clone()));
        Ok(table)
    })
}
