//! A claim that was begun.

use super::{Claim, Hint, Looked};
use crate::{Error, Receipt, Tables, follow::claim::abandon};

/// Looks whether a reservation is left that no commit stands behind, and takes it away. A claimant that is still at it
/// begins anew.
pub(super) async fn look(tables: &Tables, hint: &Hint, claim: &Claim) -> Result<Looked, Error> {
    // A hint of several attempts is about none of them.
    let Some(token) = hint.token.clone() else { return Ok(Looked::Done) };
    let (table, partition_key) = (hint.table.clone(), hint.partition_key.clone());
    let is_gone = abandon(tables, &claim.row, &Receipt { table, partition_key, token }).await?;
    Ok(if is_gone { Looked::Done } else { Looked::Left })
}
