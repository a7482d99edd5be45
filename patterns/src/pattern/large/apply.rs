//! Deletion of blobs that a commit released.

use crate::{
    Error, Pending, Tables,
    core::outbox::{AffectedRow, Role},
    write::{
        primary::Primary,
        work::{Entry, Primaries, Work, Works, name},
    },
};

/// Deletes a blob that the entity no longer references. A blob belongs to one attempt and its name is never reused.
/// After a commit has released the blob, no later state of the entity references it, so no fence is needed.
async fn conclude(tables: &Tables, touch: &AffectedRow, primary: Option<&Primary>) -> Result<(), Error> {
    let name = &touch.address.row_key;
    let is_named = primary.is_none_or(|primary| primary.blobs.iter().any(|named| named == name));
    if touch.role == Role::New || is_named {
        return Ok(());
    }
    tables.delete_blob(name).await
}

/// A blob of an entity.
#[derive(Debug)]
struct BlobWork<'c>(&'c AffectedRow);

/// Returns the work items of blobs.
pub(super) fn works<'c>(entries: &[Entry<'c>]) -> Works<'c> {
    let blobs = entries.iter().enumerate().filter(|(_, entry)| entry.touch.is_blob());
    blobs
        .map(|(at, entry)| -> (usize, Box<dyn Work<'c> + 'c>) { (at, Box::new(BlobWork(entry.touch))) })
        .collect()
}

impl<'c> Work<'c> for BlobWork<'c> {
    fn role(&self) -> Role {
        self.0.role
    }

    fn fence<'a>(&'a mut self, _tables: &'a Tables) -> Pending<'a, ()>
    where
        'c: 'a,
    {
        Box::pin(async { Ok(()) })
    }

    fn conclude<'a>(
        &'a mut self,
        tables: &'a Tables,
        _token: &'a str,
        primaries: &'a Primaries<'c>,
    ) -> Pending<'a, ()>
    where
        'c: 'a,
    {
        Box::pin(conclude(tables, self.0, primaries.get(&name(self.0))))
    }
}
