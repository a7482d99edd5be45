//! A reservation in progress.

use super::{Claim, Hint, Looked};
use crate::{Error, Receipt, Tables, pattern::unique::reserve::abandon};

/// Removes a reservation that was not committed. A claimant that is still running must retry.
pub(super) async fn look(tables: &Tables, hint: &Hint, claim: &Claim) -> Result<Looked, Error> {
    // A shared wake-up message contains no claims.
    let Some(token) = hint.token.clone() else { return Ok(Looked::Done) };
    let (table, partition_key) = (hint.table.clone(), hint.partition_key.clone());
    let is_gone = abandon(tables, &claim.row, &Receipt { table, partition_key, token }).await?;
    Ok(if is_gone { Looked::Done } else { Looked::Left })
}
