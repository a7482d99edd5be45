//! Keys of entities, from those of their rows.

use table_schema::key::STRICT_UNITS;

use crate::{
    Address, EntityKey, TableEntity,
    core::{decode_cache::DecodeCache, key::KeyReader},
    design::Design,
};

/// Decodes a key. Returns `None` if the keys do not match the templates.
pub fn parse_key<K: EntityKey>(partition_key: &str, row_key: &str) -> Option<K> {
    parse_key_in(partition_key, row_key, None)
}

/// Decodes the key of a row of a run.
pub(super) fn parse_key_in<K: EntityKey>(
    partition_key: &str,
    row_key: &str,
    cache: Option<&DecodeCache>,
) -> Option<K> {
    let design = <K::Entity as TableEntity>::DESIGN;
    let mut fields = cache.and_then(|cache| cache.partition(design, partition_key));
    let keys = KeyReader::of_row(design, (partition_key, row_key), fields.as_deref_mut())?;
    read_key(keys, (partition_key, row_key), K::read, |key| key.address().ok())
}

/// Decodes a key with `read`, and checks it by encoding its address again.
pub(crate) fn parse_key_as<K>(
    design: &'static Design,
    partition_key: &str,
    row_key: &str,
    read: impl FnOnce(&mut KeyReader<'_>) -> Option<K>,
    address: impl FnOnce(&K) -> Option<Address>,
) -> Option<K> {
    let keys = KeyReader::of_row(design, (partition_key, row_key), None)?;
    read_key(keys, (partition_key, row_key), read, address)
}

fn read_key<K>(
    mut keys: KeyReader<'_>,
    (partition_key, row_key): (&str, &str),
    read: impl FnOnce(&mut KeyReader<'_>) -> Option<K>,
    address: impl FnOnce(&K) -> Option<Address>,
) -> Option<K> {
    let key = read(&mut keys)?;
    let is_whole = keys.finish()?;
    // A field that occurs twice must have equal values, and a key that is too long is invalid. Encoding the key again
    // checks both.
    if is_whole && partition_key.len() <= STRICT_UNITS && row_key.len() <= STRICT_UNITS {
        return Some(key);
    }
    let address = address(&key)?;
    (address.partition_key == partition_key && address.row_key == row_key).then_some(key)
}
