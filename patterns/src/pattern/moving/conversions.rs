//! The conversions of a move without its types, for processes that apply commit records or claim unique values.

use std::{fmt, marker::PhantomData};

use table_model::RowRef;

use super::{AtNew, Keys, MovedFrom};
use crate::{
    Address, Error, Source, TableEntity,
    core::{
        derived::DerivedRows,
        derived_row::DerivedRow,
        entity::Writable,
        entity_types::{Conversion, EntityInfo, Pair},
        row::parse_key,
    },
};

struct Conversions<E>(PhantomData<fn() -> E>);

/// Returns the types of a move.
pub(super) fn pair<E: MovedFrom>() -> Pair {
    let (old, new) = (EntityInfo::of::<E::Old>(), EntityInfo::of::<E>());
    Pair { old, new, by: &Conversions::<E>(PhantomData) }
}

impl<E: MovedFrom> Conversion for Conversions<E> {
    fn old_of(&self, new: &Address) -> Option<Address> {
        let key = parse_key::<E::Key>(&new.partition_key, &new.row_key)?;
        Keys::of_key::<E>(&key).ok().map(|keys| keys.old)
    }

    fn copied(
        &self,
        source: Source<'_>,
        row: RowRef<'_>,
    ) -> Result<Option<(String, Vec<DerivedRow>)>, Error> {
        let AtNew::<E>::Copy { replaced, entity, .. } = AtNew::of(source, row)? else { return Ok(None) };
        let value: &E = &entity;
        let (mut properties, _) = value.contents()?;
        entity.unread_properties().add_to(&mut properties);
        Ok(Some((replaced, DerivedRows::of(value, &properties)?)))
    }
}

impl<E: TableEntity> fmt::Debug for Conversions<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(E::DESIGN.name)
    }
}
