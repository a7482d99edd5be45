//! Index rows that are not the entity itself.

pub(crate) mod fields;
use std::{marker::PhantomData, ops::Deref};

use table_model::RowRef;

use crate::{
    EntityKey, FromRow, Pending, PointQuery, Source, Stored, TableEntity, Tables,
    core::{
        error::{DecodeError, property::PropertyError},
        properties::Reader,
        row,
    },
};

/// The fields of an entity that an index row contains. It has no ETag, because the version of an index row does not
/// identify a version of the entity.
///
/// It dereferences to its fields. [`load`](Self::load) reads the entity itself.
#[derive(Clone, Debug)]
pub struct IndexRow<C>(C);

/// Type of an index's rows: the fields of an entity that they contain, which always include its key. Implemented by the
/// derive.
pub trait IndexRowType: Sized + Send + Sync + 'static {
    /// The entity type.
    type Of: TableEntity;

    /// Returns the key of the entity.
    fn key(&self) -> <Self::Of as TableEntity>::Key;
}

/// Row type of an index in another partition whose rows contain all fields of an entity. Rows are decoded as
/// `IndexRow<E>`.
#[derive(Debug)]
pub struct FullIndexRow<E>(PhantomData<fn() -> E>);

impl<E: TableEntity> IndexRowType for E {
    type Of = E;

    fn key(&self) -> E::Key {
        TableEntity::key(self)
    }
}

impl<E: TableEntity> FromRow for FullIndexRow<E> {
    type Out = IndexRow<E>;

    fn from_row(source: Source<'_>, row: RowRef<'_>) -> Result<IndexRow<E>, DecodeError> {
        E::decode(source, row).map(IndexRow)
    }
}

impl<C: IndexRowType> IndexRow<C> {
    /// Reads the entity itself. Returns `None` if the entity was deleted.
    ///
    /// # Errors
    /// Returns the errors of [`PointQuery::get`].
    pub fn load<'t>(&self, tables: &'t Tables) -> Pending<'t, Option<Stored<C::Of>>> {
        let point = PointQuery::<C::Of>::of_key(&self.0.key());
        Box::pin(async move { point.get(tables).await })
    }

    /// Returns the key of the entity.
    pub fn key(&self) -> <C::Of as TableEntity>::Key {
        self.0.key()
    }

    /// Returns a point query for the entity itself.
    pub fn point(&self) -> PointQuery<C::Of> {
        PointQuery::at_address(self.0.key().address())
    }

    /// Returns the fields.
    pub fn into_inner(self) -> C {
        self.0
    }
}

impl<C> Deref for IndexRow<C> {
    type Target = C;

    fn deref(&self) -> &C {
        &self.0
    }
}

/// Implements `FromRow` for an index row. The closure `read` reads its fields.
///
/// # Errors
/// Returns an error if the row is not a row of the index, and the error of `read`.
pub fn read<C: IndexRowType>(
    source: Source<'_>,
    row: RowRef<'_>,
    read: impl FnOnce(&<C::Of as TableEntity>::Key, &mut Reader<'_>) -> Result<C, PropertyError>,
) -> Result<IndexRow<C>, DecodeError> {
    row::project::<C::Of, C>(source, row, read).map(IndexRow)
}
