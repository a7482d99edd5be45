//! Deletion of blobs that no entity references and no entity will reference.

use crate::{
    Address, Error, Receipt, Tables,
    core::blob::reference::Reference,
    write::abort_record::{self, Fence},
};

/// Result of collecting a blob.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Collected {
    /// The entity references the blob.
    Named,
    /// The attempt was committed and its commit record exists. The worker that applies the record decides.
    Committed,
    /// No entity references the blob or will reference it. The blob no longer exists.
    Deleted,
}

/// Deletes the blob of an attempt, unless the entity references it.
///
/// A blob that does not exist needs no abort record. Either it was not uploaded: an attempt is sent only after the
/// responses to its uploads, while its wake-up message is valid. Or it was deleted: by a commit that released it, after
/// an abort record, or by its writer after the attempt was rejected. In each case the attempt is decided.
///
/// Otherwise the abort record is written before the entity is read for the last time. From then on, no commit of the
/// attempt can reference the blob, even if it takes effect late, and no other attempt ever will.
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
    if let Fence::Committed(_) = abort_record::fence(tables, attempt).await? {
        return Ok(Collected::Committed);
    }
    if is_named(tables, &owner, blob).await? {
        return Ok(Collected::Named);
    }
    tables.delete_blob(blob).await?;
    Ok(Collected::Deleted)
}

/// Returns `true` if an entity references a blob.
pub(crate) async fn is_named(tables: &Tables, owner: &Address, blob: &str) -> Result<bool, Error> {
    let rows = tables.read(owner, None).await?;
    Ok(rows.get(0).is_some_and(|row| Reference::all_in(row).any(|(_, named)| named.name == blob)))
}
