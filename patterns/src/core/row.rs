//! Decoding rows into the items of a query.

mod from_row;
mod parse_key;

use std::sync::atomic::{AtomicBool, Ordering};

use table_model::{Name, PropertiesRef, RowRef, TableName, Timestamp, ValueRef, name::SYSTEM};

use crate::{
    AccessPath, Address, Error, Source, Stored, TableEntity,
    core::{
        cross_partition_row::{LIVE, STATE, is_stub},
        derived::{CopyReader, IndexRowError},
        error::{DecodeError, RowError, property::PropertyError},
        key::{self, value::FieldValue},
        marker::{Marker, marker_of},
        place::Place,
        placement,
        properties::Reader,
        reserved::ENTITY_TYPE,
        table::{table_named, table_of},
        unread::Unread,
        versions::Versions,
    },
    design::{Design, Index},
};

pub use crate::core::reserved::entity_type;
pub use from_row::FromRow;
pub use parse_key::parse_key;
pub(crate) use parse_key::parse_key_as;
use parse_key::parse_key_in;

/// Decodes an entity, and the properties of its row that its type does not declare.
pub(crate) fn decode_with_unread<E: TableEntity>(
    source: Source<'_>,
    row: RowRef<'_>,
) -> Result<(E, Unread), DecodeError> {
    let surplus = AtomicBool::new(false);
    let value = E::decode(Source { surplus: Some(&surplus), ..source }, row)?;
    // Most rows have none, so that the design is not searched for their names.
    let unread = if surplus.into_inner() { Unread::of(E::DESIGN, source.path, row) } else { Unread::NONE };
    Ok((value, unread))
}

/// Decodes an entity, if the row's `EntityType` and keys match.
///
/// # Errors
/// Returns an error if the row is not a row of the entity, or if a property has another type.
pub fn decode<E: TableEntity>(source: Source<'_>, row: RowRef<'_>) -> Result<E, DecodeError> {
    read::<E, E>(source, row, E::read)
}

/// Decodes a row of the previous version, by the key with the same name.
///
/// # Errors
/// Returns an error if the row is not a row of the entity, or if a property has another type.
pub fn decode_older<E: TableEntity, Older: TableEntity>(
    source: Source<'_>,
    row: RowRef<'_>,
) -> Result<Older, DecodeError> {
    match source.path.in_version(E::DESIGN, Older::DESIGN) {
        Some(path) => Older::decode(Source { path, ..source }, row),
        None => decode::<Older>(Source { path: AccessPath::Index(usize::MAX), ..source }, row),
    }
}

