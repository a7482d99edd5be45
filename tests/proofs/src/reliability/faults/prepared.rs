use table_store::{BlockingStore, Durability, OpenOptions, Operation, TableError, TableName};

use super::call::{ROWS, SWEPT_ROWS, entity, leaving, staff};
use crate::reliability::{Contents, SimClock, SimDisk, Violation, disk::Image, history};

pub(super) fn options(durability: Durability) -> OpenOptions {
    history::options(&SimClock::default(), durability)
}

/// Returns the contents of a disk image, without times.
pub(super) fn contents_of(image: Image) -> Result<Contents, Violation> {
    contents(&options(Durability::Full).open_disk(SimDisk::holding(image))?.blocking())
}

pub(super) fn contents(store: &BlockingStore) -> Result<Contents, Violation> {
    Contents::of(store).map(|contents| contents.without_times()).map_err(Violation::failed("reading all"))
}

pub(super) fn fill(store: &BlockingStore) -> Result<(), TableError> {
    let fill = |table: TableName, rows: usize| {
        store.create_table(&table)?;
        let rows: Vec<_> = (0..rows)
            .map(|row| Operation::Insert(entity(&format!("{row:04}"), i32::try_from(row).unwrap_or(0))))
            .collect();
        rows.chunks(100).try_for_each(|part| store.transact(&table, part).map(drop))
    };
    fill(staff()?, ROWS)?;
    fill(leaving()?, SWEPT_ROWS)
}
