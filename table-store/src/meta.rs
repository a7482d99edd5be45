//! Metadata of the store: the key that protects tokens, the reserved time, and the next table id.

use table_model::{StorageFault, token::TokenKey};

use crate::{
    checksum,
    engine::{Read, Write},
    keys::TableId,
};

pub(crate) const TOKEN_KEY: &[u8] = b"token-key";
pub(crate) const CLOCK: &[u8] = b"clock";
pub(crate) const NEXT_TABLE: &[u8] = b"next-table";
/// Position in the kept log; missing in a store without one.
pub(crate) const KEPT_LOG: &[u8] = b"kept-log";

/// Names of the metadata records, and the length of their content in bytes.
pub(crate) const RECORDS: [(&[u8], usize); 3] = [(TOKEN_KEY, 32), (CLOCK, 8), (NEXT_TABLE, 4)];

/// Metadata as read when the store was opened.
#[derive(Debug)]
pub(crate) struct Meta {
    pub(crate) token_key: TokenKey,
    /// Timestamps up to this one, in ticks, are never used again.
    pub(crate) clock: i64,
}

/// Writes the records of a new store.
pub(crate) fn create(write: &mut dyn Write, token_key: &TokenKey) -> Result<(), StorageFault> {
    put_token_key(write, token_key)?;
    put_next_table(write, TableId::FIRST)?;
    put_clock(write, 0)
}

/// Writes the key that protects tokens.
pub(crate) fn put_token_key(write: &mut dyn Write, TokenKey(key): &TokenKey) -> Result<(), StorageFault> {
    checksum::put(write, &TableId::META.key(TOKEN_KEY), key)
}

/// Reads and verifies all records.
pub(crate) fn read(read: &dyn Read) -> Result<Meta, StorageFault> {
    next_table(read)?;
    let token_key = TokenKey(number(read, TOKEN_KEY)?);
    Ok(Meta { token_key, clock: i64::from_le_bytes(number(read, CLOCK)?) })
}

/// Reads the id of the next table.
pub(crate) fn next_table(read: &dyn Read) -> Result<TableId, StorageFault> {
    number(read, NEXT_TABLE).map(u32::from_le_bytes).map(TableId)
}

/// Writes the id of the next table.
pub(crate) fn put_next_table(write: &mut dyn Write, id: TableId) -> Result<(), StorageFault> {
    checksum::put(write, &TableId::META.key(NEXT_TABLE), &id.0.to_le_bytes())
}

/// Writes the upper bound of the reserved time.
pub(crate) fn put_clock(write: &mut dyn Write, ticks: i64) -> Result<(), StorageFault> {
    checksum::put(write, &TableId::META.key(CLOCK), &ticks.to_le_bytes())
}

fn number<const N: usize>(read: &dyn Read, name: &[u8]) -> Result<[u8; N], StorageFault> {
    let key = TableId::META.key(name);
    let body = checksum::get(read, &key)?.ok_or_else(|| checksum::damaged(&key, "it is missing"))?;
    body.as_slice().try_into().map_err(|_| checksum::damaged(&key, "its length is invalid"))
}
