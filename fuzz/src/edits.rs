//! Changes of files, and the rows of a store.

use std::collections::BTreeMap;

use arbitrary::Unstructured;
use table_store::{BlockingStore, Query, Row, TableError};

use crate::stores;

/// Length of a sector in bytes.
const SECTOR: usize = 512;

/// The rows of the only table, by their RowKey.
pub type Rows = BTreeMap<String, Row>;

/// Reads all rows.
///
/// # Errors
///
/// Returns the error of the query.
pub fn rows(store: &BlockingStore) -> Result<Rows, TableError> {
    let rows = store.query(&stores::table(), Query::new())?.rows;
    let rows = rows.iter().map(|row| row.to_row());
    Ok(rows.map(|row| (row.row_key.clone().expect("all is selected"), row)).collect())
}

/// Makes one change: a bit, some bytes, a sector, or the length. Most changes are at one of the positions `used`.
///
/// # Errors
///
/// Returns the error of the input, if it is too short.
pub fn change(bytes: &mut Vec<u8>, used: &[usize], input: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    if bytes.is_empty() || used.is_empty() {
        return Ok(());
    }
    let at = if input.ratio(3, 4)? { *input.choose(used)? } else { input.choose_index(bytes.len())? };
    let from = *input.choose(used)? / SECTOR * SECTOR;
    let form = input.int_in_range(0..=9)?;
    if form == 0 {
        bytes.truncate(at);
        return Ok(());
    }
    let before = bytes.clone();
    let Some(byte) = bytes.get_mut(at) else { return Ok(()) };
    match form {
        1..=4 => *byte ^= 1 << input.int_in_range(0..=7)?,
        5 => *byte = input.arbitrary()?,
        6 => {
            let with: [u8; 8] = input.arbitrary()?;
            bytes.iter_mut().skip(at).zip(with).for_each(|(byte, with)| *byte = with);
        }
        7 => bytes.iter_mut().skip(at / SECTOR * SECTOR).take(SECTOR).for_each(|byte| *byte = 0),
        8 => bytes.iter_mut().skip(at / SECTOR * SECTOR).for_each(|byte| *byte = 0),
        _ => {
            let with = before.iter().skip(from).take(SECTOR);
            bytes.iter_mut().skip(at / SECTOR * SECTOR).zip(with).for_each(|(byte, with)| *byte = *with);
        }
    }
    Ok(())
}
