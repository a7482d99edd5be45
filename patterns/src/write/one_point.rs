use crate::{Address, Error, Pending, Tables};

/// Query for one entity by its keys: a [`PointQuery`](crate::PointQuery), or a [`WidePoint`](crate::WidePoint) for an
/// entity with several rows.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not specify a single entity",
    label = "not a point query",
    note = "use `Employee::point(..)`"
)]
pub trait OnePoint: Send + Sync + 'static {
    /// Result type of the query.
    type Out: Send + 'static;

    /// Returns the address of the entity, or of its first row.
    #[doc(hidden)]
    fn whereabouts(&self) -> Result<Address, Error>;

    /// Reads the entity. Returns `None` if it does not exist.
    #[doc(hidden)]
    fn find<'t>(&self, tables: &'t Tables) -> Pending<'t, Option<Self::Out>>;
}
