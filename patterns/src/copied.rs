//! Rows of indexes that are not the entity.

use std::{marker::PhantomData, ops::Deref};

use table_store::RowRef;

use crate::{
    EntityKey, FromRow, Pending, PointQuery, Source, Stored, TableEntity, Tables,
    error::DecodeError,
    properties::{PropertyError, Reader},
    row,
};

/// What a row of an index holds of an entity. It has no ETag: the version of a copy says nothing about the entity.
///
/// It derefs to its fields. [`load`](Self::load) reads the entity itself.
#[derive(Clone, Debug)]
pub struct Copied<C>(C);

/// The type of an index's rows: what they hold of an entity, its key at least. Implemented by the derive.
pub trait CopyOf: Sized + Send + Sync + 'static {
    /// The entity.
    type Of: TableEntity;

    /// The entity's key.
    fn key(&self) -> <Self::Of as TableEntity>::Key;
}

/// The shape of an index's rows that hold all of an entity, in another partition: they come as `Copied<E>`.
#[derive(Debug)]
pub struct WholeCopy<E>(PhantomData<fn() -> E>);

impl<E: TableEntity> CopyOf for E {
    type Of = E;

    fn key(&self) -> E::Key {
        TableEntity::key(self)
    }
}

impl<E: TableEntity> FromRow for WholeCopy<E> {
    type Out = Copied<E>;

    fn from_row(source: Source<'_>, row: RowRef<'_>) -> Result<Copied<E>, DecodeError> {
        E::decode(source, row).map(Copied)
    }
}

impl<C: CopyOf> Copied<C> {
    /// The entity itself; none if it has gone since.
    pub fn load<'t>(&self, tables: &'t Tables) -> Pending<'t, Option<Stored<C::Of>>> {
        let point = PointQuery::<C::Of>::of_key(&self.0.key());
        Box::pin(async move { point.get(tables).await })
    }

    /// The entity's key.
    pub fn key(&self) -> <C::Of as TableEntity>::Key {
        self.0.key()
    }

    /// A query for the entity itself.
    pub fn point(&self) -> PointQuery<C::Of> {
        PointQuery::at_address(self.0.key().address())
    }

    /// The fields alone.
    pub fn into_inner(self) -> C {
        self.0
    }
}

impl<C> Deref for Copied<C> {
    type Target = C;

    fn deref(&self) -> &C {
        &self.0
    }
}

/// `FromRow` of an index's row: `read` reads its fields.
pub fn read<C: CopyOf>(
    source: Source<'_>,
    row: RowRef<'_>,
    read: impl FnOnce(&<C::Of as TableEntity>::Key, &mut Reader<'_>) -> Result<C, PropertyError>,
) -> Result<Copied<C>, DecodeError> {
    row::project::<C::Of, C>(source, row, read).map(Copied)
}
