use table_model::{Condition, Operation, RowRef};

use crate::{
    Address, Error, TableEntity, Tables, TaskError,
    core::{
        blob::reference::Reference,
        cross_partition_row::{SHOWN, kept},
        encryption::Secrets,
        entity::Writable,
        reserved::TRANSACTION,
        row::decode_with_unread,
        unread::set_all,
        versions::Versions,
    },
    write::at,
};

/// Returns the operation that writes a row of the archive as the newest version of its type.
pub(crate) fn to_newest<E: TableEntity>(
    tables: &Tables,
    address: &Address,
    row: RowRef<'_>,
) -> Result<Operation, Error> {
    let (value, unread) = decode_with_unread::<E>(tables.source(&address.table), row)?;
    if Reference::all_in(row).next().is_some() {
        let (entity, address) = (E::DESIGN.name, Box::new(address.clone()));
        return Err(TaskError::ArchivedBlob { entity, address }.into());
    }
    let (mut properties, _) = value.contents()?;
    unread.add_to(&mut properties);
    properties.remove(TRANSACTION);
    set_all(&mut properties, kept(Versions::new(E::DESIGN), row).iter().map(|(name, value)| (name, value)));
    tables.seal_row(Secrets::of(E::DESIGN), address.place(), &mut properties)?;
    // A move recognizes the row by it.
    if let Some(shown) = row.properties.get(SHOWN) {
        properties.set(SHOWN, shown.to_value());
    }
    let condition = Condition::Matches(row.etag.clone());
    Ok(at(address.clone(), properties, |entity| Operation::Replace(entity, condition)))
}
