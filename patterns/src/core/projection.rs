//! Projections: some properties of an entity.

use table_model::{Name, RowRef};

use crate::{
    FromRow, Source, TableEntity,
    core::{
        error::{DecodeError, property::PropertyError},
        older,
        properties::Reader,
        row,
    },
};

/// Some fields of an entity, selected by name: `#[derive(Projection)]` with `#[table(of = Review)]`. Only these
/// properties are requested. The result has no ETag, so it cannot be written back.
///
/// ```
/// use table_patterns::prelude::*;
///
/// #[derive(TableEntity)]
/// #[table(name = "Reviews", partition = "{department}", row = "{id:06}_{year:04}")]
/// struct Review {
///     department: String,
///     id: u32,
///     year: u16,
///     rating: i32,
///     comment: String,
/// }
///
/// #[derive(Projection)]
/// #[table(of = Review)]
/// struct Rating {
///     year: u16, // out of the key
///     rating: i32,
/// }
///
/// let query = Review::rows("Sales").at(123).select::<Rating>();
/// assert!(query.explain()?.to_string().contains("only PartitionKey, RowKey, rating, EntityType"));
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a projection of this entity",
    label = "not a projection",
    note = "add #[derive(Projection)] and #[table(of = ..)] with the entity of the query",
    note = "an entity is read in place by `for_each` if it has #[table(borrowed)]"
)]
pub trait Projection: FromRow<Out = Self> + Sized + Send {
    /// The entity type.
    type Of: TableEntity;

    /// Stored names of the properties: one for each field, and one for each slot of a series.
    const SELECT: &'static [&'static [&'static str]];
}

/// Returns the properties that a projection requests from the service.
pub fn select<P: Projection>() -> Option<Vec<Name>> {
    Some(row::selection::<P::Of>(P::SELECT))
}

/// Returns the properties of the entity's keys and type.
pub fn select_keys<P: Projection>() -> Option<Vec<Name>> {
    P::Of::select_keys()
}

/// Checks that a row is one of the entity.
///
/// # Errors
/// Returns an error if the row is not a row of the entity.
pub fn check_row<P: Projection>(source: Source<'_>, row: RowRef<'_>) -> Result<(), DecodeError> {
    P::Of::check_row(source, row)
}

/// Implements `FromRow` for a projection. The closure `read` reads its fields.
///
/// # Errors
/// Returns an error if the row is not a row of the entity, and the error of `read`.
pub fn from_row<P: Projection>(
    source: Source<'_>,
    row: RowRef<'_>,
    read: impl FnOnce(&<P::Of as TableEntity>::Key, &mut Reader<'_>) -> Result<P, PropertyError>,
) -> Result<P, DecodeError> {
    if let Some(writer) = older::writer(<P::Of>::DESIGN, row) {
        let values = older::values::<P::Of>(source, row, writer, P::SELECT)?;
        return row::project::<P::Of, P>(source, row, |key, from| {
            from.replace(values);
            read(key, from)
        });
    }
    row::project::<P::Of, P>(source, row, read)
}
