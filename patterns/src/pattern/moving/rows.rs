//! Stored forms: the marker at an old key; the placeholder and the copy at a new key.
//!
//! | row | `EntityType` | properties |
//! |---|---|---|
//! | marker | `!moved` | `_to`: the new address; `_se`: the `ETag` of the row that it replaced, if it replaced one |
//! | placeholder | the new type followed by `!` | `_st` = `s` |
//! | copy | the new type followed by `!` | the entity; `_st` = `p`; `_se`: the `ETag` of the row at the old key |
//!
//! A marker is a row of a foreign type to programs that do not know the move. Readers of the new type skip placeholders
//! and copies, as all rows that are attached to an entity.

use table_model::{ETag, Filter, Properties, RowRef, ValueRef};

use super::{Keys, MovedFrom};
use crate::{
    Address, Error, Source, Stored, Tables,
    core::{
        cross_partition_row::{PENDING, SHOWN, STATE, STUB, source_text},
        entity::Writable,
        marker::{Marker, TO, marker_of},
        reserved::{ENTITY_TYPE, MOVED, entity_type},
        row,
    },
};

/// The row at an old key.
#[derive(Debug)]
pub(crate) enum AtOld<E: MovedFrom> {
    Nothing,
    Live(Box<Stored<E::Old>>),
    Marker(Marker),
}

/// The row at a new key.
#[derive(Debug)]
pub(crate) enum AtNew<E: MovedFrom> {
    Nothing,
    Stub(ETag),
    /// A copy of the row at the old key that had this `ETag`.
    Copy {
        etag: ETag,
        replaced: String,
        entity: Box<Stored<E>>,
    },
    Live(Box<Stored<E>>),
}

impl<E: MovedFrom> AtOld<E> {
    pub(crate) async fn read(tables: &Tables, address: &Address) -> Result<Self, Error> {
        let rows = tables.read(address, None).await?;
        rows.get(0).map_or(Ok(Self::Nothing), |row| Self::of(tables, address, row))
    }

    pub(crate) fn of(tables: &Tables, address: &Address, row: RowRef<'_>) -> Result<Self, Error> {
        if let Some(marker) = marker_of(row) {
            return Ok(Self::Marker(marker));
        }
        let stored = <E::Old as Writable>::stored(tables.source(&address.table), row)?;
        Ok(Self::Live(Box::new(stored)))
    }
}

impl<E: MovedFrom> AtNew<E> {
    pub(crate) async fn read(tables: &Tables, address: &Address) -> Result<Self, Error> {
        let rows = tables.read(address, None).await?;
        rows.get(0).map_or(Ok(Self::Nothing), |row| Self::of(tables.source(&address.table), row))
    }

    pub(crate) fn of(source: Source<'_>, row: RowRef<'_>) -> Result<Self, Error> {
        if !is_leftover::<E>(row) {
            return Ok(Self::Live(Box::new(<E as Writable>::stored(source, row)?)));
        }
        let etag = row.etag.clone();
        let Some(replaced) = text(row, SHOWN).filter(|_| text(row, STATE) == Some(PENDING)) else {
            return Ok(Self::Stub(etag));
        };
        let entity = Box::new(row::decode_attached::<E>(source, row)?);
        Ok(Self::Copy { etag, replaced: replaced.to_owned(), entity })
    }

    /// Returns the `ETag` of a row that an insert or a move can replace. `marker` is the marker at the old key.
    pub(super) fn replaceable(&self) -> Option<&ETag> {
        match self {
            Self::Stub(etag) | Self::Copy { etag, .. } => Some(etag),
            Self::Nothing | Self::Live(_) => None,
        }
    }

    /// Returns the copy that is the entity, according to the marker at the old key.
    pub(crate) fn promoted_by(&self, marker: &Marker) -> Option<(&ETag, &Stored<E>)> {
        match self {
            Self::Copy { etag, replaced, entity } if marker.replaced.as_ref() == Some(replaced) => {
                Some((etag, entity))
            }
            _ => None,
        }
    }
}

/// Returns the filter for markers.
pub(crate) fn marker_filter() -> Filter {
    Filter::eq(ENTITY_TYPE, MOVED)
}

/// Returns the `EntityType` of placeholders and copies.
pub(crate) fn leftover_type<E: MovedFrom>() -> String {
    format!("{}!", E::DESIGN.entity_type.unwrap_or(E::DESIGN.name))
}

/// Returns whether a row is a placeholder or a copy.
pub(crate) fn is_leftover<E: MovedFrom>(row: RowRef<'_>) -> bool {
    entity_type(row).and_then(|found| found.strip_suffix('!')).is_some_and(|name| E::DESIGN.reads(name))
}

/// Returns the properties of a marker.
pub(super) fn marker(keys: &Keys, replaced: Option<&ETag>) -> Properties {
    let mut properties = Properties::with_capacity(3);
    properties.push_new(TO, source_text(&keys.new));
    if let Some(etag) = replaced {
        properties.push_new(SHOWN, etag.to_string());
    }
    properties.push_new(ENTITY_TYPE, MOVED);
    properties
}

/// Returns the properties of a placeholder.
pub(super) fn stub<E: MovedFrom>() -> Properties {
    let mut properties = Properties::with_capacity(2);
    properties.push_new(STATE, STUB);
    properties.push_new(ENTITY_TYPE, leftover_type::<E>());
    properties
}

/// Converts the properties of an entity to those of its copy.
pub(super) fn copy<E: MovedFrom>(mut properties: Properties, replaced: &ETag) -> Properties {
    properties.remove(ENTITY_TYPE);
    properties.set(STATE, PENDING);
    properties.set(SHOWN, replaced.to_string());
    properties.push_new(ENTITY_TYPE, leftover_type::<E>());
    properties
}

fn text<'r>(row: RowRef<'r>, name: &str) -> Option<&'r str> {
    match row.properties.get(name) {
        Some(ValueRef::String(text)) => Some(text),
        _ => None,
    }
}
