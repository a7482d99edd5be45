//! Rows that are read in place.

use table_model::RowRef;

use crate::{
    AccessPath, FromRow, Projection, Source, TableEntity,
    core::{
        error::{DecodeError, property::PropertyError},
        key::KeyReader,
        place::Place,
        properties::Reader,
        reserved::ENTITY_TYPE,
    },
};

/// Types whose rows a query can lend: an entity with `#[table(borrowed)]`, whose borrowed form is a struct with the
/// suffix `Ref`, and every projection, which is passed by value.
///
/// See [`Query::for_each`](crate::Query::for_each).
#[diagnostic::on_unimplemented(
    message = "rows of `{Self}` cannot be read in place",
    label = "no borrowed form",
    note = "for an entity, add #[table(borrowed)]; or select some of its fields with a projection"
)]
pub trait BorrowRow: FromRow {
    /// The borrowed form.
    type Ref<'r>;

    /// Passes a row to `visit`. Returns an error for the rows for which [`FromRow`] does.
    #[doc(hidden)]
    fn lend_row<T>(
        source: Source<'_>,
        row: RowRef<'_>,
        visit: impl FnOnce(Self::Ref<'_>) -> T,
    ) -> Result<T, DecodeError>;
}

#[diagnostic::do_not_recommend]
impl<P: Projection> BorrowRow for P {
    type Ref<'r> = P;

    fn lend_row<T>(
        source: Source<'_>,
        row: RowRef<'_>,
        visit: impl FnOnce(P) -> T,
    ) -> Result<T, DecodeError> {
        P::from_row(source, row).map(visit)
    }
}

/// An entity with a borrowed form. Implemented by `#[table(borrowed)]`.
#[doc(hidden)]
pub trait BorrowedEntity: TableEntity + BorrowRow {
    /// The key fields, in the order of the templates.
    type KeyRef<'r>;

    /// Reads the template fields in the order of the templates.
    fn read_key<'r>(keys: &mut KeyReader<'r>) -> Option<Self::KeyRef<'r>>;

    /// Reads the properties, in field order.
    fn read_ref<'r>(key: Self::KeyRef<'r>, from: &mut Reader<'r>) -> Result<Self::Ref<'r>, PropertyError>;

    /// Returns the borrowed form of the entity.
    fn lent(&self) -> Self::Ref<'_>;
}

/// Lends a row of an entity. A row that is not of the current version, or was not found by the key of the entity, is
/// decoded and then borrowed, as is a row with an error. Its result is therefore that of [`FromRow`].
///
/// # Errors
/// Returns an error if the row is not a row of the entity, or if a property has another type.
pub fn lend<E: BorrowedEntity, T>(
    source: Source<'_>,
    row: RowRef<'_>,
    visit: impl FnOnce(E::Ref<'_>) -> T,
) -> Result<T, DecodeError> {
    let design = E::DESIGN;
    let is_current = design.entity_type.is_none_or(|name| row.properties.ends_with_text(ENTITY_TYPE, name));
    if let Some((partition_key, row_key)) = row.partition_key.zip(row.row_key)
        && is_current
        && source.path == AccessPath::Own
        && design.fed.is_empty()
    {
        let mut fields = source.cache.and_then(|cache| cache.partition(design, partition_key));
        let shape = source.cache.and_then(|cache| cache.shape(design, row.properties));
        let place = Place { table: source.table.as_str(), partition_key, row_key };
        let mut from = Reader::new(row.properties, source.sealing, place).with_shape(shape);
        let keys = KeyReader::of_row(design, (partition_key, row_key), fields.as_deref_mut());
        let found = keys.and_then(|mut keys| {
            let key = E::read_key(&mut keys)?;
            // A key with a field that occurs twice is compared with its encoding.
            keys.finish()?.then(|| E::read_ref(key, &mut from).ok())?
        });
        if let Some(found) = found {
            return Ok(visit(found));
        }
    }
    let entity = E::decode(source, row)?;
    Ok(visit(entity.lent()))
}
