//! Records that a maintenance job writes again: with another key, or as the newest version of the type. They keep their
//! number, their token and the time of their change.

use table_model::{Condition, Operation, Properties, RowRef, Value, ValueRef};

use super::{
    recorded::Recorded,
    rows::{self, HAS_OLD, KIND, ROW_KEY, TIME, TYPE},
};
use crate::{
    Address, Error, Stored, TableEntity, Tables,
    core::{
        encryption::Secrets, entity::Writable, error::ChangeFeedError, reserved::TRANSACTION,
        row::decode_with_unread, unread::Unread,
    },
    write::{Intent, at},
};

/// Property with the `EntityType` of the entity in a row of a feed.
pub(crate) const RECORDED_TYPE: &str = TYPE;

/// Number of digits of a record's number.
const DIGITS: usize = 20;

/// Returns whether a RowKey is that of a record or of a previous state.
pub(crate) fn is_of_feed(row_key: &str) -> bool {
    digits(row_key).len() == DIGITS
}

/// Returns the digits of the number in the RowKey of a row of a feed. Empty for other rows.
fn digits(row_key: &str) -> &str {
    let record = record_of(row_key).unwrap_or(row_key);
    let number = record.strip_prefix("!f_").and_then(|name| name.rsplit_once('_')).map(|(_, number)| number);
    number.filter(|number| number.bytes().all(|digit| digit.is_ascii_digit())).unwrap_or_default()
}

/// Returns the RowKey of the record that a previous state belongs to.
fn record_of(row_key: &str) -> Option<&str> {
    row_key.strip_suffix('o').filter(|record| record.starts_with("!f_"))
}

/// Returns the `EntityType` of the entity in a row of a feed.
pub(crate) fn recorded_type(row: RowRef<'_>) -> Option<&str> {
    let is_recorded = row.row_key.is_some_and(is_of_feed);
    text(row, TYPE).filter(|_| is_recorded)
}

/// Returns the address of the entity whose state a row of a feed contains. Encrypted values are bound to it. `None` if
/// the record of a previous state no longer exists: no reader returns that state.
pub(crate) async fn recorded_entity(
    tables: &Tables,
    address: &Address,
    row: RowRef<'_>,
) -> Result<Option<Address>, Error> {
    let entity =
        |row: RowRef<'_>| Some(Address { row_key: text(row, ROW_KEY)?.to_owned(), ..address.clone() });
    let Some(record) = record_of(&address.row_key) else { return Ok(entity(row)) };
    let record = Address { row_key: record.to_owned(), ..address.clone() };
    let found = tables.read(&record, None).await?;
    Ok(found.get(0).and_then(entity))
}

/// Adds the time of the change to the properties of a record that is written again.
pub(crate) fn keep_time(row: RowRef<'_>, properties: &mut Properties) {
    if let Some(time) = rows::time(row) {
        properties.set(TIME, Value::DateTime(time));
    }
}

/// Lets the write that replaces an entity of an older version record the previous state in the newest version, too.
pub(crate) fn record_newest<E: TableEntity>(
    tables: &Tables,
    stored: &Stored<E>,
    address: &Address,
    intent: &mut Intent,
) -> Result<(), Error> {
    if let Intent::Ready(write) = intent
        && let Some(recorded) = write.change_mut::<Recorded>()
    {
        recorded.previous = Some(state(tables, (&**stored, stored.unread_properties()), address)?);
    }
    Ok(())
}

/// Returns a state of an entity in the newest version, with encrypted values.
fn state<E: TableEntity>(
    tables: &Tables,
    (value, unread): (&E, &Unread),
    entity: &Address,
) -> Result<Properties, Error> {
    let (mut state, _) = value.contents()?;
    unread.add_to(&mut state);
    state.remove(TRANSACTION);
    tables.seal_row(Secrets::of(E::DESIGN), entity.place(), &mut state)?;
    Ok(state)
}

/// Returns the operation that writes a row of a feed as the newest version of the type.
pub(crate) fn to_newest<E: TableEntity>(
    tables: &Tables,
    (address, row): (&Address, RowRef<'_>),
    entity: &Address,
) -> Result<Operation, Error> {
    let whole = rows::as_entity(entity, row);
    let Some(stored) = whole.get(0) else {
        let (partition_key, sequence) =
            (address.partition_key.clone(), digits(&address.row_key).parse().unwrap_or_default());
        return Err(ChangeFeedError::Damaged { partition_key, sequence }.into());
    };
    let (value, unread) = decode_with_unread::<E>(tables.source(&entity.table), stored)?;
    let state = state(tables, (&value, &unread), entity)?;
    let own = [KIND, ROW_KEY, HAS_OLD, TRANSACTION];
    let kept = own.into_iter().filter_map(|name| Some((name, row.properties.get(name)?.to_value())));
    let mut properties = rows::state(state, kept.collect());
    keep_time(row, &mut properties);
    let condition = Condition::Matches(row.etag.clone());
    Ok(at(address.clone(), properties, |entity| Operation::Replace(entity, condition)))
}

fn text<'r>(row: RowRef<'r>, name: &str) -> Option<&'r str> {
    match row.properties.get(name) {
        Some(ValueRef::String(text)) => Some(text),
        _ => None,
    }
}
