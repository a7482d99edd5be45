//! Deletion of blobs that a commit released.

use crate::{
    Error, Tables,
    follow::{
        copy::Primary,
        outbox::{Role, Touch},
    },
};

/// Deletes a blob that the entity no longer references. A blob belongs to one attempt and its name is never reused.
/// After a commit has released the blob, no later state of the entity references it, so no fence is needed.
pub(crate) async fn conclude(tables: &Tables, touch: &Touch, primary: Option<&Primary>) -> Result<(), Error> {
    let name = &touch.address.row_key;
    let is_named = primary.is_none_or(|primary| primary.blobs.iter().any(|named| named == name));
    if touch.role == Role::New || is_named {
        return Ok(());
    }
    tables.delete_blob(name).await
}

/// Returns `true` if the entity must be read. Blobs uploaded for the commit need no action.
pub(crate) fn reads(touch: &Touch) -> bool {
    !touch.is_blob() || touch.role == Role::Old
}
