//! An upload that was begun.

use super::{Hint, Looked, Upload};
use crate::{Error, Receipt, Tables, large};

/// Deletes the blob if no entity names it and none will. Before the deadline the attempt may be under way still.
pub(super) async fn look(
    tables: &Tables,
    hint: &Hint,
    upload: &Upload,
    is_over: bool,
) -> Result<Looked, Error> {
    let Some(token) = hint.token.clone().filter(|_| is_over) else { return Ok(Looked::Left) };
    let attempt = Receipt { table: hint.table.clone(), partition_key: hint.partition_key.clone(), token };
    match large::collect(tables, &attempt, &upload.row_key, &upload.blob).await? {
        // The record of the commit names it; this is for whoever follows that.
        large::Collected::Committed => Ok(Looked::Left),
        large::Collected::Named | large::Collected::Deleted => Ok(Looked::Done),
    }
}
