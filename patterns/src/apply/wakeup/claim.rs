//! A reservation in progress.

use table_model::{Condition, Operation};

use super::{Claim, Hint, Looked};
use crate::{
    Address, Error, Receipt, Tables,
    apply::seen::{ATTEMPTS, Seen},
    write::abort_record::{Fence, fence},
};

/// Removes a reservation that was not committed. A claimant that is still running must retry.
pub(super) async fn look(tables: &Tables, hint: &Hint, claim: &Claim) -> Result<Looked, Error> {
    // A shared wake-up message contains no claims.
    let Some(token) = hint.token.clone() else { return Ok(Looked::Done) };
    let (table, partition_key) = (hint.table.clone(), hint.partition_key.clone());
    let is_gone = abandon(tables, &claim.row, &Receipt { table, partition_key, token }).await?;
    Ok(if is_gone { Looked::Done } else { Looked::Left })
}

/// Removes the reservation of an abandoned attempt, or updates the row to match its entity. Returns whether the
/// reservation is gone.
pub(crate) async fn abandon(tables: &Tables, row: &Address, attempt: &Receipt) -> Result<bool, Error> {
    for _ in 0..ATTEMPTS {
        let etag = match Seen::at(tables, row).await? {
            Seen::Pending { etag, token, .. } if token == attempt.token => etag,
            _ => return Ok(true),
        };
        if let Fence::Committed(_) = fence(tables, attempt).await? {
            // The commit record was written after the records of the partition were processed.
            return Ok(false);
        }
        let (partition_key, row_key) = (row.partition_key.clone(), row.row_key.clone());
        let condition = Condition::Matches(etag);
        let delete = Operation::Delete { partition_key, row_key, condition };
        match tables.execute(&row.table, &delete).await {
            Ok(_) => return Ok(true),
            Err(error) if error.is_conflict() || error.is_not_found() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(false)
}
