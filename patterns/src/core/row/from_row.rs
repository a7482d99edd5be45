use table_model::{Name, RowRef, Timestamp, ValueRef};
use table_schema::role::Role;

use super::{add, decode_with_unread, project, refuse, selection};
use crate::{
    AccessPath, Source, Stored, TableEntity,
    core::{
        blob::reference::Reference,
        cross_partition_row::{STATE, is_stub, kept},
        entity::Writable,
        entity_types::EntityInfo,
        error::{DecodeError, RowError},
        older,
        versions::Versions,
    },
    design::Design,
};

/// Types that a query can decode its rows into: an entity, a projection, a union, an untyped entity.
#[diagnostic::on_unimplemented(
    message = "rows cannot be decoded as `{Self}`",
    label = "not a row type",
    note = "derive TableEntity for an entity, Projection for a selection of its properties, TableUnion for several entity types"
)]
pub trait FromRow: 'static {
    /// Item type: [`Stored<E>`](Stored) for an entity, otherwise the projection or union itself.
    type Out: Send + 'static;

    /// Returns the properties to request, or `None` for all.
    #[doc(hidden)]
    fn select() -> Option<Vec<Name>> {
        None
    }

    /// Returns the properties to request for [`check_row`](Self::check_row), or `None` for all.
    #[doc(hidden)]
    fn select_keys() -> Option<Vec<Name>> {
        Self::select()
    }

    /// Checks that a row can be an item, by its keys and its type.
    #[doc(hidden)]
    fn check_row(source: Source<'_>, row: RowRef<'_>) -> Result<(), DecodeError> {
        Self::from_row(source, row).map(drop)
    }

    /// Decodes a row. An error that [is foreign](DecodeError::is_foreign) means that the row has another entity type.
    #[doc(hidden)]
    fn from_row(source: Source<'_>, row: RowRef<'_>) -> Result<Self::Out, DecodeError>;
}

impl<E: TableEntity> FromRow for E {
    type Out = Stored<E>;

    fn select_keys() -> Option<Vec<Name>> {
        let mut select = selection::<E>(&[]);
        // The state shows whether the row exists without its entity.
        add(&mut select, [STATE].into_iter());
        Some(select)
    }

    fn check_row(source: Source<'_>, row: RowRef<'_>) -> Result<(), DecodeError> {
        refuse_parts::<E>(row)?;
        if source.path == AccessPath::Own && is_stub(row) {
            let (partition_key, row_key) = row.partition_key.zip(row.row_key).unwrap_or_default();
            return Err(refuse(E::DESIGN, partition_key, row_key, RowError::NotLive));
        }
        project::<E, ()>(source, row, |_, _| Ok(()))
    }

    fn from_row(source: Source<'_>, row: RowRef<'_>) -> Result<Stored<E>, DecodeError> {
        refuse_parts::<E>(row)?;
        let timestamp = row.timestamp.unwrap_or(Timestamp::MIN);
        let (value, unread) = decode_with_unread::<E>(source, row)?;
        let mut stored = Stored::read(value, source.path, row.etag.clone(), timestamp).with_unread(unread);
        // Without an older version, the entity's fields reference all blobs.
        if E::DESIGN.older.is_some() && E::DESIGN.has_blobs() {
            stored.set_named(Reference::named_in(row));
        }
        if let Some(writer) = older::writer(E::DESIGN, row) {
            stored.set_older(EntityInfo::of::<E>().possible_rows(source, row));
            if is_restored(&*stored, writer, row) {
                stored.set_restored();
            }
        }
        let versions = Versions::new(E::DESIGN);
        if versions.any(|version| !version.fed.is_empty()) {
            stored.set_kept(kept(versions, row));
        }
        Ok(stored)
    }
}

/// Returns whether the version that wrote a row soft-deleted the entity, and its conversion to the newest version does not
/// contain that. The entity would then be visible again, with all its derived rows.
fn is_restored<E: TableEntity>(value: &E, writer: &Design, row: RowRef<'_>) -> bool {
    let is_deleted = |name| matches!(row.properties.get(name), Some(ValueRef::DateTime(_)));
    if !writer.role(Role::SoftDelete).is_some_and(is_deleted) {
        return false;
    }
    let contains = |name| value.contents().is_ok_and(|(properties, _)| properties.get(name).is_some());
    !E::DESIGN.role(Role::SoftDelete).is_some_and(contains)
}

/// Rejects a row of a wide entity. Such a row is only a part of the entity, and other properties may be in other rows.
fn refuse_parts<E: TableEntity>(row: RowRef<'_>) -> Result<(), DecodeError> {
    if E::DESIGN.wide.is_none() {
        return Ok(());
    }
    let keys = row.partition_key.zip(row.row_key).unwrap_or_default();
    Err(refuse(E::DESIGN, keys.0, keys.1, RowError::Part))
}
