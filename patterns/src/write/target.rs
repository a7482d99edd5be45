use super::{Intent, Write};
use crate::{
    Error, Stored,
    core::{entity::Writable, old::Old},
};

/// Target of a delete: an entity that was read, which is deleted only in that version, or a point query, which is
/// deleted in any version.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not specify an entity to delete",
    label = "neither a stored entity nor a point query",
    note = "use `delete(stored)` for an entity that was read, or `delete(Employee::point(..))` regardless of its version"
)]
pub trait DeleteTarget {
    /// Returns the delete operation.
    #[doc(hidden)]
    fn target(self) -> Result<Deletion, Error>;
}

/// A delete that is ready to be sent.
#[derive(Debug)]
#[doc(hidden)]
pub struct Deletion(pub(super) Intent);

impl Deletion {
    pub(crate) const fn of(intent: Intent) -> Self {
        Self(intent)
    }
}

impl<E: Writable> DeleteTarget for Stored<E> {
    fn target(self) -> Result<Deletion, Error> {
        (&self).target()
    }
}

impl DeleteTarget for &Old {
    fn target(self) -> Result<Deletion, Error> {
        Write::delete(self).map(Intent::Ready).map(Deletion)
    }
}

impl<E: Writable> DeleteTarget for &Stored<E> {
    fn target(self) -> Result<Deletion, Error> {
        (&Old::of(self)?).target()
    }
}
