//! An upload in progress.

use super::{Hint, Looked, Upload};
use crate::{
    Error, Receipt, Tables,
    apply::collect::{self, Collected},
};

/// Deletes the blob if no entity references it or will reference it. Before the deadline, the attempt may still be
/// running.
pub(super) async fn look(
    tables: &Tables,
    hint: &Hint,
    upload: &Upload,
    is_over: bool,
) -> Result<Looked, Error> {
    let Some(token) = hint.token.clone().filter(|_| is_over) else { return Ok(Looked::Left) };
    let attempt = Receipt { table: hint.table.clone(), partition_key: hint.partition_key.clone(), token };
    match collect::collect(tables, &attempt, &upload.row_key, &upload.blob).await? {
        // The commit record references the blob. The worker that applies the record decides.
        Collected::Committed => Ok(Looked::Left),
        Collected::Named | Collected::Deleted => Ok(Looked::Done),
    }
}
