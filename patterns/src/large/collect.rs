//! Deleting blobs that no entity names and none ever will.

use super::Reference;
use crate::{
    Address, Error, Receipt, Tables,
    outbox::marker::{self, Fenced},
};

/// What became of a blob.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Collected {
    /// Its entity names it.
    Named,
    /// Its attempt was committed, and the record is there: whoever follows that decides.
    Committed,
    /// No entity names it, nor will. It does not exist any more.
    Deleted,
}

/// Deletes the blob of an attempt, unless the entity names it.
///
/// A blob that does not exist needs no marker. It was not uploaded, and an attempt is sent only after the responses to its
/// uploads, within the time for which its hint holds. Or it was deleted: by a commit that released it, after a marker, or by its
/// own writer after the attempt was refused. In each case the attempt is decided.
///
/// Otherwise the marker comes before the entity is read for the last time: from then on no commit of the attempt can name the
/// blob, however late it lands, and no other attempt ever will.
pub(crate) async fn collect(
    tables: &Tables,
    attempt: &Receipt,
    row_key: &str,
    blob: &str,
) -> Result<Collected, Error> {
    let owner = Address { row_key: row_key.to_owned(), ..attempt.address() };
    if is_named(tables, &owner, blob).await? {
        return Ok(Collected::Named);
    }
    if !tables.has_blob(blob).await? {
        return Ok(Collected::Deleted);
    }
    if let Fenced::Committed(_) = marker::fence(tables, attempt).await? {
        return Ok(Collected::Committed);
    }
    if is_named(tables, &owner, blob).await? {
        return Ok(Collected::Named);
    }
    tables.delete_blob(blob).await?;
    Ok(Collected::Deleted)
}

/// Whether an entity names a blob.
pub(crate) async fn is_named(tables: &Tables, owner: &Address, blob: &str) -> Result<bool, Error> {
    let rows = tables.read(owner, None).await?;
    Ok(rows.get(0).is_some_and(|row| Reference::all_in(row).any(|(_, named)| named.name == blob)))
}