/// Decodes a projection of the entity in a row. The closure `project` reads its fields.
pub(crate) fn project<E: TableEntity, P>(
    source: Source<'_>,
    row: RowRef<'_>,
    project: impl FnOnce(&E::Key, &mut Reader<'_>) -> Result<P, PropertyError>,
) -> Result<P, DecodeError> {
    read::<E, P>(source, row, |key, from| project(&key, from))
}

/// Calls `read` with the key and properties of a row.
fn read<E: TableEntity, T>(
    source: Source<'_>,
    row: RowRef<'_>,
    read: impl FnOnce(E::Key, &mut Reader<'_>) -> Result<T, PropertyError>,
) -> Result<T, DecodeError> {
    let Source { table, path, sealing, surplus, cache } = source;
    let (partition_key, row_key, properties) = match current(E::DESIGN, row) {
        Some(opened) => opened,
        None => open(E::DESIGN, row).map_err(|error| {
            // A row of another version that has other keys is not the entity, but a row of one of its indexes.
            if error.is_of_other_version() && !has_keys(path, E::DESIGN, row.partition_key.zip(row.row_key)) {
                foreign_row(path, E::DESIGN, row)
            } else {
                error
            }
        })?,
    };
    let place = Place { table: table.as_str(), partition_key, row_key };
    if !E::DESIGN.fed.is_empty() && is_stub(row) {
        return Err(refuse(E::DESIGN, partition_key, row_key, RowError::NotLive));
    }
    let shape = cache.and_then(|cache| cache.shape(E::DESIGN, properties));
    let mut reader = Reader::new(properties, sealing, place).with_shape(shape);
    let decoded = match path {
        AccessPath::Own => match parse_key_in::<E::Key>(partition_key, row_key, cache) {
            Some(key) => read(key, &mut reader),
            None => return Err(foreign_key(E::DESIGN, path, partition_key, row_key)),
        },
        AccessPath::Index(number) => {
            if !is_live(path, E::DESIGN, properties) {
                return Err(refuse(E::DESIGN, partition_key, row_key, RowError::NotLive));
            }
            match CopyReader::new(path, E::DESIGN, partition_key, row_key, &mut reader).key::<E>(number) {
                Ok(key) => read(key, &mut reader),
                Err(IndexRowError::Property(error)) => Err(error),
                Err(IndexRowError::Foreign) => {
                    return Err(foreign_key(E::DESIGN, path, partition_key, row_key));
                }
            }
        }
    };
    if let Some(surplus) = surplus.filter(|_| reader.may_hold_more(E::DESIGN.entity_type.is_some())) {
        surplus.store(true, Ordering::Relaxed);
    }
    decoded.map_err(|error| {
        // A type that declares no values of other entities can meet a row that contains only those.
        let problem = if path == AccessPath::Own && is_stub(row) {
            RowError::NotLive
        } else {
            RowError::Property(error)
        };
        refuse(E::DESIGN, partition_key, row_key, problem)
    })
}

/// Returns the entity's key from an index row, including a row that is not visible to readers.
pub(crate) fn key_of_copy<E: TableEntity>(number: usize, row: RowRef<'_>) -> Option<E::Key> {
    let (partition_key, row_key) = row.partition_key.zip(row.row_key)?;
    // Key parts are never encrypted, so no row identity is required.
    let nowhere = Place { table: "", partition_key, row_key };
    let mut reader = Reader::new(row.properties, None, nowhere);
    CopyReader::new(AccessPath::Index(number), E::DESIGN, partition_key, row_key, &mut reader)
        .key::<E>(number)
        .ok()
}

/// Returns the properties that a projection of `names` requests from the service: with the keys, and the entity type if
/// it is stored.
pub(crate) fn selection<E: TableEntity>(names: &[&[&'static str]]) -> Vec<Name> {
    let mut select: Vec<Name> = vec!["PartitionKey".into(), "RowKey".into()];
    let ours = E::DESIGN.entity_type.map(|_| ENTITY_TYPE);
    // The state shows whether the row exists without its entity.
    let state = (!E::DESIGN.fed.is_empty()).then_some(STATE);
    add(&mut select, names.iter().copied().flatten().copied().chain(ours).chain(state));
    for version in Versions::new(E::DESIGN).older() {
        let names = names.iter().copied().flatten().filter(|name| !SYSTEM.contains(name));
        let needed = names.map(|name| E::DESIGN.unchanged_in(version, name));
        match needed.collect::<Option<Vec<_>>>() {
            Some(unchanged) => add(&mut select, unchanged.into_iter()),
            None => add(&mut select, version.stored_names()),
        }
    }
    select
}

/// Adds the names that a selection does not contain.
pub(crate) fn add<N: AsRef<str> + Into<Name>>(select: &mut Vec<Name>, names: impl Iterator<Item = N>) {
    for name in names {
        if !select.iter().any(|known| **known == *name.as_ref()) {
            select.push(name.into());
        }
    }
}

/// Returns whether the stored `EntityType` of a row names another entity type. A newer version is not another type.
pub(crate) fn is_of_other_type(design: &Design, row: RowRef<'_>) -> bool {
    let is_other = |written: &str| !design.reads(written) && version_problem(design, written).is_none();
    design.entity_type.is_some() && entity_type(row).is_some_and(is_other)
}

/// Creates the error for a row that another entity type or another client wrote.
pub(crate) fn foreign(
    name: &'static str,
    row: RowRef<'_>,
    (partition_key, row_key): (&str, &str),
) -> DecodeError {
    let (partition_key, row_key) = (partition_key.to_owned(), row_key.to_owned());
    let problem = other_type(row, entity_type(row).unwrap_or("none"));
    DecodeError { entity: name, partition_key, row_key, problem: Box::new(problem) }
}

/// Returns the error for a row that has another `EntityType`.
fn other_type(row: RowRef<'_>, found: &str) -> RowError {
    marker_of(row).map_or_else(
        || RowError::ForeignType { found: found.to_owned() },
        |Marker { to, .. }| RowError::Moved { to },
    )
}

/// Returns whether the stored `EntityType` of a row matches the entity type, or an older version of it.
pub fn is_written_as<E: TableEntity>(row: RowRef<'_>) -> bool {
    entity_type(row).is_some_and(|found| E::DESIGN.reads(found))
}

/// Splits a row of the current version like [`open`]. Returns `None` for other rows, and for those of a type without
/// `EntityType`. Writers store that property last.
#[inline]
pub(crate) fn current<'r>(
    design: &'static Design,
    row: RowRef<'r>,
) -> Option<(&'r str, &'r str, PropertiesRef<'r>)> {
    let name = design.entity_type?;
    let (partition_key, row_key) = row.partition_key.zip(row.row_key)?;
    row.properties.ends_with_text(ENTITY_TYPE, name).then_some((partition_key, row_key, row.properties))
}

/// Splits a row into its keys and properties, if its `EntityType` matches the entity type. A row without `EntityType`
/// is identified by its keys.
pub(crate) fn open<'r>(
    design: &'static Design,
    row: RowRef<'r>,
) -> Result<(&'r str, &'r str, PropertiesRef<'r>), DecodeError> {
    let RowRef { partition_key: Some(partition_key), row_key: Some(row_key), properties, .. } = row else {
        return Err(refuse(design, "", "", RowError::NoKeys));
    };
    // The property is searched only if the design requires it, because the search scans all properties.
    let written = design.entity_type.and_then(|_| entity_type(row));
    match written.filter(|found| !design.reads(found)) {
        Some(found) => {
            let problem = version_problem(design, found).unwrap_or_else(|| other_type(row, found));
            Err(refuse(design, partition_key, row_key, problem))
        }
        None => Ok((partition_key, row_key, properties)),
    }
}

/// Returns the error for an `EntityType` value of another version of the type than those that it reads.
pub(crate) fn version_problem(design: &Design, written: &str) -> Option<RowError> {
    let newer = design.newer_version(written);
    let newer = newer.map(|(found, known)| RowError::NewerVersion { found, known });
    let retired = || design.retired_version(written);
    newer.or_else(|| retired().map(|(found, oldest)| RowError::RetiredVersion { found, oldest }))
}

/// Returns whether the keys of a row match the templates of an access path.
pub(crate) fn has_keys(path: AccessPath, design: &'static Design, keys: Option<(&str, &str)>) -> bool {
    let (_, partition, row) = path.keys(design);
    let fits = |key: (&str, &str)| partition.form.decode(key.0).is_ok() && row.form.decode(key.1).is_ok();
    keys.is_some_and(fits)
}

fn foreign_row(path: AccessPath, design: &'static Design, row: RowRef<'_>) -> DecodeError {
    let (partition_key, row_key) = row.partition_key.zip(row.row_key).unwrap_or_default();
    foreign_key(design, path, partition_key, row_key)
}

/// Decodes the entity in a row that is attached to it: its properties are those of the entity.
pub(crate) fn decode_attached<E: TableEntity>(
    source: Source<'_>,
    row: RowRef<'_>,
) -> Result<Stored<E>, DecodeError> {
    let Some((partition_key, row_key)) = row.partition_key.zip(row.row_key) else {
        return Err(refuse(E::DESIGN, "", "", RowError::NoKeys));
    };
    let Some(key) = parse_key::<E::Key>(partition_key, row_key) else {
        return Err(foreign_key(E::DESIGN, source.path, partition_key, row_key));
    };
    let place = Place { table: source.table.as_str(), partition_key, row_key };
    let value = E::read(key, &mut Reader::new(row.properties, source.sealing, place))
        .map_err(|error| refuse(E::DESIGN, partition_key, row_key, RowError::Property(error)))?;
    let timestamp = row.timestamp.unwrap_or(Timestamp::MIN);
    let stored = Stored::read(value, source.path, row.etag.clone(), timestamp);
    Ok(stored.with_unread(Unread::of(E::DESIGN, source.path, row)))
}

/// Returns the error for a row whose keys do not match an access path.
pub(crate) fn foreign_key(
    design: &'static Design,
    path: AccessPath,
    partition_key: &str,
    row_key: &str,
) -> DecodeError {
    if let (AccessPath::Own, Some(index)) = (path, near_index_of(design, partition_key, row_key)) {
        return refuse(design, partition_key, row_key, RowError::IndexRow { index: index.name });
    }
    let (_, partition, row) = path.keys(design);
    let templates = (partition.text, row.text);
    refuse(design, partition_key, row_key, RowError::ForeignKey { templates })
}

/// Returns whether a row is visible to readers. A row in another partition contains its state.
fn is_live(path: AccessPath, design: &'static Design, properties: PropertiesRef<'_>) -> bool {
    path.index(design).is_none_or(|index| index.near) || properties.get(STATE) == Some(ValueRef::String(LIVE))
}

/// Returns the index in the entity's partition whose row has these keys.
pub(crate) fn near_index_of(
    design: &'static Design,
    partition_key: &str,
    row_key: &str,
) -> Option<&'static Index> {
    let is_of = |index: &&Index| {
        let fits = index.row.form.decode(row_key).is_ok() || is_list(index, row_key);
        index.near && fits && index.partition.form.decode(partition_key).is_ok()
    };
    design.indexes.iter().find(is_of)
}

/// Returns whether the row is a lookup list.
pub(crate) fn is_list(index: &Index, row_key: &str) -> bool {
    let lookup = index.lookup.as_ref().filter(|lookup| lookup.ids.is_some());
    lookup.is_some_and(|lookup| lookup.list.form.decode(&format!("{row_key}!")).is_ok())
}

/// Creates the error for a row that cannot be decoded as an entity of a design.
pub(crate) fn refuse(design: &Design, partition_key: &str, row_key: &str, problem: RowError) -> DecodeError {
    let (partition_key, row_key) = (partition_key.to_owned(), row_key.to_owned());
    DecodeError { entity: design.name, partition_key, row_key, problem: Box::new(problem) }
}

/// Returns the table and partition key for values of the partition's fields.
pub(crate) fn partition<E: TableEntity>(
    path: AccessPath,
    values: &[(&'static str, FieldValue<'_>)],
) -> Result<(TableName, String), Error> {
    partition_of(E::DESIGN, path, values)
}

fn partition_of(
    design: &'static Design,
    path: AccessPath,
    values: &[(&'static str, FieldValue<'_>)],
) -> Result<(TableName, String), Error> {
    let (table, partition, _) = path.keys(design);
    let partition_key = key::encode(design.name, partition, values)?;
    let table = match path {
        AccessPath::Own => table_of(design)?,
        AccessPath::Index(_) => table_named(table)?,
    };
    Ok((table, partition_key))
}

/// Returns the address for values of the key fields.
///
/// # Errors
/// Returns [`Error::Key`] if a value cannot be part of the key.
pub fn address<E: TableEntity>(
    partition_values: &[(&'static str, FieldValue<'_>)],
    row_values: &[(&'static str, FieldValue<'_>)],
) -> Result<Address, Error> {
    address_in(E::DESIGN, partition_values, row_values)
}

/// Returns the address of an entity of a design, in the table and shard that the values determine.
pub(crate) fn address_in(
    design: &'static Design,
    partition_values: &[(&'static str, FieldValue<'_>)],
    row_values: &[(&'static str, FieldValue<'_>)],
) -> Result<Address, Error> {
    if design.is_in_one_place() {
        return address_of(design, AccessPath::Own, partition_values, row_values);
    }
    let values: Vec<_> = partition_values.iter().chain(row_values).cloned().collect();
    let (table, partition_key) = placement::place(design, &values)?;
    let row_key = key::encode(design.name, &design.row, row_values)?;
    Ok(Address { table, partition_key, row_key })
}

/// Returns the address for values of the key fields of an access path.
///
/// # Errors
/// Returns [`Error::Key`] if a value cannot be part of the key.
pub fn address_by<E: TableEntity>(
    path: AccessPath,
    partition_values: &[(&'static str, FieldValue<'_>)],
    row_values: &[(&'static str, FieldValue<'_>)],
) -> Result<Address, Error> {
    address_of(E::DESIGN, path, partition_values, row_values)
}

/// Returns the address for values of the key fields of an access path of a design.
pub(crate) fn address_of(
    design: &'static Design,
    path: AccessPath,
    partition_values: &[(&'static str, FieldValue<'_>)],
    row_values: &[(&'static str, FieldValue<'_>)],
) -> Result<Address, Error> {
    let (_, _, row) = path.keys(design);
    let (table, partition_key) = partition_of(design, path, partition_values)?;
    let row_key = key::encode(design.name, row, row_values)?;
    Ok(Address { table, partition_key, row_key })
}
