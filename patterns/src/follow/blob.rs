//! The blobs that a commit released.

use super::copy::Primary;
use crate::{
    Error, Tables,
    outbox::{Role, Touch},
};

/// Deletes a blob that the entity names no more. A blob belongs to one attempt and its name never comes back: once a
/// commit has released it, no later state of the entity names it, so there is nothing to fence.
pub(super) async fn conclude(tables: &Tables, touch: &Touch, primary: Option<&Primary>) -> Result<(), Error> {
    let name = &touch.address.row_key;
    let is_named = primary.is_none_or(|primary| primary.blobs.iter().any(|named| named == name));
    if touch.role == Role::New || is_named {
        return Ok(());
    }
    tables.delete_blob(name).await
}

/// Whether the entity must be read. A blob that was uploaded for the commit stands where it is.
pub(super) fn reads(touch: &Touch) -> bool {
    !touch.is_blob() || touch.role == Role::Old
}
