//! Entities that are marked as deleted: `#[table(soft_delete = deleted)]`.

mod read;

pub(crate) use read::VisibleRows;

use table_model::Timestamp;

use crate::{Error, TableEntity};

/// An entity type whose entities can be soft-deleted, `#[table(soft_delete = field)]`. Implemented by the derive.
///
/// [`Tables::soft_delete`](crate::Tables::soft_delete) sets the field, and [`Tables::undelete`](crate::Tables::undelete)
/// clears it.
#[diagnostic::on_unimplemented(
    message = "entities of `{Self}` cannot be soft-deleted",
    label = "has no field for the time of the deletion",
    note = "add #[table(soft_delete = field)] to the struct, with a field of the type `Option<Timestamp>`"
)]
pub trait SoftDelete: TableEntity {
    /// Returns the time at which the entity was soft-deleted, or `None` if it was not.
    fn deleted_at(&self) -> Option<Timestamp>;

    /// Sets or clears the field.
    #[doc(hidden)]
    fn set_deleted_at(&mut self, at: Option<Timestamp>) -> Result<(), Error>;

    /// Returns whether the entity is soft-deleted.
    fn is_deleted(&self) -> bool {
        self.deleted_at().is_some()
    }
}
